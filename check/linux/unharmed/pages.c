/* SPDX-License-Identifier: BSD-2-Clause */
/* The pages that drawn code meets.  Their file has the code, the page that is copied on write, and
 * the subroutines. */
#define _GNU_SOURCE
#include "unharmed.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FILE_CODE, FILE_COPIED = 2, FILE_VARIANTS, FILE_PAGES = FILE_VARIANTS + CHANGING_VARIANTS };

static uint8_t *file; /* mapped as a whole */
static int memory = -1; /* /proc/self/mem */

/* ADD RAX, a number that is another one in each variant; XOR EDX, EAX; RET. */
static void write_subroutines(unsigned variant)
{
	static const uint8_t routine[] = {0x48, 0x81, 0xc0, 0, 0, 0, 0, 0x31, 0xc2, 0xc3};

	for (unsigned i = 0; i < SUBROUTINES; i++) {
		uint8_t *to = file + (FILE_VARIANTS + variant) * PAGE + i * SUBROUTINE_ROOM;

		memcpy(to, routine, sizeof(routine));
		to[3] = (uint8_t)(1 + i);
		to[5] = (uint8_t)(1 + variant);
	}
}

static int make_file(void)
{
	int fd = memfd_create("unharmed", 0);

	if (fd < 0 || ftruncate(fd, FILE_PAGES * PAGE))
		return -1;
	file = mmap(NULL, FILE_PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	memory = open("/proc/self/mem", O_RDONLY);
	if (file == MAP_FAILED || memory < 0)
		return -1;
	for (unsigned variant = 0; variant < CHANGING_VARIANTS; variant++)
		write_subroutines(variant);
	return fd;
}

int pages_open(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = make_file();
	return fd;
}

uint32_t pages_variant(unsigned n)
{
	return (FILE_VARIANTS + n) * PAGE;
}

/* file_page -1: of its own. */
static void map(unsigned page, unsigned count, int rights, int flags, int file_page)
{
	bool own = file_page < 0;

	mmap((void *)page_address(page), count * PAGE, rights,
	     flags | MAP_FIXED | (own ? MAP_ANONYMOUS : 0), own ? -1 : pages_open(),
	     own ? 0 : file_page * PAGE);
}

static void fill(unsigned page, unsigned value)
{
	memset((void *)page_address(page), (int)value, PAGE);
}

static void map_next(enum next_page next)
{
	if (next == NEXT_HOLE)
		munmap((void *)page_address(PAGE_NEXT), PAGE);
	else if (next == NEXT_NOT_EXECUTABLE)
		mprotect((void *)page_address(PAGE_NEXT), PAGE, PROT_READ | PROT_WRITE);
}

static void map_code(const struct code *code, enum next_page next)
{
	memcpy(file + FILE_CODE * PAGE, code->bytes, sizeof(code->bytes));
	map(PAGE_CODE, 2, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED, FILE_CODE);
	map(PAGE_ALIAS, 2, PROT_READ | PROT_WRITE, MAP_SHARED, FILE_CODE);
	map_next(next);
}

/* Read-only pages are so once they are filled. */
static void map_operands(void)
{
	const int rights = PROT_READ | PROT_WRITE;

	map(PAGE_OPERANDS, PAGE_HOLE - PAGE_OPERANDS, rights, MAP_PRIVATE, -1);
	munmap((void *)page_address(PAGE_HOLE), PAGE);
	memset(file + FILE_COPIED * PAGE, 0x5a, PAGE);
	map(PAGE_COPIED, 1, rights, MAP_PRIVATE, FILE_COPIED);
	fill(PAGE_OPERANDS, 0x11);
	fill(PAGE_READ_ONLY, 0x22);
	fill(PAGE_NO_ACCESS, 0x33);
	mprotect((void *)page_address(PAGE_READ_ONLY), PAGE, PROT_READ);
	mprotect((void *)page_address(PAGE_NO_ACCESS), PAGE, PROT_NONE);
}

void pages_map(const struct code *code, enum next_page next)
{
	const int rights = PROT_READ | PROT_WRITE;

	map_code(code, next);
	map_operands();
	map(PAGE_STACK_UNTOUCHED, 1, rights, MAP_PRIVATE, -1);
	map(PAGE_STACK, 1, rights, MAP_PRIVATE, -1);
	fill(PAGE_STACK, 0x44);
	map(PAGE_CHANGING, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, FILE_VARIANTS);
}

bool pages_mend(uint64_t address, bool fetch, enum next_page next)
{
	unsigned page = (unsigned)((address - ARENA) / PAGE);

	if (page == PAGE_NEXT && fetch && next != NEXT_MAPPED)
		map(PAGE_NEXT, 1, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED, FILE_CODE + 1);
	else if (page == PAGE_HOLE && !fetch)
		map(PAGE_HOLE, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
	else if ((page == PAGE_READ_ONLY || page == PAGE_NO_ACCESS) && !fetch)
		mprotect((void *)page_address(page), PAGE, PROT_READ | PROT_WRITE);
	else
		return false;
	return true;
}

/* Does a write through another mapping change code that follows?  It makes SUB of the ADD at RDI
 * before that comes: 5 - 3, or else 8. */
bool pages_changes_are_seen(void)
{
	static const struct code code = {.bytes = {0xb8, 5, 0, 0, 0, 0xba, 3, 0, 0, 0, 0xc6, 0x07,
						   0x29, 0x90, 0x01, 0xd0, 0xc3}};
	enum { OPCODE = 14 };
	int (*run)(uint64_t to) = (int (*)(uint64_t to))(uintptr_t)page_address(PAGE_CODE);

	pages_map(&code, NEXT_MAPPED);
	return run(page_address(PAGE_ALIAS) + OPCODE) == 2;
}

uint64_t pages_digest(void)
{
	uint64_t digest = UINT64_C(0xcbf29ce484222325); /* FNV-1a, by words */
	uint64_t words[PAGE / 8];

	for (unsigned page = 0; page < PAGES; page++) {
		memset(words, 0, sizeof(words));
		if (pread(memory, words, PAGE, (off_t)page_address(page)) < 0)
			digest++;
		for (unsigned i = 0; i < PAGE / 8; i++)
			digest = (digest ^ words[i]) * UINT64_C(0x100000001b3);
	}
	return digest;
}
