/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests of the program to the firmware; the room of each kind of firmware answers them.
 * Sentences returned say what failed; NULL: nothing did. */
#pragma once

#include "kernel/kernel.h"
#include "options.h"

struct firmware;

/* A console sink for the firmware's console, as long as the firmware lives. */
void firmware_console_write(const char *text, size_t length);

/* The next key typed on the firmware's console, as long as it lives, as input_key() returns it. */
int firmware_key(const struct firmware *fw);
/* Lets the processor sleep for some milliseconds, where the firmware lives and can. */
void firmware_rest(const struct firmware *fw);

/* Does the firmware's console go to this serial line, perhaps beside a screen?  Yes, too, where it
 * goes to one of which the firmware does not tell where it is. */
bool firmware_console_is_at(const struct firmware *fw, const struct serial_uart *uart);

/* Adds the serial lines of the firmware's console, as far as it tells where they are. */
void firmware_serial(const struct firmware *fw, struct serial_places *places);

/* The options handed over by whoever started the program.  *binary: there is something, but no
 * text; some firmware hands its own data to whatever it boots. */
const char *firmware_options(const struct firmware *fw, char text[OPTIONS_TEXT_MAX], bool *binary);

/* Sets the defaults in which this firmware differs from options_default(); says why these options
 * cannot be had here. */
void firmware_options_default(struct options *options);
const char *firmware_options_refuse(const struct options *options);

/* Fills in all of *facts that needs no memory; if something is missing, as much as possible. */
const char *firmware_facts(const struct firmware *fw, struct machine_facts *facts);

/* The rest of *facts, and size zeroed bytes for the caller, who frees all that is there in any
 * case. */
const char *firmware_allocate(struct firmware *fw, struct machine_facts *facts, size_t size,
			      char **bytes);
void firmware_free(const struct firmware *fw, const struct machine_facts *facts);

/* Leaves the firmware's services for good: only power and reset remain. */
const char *firmware_exit(const struct firmware *fw);

/* Power off, or reset; they return where the firmware cannot. */
void firmware_power_off(const struct firmware *fw);
void firmware_reset(const struct firmware *fw);

/* ---- the processors of the machine ---- */

struct firmware_processor {
	uint32_t apic_id;
	uint32_t package, core, thread;
	bool runs_firmware, enabled, healthy;
};

/* How many there are, numbered from 0; 0: the firmware does not say, *why. */
unsigned firmware_processors(const struct firmware *fw, const char **why);

/* Fills in *processor as the firmware describes number n. */
const char *firmware_processor(const struct firmware *fw, unsigned n,
			       struct firmware_processor *processor);

/* call(arg) on number n, which is not the firmware's own, while that one waits, with all events of
 * the firmware held up.  FIRMWARE_TIMEOUT after so many seconds: the firmware has tried to reset
 * processor n. */
extern const char FIRMWARE_TIMEOUT[];
const char *firmware_run_on(const struct firmware *fw, unsigned n, void (*call)(void *arg),
			    void *arg, unsigned seconds);
/* The same on all that the firmware has enabled, at once; each is told its number. */
const char *firmware_run_on_all(const struct firmware *fw, void (*call)(void *arg, unsigned n),
				void *arg, unsigned seconds);

/* ---- files in the root directory of the volume that the image came from ---- */

struct file;

enum file_found {
	FILE_OPEN,
	FILE_ABSENT,
	FILE_REFUSED, /* there is something, but no file that could be opened so; or it cannot be
			 made */
	FILE_NO_VOLUME, /* the image came from elsewhere (network, memory) */
};

/* For reading, or for writing: then it is made where there is none.  *file is NULL if it is not
 * open. */
enum file_found file_open(const struct firmware *fw, const char *name, bool write,
			  struct file **file);

/* Bytes read at this position, less than size at the end of the file; 0 where reading fails. */
size_t file_read(struct file *file, uint64_t position, void *data, size_t size);

/* False: not all could be written, or is on the volume now. */
bool file_write(struct file *file, uint64_t position, const void *data, size_t size);
bool file_flush(struct file *file);

void file_close(struct file *file);
void file_delete(struct file *file); /* and closes it */
