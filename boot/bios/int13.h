/* SPDX-License-Identifier: BSD-2-Clause */
/* A drive of the BIOS as a disk. */
#pragma once

#include "boot/bios/disk/disk.h"

struct bios_drive {
	struct disk disk;
	uint8_t number;
};

/* While the machine is not taken over: is there a BIOS whose INT 13h could be called? */
bool bios_has_disks(void);

/* After the machine was given back.  NULL, or why the drive cannot be used: without the extensions
 * of INT 13h it has no numbers of sectors, and what has larger sectors is a CD. */
const char *bios_drive_open(struct bios_drive *drive, uint8_t number);
