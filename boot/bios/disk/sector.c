/* SPDX-License-Identifier: BSD-2-Clause */
/* One sector of a disk. */
#include "volume.h"

const void *sector_read(struct sector *sector, uint64_t number)
{
	const char *error = NULL;

	if (sector->is_read && sector->number == number)
		return sector->bytes;
	sector->is_read = false;
	if (number >= sector->disk->sectors)
		error = "the disk ends before its own tables do";
	else
		error = sector->disk->read(sector->disk, number, 1, sector->bytes);
	if (error) {
		sector->error = error;
		return NULL;
	}
	sector->number = number;
	sector->is_read = true;
	return sector->bytes;
}
