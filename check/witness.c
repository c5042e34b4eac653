/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * In the place of the program that the firmware boots: starts \\pmutest86.efi twice, with
 * \\witness.cfg as its options, and says on the serial line which registers of which processor are
 * not as they were before, and whether the firmware still has every processor.
 */
#include "kernel/lib/string.h"
#include "model/launch/launch.h"
#include "model/launch/mp.h"
#include "model/vmm/machine/machine.h"

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table);

enum { PROCESSORS = 64, TIMES = 2, MICROSECONDS = 5000000 };

static struct launch launch;
static struct mp_services *mp;
static UINTN count;
static struct machine_state before[PROCESSORS], again[PROCESSORS], after[PROCESSORS];
static unsigned answers;

static void EFIAPI take_state(void *arg)
{
	state_take(arg);
}

static void EFIAPI answer(void *arg)
{
	__atomic_add_fetch((unsigned *)arg, 1, __ATOMIC_SEQ_CST);
}

/* Takes the states of all processors: of the one that this runs on with interrupts off, of the
 * others as the firmware lets them run. */
static void take_all(struct machine_state *states)
{
	for (UINTN n = 0; n < count; n++) {
		struct mp_information information = {0};

		if (mp->get_information(mp, n, &information))
			serial_print("witness: cpu%u: no information\n", (unsigned)n);
		else if (information.status & MP_BSP)
			state_take(&states[n]);
		else if (mp->start_this(mp, take_state, n, NULL, MICROSECONDS, &states[n], NULL))
			serial_print("witness: cpu%u does not start\n", (unsigned)n);
	}
}

/* A null task register cannot be loaded back on the processor that has not been reset since.  And
 * EDK2 sets the timers of the others anew each time (MpInitLib, SyncLocalApicTimerSetting()). */
static bool may_differ(unsigned n, unsigned i)
{
	bool null_tr = !before[n].entry[i].value && !strcmp(before[n].entry[i].name, "tr");

	return (!n && null_tr) || before[n].entry[i].value != again[n].entry[i].value;
}

static void compare(unsigned n)
{
	const struct machine_state *old = &before[n], *new = &after[n];

	if (!old->count || old->count != new->count)
		serial_print("witness: cpu%u: nothing to compare\n", n);
	for (unsigned i = 0; i < old->count; i++)
		if (old->entry[i].value != new->entry[i].value && !may_differ(n, i))
			serial_print("witness: cpu%u left %s changed: %llx -> %llx\n", n,
				     old->entry[i].name, (unsigned long long)old->entry[i].value,
				     (unsigned long long)new->entry[i].value);
}

static void run(unsigned k)
{
	static char options[512];
	size_t size = sizeof(options);
	EFI_HANDLE program;
	EFI_STATUS status = EFI_NOT_FOUND;

	if (launch_read_file(&launch, (const CHAR16 *)L"\\witness.cfg", options, &size))
		status = launch_load(&launch, "pmutest86.efi", options, &program);
	if (!status)
		status = launch.table->BootServices->StartImage(program, NULL, NULL);
	serial_print("witness: run %u status 0x%llx\n", k, (unsigned long long)status);
}

static void witness(void)
{
	take_all(before);
	take_all(again);
	for (unsigned k = 1; k <= TIMES; k++)
		run(k);
	take_all(after);
	for (unsigned n = 0; n < count; n++)
		compare(n);
	if (count > 1)
		mp->start_all(mp, answer, FALSE, NULL, MICROSECONDS, &answers, NULL);
	serial_print("witness: %u of %u others answer\n", answers, (unsigned)count - 1);
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
	EFI_GUID guid = MP_SERVICES_GUID;
	UINTN enabled;

	launch = (struct launch){.image = image, .table = table};
	serial_init();
	if (!launch_find_volume(&launch) ||
	    table->BootServices->LocateProtocol(&guid, NULL, (void **)&mp) ||
	    mp->get_number(mp, &count, &enabled) || count > PROCESSORS)
		serial_print("witness: no volume, or no MP services, or too many processors\n");
	else
		witness();
	machine_debug_exit(DEBUG_EXIT_DONE);
	return EFI_SUCCESS;
}
