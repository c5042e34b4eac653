/* SPDX-License-Identifier: BSD-2-Clause */
/* Other processors, by the firmware's MP services: UEFI Platform Initialization Specification 1.7,
 * vol. 2, 13.4. */
#include "uefi.h"

#define MICROSECONDS      1000000u

#define PROCESSOR_IS_BSP  BIT(0)
#define PROCESSOR_ENABLED BIT(1)
#define PROCESSOR_HEALTHY BIT(2)

typedef void EFIAPI mp_procedure(void *arg);

struct mp_information {
	UINT64 id; /* of the local APIC */
	UINT32 status;
	UINT32 package, core, thread;
	UINT32 extended[6];
};

struct mp_services {
	EFI_STATUS(EFIAPI *get_number)(struct mp_services *mp, UINTN *all, UINTN *enabled);
	EFI_STATUS(EFIAPI *get_information)
	(struct mp_services *mp, UINTN n, struct mp_information *information);
	EFI_STATUS(EFIAPI *startup_all)
	(struct mp_services *mp, mp_procedure *procedure, BOOLEAN single, EFI_EVENT event,
	 UINTN microseconds, void *arg, UINTN **failed);
	EFI_STATUS(EFIAPI *startup_this)
	(struct mp_services *mp, mp_procedure *procedure, UINTN n, EFI_EVENT event,
	 UINTN microseconds, void *arg, BOOLEAN *finished);
	void *switch_bsp, *enable_disable;
	EFI_STATUS(EFIAPI *who_am_i)(struct mp_services *mp, UINTN *n);
};

static const EFI_GUID mp_services_guid = {
	0x3fdda605, 0xa76e, 0x4f46, {0xad, 0x29, 0x12, 0xf4, 0x53, 0x1b, 0x3d, 0x08}};

const char FIRMWARE_TIMEOUT[] = "it did not come back in time";

static struct mp_services *find_services(const struct firmware *fw)
{
	EFI_GUID guid = mp_services_guid;
	void *mp = NULL;

	return fw->table->BootServices->LocateProtocol(&guid, NULL, &mp) ? NULL : mp;
}

unsigned firmware_processors(const struct firmware *fw, const char **why)
{
	struct mp_services *mp = find_services(fw);
	UINTN all = 0, enabled = 0;

	*why = "the firmware has no MP services, by which other processors are started";
	if (!mp)
		return 0;
	*why = "the firmware's MP services do not say how many processors there are";
	if (mp->get_number(mp, &all, &enabled) || !all)
		return 0;
	*why = NULL;
	return (unsigned)all;
}

const char *firmware_processor(const struct firmware *fw, unsigned n,
			       struct firmware_processor *processor)
{
	struct mp_services *mp = find_services(fw);
	struct mp_information information = {0};

	if (!mp || mp->get_information(mp, n, &information))
		return "the firmware's MP services say nothing of it";
	*processor = (struct firmware_processor){
		.apic_id = (uint32_t)information.id,
		.package = information.package,
		.core = information.core,
		.thread = information.thread,
		.runs_firmware = information.status & PROCESSOR_IS_BSP,
		.enabled = information.status & PROCESSOR_ENABLED,
		.healthy = information.status & PROCESSOR_HEALTHY,
	};
	return NULL;
}

struct errand {
	void (*call)(void *arg);
	void (*call_each)(void *arg, unsigned n);
	void *arg;
	struct mp_services *services;
};

static void EFIAPI run_errand(void *arg)
{
	const struct errand *errand = arg;

	errand->call(errand->arg);
}

static void EFIAPI run_numbered(void *arg)
{
	const struct errand *errand = arg;
	UINTN n;

	if (!errand->services->who_am_i(errand->services, &n))
		errand->call_each(errand->arg, (unsigned)n);
}

static const char *sentence(EFI_STATUS status)
{
	switch (status) {
	case EFI_SUCCESS:
		return NULL;
	case EFI_TIMEOUT:
		return FIRMWARE_TIMEOUT;
	case EFI_NOT_READY:
		return "the firmware says that it is busy";
	case EFI_UNSUPPORTED:
		return "the firmware does not support to start it";
	case EFI_INVALID_PARAMETER:
		return "the firmware says that it is disabled";
	default:
		return "the firmware does not start it";
	}
}

/* What starts one, or all. */
typedef EFI_STATUS starter(struct mp_services *mp, const struct errand *errand, UINTN n,
			   UINTN microseconds);

/* Meanwhile events of the firmware's timer could use what the other processor uses: ports,
 * configuration space. */
static const char *start(const struct firmware *fw, starter *call, const struct errand *errand,
			 unsigned n, unsigned seconds)
{
	EFI_BOOT_SERVICES *services = fw->table->BootServices;
	struct mp_services *mp = find_services(fw);
	EFI_STATUS status;
	EFI_TPL tpl;

	if (!mp)
		return "the firmware has no MP services any more";
	tpl = services->RaiseTPL(TPL_HIGH_LEVEL);
	status = call(mp, errand, n, (UINTN)seconds * MICROSECONDS);
	services->RestoreTPL(tpl);
	return sentence(status);
}

static EFI_STATUS start_one(struct mp_services *mp, const struct errand *errand, UINTN n,
			    UINTN microseconds)
{
	BOOLEAN finished = FALSE;

	return mp->startup_this(mp, run_errand, n, NULL, microseconds, (void *)(uintptr_t)errand,
				&finished);
}

/* Without an event, so that the firmware's processor waits: behind ReadyToBoot, when the boot
 * manager starts a program, the firmware starts nothing that it is not to wait for. */
static EFI_STATUS start_all(struct mp_services *mp, const struct errand *errand, UINTN n,
			    UINTN microseconds)
{
	(void)n;
	return mp->startup_all(mp, run_numbered, FALSE, NULL, microseconds,
			       (void *)(uintptr_t)errand, NULL);
}

const char *firmware_run_on(const struct firmware *fw, unsigned n, void (*call)(void *arg),
			    void *arg, unsigned seconds)
{
	const struct errand errand = {.call = call, .arg = arg};

	return start(fw, start_one, &errand, n, seconds);
}

const char *firmware_run_on_all(const struct firmware *fw, void (*call)(void *arg, unsigned n),
				void *arg, unsigned seconds)
{
	const struct errand errand = {.call_each = call, .arg = arg, .services = find_services(fw)};

	return start(fw, start_all, &errand, 0, seconds);
}
