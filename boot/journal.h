/* SPDX-License-Identifier: BSD-2-Clause */
/* \pmutest86.run: how far a run has come, for the boot after a test that resets the machine. */
#ifndef JOURNAL_H
#define JOURNAL_H

#include "boot/uefi/firmware.h"
#include "kernel/console/report.h"

#define JOURNAL_MAGIC "pmutest86 run 1\n"

/* The file begins with it; the report so far follows. */
struct journal_head {
	char magic[sizeof(JOURNAL_MAGIC) - 1];
	uint64_t run; /* what is run, and on what */
	uint32_t begun; /* number of the last test begun; 0: none yet */
	uint32_t length; /* of the report so far */
	struct report_progress progress;
};

struct journal {
	EFI_FILE_HANDLE file; /* NULL: none is kept */
	struct journal_head head; /* as it is in the file */
	bool resumed; /* the file was there: head and report are of this run, which did not end */
	bool foreign; /* it was there, but of another run */
};

/*
 * Opens the file, or makes it.  If it is of this run, its report goes into the buffer of size
 * bytes; if not, it begins anew.  NULL, or why none can be kept.
 */
const char *journal_open(struct journal *journal, const struct firmware *fw, uint64_t run,
			 char *buffer, size_t size);

/* The report so far, and that test number is begun now.  NULL, or why none is kept from now on. */
const char *journal_write(struct journal *journal, unsigned number);

/* The run has ended: no boot will go on with it. */
void journal_delete(struct journal *journal);

#endif
