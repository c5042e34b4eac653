/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A 32-bit program instead of a UEFI image: what a Multiboot loader under BIOS does for it, in
 * memory that the firmware lends.  All that the firmware has not in use is the program's, so that
 * nothing of the firmware may run meanwhile.
 */
#include "kernel/lib/acpi.h"
#include "kernel/lib/fmt.h"
#include "kernel/lib/string.h"
#include "launch.h"
#include "model/vmm/vmm.h"
#include "multiboot.h"

#define CONFIG    (const CHAR16 *)L"\\pmutest86.cfg"

#define FOUR_GIB  UINT64_C(0x100000000)
#define PAGE_SIZE UINT64_C(4096)

enum { COMMAND_LINE = 1024, CONFIG_MAX = 32768, MAP_BYTES = 65536 };

/* Everything that the program is given besides itself: below 4 GiB, and reserved. */
struct gift {
	struct multiboot_information information;
	struct multiboot_module module;
	struct multiboot_map map;
	char loader_name[32], command_line[COMMAND_LINE];
	char config[CONFIG_MAX];
};

/* Memory of the firmware's; page 0: none. */
struct loan {
	EFI_PHYSICAL_ADDRESS page;
	UINTN pages;
};

static struct {
	struct multiboot_image image;
	struct loan program, gift, ebda;
} loaded;

/* ---- memory ---- */

static uint64_t pages_of(uint64_t bytes)
{
	return (bytes + PAGE_SIZE - 1) / PAGE_SIZE;
}

static bool borrow(const struct launch *l, EFI_ALLOCATE_TYPE how, uint64_t address, uint64_t bytes,
		   struct loan *loan)
{
	loan->page = address;
	loan->pages = pages_of(bytes);
	if (!l->table->BootServices->AllocatePages(how, EfiLoaderData, loan->pages, &loan->page))
		return true;
	loan->page = 0;
	return false;
}

static void give_back(const struct launch *l, struct loan *loan)
{
	if (loan->page)
		l->table->BootServices->FreePages(loan->page, loan->pages);
	loan->page = 0;
}

typedef bool visitor(const EFI_MEMORY_DESCRIPTOR *descriptor, void *arg);

/* Visits each descriptor of the firmware's memory map, until a visit is false. */
static bool each_descriptor(const struct launch *l, visitor *visit, void *arg)
{
	static uint8_t map[MAP_BYTES] LARGE __attribute__((aligned(8)));
	UINTN size = sizeof(map), key, each;
	UINT32 version;

	if (l->table->BootServices->GetMemoryMap(&size, (EFI_MEMORY_DESCRIPTOR *)(void *)map, &key,
						 &each, &version))
		return false;
	for (UINTN at = 0; at < size; at += each)
		if (!visit((const EFI_MEMORY_DESCRIPTOR *)(const void *)(map + at), arg))
			return false;
	return true;
}

static enum multiboot_memory type_of(UINT32 type)
{
	switch (type) {
	case EfiConventionalMemory:
		return MEMORY_AVAILABLE;
	case EfiACPIReclaimMemory:
		return MEMORY_ACPI;
	case EfiACPIMemoryNVS:
		return MEMORY_NVS;
	default:
		return MEMORY_RESERVED;
	}
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The program itself lies in memory that is available, as loaders have it. */
static bool add_to_map(const EFI_MEMORY_DESCRIPTOR *d, void *arg)
{
	uint64_t first = d->PhysicalStart, end = first + d->NumberOfPages * PAGE_SIZE;
	uint64_t program = loaded.program.page,
		 program_end = program + loaded.program.pages * PAGE_SIZE;
	enum multiboot_memory type = type_of(d->Type);
	struct multiboot_map *map = arg;

	if (program_end <= first || program >= end)
		return multiboot_add(map, first, end - first, type);
	if (first < program && !multiboot_add(map, first, program - first, type))
		return false;
	if (first < program)
		first = program;
	if (!multiboot_add(map, first, least(end, program_end) - first, MEMORY_AVAILABLE))
		return false;
	return end <= program_end || multiboot_add(map, program_end, end - program_end, type);
}

/* Says which of the firmware's memory the program would lie in. */
static bool print_obstacle(const EFI_MEMORY_DESCRIPTOR *d, void *arg)
{
	const struct multiboot_image *image = arg;
	uint64_t end = d->PhysicalStart + d->NumberOfPages * PAGE_SIZE;

	if (d->PhysicalStart < image->end && end > image->first && d->Type != EfiConventionalMemory)
		serial_print("silicon: error: %llx to %llx is the firmware's, of type %u\n",
			     (unsigned long long)d->PhysicalStart, (unsigned long long)end,
			     (unsigned)d->Type);
	return true;
}

/* ---- the program ---- */

static EFI_STATUS refuse(const char *name, const char *error)
{
	serial_print("silicon: error: \\%s: %s\n", name, error);
	return EFI_LOAD_ERROR;
}

static EFI_STATUS load(const struct launch *l, const char *name)
{
	size_t size;
	const char *file = launch_read_program(l, name, &size);
	const char *error = file ? multiboot_read((const uint8_t *)file, size, &loaded.image)
				 : "missing, or too long";
	uint64_t first;

	if (error)
		return refuse(name, error);
	first = loaded.image.first / PAGE_SIZE * PAGE_SIZE;
	if (!borrow(l, AllocateAddress, first, loaded.image.end - first, &loaded.program)) {
		serial_print("silicon: error: \\%s: it wants %x to %x\n", name, loaded.image.first,
			     loaded.image.end);
		each_descriptor(l, print_obstacle, &loaded.image);
		return EFI_OUT_OF_RESOURCES;
	}
	multiboot_place((const uint8_t *)file, &loaded.image,
			(uint8_t *)(uintptr_t)loaded.image.first);
	return EFI_SUCCESS;
}

/* ---- what it is given ---- */

static uint32_t low(const void *pointer)
{
	return (uint32_t)(uintptr_t)pointer;
}

static void give_texts(const struct launch *l, struct gift *gift, const char *name,
		       const char *options)
{
	size_t size = sizeof(gift->config);
	struct multiboot_information *information = &gift->information;

	fmt_print(gift->loader_name, sizeof(gift->loader_name), "pmutest86 silicon model");
	/* Its end is to be seen, unless the options want another one. */
	fmt_print(gift->command_line, sizeof(gift->command_line), "%s end=poweroff %s", name,
		  options);
	information->flags |= MULTIBOOT_HAS_COMMAND_LINE | MULTIBOOT_HAS_LOADER_NAME;
	information->command_line = low(gift->command_line);
	information->loader_name = low(gift->loader_name);
	if (!launch_read_file(l, CONFIG, gift->config, &size))
		return;
	gift->module = (struct multiboot_module){
		.start = low(gift->config),
		.end = low(gift->config) + (uint32_t)size,
		.string = low("pmutest86.cfg"),
	};
	information->flags |= MULTIBOOT_HAS_MODULES;
	information->modules = 1;
	information->module = low(&gift->module);
}

/* The extended BIOS data area, in which programs look for the ACPI root pointer: ACPI 6.4, 5.2.5.1.
 */
enum { EBDA_POINTER = 0x40e, RSDP_SIZE = 36 };
#define LOW_MEMORY UINT64_C(0xa0000)

static uint16_t exchange_ebda(uint16_t segment)
{
	volatile uint16_t *pointer = (volatile uint16_t *)(uintptr_t)EBDA_POINTER;
	uint16_t old = *pointer;

	*pointer = segment;
	return old;
}

static bool give_ebda(const struct launch *l)
{
	uint64_t rsdp = launch_find_rsdp(l->table);

	if (!borrow(l, AllocateMaxAddress, LOW_MEMORY - 1, PAGE_SIZE, &loaded.ebda))
		return false;
	memset((void *)(uintptr_t)loaded.ebda.page, 0, PAGE_SIZE);
	*(uint8_t *)(uintptr_t)loaded.ebda.page = 4; /* its size in KiB */
	if (rsdp)
		memcpy((void *)(uintptr_t)(loaded.ebda.page + 16), (const void *)(uintptr_t)rsdp,
		       RSDP_SIZE);
	return true;
}

static EFI_STATUS give(const struct launch *l, const char *name, const char *options)
{
	struct gift *gift;

	if (!give_ebda(l) ||
	    !borrow(l, AllocateMaxAddress, FOUR_GIB - 1, sizeof(*gift), &loaded.gift))
		return refuse(name, "no memory for what a loader gives it");
	gift = (struct gift *)(uintptr_t)loaded.gift.page;
	memset(gift, 0, sizeof(*gift));
	give_texts(l, gift, name, options);
	if (!each_descriptor(l, add_to_map, &gift->map))
		return refuse(name, "the firmware's memory map is too long");
	multiboot_describe(&gift->information, &gift->map);
	return EFI_SUCCESS;
}

/* ---- its run ---- */

static void give_all_back(const struct launch *l)
{
	give_back(l, &loaded.program);
	give_back(l, &loaded.gift);
	give_back(l, &loaded.ebda);
}

EFI_STATUS launch_load_32(const struct launch *l, const char *name, const char *options)
{
	EFI_STATUS status = load(l, name);

	if (!status)
		status = give(l, name, options);
	if (status)
		give_all_back(l);
	return status;
}

/* The status by what the program has told QEMU, or by how else it has ended. */
static EFI_STATUS status_of(const struct program *program)
{
	static const EFI_STATUS verdicts[] = {EFI_SUCCESS, EFI_ABORTED, EFI_SUCCESS,
					      EFI_DEVICE_ERROR, EFI_INVALID_PARAMETER};
	static const char *const ends[] = {
		[PROGRAM_HALTED] = "halted",
		[PROGRAM_RESET] = "reset the machine",
		[PROGRAM_POWERED_OFF] = "turned the power off",
		[PROGRAM_SHUT_DOWN] = "met a triple fault",
	};

	if (program->end == PROGRAM_EXITED)
		return program->value < ARRAY_SIZE(verdicts) ? verdicts[program->value]
							     : EFI_DEVICE_ERROR;
	serial_print("silicon: the program %s\n", ends[program->end]);
	return program->end == PROGRAM_SHUT_DOWN ? EFI_DEVICE_ERROR : EFI_SUCCESS;
}

EFI_STATUS launch_start_32(const struct launch *l)
{
	struct gift *gift = (struct gift *)(uintptr_t)loaded.gift.page;
	struct program program = {
		.entry = loaded.image.entry,
		.eax = MULTIBOOT_LOADED,
		.ebx = low(&gift->information),
		.power_port = launch_power_port(l->table),
	};
	uint16_t ebda = exchange_ebda((uint16_t)(loaded.ebda.page >> 4));

	vmm_hypercall(HYPERCALL_PROGRAM, &program);
	exchange_ebda(ebda);
	give_all_back(l);
	return status_of(&program);
}
