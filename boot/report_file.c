/* SPDX-License-Identifier: BSD-2-Clause */
/* The report on the boot volume. */
#include "boot.h"

#define FILES_MAX 9999u

static enum file_found open_number(const struct program *program, unsigned number, bool write,
				   struct file **file)
{
	char name[32];

	fmt_print(name, sizeof(name), "pmutest86-%u.tap", number);
	return file_open(program->fw, name, write, file);
}

/* A number is taken, too, if its file exists but cannot be opened. */
static bool is_taken(const struct program *program, unsigned number)
{
	struct file *file;
	enum file_found found = open_number(program, number, false, &file);

	if (file)
		file_close(file);
	return found != FILE_ABSENT && found != FILE_NO_VOLUME;
}

const char *report_file_write(struct program *program)
{
	size_t head = strlen(program->tally);
	unsigned number = program->report_number ? program->report_number : 1;
	struct file *file;
	bool written;

	while (!program->report_number && number <= FILES_MAX && is_taken(program, number))
		number++;
	if (number > FILES_MAX)
		return "pmutest86-1 to -9999 are taken";
	switch (open_number(program, number, true, &file)) {
	case FILE_OPEN:
		break;
	case FILE_NO_VOLUME:
		return "the image did not come from a volume";
	default:
		return "its volume is write-protected or full";
	}
	program->report_number = number;
	/* Closing would flush, but returns no error. */
	written = file_write(file, 0, program->tally, head) &&
		  file_write(file, head, program->report, program->report_length) &&
		  file_flush(file);
	file_close(file);
	return written ? NULL : "writing failed, the file is incomplete";
}
