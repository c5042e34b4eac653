/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples by period: by interrupt, by PEBS, with branch records, and of instructions. */
#include "guest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PERIOD = 2000, LOOPS = 100000, PAGES = 64, PAGE = 4096 };

/* By the loop alone, whose instructions are two: what the kernel counts is not to be believed. */
enum { DUE = 2 * LOOPS / PERIOD };

/* IbsOpCntCtl. */
#define IBS_OF_OPS (UINT64_C(1) << 19)

/* The contents of the ring: samples, and how many of them lie in the loop; records of branches in
 * these, and how many are right. */
struct seen {
	unsigned samples, inside, lost, branches, right;
};

struct sample {
	struct perf_event_header header;
	uint64_t ip;
	uint64_t records;
	struct perf_branch_entry record[];
};

static bool is_inside(uint64_t ip)
{
	return ip >= (uintptr_t)spin_first && ip <= (uintptr_t)spin_end;
}

static void see_branches(const struct sample *sample, struct seen *seen)
{
	for (uint64_t i = 0; i < sample->records; i++) {
		if (!is_inside(sample->record[i].from))
			continue;
		seen->branches++;
		seen->right += sample->record[i].from == (uintptr_t)spin_branch &&
			       sample->record[i].to == (uintptr_t)spin_first;
	}
}

static void see(const struct perf_event_header *header, bool branches, struct seen *seen)
{
	const struct sample *sample = (const struct sample *)header;

	if (header->type == PERF_RECORD_LOST)
		seen->lost++;
	if (header->type != PERF_RECORD_SAMPLE)
		return;
	seen->samples++;
	seen->inside += is_inside(sample->ip);
	if (branches)
		see_branches(sample, seen);
}

/* The ring is never filled, so no record wraps. */
static void see_all(const struct perf_event_mmap_page *ring, bool branches, struct seen *seen)
{
	const char *data = (const char *)ring + PAGE;
	uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);

	for (uint64_t at = 0; at < head;) {
		const struct perf_event_header *header = (const void *)(data + at);

		see(header, branches, seen);
		at += header->size;
	}
}

/* What the kernel records while the loop runs. */
struct source {
	const char *name;
	struct perf_event_attr attr;
	unsigned long depth; /* of the branch records that each sample is to have; 0: none */
	bool of_cpu; /* of all that runs on it, which is the only one, else of this program */
};

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
	spin(LOOPS);
	event_enable(fd, false);
	see_all(ring, s->depth, &seen);
	printf("linux: %s %u of %u inside %u lost %u", s->name, seen.samples, DUE, seen.inside,
	       seen.lost);
	if (s->depth)
		printf(" branches %u of %lu right %u", seen.branches, DUE * s->depth, seen.right);
	printf("\n");
	munmap(ring, (PAGES + 1) * PAGE);
	close(fd);
}

/* Of instructions of user mode. */
static void sample_instructions(const char *name, unsigned precise, unsigned long depth)
{
	struct source source = {
		.name = name,
		.attr = {.type = PERF_TYPE_HARDWARE,
			 .config = PERF_COUNT_HW_INSTRUCTIONS,
			 .sample_period = PERIOD,
			 .sample_type = PERF_SAMPLE_IP | (depth ? PERF_SAMPLE_BRANCH_STACK : 0),
			 .branch_sample_type =
				 depth ? PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY : 0,
			 .exclude_kernel = 1,
			 .precise_ip = precise & 3},
		.depth = depth,
	};

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

/* A capability of the core; where Linux knows two kinds of them, of the one at hand. */
static unsigned long capability(const char *name)
{
	return event_number("cpu", name) + event_number("cpu_core", name);
}

void sample_all(void)
{
	unsigned long depth = capability("caps/branches");

	sample_instructions("samples", 0, 0);
	if (capability("caps/max_precise"))
		sample_instructions("precise", 1, 0);
	if (depth)
		sample_instructions("records", 0, depth);
	sample_engine("ibs_op", IBS_OF_OPS);
	sample_engine("ibs_fetch", 0);
}
