/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes outside of the cores: lines that no cache has are read from memory, and written there, as
 * memory controllers, the data fabric and the last cache count them. */
#include "guest.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINES = 1024, LINE = 64, FIELDS = 5, BOXES = 12, NAME = 32 };

static char memory[LINES * LINE] __attribute__((aligned(4096)));

/* Each is flushed while the counter runs: the model's caches know nothing of what was before. */
static void read_lines(uint64_t lines)
{
	for (uint64_t i = 0; i < lines; i++)
		__asm__ volatile("clflush %0\n\tmfence\n\tmovb %0, %%al"
				 : "+m"(memory[i * LINE])
				 :
				 : "al", "memory");
	__asm__ volatile("mfence" : : : "memory");
}

/* The same, and each is changed and goes back to memory. */
static void write_lines(uint64_t lines)
{
	for (uint64_t i = 0; i < lines; i++)
		__asm__ volatile("clflush %0\n\tmfence\n\tmovb $1, %0\n\tclflush %0\n\tmfence"
				 : "+m"(memory[i * LINE])
				 :
				 : "memory");
}

/* Events that count the work together: in each box of the device, and with each of so many values
 * in the last field, a step apart, or each twice the one before.  A part whose fields do not take
 * them has none of these. */
struct counted {
	const char *name, *device; /* the device may be one of BOXES, with %u for its number */
	void (*work)(uint64_t lines);
	struct {
		const char *name;
		uint64_t value;
	} field[FIELDS];
	unsigned values;
	uint64_t step; /* 0: twice */
};

#define UMASK(number)                                                                              \
	{                                                                                          \
		"umask", (number)                                                                  \
	}
#define EVENT(number)                                                                              \
	{                                                                                          \
		"event", (number)                                                                  \
	}
#define FREE_RUNNING     "uncore_imc_free_running_%u"
#define FABRIC(...)      .device = "amd_df", .work = write_lines, .field = {__VA_ARGS__}
#define CHANNELS         .values = 12, .step = 0x40 /* instances: as many as any part has */
#define CONTROLLER(mask) "amd_umc_%u", write_lines, {EVENT(0x0a), {"rdwrmask", (mask)}}, .values = 1
#define CACHE(...)       .device = "amd_l3", .work = read_lines, .field = {__VA_ARGS__}
#define MISSES_17H       UMASK(0x01), EVENT(0x06)
#define MISSES           UMASK(0x01), EVENT(0x04)

/* Intel 327043-001, table 2-62: CAS_COUNT with RD.  Clients: Linux, uncore_snb.c, data_reads and
 * data_writes, and event CAS_RD.  AMD: Linux, pmu-events/arch/x86/amdzen2 to amdzen5. */
static const struct counted events[] = {
	{"uncore", "uncore_imc_%u", read_lines, {EVENT(0x04), UMASK(0x03)}, .values = 1},
	{"whole_read", "uncore", read_lines, {EVENT(0x2c), UMASK(0x07)}, .values = 1},
	{"slices_read", "uncore_cha_%u", read_lines, {EVENT(0x59), UMASK(0x01)}, .values = 1},
	{"channels_read", "uncore_imc_%u", read_lines, {EVENT(0x05), UMASK(0xcf)}, .values = 1},
	{"lines_read", "uncore_imc", read_lines, {EVENT(0x01)}, .values = 1},
	{"lines_written", "uncore_imc", write_lines, {EVENT(0x02)}, .values = 1},
	{"lines_read", FREE_RUNNING, read_lines, {EVENT(0xff), UMASK(0x20)}, .values = 1},
	{"lines_written", FREE_RUNNING, write_lines, {EVENT(0xff), UMASK(0x30)}, .values = 1},
	{"memory_written", FREE_RUNNING, write_lines, {EVENT(0xff), UMASK(0x21)}, .values = 1},
	{"cas_read", "uncore_imc_%u", read_lines, {{"chmask", 0}, EVENT(0x22)}, .values = 1},
	{"l3_slices", CACHE(MISSES_17H, {"slicemask", 1}), .values = 4},
	{"l3_slices", CACHE({"enallcores", 1}, MISSES, {"threadmask", 3}, {"sliceid", 0}),
	 .values = 8, .step = 1},
	{"l3_threads", CACHE(MISSES_17H, {"slicemask", 0xf}, {"threadmask", 1}), .values = 8},
	{"l3_threads", CACHE({"enallslices", 1}, MISSES, {"threadmask", 1}, {"coreid", 0}),
	 .values = 8, .step = 1},
	{"df_requests", FABRIC(UMASK(0x38), EVENT(0x07)), CHANNELS},
	{"df_reads", FABRIC(UMASK(0xffe), EVENT(0x1f)), CHANNELS},
	{"df_writes", FABRIC(UMASK(0xfff), EVENT(0x1f)), CHANNELS},
	{"umc_all", CONTROLLER(0)},
	{"umc_reads", CONTROLLER(1)},
	{"umc_writes", CONTROLLER(2)},
};

static uint64_t count(uint32_t type, uint64_t config, const struct counted *counted, uint64_t lines)
{
	struct perf_event_attr attr = {.type = type, .config = config};
	int fd = event_open(&attr, -1, 0);
	uint64_t n;

	if (fd < 0)
		return 0;
	event_enable(fd, true);
	counted->work(lines);
	event_enable(fd, false);
	n = event_read(fd);
	close(fd);
	return n;
}

struct sum {
	uint64_t all, none; /* with the work, and without */
	unsigned events, counting; /* of these, those with more of it */
};

static bool encode(const struct counted *counted, const char *device, unsigned n, uint64_t *config)
{
	*config = 0;
	for (unsigned i = 0; i < FIELDS && counted->field[i].name; i++) {
		bool last = i + 1 == FIELDS || !counted->field[i + 1].name;
		uint64_t value = counted->field[i].value;

		if (last)
			value = counted->step ? value + n * counted->step : value << n;
		if (!event_put(device, counted->field[i].name, value, config))
			return false;
	}
	return true;
}

static void add_box(const struct counted *counted, const char *device, struct sum *sum)
{
	uint32_t type = (uint32_t)event_number(device, "type");
	uint64_t config;

	for (unsigned n = 0; n < counted->values && encode(counted, device, n, &config); n++) {
		uint64_t none = count(type, config, counted, 0);
		uint64_t all = count(type, config, counted, LINES);

		sum->none += none;
		sum->all += all;
		sum->counting += all > none;
		sum->events++;
	}
}

static void add_all(const struct counted *counted)
{
	struct sum sum = {0};
	char device[NAME], last[NAME] = "";

	for (unsigned i = 0; i < BOXES; i++) {
		snprintf(device, sizeof(device), counted->device, i);
		if (!strcmp(device, last))
			break;
		strcpy(last, device);
		add_box(counted, device, &sum);
	}
	if (sum.events)
		printf("linux: %s %lld in %u of %u without %llu\n", counted->name,
		       (long long)(sum.all - sum.none), sum.counting, sum.events,
		       (unsigned long long)sum.none);
}

void uncore_all(void)
{
	memset(memory, 1, sizeof(memory)); /* pages of its own, not the one of zeros */
	for (unsigned i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		add_all(&events[i]);
}
