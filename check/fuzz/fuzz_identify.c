/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The report's header, for whatever processor CPUID tells of: names end, no line is forged, nothing
 * but the microcode's register is written.  The input is a machine (fake_machine.h).
 */
#include "fake_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/console/console.h"
#include "kernel/kernel.h"

#define MSR_BIOS_SIGN_ID 0x8bu

static void check_write(uint32_t msr, uint64_t now, uint64_t value)
{
	(void)now;
	MUST(msr == MSR_BIOS_SIGN_ID && !value);
}

static bool is_intel(void)
{
	struct cpuid_regs r = cpuid(0, 0);

	return r.ebx == 0x756e6547 && r.edx == 0x49656e69 && r.ecx == 0x6c65746e;
}

static bool is_centaur(void)
{
	struct cpuid_regs r = cpuid(0, 0);

	return (r.ebx == 0x746e6543 && r.edx == 0x48727561 && r.ecx == 0x736c7561) ||
	       (r.ebx == 0x68532020 && r.edx == 0x68676e61 && r.ecx == 0x20206961);
}

/* As CPUID gives it but for blanks around it, or nothing. */
static void check_brand(const char *brand)
{
	char text[3 * sizeof(struct cpuid_regs) + 1] = {0};
	size_t length = strlen(brand);

	for (uint32_t i = 0; i < 3 && cpuid(0x80000000, 0).eax >= 0x80000004; i++) {
		struct cpuid_regs regs = cpuid(0x80000002 + i, 0);

		memcpy(text + i * sizeof(regs), &regs, sizeof(regs));
	}
	MUST(!length || (brand[0] != ' ' && brand[length - 1] != ' '));
	MUST(!strncmp(text + strspn(text, " "), brand, length));
	MUST(strspn(text, " ") + length + strspn(text + strspn(text, " ") + length, " ") ==
	     strlen(text));
}

/* Linux, x86_model(). */
static void check_model(const struct cpu_identity *cpu)
{
	unsigned low = cpu->signature >> 4 & 0xf, high = cpu->signature >> 16 & 0xf;

	MUST(cpu->model == (cpu->family >= 6 ? high << 4 | low : low));
}

/* One alone of several kinds has a name. */
static void check_core(void)
{
	uint32_t last = cpuid(0, 0).eax;
	struct cpu_kind kind;

	identify_kind(&kind);
	MUST(!*identify_core(&kind) || (last >= 7 && last < 0x10000 && cpuid(7, 0).edx & 1u << 15));
}

static void check_identity(const struct cpu_identity *cpu)
{
	MUST(memchr(cpu->vendor, '\0', sizeof(cpu->vendor)));
	MUST(memchr(cpu->brand, '\0', sizeof(cpu->brand)));
	check_brand(cpu->brand);
	MUST(memchr(cpu->hypervisor, '\0', sizeof(cpu->hypervisor)));
	MUST(cpu->virtual || !cpu->hypervisor[0]);
	MUST(!cpu->virtual || !is_centaur() || cpu->family > 6 || cpu->model > 9);
	check_model(cpu);
	check_core();
	MUST(cpu->family <= 0xf + 0xff && cpu->model <= 0xff && cpu->stepping <= 0xf);
	MUST(cpu->signature == cpuid(1, 0).eax);
	MUST(!memcmp(cpu->vendor, "GenuineIntel", sizeof(cpu->vendor)) == is_intel());
}

/* The five facts, a line each, behind the line that begins every report. */
static void check_report(void)
{
	static const char *const lines[] = {"KTAP version 1\n", "# cpu: ",        "# cpu name: ",
					    "# microcode: ",    "# hypervisor: ", "# SMI count: "};
	const char *text, *end;
	size_t length;

	text = report_text(&length);
	end = text + length;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		MUST(!strncmp(text, lines[i], strlen(lines[i])));
		for (; *text != '\n'; text++)
			MUST(*text >= ' ' && *text <= '~');
		text++;
	}
	MUST(text == end);
}

/* Zhaoxin's revision is in the upper half, Intel's behind a write that clears it, AMD's in the
 * lower half. */
static void check_microcode(const struct cpu_identity *cpu)
{
	char line[48];
	uint64_t value;
	size_t length;
	const char *text = report_text(&length);
	char *report;

	if (!(cpuid(1, 0).edx & CPUID_1_EDX_MSR) || is_intel() || cpu->family < 7 ||
	    rdmsr_safe(MSR_BIOS_SIGN_ID, &value) != FAULT_NONE)
		return;
	snprintf(line, sizeof(line), "\n# microcode: %xh\n",
		 (uint32_t)(is_centaur() ? value >> 32 : value));
	report = strndup(text, length);
	MUST(strstr(report, line));
	free(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char report[REPORT_BUFFER_MIN];
	struct input in = {data, size};
	struct cpu_identity cpu;
	uint32_t smis;

	fake_build(&in);
	fake_on_write = check_write;
	report_set_buffer(report, sizeof(report));
	report_begin(false);
	memset(&cpu, 0xff, sizeof(cpu));
	identify_cpu(&cpu);
	MUST(!fake_written());
	check_identity(&cpu);
	identify_report(&cpu);
	MUST(!fake_written() || (is_intel() && cpu.family >= 6));
	check_report();
	check_microcode(&cpu);
	MUST(!identify_smi_count(&cpu, &smis) || (is_intel() && cpu.family == 6));
	return 0;
}
