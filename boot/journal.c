/* SPDX-License-Identifier: BSD-2-Clause */
/* \pmutest86.run: how far a run has come, for the boot after a test that resets the machine. */
#include "boot.h"

static bool read_at(struct file *file, uint64_t position, void *data, size_t size)
{
	return file_read(file, position, data, size) == size;
}

/* Is there a run of ours that did not end? */
static bool read_back(struct journal *journal, uint64_t run, char *buffer, size_t size)
{
	struct journal_head *head = &journal->head;

	journal->foreign = read_at(journal->file, 0, head, sizeof(*head));
	return journal->foreign && !memcmp(head->magic, JOURNAL_MAGIC, sizeof(head->magic)) &&
	       head->run == run && head->length <= size &&
	       read_at(journal->file, sizeof(*head), buffer, head->length);
}

/* Writes the report first, then the head, which says how much of the report is valid.  The head
 * lies in one sector. */
static const char *write_back(struct journal *journal, const char *text, size_t length)
{
	struct journal_head *head = &journal->head;
	size_t old = head->length;

	_Static_assert(sizeof(*head) <= 512, "within a sector");
	head->length = (uint32_t)length;
	if (file_write(journal->file, sizeof(*head) + old, text + old, length - old) &&
	    file_write(journal->file, 0, head, sizeof(*head)) && file_flush(journal->file))
		return NULL;
	journal_delete(journal);
	return "\\pmutest86.run cannot be written: its volume is write-protected or full";
}

const char *journal_open(struct journal *journal, const struct firmware *fw, uint64_t run,
			 char *buffer, size_t size)
{
	*journal = (struct journal){0};
	switch (file_open(fw, "pmutest86.run", true, &journal->file)) {
	case FILE_OPEN:
		break;
	case FILE_NO_VOLUME:
		return "the image did not come from a volume";
	default:
		return "\\pmutest86.run cannot be opened: its volume is write-protected or full";
	}
	journal->resumed = read_back(journal, run, buffer, size);
	if (journal->resumed)
		return NULL;
	journal->head = (struct journal_head){.run = run};
	memcpy(journal->head.magic, JOURNAL_MAGIC, sizeof(journal->head.magic));
	return write_back(journal, buffer, 0);
}

const char *journal_write(struct journal *journal, unsigned number)
{
	size_t length;
	const char *text = report_text(&length);

	journal->head.begun = number;
	report_save(&journal->head.progress);
	return write_back(journal, text, length);
}

void journal_delete(struct journal *journal)
{
	if (journal->file)
		file_delete(journal->file);
	journal->file = NULL;
}
