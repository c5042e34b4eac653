/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of addresses, for backtraces. */
#include "fmt.h"
#include "image.h"
#include "machine.h"

#define SYMBOL_TEXT  96u
#define SYMBOL_TEXTS 4u /* so that one message can name several */

static bool is_code(uint64_t address)
{
	return address >= (uint64_t)(uintptr_t)text_start &&
	       address < (uint64_t)(uintptr_t)user_text_end;
}

/* The last symbol at or before offset; symbol_count when there is none. */
static uint32_t symbol_before(uint64_t offset)
{
	uint32_t low = 0, high = symbol_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (symbol_table[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low == 0 ? symbol_count : low - 1;
}

const char *machine_symbol(uint64_t address)
{
	static char texts[SYMBOL_TEXTS][SYMBOL_TEXT];
	static unsigned next;
	char *text = texts[next++ % SYMBOL_TEXTS];
	uint64_t start = (uint64_t)(uintptr_t)image_start;
	uint64_t offset = address - start;
	uint32_t symbol;

	if (address < start || address >= (uint64_t)(uintptr_t)image_end) {
		fmt_print(text, SYMBOL_TEXT, "0x%llx", (unsigned long long)address);
		return text;
	}
	symbol = is_code(address) ? symbol_before(offset) : symbol_count;
	if (symbol == symbol_count)
		fmt_print(text, SYMBOL_TEXT, "image+0x%llx", (unsigned long long)offset);
	else
		fmt_print(text, SYMBOL_TEXT, "%s+0x%llx", symbol_names + symbol_table[symbol].name,
			  (unsigned long long)(offset - symbol_table[symbol].offset));
	return text;
}
