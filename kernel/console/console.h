/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Consoles: every sink gets every character; a dead serial port never blocks.
 *
 * Room: where text goes (serial port, screen, the report in memory), and what the user types
 * Uses: kernel/lib
 */
#pragma once

#include "kernel/lib/lib.h"

/* A sink writes length bytes of text with "\n" line ends. */
typedef void console_sink(const char *text, size_t length);

#define CONSOLE_SINKS 4
void console_add(console_sink *sink);
void console_remove(console_sink *sink);
void console_write(const char *text, size_t length);
void console_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The next character typed, on the serial console or a PS/2 keyboard; keys of the keyboard that
 * have no meaning in this program are spaces.  -1: nothing is typed. */
int input_key(void);

/* ---- a 16550 UART, at I/O ports or in memory ---- */

#define SERIAL_BAUD_DEFAULT 115200u
#define SERIAL_BAUD_CLOCK   115200u /* rate at divisor 1 */
#define SERIAL_PC_CLOCK     (16 * SERIAL_BAUD_CLOCK) /* Hz */
#define SERIAL_ADDRESS_MAX  FIELD(51, 0) /* of memory, by the architecture */

/* Where a UART is, and what drives it. */
struct serial_uart {
	uint64_t address; /* 0: nowhere */
	bool memory; /* mapped there, uncached; else I/O ports */
	uint8_t stride, width; /* bytes from one register to the next, and of an access */
	bool maybe_dwords; /* or 4 of both: the firmware's words allow either */
	uint32_t baud; /* 0: as it is */
	uint32_t clock; /* Hz, at least 16 to a bit; 0: not known, so the rate stays as it is */
};

/* At this I/O port, as PCs have them. */
static inline struct serial_uart serial_at_port(uint16_t port, uint32_t baud)
{
	return (struct serial_uart){
		.address = port,
		.stride = 1,
		.width = 1,
		.baud = baud,
		.clock = SERIAL_PC_CLOCK,
	};
}

/* In memory, with registers of so many bytes; its rate stays as it is. */
static inline struct serial_uart serial_in_memory(uint64_t address, uint8_t bytes)
{
	return (struct serial_uart){
		.address = address,
		.memory = true,
		.stride = bytes,
		.width = bytes,
	};
}

/* Beyond its last register. */
static inline uint64_t serial_end(const struct serial_uart *uart)
{
	return uart->address + 8u * uart->stride;
}

enum serial_mode { SERIAL_AUTO, SERIAL_NONE, SERIAL_UART, SERIAL_PCI };

struct serial_config {
	enum serial_mode mode;
	struct serial_uart uart; /* SERIAL_UART only */
	uint16_t function; /* SERIAL_PCI only: as PCI_FUNCTION() makes it */
};

/* The 16550 that the ACPI Serial Port Console Redirection table names, which the firmware itself
 * uses: at I/O ports, or in memory.  Address 0: the table names none, or something else. */
struct serial_uart spcr_uart(struct acpi_table spcr);

/* The 16550 of a PCI function, one of class 0700h whose first base address is decoded, be it I/O
 * ports or memory.  Address 0: it is none.  read: an aligned dword of its configuration space. */
struct serial_uart serial_pci(uint32_t (*read)(uint16_t function, unsigned offset),
			      uint16_t function);

/* The same one with registers 4 bytes apart, each an access of 4 bytes. */
static inline struct serial_uart serial_dwords(const struct serial_uart *uart)
{
	struct serial_uart dwords = *uart;

	dwords.stride = dwords.width = 4;
	dwords.maybe_dwords = false;
	return dwords;
}

/* UARTs in the order in which they are tried. */
#define SERIAL_PLACES_MAX 16u
struct serial_places {
	struct serial_uart uart[SERIAL_PLACES_MAX];
	unsigned count;
};

/* Nothing is added at address 0, nor where there is no room. */
void serial_add(struct serial_places *places, const struct serial_uart *at);

/* Opens the first that answers, with 8N1.  False: none does. */
bool serial_open(const struct serial_places *places);

/* A console sink.  If the port does not take a byte in time, it is given up. */
void serial_write(const char *text, size_t length);

/* A byte that has come in; -1: none, or one that the line has garbled. */
int serial_read(void);

/* Waits, within bounds, until the last byte has left, and puts the port's settings back. */
void serial_close(void);

/* The open one; NULL: none. */
const struct serial_uart *serial_opened(void);

/* ---- a grid of cells on a linear framebuffer, or in VGA text mode ---- */

struct framebuffer {
	uint32_t *base; /* NULL: no screen */
	uint32_t width, height, stride; /* pixels */
	bool text; /* no graphics: of all, in characters, of 16 bits as VGA has them in text mode */
	bool red_first; /* the lowest byte of a pixel is its red, not its blue */
};

/* As VGA numbers them; only the first eight can be paper, what lies behind the ink. */
enum colour {
	BLACK,
	BLUE,
	GREEN,
	CYAN,
	RED,
	MAGENTA,
	BROWN,
	GREY,
	DARK,
	SKY,
	LIME,
	AQUA,
	SCARLET,
	PINK,
	YELLOW,
	WHITE,
};

/* The colours as pixels: 00RRGGBB. */
#pragma GCC visibility push(hidden)
extern const uint32_t screen_palette[WHITE + 1];
#pragma GCC visibility pop

/* Colours in one byte, and a cell: a character of printable ASCII in its colours. */
#define COLOUR(ink, paper)     ((ink) | (paper) << 4)
#define SCREEN_CELL(c, colour) ((uint16_t)((uint8_t)(c) | (colour) << 8))

#define SCREEN_COLUMNS_MAX     160u
#define SCREEN_ROWS_MAX        80u
#define SCREEN_CELLS_MAX       (SCREEN_COLUMNS_MAX * SCREEN_ROWS_MAX)

/* Clears the screen.  cells: SCREEN_CELLS_MAX of them, which remember what is drawn, because
 * reading a framebuffer back is slow.  False: there is none, or it is too small; it has no rows
 * then, and nothing is drawn. */
bool screen_open(const struct framebuffer *framebuffer, uint16_t *cells);

unsigned screen_columns(void);
unsigned screen_rows(void);

/* Draws a cell, if it is otherwise than it was and lies on the screen. */
void screen_put(unsigned column, unsigned row, uint16_t cell);
/* The cell there, on the screen. */
uint16_t screen_get(unsigned column, unsigned row);
/* Draws all cells: somebody else has drawn over them. */
void screen_redraw(void);

/* Blanks the screen for its next owner. */
void screen_close(void);

/* Text in so many rows of the screen from the first one on, which are cleared; it scrolls there. */
void scroll_open(unsigned first, unsigned rows);
/* A console sink. */
void scroll_write(const char *text, size_t length);

/* Glyphs of printable ASCII (20h..7Eh): 16 rows of 8 dots, bit 7 leftmost.  Made by check/font.awk
 * of a font in Debian. */
#define FONT_FIRST  0x20u
#define FONT_GLYPHS 95u
#define FONT_WIDTH  8u
#define FONT_HEIGHT 16u
#pragma GCC visibility push(hidden)
extern const uint8_t font[FONT_GLYPHS][FONT_HEIGHT];
#pragma GCC visibility pop

/* ---- the KTAP report: plan first, one line per planned test, one summary, one verdict ---- */

enum outcome { OUTCOME_PASS, OUTCOME_SKIP, OUTCOME_KNOWN, OUTCOME_FAIL, OUTCOME_ERROR };

/* Value written to QEMU's isa-debug-exit, and the EFI status' origin. */
enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_SKIP, VERDICT_ERROR };

/*
 * The memory of all reports.  Its last REPORT_DIAG_SIZE bytes hold the diagnostics of the running
 * test; a report that fills the rest says where it was truncated, and still ends with its verdict.
 * REPORT_BUFFER_SIZE: 1,500 result lines and some 50 failures with all their registers.
 */
#define REPORT_BUFFER_SIZE (512u * 1024u)
#define REPORT_BUFFER_MIN  (REPORT_DIAG_SIZE + 4096u)
#define REPORT_DIAG_SIZE   (20u * 1024u)
/* The part of them for names of results that are gathered to one: more than a box has tests. */
#define REPORT_NAMES_SIZE (4u * 1024u)
/* Kept free behind the text, so that a full buffer still ends with its mark and the verdict. */
#define REPORT_TAIL_SIZE 1024u
#define REPORT_MARK_SIZE 160u
/* The longest text of a report that has not ended in a buffer of this size, for report_resume(). */
#define REPORT_TEXT_MAX(size) ((size)-REPORT_DIAG_SIZE - REPORT_TAIL_SIZE + REPORT_MARK_SIZE)
void report_set_buffer(char *buffer, size_t size);

/* Is more wanted than failures need: claims and clauses below all results, and later rounds in
 * full?  The option verbose, and the key v. */
void report_set_verbose(bool verbose);
bool report_is_verbose(void);

/* Starts a report: drops what the buffer holds and prints "KTAP version 1".  quiet: the consoles
 * get nothing, or the whole report from its first failure or error on. */
void report_begin(bool quiet);
/* "# ..." header line. */
void report_header(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "# fact owner.key=value", for scripts: docs/reading-a-report.md.  The value is in double quotes
 * unless it consists of letters, digits and ._-+:,/ alone; '"' and '\\' in it have a '\\' in front.
 */
void report_fact(const char *owner, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same, found by the running test: it waits as report_diag() has it. */
void report_finding(const char *owner, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* "1..n", or "1..0 # SKIP reason" when n is 0 (reason must then be given). */
void report_plan(unsigned n, const char *reason);
/* "#   ..." diagnostic, buffered until the result line of the running test, printed below it. */
void report_diag(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "# ..." line that waits as a diagnostic does. */
void report_held(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Drops the diagnostics that wait for the result line. */
void report_drop_diag(void);
/* "ok n name", "ok n name # SKIP why", "not ok n name # TODO known: why", "not ok n name" (below
 * it, as a diagnostic, why, unless NULL). */
void report_result(const char *name, enum outcome outcome, const char *why);
/* Results from here to report_gathered() become one, and headers are dropped.  Behind that result
 * stand the diagnostics of those that failed, with their names, and why others were skipped, or are
 * known, if no result in full has told that before. */
void report_gather(void);
/* The worst of them; nothing: why the result is a skip if there were none. */
void report_gathered(const char *name, const char *nothing);
/* Instead of it: none of them is reported. */
void report_forget(void);
/* Instead of it: what is known of them waits as diagnostics do. */
void report_ungather(void);
/* Measurements of the running test, for whoever draws them.  In the report they are facts of its
 * result: how often interrupts came how late, and of the sums the first one, or the first that does
 * not hold. */
#define MEASURED_PARTS 8u
struct measured {
	uint64_t late; /* instructions from an overflow to its interrupt; or, if there are parts, */
	unsigned parts;
	uint64_t part[MEASURED_PARTS]; /* counts that must add up */
	uint64_t least, most; /* to so many, or to no fewer and no more than these, */
	uint64_t slack; /* give or take so many; most is UINT64_MAX: there may be any more */
	unsigned threshold; /* that divides them; 0: none, or several */
};
/* All parts together; and is it as much as it must be? */
uint64_t measured_sum(const struct measured *measured);
bool measured_holds(const struct measured *measured);
typedef void report_measured_sink(const struct measured *measured);
void report_measured_to(report_measured_sink *sink); /* NULL: nobody */
/* NULL: what it has measured so far was spoilt, and is measured again. */
void report_measured(const struct measured *measured);
/* "Bail out! why": the verdict becomes error. */
void report_bail_out(const char *why);
/* Results of this outcome so far, those being gathered among them. */
unsigned report_count(enum outcome outcome);
/* How far the report has come; goes with the text of report_text(). */
struct report_progress {
	uint32_t planned, plan;
	uint32_t truncated;
	uint32_t count[OUTCOME_ERROR + 1];
};
void report_save(struct report_progress *progress);
/* In place of report_begin(): goes on with a report whose first length bytes the buffer holds. */
void report_resume(size_t length, const struct report_progress *progress);
/* "pass", "fail", "skip" or "error". */
const char *report_verdict_name(enum verdict verdict);
/* Summary and "# verdict: ..." lines; error when the plan was not met. */
enum verdict report_end(void);
/* All that the report holds since report_begin(), for the file. */
const char *report_text(size_t *length);
