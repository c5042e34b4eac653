/* SPDX-License-Identifier: BSD-2-Clause */
/* The report in the file that was made for it on the medium that the loader came from. */
#include "bios.h"

#include "int13.h"
#include "real_mode.h"

_Static_assert(REPORT_BUFFER_SIZE + sizeof(((struct program *)0)->tally) <= SLOT_ROOM,
	       "each report fits");

/* There is no drive to ask the BIOS for. */
const char *report_file_refuse(const struct firmware *fw)
{
	if (fw->on_efi)
		return "the loader runs on UEFI, which it has left, and not on a BIOS";
	if (!fw->has_drive)
		return "the loader does not tell which drive it came from";
	if (!bios_has_disks())
		return "there is no BIOS: the vector of INT 13h is empty";
	if (!memory_is_free(fw, REAL_MODE_FROM, REAL_MODE_TO))
		return "the memory in which the BIOS would be called is in use";
	return NULL;
}

const char *report_file_write(struct program *program)
{
	static struct slot slot;
	const struct slot_text texts[] = {{program->tally, strlen(program->tally)},
					  {program->report, program->report_length}};
	struct bios_drive drive;
	const char *error = report_file_refuse(program->fw);

	if (!error)
		error = bios_drive_open(&drive, program->fw->drive);
	if (!error)
		error = slot_open(&slot, &drive.disk);
	if (!error)
		error = slot_write(&slot, texts, ARRAY_SIZE(texts));
	if (!error)
		fmt_print(program->report_name, sizeof(program->report_name), "%s", SLOT_NAME);
	return error;
}
