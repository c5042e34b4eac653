/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of addresses, for backtraces. */
#include "state.h"

#define SYMBOL_TEXT  96u
#define SYMBOL_TEXTS 4u /* so that one message can name several */

static bool is_code(uint64_t address)
{
	return address >= (uint64_t)(uintptr_t)text_start &&
	       address < (uint64_t)(uintptr_t)user_text_end;
}

struct symbol {
	const unsigned char *name; /* as in symbol_names; NULL: in no function */
	uint64_t offset; /* in it */
};

static uint64_t next_size(const unsigned char **at)
{
	const unsigned char *size = *at;

	*at += size[0] == SYMBOL_IS_LONG ? 3 : 1;
	return size[0] == SYMBOL_IS_LONG ? size[1] | (uint64_t)size[2] << 8 : size[0];
}

static struct symbol find(uint64_t offset)
{
	const unsigned char *name = symbol_names, *sizes = symbol_sizes;

	if (offset < symbol_first)
		return (struct symbol){NULL, offset};
	offset -= symbol_first;
	for (uint32_t i = 0; i < symbol_count; i++) {
		uint64_t size = next_size(&sizes);

		if (offset < size)
			return (struct symbol){name, offset};
		offset -= size;
		name += strlen((const char *)name) + 1;
	}
	return (struct symbol){NULL, offset};
}

/* A byte of a name, which may stand for two, up to the end of the text, where it is cut. */
static char *spell(char *to, const char *end, unsigned char byte)
{
	const unsigned char *pair = symbol_pairs[byte];

	if (pair[0])
		return spell(spell(to, end, pair[0]), end, pair[1]);
	if (to < end)
		*to++ = (char)byte;
	return to;
}

static void spell_all(char text[SYMBOL_TEXT], const unsigned char *name)
{
	char *to = text;

	while (*name)
		to = spell(to, text + SYMBOL_TEXT - 1, *name++);
	*to = '\0';
}

const char *machine_symbol(uint64_t address)
{
	static char texts[SYMBOL_TEXTS][SYMBOL_TEXT];
	static unsigned next;
	char *text = texts[next++ % SYMBOL_TEXTS], name[SYMBOL_TEXT] = "image";
	uint64_t start = (uint64_t)(uintptr_t)image_start;
	uint64_t offset = address - start;
	struct symbol symbol = {NULL, offset};

	if (address < start || address >= (uint64_t)(uintptr_t)image_end) {
		fmt_print(text, SYMBOL_TEXT, "0x%llx", (unsigned long long)address);
		return text;
	}
	if (is_code(address))
		symbol = find(offset);
	if (symbol.name)
		spell_all(name, symbol.name);
	fmt_print(text, SYMBOL_TEXT, "%s+0x%llx", name, (unsigned long long)symbol.offset);
	return text;
}
