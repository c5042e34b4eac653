/* SPDX-License-Identifier: BSD-2-Clause */
/* A processor made of an input. */
#include "fake_machine.h"

#include <string.h>

#include "apic.h"
#include "bits.h"

#define RECORD_LEAF 'C'
#define RECORD_MSR  'M'

/* Write-only on a real part: status bits are cleared by writing them. */
#define MSR_INTEL_STATUS_RESET 0x390u
#define MSR_AMD_STATUS_CLEAR   0xc0000302u

struct leaf {
	uint32_t leaf, subleaf;
	struct cpuid_regs regs;
};

struct msr {
	uint32_t address;
	bool there;
	uint8_t faults;
	uint64_t value, writable, noted;
};

/* More records than this are not looked at; the table of MSRs is hashed and must not fill. */
enum { RECORDS = 128, MSRS = 512 };

void (*fake_on_write)(uint32_t msr, uint64_t now, uint64_t value);

static struct leaf leaves[RECORDS];
static struct msr msrs[MSRS];
static unsigned leaves_count;
static uint8_t machine_flags;
static bool faults, forgets, written;

static struct msr *find_msr(uint32_t address)
{
	unsigned at = address * 2654435761u >> 23;

	while (msrs[at].there && msrs[at].address != address)
		at = (at + 1) % MSRS;
	if (!msrs[at].there)
		msrs[at] = (struct msr){
			.address = address,
			.there = true,
			.faults = machine_flags & FAKE_ALL_MSRS
					  ? 0
					  : FAKE_READ_FAULT | FAKE_WRITE_FAULT,
			.writable = ~UINT64_C(0),
		};
	return &msrs[at];
}

static void read_msr_record(struct input *in)
{
	struct msr *msr = find_msr((uint32_t)input_number(in, 4));

	msr->faults = (uint8_t)input_number(in, 1) & (FAKE_READ_FAULT | FAKE_WRITE_FAULT);
	msr->value = input_number(in, 8);
	msr->writable = input_number(in, 8);
	faults |= msr->faults != 0;
	forgets |= msr->writable != ~UINT64_C(0);
}

static void read_leaf_record(struct input *in)
{
	struct leaf *leaf = &leaves[leaves_count++];

	leaf->leaf = (uint32_t)input_number(in, 4);
	leaf->subleaf = (uint32_t)input_number(in, 1);
	leaf->regs.eax = (uint32_t)input_number(in, 4);
	leaf->regs.ebx = (uint32_t)input_number(in, 4);
	leaf->regs.ecx = (uint32_t)input_number(in, 4);
	leaf->regs.edx = (uint32_t)input_number(in, 4);
}

void fake_build(struct input *in)
{
	memset(msrs, 0, sizeof(msrs));
	leaves_count = 0;
	written = forgets = false;
	machine_flags = (uint8_t)input_number(in, 1);
	faults = !(machine_flags & FAKE_ALL_MSRS);
	for (unsigned records = 0; records < RECORDS; records++) {
		uint8_t tag = (uint8_t)input_number(in, 1);

		if (tag == RECORD_MSR)
			read_msr_record(in);
		else if (tag == RECORD_LEAF)
			read_leaf_record(in);
		else
			break;
	}
}

bool fake_faults(void)
{
	return faults;
}

bool fake_forgets(void)
{
	return forgets;
}

bool fake_written(void)
{
	return written;
}

void fake_note(void)
{
	for (unsigned i = 0; i < MSRS; i++)
		msrs[i].noted = msrs[i].value;
}

bool fake_as_noted(void)
{
	for (unsigned i = 0; i < MSRS; i++)
		if (msrs[i].value != msrs[i].noted && msrs[i].address != MSR_INTEL_STATUS_RESET &&
		    msrs[i].address != MSR_AMD_STATUS_CLEAR)
			return false;
	return true;
}

/* ---- the instructions ---- */

struct cpuid_regs cpuid(uint32_t leaf, uint32_t subleaf)
{
	for (unsigned i = 0; i < leaves_count; i++)
		if (leaves[i].leaf == leaf && leaves[i].subleaf == subleaf)
			return leaves[i].regs;
	return (struct cpuid_regs){0};
}

int rdmsr_safe(uint32_t msr, uint64_t *val)
{
	const struct msr *m = find_msr(msr);
	bool fault = m->faults & FAKE_READ_FAULT;

	*val = fault ? 0 : m->value;
	return fault ? FAULT_GP : FAULT_NONE;
}

int wrmsr_safe(uint32_t msr, uint64_t val)
{
	struct msr *m = find_msr(msr);

	written = true;
	if (fake_on_write)
		fake_on_write(msr, m->value, val);
	if (m->faults & FAKE_WRITE_FAULT)
		return FAULT_GP;
	m->value = (m->value & ~m->writable) | (val & m->writable);
	return FAULT_NONE;
}

uint64_t rdmsr(uint32_t msr)
{
	uint64_t val;

	if (rdmsr_safe(msr, &val) != FAULT_NONE)
		panic("RDMSR %x faults", msr);
	return val;
}

void wrmsr(uint32_t msr, uint64_t val)
{
	if (wrmsr_safe(msr, val) != FAULT_NONE)
		panic("WRMSR %x faults", msr);
}

bool apic_present(void)
{
	return machine_flags & FAKE_APIC;
}
