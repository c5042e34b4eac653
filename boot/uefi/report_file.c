/* SPDX-License-Identifier: BSD-2-Clause */
/* The report on the boot volume: in \pmutest86-N.tap, never over an older file.  N is the smallest
 * number not taken. */
#include "uefi.h"

#define FILES_MAX 9999u

/* A name is taken, too, if its file exists but cannot be opened. */
static bool is_taken(const struct program *program, const char *name)
{
	struct file *file;
	enum file_found found = file_open(program->fw, name, false, &file);

	if (file)
		file_close(file);
	return found != FILE_ABSENT && found != FILE_NO_VOLUME;
}

/* False: all are taken. */
static bool choose_name(const struct program *program, char *name, size_t size)
{
	unsigned number = 0;

	do
		fmt_print(name, size, "pmutest86-%u.tap", ++number);
	while (number <= FILES_MAX && is_taken(program, name));
	return number <= FILES_MAX;
}

const char *report_file_refuse(const struct firmware *fw)
{
	if (uefi_from_network(fw))
		return "the image came from the network";
	switch (volume_find(fw)) {
	case VOLUME_NONE:
		return "the image did not come from a volume";
	case VOLUME_READ_ONLY:
		return "its volume is write-protected";
	default:
		return NULL;
	}
}

const char *report_file_write(struct program *program)
{
	char name[sizeof(program->report_name)];
	size_t head = strlen(program->tally);
	const char *why;
	struct file *file;
	bool written;

	memcpy(name, program->report_name, sizeof(name));
	if (!name[0] && !choose_name(program, name, sizeof(name)))
		return "pmutest86-1 to -9999 are taken";
	if (file_open(program->fw, name, true, &file) != FILE_OPEN) {
		why = report_file_refuse(program->fw);
		return why ? why : "its volume is write-protected or full";
	}
	memcpy(program->report_name, name, sizeof(name));
	/* Closing would flush, but returns no error. */
	written = file_write(file, 0, program->tally, head) &&
		  file_write(file, head, program->report, program->report_length) &&
		  file_flush(file);
	file_close(file);
	return written ? NULL : "writing failed, the file is incomplete";
}
