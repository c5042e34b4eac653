/* SPDX-License-Identifier: BSD-2-Clause */
/* The program's options: text to struct, nothing else. */
#pragma once

#include "kernel/console/console.h"

enum screen_mode { SCREEN_MATRIX, SCREEN_SCROLL, SCREEN_NONE };
enum ending { ENDING_RETURN, ENDING_POWEROFF, ENDING_RESET, ENDING_HALT };

#define OPTIONS_TEXT_MAX  4096u /* bytes of text, NUL included */
#define OPTIONS_TESTS_MAX 512u
#define OPTIONS_CPUS_MAX  64u
#define OPTIONS_ERROR_MAX 280u

struct options {
	char tests[OPTIONS_TESTS_MAX]; /* empty: all */
	struct serial_config serial;
	uint8_t ending; /* enum ending */
	uint8_t screen; /* enum screen_mode */
	uint32_t repeat; /* 0: forever */
	uint32_t timeout; /* in seconds, for each test */
	uint32_t rare; /* events in a window of the group rare; 0: none */
	uint32_t random, seed; /* drawn programs; 0: none; and which ones */
	char cpus[OPTIONS_CPUS_MAX]; /* "boot", "kinds", "cores", "all", or a list */
	uint32_t cpu_timeout; /* in seconds, for each processor but the firmware's */
	bool list, verbose;
	bool exit_boot_services; /* takeover=exit */
	bool other_thread; /* other-thread=yes: it may be started */
	bool enable_apic; /* apic=enable: though the firmware has left it disabled */
	bool stop_on_fail; /* on-fail=stop */
	bool report_file;
	bool all_facts; /* facts=all: those that a table of processors is made of */
	bool resume;
};

void options_default(struct options *options);

/*
 * Reads words separated by white space; "#" starts a comment to the end of the line, and double
 * quotes are as if they were not there.  Options that text does not mention keep their values.
 * False: error[OPTIONS_ERROR_MAX] holds one sentence that names the word and says what is allowed.
 */
bool options_parse(struct options *options, const char *text, char *error);

/* Judges the options together, once all are read. */
bool options_check(const struct options *options, char *error);

/* ---- options_cpus.c: the value of cpus= ---- */

/* Is it one of the words, or a list of numbers and ranges such as 0,2-5? */
bool cpus_is_valid(const char *value);
bool cpus_is_list(const char *value);
/* Does the list have this number?  The highest that it has. */
bool cpus_has(const char *list, unsigned number);
unsigned cpus_last(const char *list);

/* ---- options_serial.c: the value of serial= ---- */

/* "auto", "none", PORT[,BAUD], mmio:ADDRESS, mmio32:ADDRESS or pci:BUS:DEVICE.FUNCTION.  False: it
 * is none of them, and what *serial holds is void. */
bool serial_is_read(struct serial_config *serial, const char *value);

/* ---- options_text.c ---- */

/* A number of at least one digit and at most max, which is below 2^60; returns what follows it, or
 * NULL. */
const char *options_number(const char *text, unsigned base, uint64_t max, uint64_t *value);
/* All of text is a decimal number from min to max; else *value stays. */
bool options_range(const char *text, uint32_t min, uint32_t max, uint32_t *value);

static inline bool options_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* White space and printable ASCII only? */
bool options_is_text(const char *text);

/*
 * Text of a firmware string or a file: UCS-2 when ucs2 or when a byte order mark says so, else
 * bytes; the end is a NUL or size.  Characters beyond ASCII become 7Fh, which options_parse()
 * refuses.  False: longer than OPTIONS_TEXT_MAX - 1, and cut there.
 */
bool options_decode(char out[OPTIONS_TEXT_MAX], const void *data, size_t size, bool ucs2);

/* The options behind the image's name, with which load options may begin: a shell puts the name
 * there, in whatever form (from_shell), and so do the first shells and iPXE, which do not say so:
 * then the first word must look like an EFI file, or be named as the image is, ending or not. */
const char *options_skip_image(const char *text, bool from_shell, const char *image);

/* A Multiboot loader's command line; it may begin with what was loaded, as "/boot/pmutest86.elf".
 * False: longer than OPTIONS_TEXT_MAX - 1, and cut there. */
bool options_of_loader(char text[OPTIONS_TEXT_MAX], const char *line);

/* The text of a configuration file.  NULL, or a sentence that says why there is none. */
const char *options_of_file(char text[OPTIONS_TEXT_MAX], const void *data, size_t size);

/* The caller that started the program, and what it handed over. */
struct options_caller {
	const void *options;
	size_t size; /* in bytes */
	bool is_shell; /* of UEFI: it says so */
	const char *image; /* the file that was started, without its directories; or empty */
};

/* The text of load options, without the image's name.  *binary: there is something, but no text;
 * some firmware hands its own data to whatever it boots.  NULL, or a sentence as above. */
const char *options_of_caller(char text[OPTIONS_TEXT_MAX], const struct options_caller *caller,
			      bool *binary);

/* Names the load options in a sentence about them, by their beginning: who reads it may not know
 * that they were handed over at all. */
#define OPTIONS_FROM_MAX 64
void options_from(char from[OPTIONS_FROM_MAX], const char *text);
