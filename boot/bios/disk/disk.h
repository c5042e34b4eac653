/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A place for the report on a disk of which nothing is known but its sectors: a file that was made
 * beforehand and is only overwritten, so that nothing of the file system changes.  No number on the
 * disk is trusted: whatever it says, no sector is written but those of that file.
 *
 * Room: partitions, FAT volumes and the report's slot on them; computes, and calls a struct disk
 * Uses: kernel/lib
 */
#pragma once

#include "kernel/lib/lib.h"

#define SECTOR_SIZE 512u

/* Sentences returned say what failed; NULL: nothing did. */
struct disk {
	uint64_t sectors;
	/* Only called for sectors that are on the disk, SLOT_CHUNK of them at most. */
	const char *(*read)(const struct disk *disk, uint64_t first, unsigned count, void *bytes);
	const char *(*write)(const struct disk *disk, uint64_t first, unsigned count,
			     const void *bytes);
};

/* ---- slot.c ---- */

/* In the root directory of a FAT volume.  The name fits into 8.3, so that whoever copies the file
 * there gives it this short name, with or without a long one beside it. */
#define SLOT_NAME       "pmubios.tap"
#define SLOT_SHORT_NAME "PMUBIOS TAP"

/* The only size that the file may have, and the line that it must begin with: a comment in TAP,
 * which stays in front of each report.  check/slot.sh makes the file. */
#define SLOT_SIZE (516u * 1024u)
#define SLOT_LINE                                                                                  \
	"# pmutest86: the last report under a BIOS.  Copy this file, but do not edit or move "     \
	"it.\n"
#define SLOT_ROOM (SLOT_SIZE - (sizeof(SLOT_LINE) - 1))

/* Sectors that are written at once. */
#define SLOT_CHUNK 32u

struct slot {
	const struct disk *disk;
	uint64_t first; /* sector of the disk; the others follow it */
	uint8_t chunk[SLOT_CHUNK * SECTOR_SIZE];
};

/* Looks through all volumes of the disk, which is only read.  The first file of the name decides:
 * it must be in one piece, of the right size, begin with the line, and not be marked read-only. */
const char *slot_open(struct slot *slot, const struct disk *disk);

/* A text to be written; several are written one behind the other. */
struct slot_text {
	const char *text;
	size_t length;
};

/* Overwrites all of the file: the line, the texts, then lines of spaces.  Reads it back. */
const char *slot_write(struct slot *slot, const struct slot_text *texts, unsigned count);
