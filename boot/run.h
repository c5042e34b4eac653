/* SPDX-License-Identifier: BSD-2-Clause */
/* The run itself: between two states of the firmware, the machine is ours. */
#ifndef RUN_H
#define RUN_H

#include "firmware.h"

struct program {
	struct firmware fw;
	struct options options;
	bool binary_load_options;
	struct memory memory;
	struct machine_facts facts;
	uint16_t firmware_port; /* the UART of the ACPI SPCR table, or 0 */
};

/* Takes over (leaving the boot services first if the options say so), runs the battery, gives the
 * machine back.  The report then lies in report_text(). */
enum verdict run_battery(const struct program *program);

#endif
