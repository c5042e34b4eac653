/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Other processors of the modelled machine, for programs that start them by the MP services of the
 * UEFI Platform Initialization Specification 1.7, vol. 2, 13.4.  There is one real one: while a
 * procedure runs on another processor, the model is that one.
 */
#include "kernel/lib/bits.h"
#include "launch.h"
#include "model/cpu/snapshot.h"
#include "model/cpu/stage.h"
#include "model/vmm/vmm.h"
#include "mp.h"

static EFI_GUID guid = MP_SERVICES_GUID;

static struct {
	const struct silicon_setup *cpu;
	unsigned count, now;
	EFI_HANDLE handle; /* of the firmware's services; NULL: there are none */
	void *firmware;
} machine;

/* As the firmware is. */
static bool is_staged(uint32_t stage)
{
	return machine.cpu[0].stages & stage;
}

static EFI_STATUS EFIAPI get_number(struct mp_services *s, UINTN *all, UINTN *enabled)
{
	(void)s;
	*all = machine.count;
	*enabled = machine.count - is_staged(STAGE_CPU_DISABLED);
	return is_staged(STAGE_MP_FAILS) ? EFI_DEVICE_ERROR : EFI_SUCCESS;
}

/* The last one alone has what is staged. */
static UINT32 status_of(UINTN n)
{
	UINT32 status = MP_ENABLED | MP_HEALTHY | (n ? 0 : MP_BSP);

	if (n && n == machine.count - 1)
		status &= ~(is_staged(STAGE_CPU_DISABLED) ? (UINT32)MP_ENABLED : 0) &
			  ~(is_staged(STAGE_CPU_UNHEALTHY) ? (UINT32)MP_HEALTHY : 0);
	return status;
}

static EFI_STATUS EFIAPI get_information(struct mp_services *s, UINTN n,
					 struct mp_information *information)
{
	const struct silicon_setup *cpu = &machine.cpu[n];

	(void)s;
	if (n >= machine.count)
		return EFI_NOT_FOUND;
	*information = (struct mp_information){
		.id = silicon_apic_id(cpu->profile, &cpu->seat, 0),
		.status = status_of(n),
		.package = cpu->seat.package,
		.core = cpu->seat.core,
	};
	return EFI_SUCCESS;
}

static void report(const char *where, uint64_t old, uint64_t new, void *arg)
{
	serial_print("silicon: cpu%u left %s changed: %llx -> %llx\n", *(const unsigned *)arg,
		     where, (unsigned long long)old, (unsigned long long)new);
}

static void call_and_compare(unsigned n, mp_procedure *call, void *arg)
{
	static struct snapshot before LARGE, after LARGE;

	vmm_hypercall(HYPERCALL_SNAPSHOT, &before);
	call(arg);
	vmm_hypercall(HYPERCALL_SNAPSHOT, &after);
	snapshot_compare(&before, &after, report, &n);
}

/* ---- a processor that does not come back ---- */

/* __builtin_setjmp() needs five words. */
static void *before_entry[5];

static void lost(void)
{
	__builtin_longjmp(before_entry, 1);
}

/* False: it halted for good, which is told at once, as if all the time had passed. */
static bool run_on(unsigned n, mp_procedure *call, void *arg)
{
	struct apic_state before;
	const struct processor_entry entry = {&machine.cpu[n], lost};
	bool back;

	apic_take(&before);
	machine.now = n;
	back = !__builtin_setjmp(before_entry);
	if (back) {
		vmm_hypercall(HYPERCALL_ENTER, &entry);
		call_and_compare(n, call, arg);
	}
	machine.now = 0;
	vmm_hypercall(HYPERCALL_LEAVE, &machine.cpu[0]);
	if (!back) {
		/* There is one local APIC for all; interrupts that wait there are for the one that
		 * is lost. */
		apic_put(&before);
		vmm_hypercall(HYPERCALL_DRAIN, NULL);
	}
	return back;
}

static EFI_STATUS EFIAPI start_this(struct mp_services *s, mp_procedure *call, UINTN n,
				    EFI_EVENT event, UINTN microseconds, void *arg,
				    BOOLEAN *finished)
{
	bool back;

	(void)s;
	(void)microseconds;
	if (event)
		return EFI_UNSUPPORTED;
	if (n >= machine.count)
		return EFI_NOT_FOUND;
	if (!n || !call || !(status_of(n) & MP_ENABLED))
		return EFI_INVALID_PARAMETER;
	if (is_staged(STAGE_MP_BUSY))
		return EFI_NOT_READY;
	back = run_on((unsigned)n, call, arg);
	if (finished)
		*finished = back;
	return back ? EFI_SUCCESS : EFI_TIMEOUT;
}

/* ---- all together ---- */

enum { STACK = 32768, COMPARED = 8 /* of how many it is looked at what they leave */ };

static struct together together;
static mp_procedure *common_call;
static void *common_arg;
static uint8_t stacks[PROCESSORS_MAX][STACK] LARGE __attribute__((aligned(16)));

/* On each of them, on its own stack. */
static void call_common(void)
{
	static struct snapshot before[COMPARED] LARGE, after LARGE;
	unsigned n = together.now;
	bool compared = n < COMPARED;

	if (compared)
		vmm_hypercall(HYPERCALL_SNAPSHOT, &before[n]);
	common_call(common_arg);
	if (compared) {
		vmm_hypercall(HYPERCALL_SNAPSHOT, &after);
		snapshot_compare(&before[n], &after, report, &n);
	}
	vmm_hypercall(HYPERCALL_OVER, NULL);
}

static uint64_t enabled_others(void)
{
	uint64_t others = 0;

	for (unsigned n = 1; n < machine.count; n++)
		others |= status_of(n) & MP_ENABLED ? BIT(n) : 0;
	return others;
}

/* A program that the boot manager has started comes too late for an event: the same, 13.4. */
static EFI_STATUS EFIAPI start_all(struct mp_services *s, mp_procedure *call, BOOLEAN single,
				   EFI_EVENT event, UINTN microseconds, void *arg, UINTN **failed)
{
	(void)s;
	(void)microseconds;
	(void)failed;
	if (event || single)
		return EFI_UNSUPPORTED;
	if (!call)
		return EFI_INVALID_PARAMETER;
	if (is_staged(STAGE_MP_BUSY))
		return EFI_NOT_READY;
	together =
		(struct together){.setup = machine.cpu,
				  .count = machine.count,
				  .start = enabled_others(),
				  .halts = is_staged(STAGE_CPU_LOST) ? BIT(machine.count - 1) : 0,
				  .entry = call_common,
				  .stacks = stacks[0],
				  .stack_size = STACK};
	common_call = call;
	common_arg = arg;
	if (!together.start)
		return EFI_NOT_STARTED;
	vmm_hypercall(HYPERCALL_TOGETHER, &together);
	return together.lost ? EFI_TIMEOUT : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI switch_bsp(struct mp_services *s, UINTN n, BOOLEAN enable)
{
	(void)s;
	(void)n;
	(void)enable;
	return EFI_UNSUPPORTED;
}

static EFI_STATUS EFIAPI set_enabled(struct mp_services *s, UINTN n, BOOLEAN enable, UINT32 *health)
{
	(void)s;
	(void)n;
	(void)enable;
	(void)health;
	return EFI_UNSUPPORTED;
}

static EFI_STATUS EFIAPI who(struct mp_services *s, UINTN *n)
{
	(void)s;
	*n = together.now ? together.now : machine.now;
	return EFI_SUCCESS;
}

static struct mp_services services = {get_number, get_information, start_all, start_this,
				      switch_bsp, set_enabled,     who};

/* NULL: none are there, before or afterwards. */
static bool put(EFI_SYSTEM_TABLE *table, void *old, void *new)
{
	EFI_BOOT_SERVICES *boot = table->BootServices;

	if (old && new)
		return !boot->ReinstallProtocolInterface(machine.handle, &guid, old, new);
	if (old)
		return !boot->UninstallProtocolInterface(machine.handle, &guid, old);
	/* With its last protocol the handle has gone. */
	machine.handle = NULL;
	return !new ||
	       !boot->InstallProtocolInterface(&machine.handle, &guid, EFI_NATIVE_INTERFACE, new);
}

/* The MP services that the program finds; NULL: none. */
static void *staged_services(void)
{
	return is_staged(STAGE_MP_MISSING) ? NULL : &services;
}

bool launch_add_processors(EFI_SYSTEM_TABLE *table, const struct silicon_setup *cpu, unsigned count)
{
	EFI_BOOT_SERVICES *boot = table->BootServices;
	UINTN size = sizeof(machine.handle);

	machine.cpu = cpu;
	machine.count = count;
	machine.now = 0;
	machine.firmware = NULL;
	if (boot->LocateHandle(ByProtocol, &guid, NULL, &size, &machine.handle))
		machine.handle = NULL;
	else if (boot->HandleProtocol(machine.handle, &guid, &machine.firmware))
		return false;
	return put(table, machine.firmware, staged_services());
}

void launch_remove_processors(EFI_SYSTEM_TABLE *table)
{
	put(table, staged_services(), machine.firmware);
}
