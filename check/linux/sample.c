/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples by period: by interrupt, by PEBS, with branch records or addresses of data, and of
 * instructions. */
#include "guest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PERIOD = 2000, LOOPS = 100000, PAGES = 64, PAGE = 4096 };

/* Neither it nor one more is a multiple of the three instructions of a loop, so that samples are of
 * each of them. */
enum { PERIOD_OF_LOADS = 1999 };

/* By the loop alone, whose instructions are two: what the kernel counts is not to be believed. */
enum { DUE = 2 * LOOPS / PERIOD };

/* IbsOpCntCtl. */
#define IBS_OF_OPS (UINT64_C(1) << 19)

/* The contents of the ring: samples, and how many of them lie in the loop; records of branches in
 * these, or samples of the load, and how many are right. */
struct seen {
	unsigned samples, inside, lost, told, right;
};

/* Behind ip what else was asked for. */
struct sample {
	struct perf_event_header header;
	uint64_t ip;
	union {
		uint64_t address;
		struct {
			uint64_t records;
			struct perf_branch_entry record[];
		};
	};
};

static uint64_t loaded;

static bool is_inside(uint64_t ip)
{
	return (ip >= (uintptr_t)spin_first && ip <= (uintptr_t)spin_end) ||
	       (ip >= (uintptr_t)spin_load && ip <= (uintptr_t)spin_load_end);
}

static void see_address(const struct sample *sample, struct seen *seen)
{
	if (sample->ip != (uintptr_t)spin_load)
		return;
	seen->told++;
	seen->right += sample->address == (uintptr_t)&loaded;
}

static void see_branches(const struct sample *sample, struct seen *seen)
{
	for (uint64_t i = 0; i < sample->records; i++) {
		if (!is_inside(sample->record[i].from))
			continue;
		seen->told++;
		seen->right += sample->record[i].from == (uintptr_t)spin_branch &&
			       sample->record[i].to == (uintptr_t)spin_first;
	}
}

/* What the kernel records while the loop runs. */
struct source {
	const char *name;
	struct perf_event_attr attr;
	unsigned long depth; /* of the branch records that each sample is to have; 0: none */
	bool addresses; /* of what is loaded, in a loop that loads */
	bool of_cpu; /* of all that runs on it, which is the only one, else of this program */
};

static void see(const struct perf_event_header *header, const struct source *s, struct seen *seen)
{
	const struct sample *sample = (const struct sample *)header;

	if (header->type == PERF_RECORD_LOST)
		seen->lost++;
	if (header->type != PERF_RECORD_SAMPLE)
		return;
	seen->samples++;
	seen->inside += is_inside(sample->ip);
	if (s->depth)
		see_branches(sample, seen);
	if (s->addresses)
		see_address(sample, seen);
}

/* The ring is never filled, so no record wraps. */
static void see_all(const struct perf_event_mmap_page *ring, const struct source *s,
		    struct seen *seen)
{
	const char *data = (const char *)ring + PAGE;
	uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);

	for (uint64_t at = 0; at < head;) {
		const struct perf_event_header *header = (const void *)(data + at);

		see(header, s, seen);
		at += header->size;
	}
}

static void say(const struct source *s, const struct seen *seen)
{
	printf("linux: %s %u of %u inside %u lost %u", s->name, seen->samples, DUE, seen->inside,
	       seen->lost);
	if (s->depth)
		printf(" branches %u of %lu right %u", seen->told, DUE * s->depth, seen->right);
	if (s->addresses)
		printf(" loads %u right %u", seen->told, seen->right);
	printf("\n");
}

static void sample(struct source *s)
{
	int fd = event_open(&s->attr, s->of_cpu ? -1 : 0, s->of_cpu ? 0 : -1);
	struct seen seen = {0};
	void *ring;

	if (fd < 0) {
		printf("linux: %s refused: %s\n", s->name, strerror(errno));
		return;
	}
	ring = mmap(NULL, (PAGES + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring == MAP_FAILED) {
		printf("linux: %s has no ring: %s\n", s->name, strerror(errno));
		return;
	}
	event_enable(fd, true);
	if (s->addresses)
		spin_loads(LOOPS, &loaded);
	else
		spin(LOOPS);
	event_enable(fd, false);
	see_all(ring, s, &seen);
	say(s, &seen);
	munmap(ring, (PAGES + 1) * PAGE);
	close(fd);
}

/* Of instructions of user mode. */
static struct source instructions(const char *name, unsigned precise)
{
	return (struct source){
		.name = name,
		.attr = {.type = PERF_TYPE_HARDWARE,
			 .config = PERF_COUNT_HW_INSTRUCTIONS,
			 .sample_period = PERIOD,
			 .sample_type = PERF_SAMPLE_IP,
			 .exclude_kernel = 1,
			 .precise_ip = precise & 3},
	};
}

static void sample_instructions(const char *name, unsigned precise)
{
	struct source source = instructions(name, precise);

	sample(&source);
}

static void sample_branches(unsigned long depth)
{
	struct source source = instructions("records", 0);

	source.attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	source.attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
	source.depth = depth;
	sample(&source);
}

/* As "perf record -e instructions:ppp -d" asks for them. */
static void sample_addresses(void)
{
	struct source source = instructions("addresses", 3);

	source.attr.sample_type |= PERF_SAMPLE_ADDR;
	source.attr.sample_period = PERIOD_OF_LOADS;
	source.addresses = true;
	sample(&source);
}

/* By an engine of AMD's instruction-based sampling, if there is one; it knows of no rings. */
static void sample_engine(const char *name, uint64_t config)
{
	struct source source = {
		.name = name,
		.attr = {.type = (uint32_t)event_number(name, "type"),
			 .config = config,
			 .sample_period = PERIOD,
			 .sample_type = PERF_SAMPLE_IP},
		.of_cpu = true,
	};

	if (source.attr.type)
		sample(&source);
}

void sample_all(void)
{
	const char *core = event_core();
	unsigned long depth = event_number(core, "caps/branches");
	unsigned long precise = event_number(core, "caps/max_precise");

	sample_instructions("samples", 0);
	if (precise)
		sample_instructions("precise", 1);
	if (precise >= 3)
		sample_addresses();
	if (depth)
		sample_branches(depth);
	sample_engine("ibs_op", IBS_OF_OPS);
	sample_engine("ibs_fetch", 0);
}
