/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs as code. */
#include "random.h"

_Static_assert((unsigned)CROSSING_ZERO >= (unsigned)IMAGE_BUFFER, "no program writes there");

_Static_assert((unsigned)STUB > (unsigned)CROSSING_CODE, "a crossing and a RET");

enum { RET = 0xc3 };

/* In the order of the assembler's names: eax, ecx, edx, ebx, and esi for the buffer, edi for turns.
 */
enum { EBX = 3, EDI = 7 };

void image_put(struct image *image, unsigned is, const uint8_t *bytes, unsigned length)
{
	image->last = image->size;
	image->note[image->last] =
		(struct note){.is = (uint8_t)(IS_INSTRUCTION | is), .length = (uint8_t)length};
	memcpy(image->code + image->size, bytes, length);
	image->size += length;
}

void image_touch(struct image *image, uint8_t touches, uint32_t where, uint8_t width)
{
	struct note *note = &image->note[image->last];

	note->touches = touches;
	note->where = (uint8_t)where;
	note->width = width;
}

/* ---- distances, which are known when all has its place ---- */

enum aim { AT_SECTION, OVER_OPS, AT_ADDRESS };

static struct fix {
	uint16_t at; /* behind the four bytes */
	uint8_t aim, section, ops;
} fixes[2 * OPS_MAX];
static unsigned fix_count, op_now; /* the operation that is being placed */
static unsigned section_now;

static void aim(const struct image *image, enum aim aim, unsigned section, unsigned ops)
{
	fixes[fix_count++] =
		(struct fix){(uint16_t)image->size, (uint8_t)aim, (uint8_t)section, (uint8_t)ops};
}

void image_aim_at_section(struct image *image, unsigned section)
{
	aim(image, AT_SECTION, section, 0);
}

void image_aim_address(struct image *image, unsigned section)
{
	aim(image, AT_ADDRESS, section, 0);
}

void image_aim_over(struct image *image, unsigned ops)
{
	aim(image, OVER_OPS, section_now, op_now + 1 + ops);
}

static void put_distance(struct image *image, unsigned behind, uint32_t value)
{
	memcpy(image->code + behind - sizeof(value), &value, sizeof(value));
}

/* The end of each section, where jumps over more than there is lead. */
static unsigned ends[SECTIONS];

static void fix_all(struct image *image, const struct program *program)
{
	for (const struct fix *f = fixes; f < fixes + fix_count; f++) {
		unsigned to = image->section_at[f->section];

		if (f->aim == OVER_OPS)
			to = f->ops < program->ops && program->op[f->ops].section == f->section
				     ? image->at[f->ops]
				     : ends[f->section];
		if (f->aim == AT_ADDRESS)
			put_distance(image, f->at, (uint32_t)(uintptr_t)user_code + to);
		else
			put_distance(image, f->at, to - f->at);
	}
}

/* ---- sections ---- */

static void put_ret(struct image *image)
{
	image_put(image, IS_RETURN, (const uint8_t[]){RET}, 1);
}

/* Registers that C code wants back, and values for all others: flags are known from here on. */
static void put_begin(struct image *image)
{
	image_put(image, 0, (const uint8_t[]){0x50 + EBX}, 1); /* push */
	image_touch(image, SAMPLE_IS_STORE, 0, 0);
	image_put(image, 0, (const uint8_t[]){0x31, 0xc0}, 2); /* xor eax, eax */
	for (uint8_t reg = 0; reg <= EBX; reg++)
		image_put(image, 0, (const uint8_t[]){0xb8 + reg, reg + 1, 0x10, 0x80, reg}, 5);
}

static void put_loop_end(struct image *image, unsigned begin)
{
	static const uint8_t dec[] = {0xff, 0xc8 + EDI};
	uint8_t jnz[6] = {0x0f, 0x85};
	const uint32_t back = begin - (image->size + (unsigned)(sizeof(dec) + sizeof(jnz)));

	memcpy(jnz + 2, &back, sizeof(back));
	image_put(image, 0, dec, sizeof(dec));
	image_put(image, IS_CONDITIONAL, jnz, sizeof(jnz));
	image_put(image, 0, (const uint8_t[]){0x58 + EBX}, 1); /* pop */
	image_touch(image, SAMPLE_IS_LOAD, 0, 0);
	image->end = image->size;
	image_put(image, IS_RETURN, (const uint8_t[]){0xf3, RET}, 2); /* room for UD2 */
}

static void put_section(struct image *image, const struct program *program, unsigned section)
{
	section_now = section;
	image->section_at[section] = image->size;
	for (unsigned i = 0; i < program->ops; i++) {
		if (program->op[i].section != section)
			continue;
		op_now = i;
		image->at[i] = image->size;
		op_place(image, &program->op[i]);
	}
	ends[section] = image->size;
}

static void put_stubs(struct image *image)
{
	image->code[AT_RET] = RET;
	for (unsigned i = 0; crossing(i); i++) {
		unsigned at = AT_CROSSING(i);

		at += crossing_put(crossing(i), image->code + at, (uintptr_t)user_code + at);
		image->code[at] = RET;
	}
}

struct image image_now;

void image_load(const struct program *program)
{
	struct image *image = &image_now;
	unsigned begin;

	memset(image, 0, sizeof(*image));
	memset(image->code, 0xcc /* INT3 */, sizeof(image->code));
	fix_count = 0;
	put_begin(image);
	begin = image->size;
	put_section(image, program, 0);
	put_loop_end(image, begin);
	image->turns = program->turns;
	for (unsigned section = 1; section < SECTIONS; section++) {
		put_section(image, program, section);
		put_ret(image);
	}
	fix_all(image, program);
	if (image->size > AT_ENTRY)
		panic("a drawn program of %u bytes", image->size);
	put_stubs(image);
	user_code_load(image->code, sizeof(image->code));
}

void image_prepare_buffer(void)
{
	uint32_t *buffer = user_buffer();

	for (unsigned i = 0; i < IMAGE_BUFFER / sizeof(*buffer); i++)
		buffer[i] = i * UINT32_C(0x9e3779b1);
}

/* ---- where it is interrupted ---- */

static const uint8_t ud2[] = {0x0f, 0x0b};

static struct {
	unsigned place;
	uint8_t code[sizeof(ud2)];
} broken;

static bool mend(struct trap_frame *frame, void *arg)
{
	(void)frame;
	(void)arg;
	memcpy(image_now.code + broken.place, broken.code, sizeof(broken.code));
	user_code_load(image_now.code, sizeof(image_now.code));
	trap_set_handler(FAULT_UD, NULL, NULL);
	return true;
}

void image_break(unsigned place)
{
	broken.place = place;
	memcpy(broken.code, image_now.code + place, sizeof(broken.code));
	memcpy(image_now.code + place, ud2, sizeof(ud2));
	user_code_load(image_now.code, sizeof(image_now.code));
	trap_set_handler(FAULT_UD, mend, NULL);
}
