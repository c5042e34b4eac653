/* SPDX-License-Identifier: BSD-2-Clause */
/* The guest's memory through the guest's page tables; physical memory is mapped one to one. */
#include "string.h"
#include "vmm.h"

#define PTE_PRESENT BIT(0)
#define PTE_LARGE   BIT(7)
#define PTE_ADDRESS FIELD(51, 12)

enum { PAGE = 4096, CODE_BYTES = 15 };

static void *physical_pointer(uint64_t physical)
{
	return (void *)(uintptr_t)physical;
}

/* No check of access rights: what is read here was just executed or is to be pushed by the
 * processor itself, with its own rights. */
bool guest_translate(const struct guest *g, uint64_t linear, uint64_t *physical)
{
	uint64_t table = g->vmcb->cr3 & PTE_ADDRESS;
	unsigned shift = g->vmcb->cr4 & CR4_LA57 ? 48 : 39;

	for (;; shift -= 9) {
		const uint64_t *entries = physical_pointer(table);
		uint64_t entry = entries[linear >> shift & 511];

		if (!(entry & PTE_PRESENT))
			return false;
		table = entry & PTE_ADDRESS;
		if (shift == 12 || (shift <= 30 && entry & PTE_LARGE)) {
			uint64_t offset = BIT(shift) - 1;

			*physical = (table & ~offset) | (linear & offset);
			return true;
		}
	}
}

static size_t bytes_left_in_page(uint64_t address)
{
	return PAGE - (address & (PAGE - 1));
}

bool guest_read(const struct guest *g, uint64_t linear, void *to, size_t size)
{
	uint8_t *out = to;

	while (size) {
		size_t part = bytes_left_in_page(linear);
		uint64_t physical;

		if (part > size)
			part = size;
		if (!guest_translate(g, linear, &physical))
			return false;
		memcpy(out, physical_pointer(physical), part);
		out += part;
		linear += part;
		size -= part;
	}
	return true;
}

bool guest_write(const struct guest *g, uint64_t linear, const void *from, size_t size)
{
	const uint8_t *in = from;

	while (size) {
		size_t part = bytes_left_in_page(linear);
		uint64_t physical;

		if (part > size)
			part = size;
		if (!guest_translate(g, linear, &physical))
			return false;
		memcpy(physical_pointer(physical), in, part);
		in += part;
		linear += part;
		size -= part;
	}
	return true;
}

/* ---- code ---- */

/* The last page of code, as a TLB of one entry: it too may be stale until CR3 is loaded or a
 * serializing instruction has run. */
static struct {
	uint64_t cr3, linear, physical;
} code_page = {.linear = 1}; /* no page starts there */

void guest_forget_code(void)
{
	code_page.linear = 1;
}

static bool translate_code(const struct guest *g, uint64_t linear, uint64_t *physical)
{
	uint64_t page = linear & ~(uint64_t)(PAGE - 1);

	if (code_page.linear != page || code_page.cr3 != g->vmcb->cr3) {
		guest_forget_code();
		if (!guest_translate(g, page, &code_page.physical))
			return false;
		code_page.linear = page;
		code_page.cr3 = g->vmcb->cr3;
	}
	*physical = code_page.physical + (linear - page);
	return true;
}

const uint8_t *guest_code(const struct guest *g, uint64_t linear, unsigned *available)
{
	static uint8_t straddling[CODE_BYTES];
	size_t part = bytes_left_in_page(linear);
	uint64_t physical;

	*available = 0;
	if (!translate_code(g, linear, &physical))
		return straddling;
	*available = CODE_BYTES;
	if (part >= CODE_BYTES)
		return physical_pointer(physical);
	memcpy(straddling, physical_pointer(physical), part);
	if (!guest_read(g, linear + part, straddling + part, CODE_BYTES - part))
		*available = (unsigned)part;
	return straddling;
}
