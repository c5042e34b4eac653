/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Remembered blocks against the slow way, which is the judge: the same drawn program runs twice
 * from power-on, with blocks that retire at once and instruction by instruction, and at drawn stops
 * all of pipeline, PMU, requests and tally must be equal.
 */
#include "drawn.h"
#include "seeded.h"

/* ---- execution ---- */

static unsigned cpl;
static bool iflag;
static uint64_t interrupts; /* a hash of when they came */
static uint64_t all, at_once; /* instructions in blocks, and that retired so */

static bool held;

/* As one that is held stands, it is taken once. */
static void take_pmis(void)
{
	struct pmi pmi = silicon_take_pmi(cpu, 0);

	if (pmi.due || pmi.held != held)
		interrupts = interrupts * 31 + pmi.due * 2 + pmi.held + cpu->tally.retired;
	held = pmi.held;
}

static uint8_t memory[8192]; /* of the guest */

static bool read_memory(void *arg, uint64_t linear, void *to, size_t size)
{
	(void)arg;
	memcpy(to, memory + linear % 4096, size);
	return true;
}

static bool write_memory(void *arg, uint64_t linear, const void *from, size_t size)
{
	(void)arg;
	memcpy(memory + linear % 4096, from, size);
	return true;
}

/* An instruction accesses memory, sometimes where it has been not long ago. */
static void reach_memory(const struct insn *insn)
{
	struct memory_access access = {.kind = insn->memory, .size = insn->width};

	if (insn->memory == MEMORY_NONE || !silicon_watches_memory(cpu))
		return;
	access.physical = draw(8) ? draw(512) * 4 : draw(1 << 24);
	silicon_memory(cpu, &access);
}

/* The slow way. */
static void retire(const struct insn *insn, bool taken)
{
	static const struct machine machine = {.read = read_memory, .write = write_memory};
	struct branch branch = {.class = insn->class,
				.indirect = insn->indirect,
				.vector = -1,
				.from = insn->address,
				.cpl = cpl,
				.before = cpl};

	reach_memory(insn);
	if (insn->class >= INSN_JCC && insn->class <= INSN_SYSRET && taken)
		silicon_branched(cpu, &branch);
	if (silicon_retire(cpu, insn, cpl, taken, iflag))
		take_pmis();
	if (silicon_wants_assist(cpu))
		silicon_assist(cpu, &machine);
}

static void execute(const struct block *b, bool taken)
{
	all += b->count;
	if (silicon_takes_block(cpu, b, cpl)) {
		at_once += b->count;
		for (unsigned i = 0; i < b->count; i++) {
			reach_memory(b->insn[i]);
			if (silicon_watches_memory(cpu))
				silicon_fetch_block(cpu, b, i, 1);
		}
		silicon_retire_block(cpu, b, taken, iflag);
		return;
	}
	for (unsigned i = 0; i < b->count; i++)
		retire(b->insn[i], i + 1 == b->count && taken);
}

/* The block branches to its begin so many times less one. */
static void turn(const struct block *b, unsigned turns, bool taken)
{
	while (turns) {
		unsigned times = 1;

		if (silicon_watches_memory(cpu) || !silicon_takes_block(cpu, b, cpl)) {
			execute(b, turns > 1 || taken);
		} else {
			times = silicon_block_times(cpu, b);
			times = times < turns ? times : turns;
			all += times * b->count;
			at_once += times * b->count;
			silicon_retire_loop(cpu, b, times, times < turns || taken, iflag);
		}
		turns -= times;
	}
}

static void loop(void)
{
	unsigned first = draw(BLOCKS - 4), length = 1 + draw(4);
	const struct block *b = &blocks[first];

	if (length == 1 && b->insn[b->count - 1]->class == INSN_JCC) {
		turn(b, 1 + draw(100), draw(2));
		return;
	}
	for (unsigned turns = 1 + draw(20) * draw(4); turns; turns--)
		for (unsigned i = 0; i < length; i++)
			execute(&blocks[first + i], draw(8));
}

static void deliver(void)
{
	cpl = 0;
	silicon_delivered(cpu, draw(2) ? DELIVERY_HARDWARE : DELIVERY_NMI, 0);
	iflag = draw(2);
}

/* As the program's code does by writing to itself: another block in the place of one. */
static void rewrite(void)
{
	struct block *b = &blocks[draw(BLOCKS)];
	uint64_t address = b->insn[0]->address;

	draw_block(b, (struct insn *)(uintptr_t)b->insn[0], &address);
}

static void step(void)
{
	switch (draw(16)) {
	case 0:
		write_some();
		break;
	case 1:
		read_some();
		break;
	case 2:
		deliver();
		break;
	case 3:
		cpl = draw(2) * 3;
		break;
	case 4:
		rewrite();
		break;
	case 5:
		iflag = !iflag;
		break;
	case 6:
		retire(blocks[draw(BLOCKS)].insn[0], false);
		if (!draw(4))
			write_special();
		break;
	case 7:
		if (!draw(20))
			configure();
		if (!draw(20))
			silicon_smi(cpu);
		break;
	default:
		loop();
	}
}

/* ---- the judge ---- */

enum { STOPS = 16 };

static uint64_t hash(uint64_t h, const void *at, size_t size)
{
	const uint8_t *byte = at;

	while (size--)
		h = (h ^ *byte++) * UINT64_C(0x00000100000001b3);
	return h;
}
#define HASH(member) h = hash(h, &(member), sizeof(member))

/* All that may change; what is known of defects has padding. */
static uint64_t state_of(struct silicon *s)
{
	const struct core *core = core_now(s);
	const struct pipeline *p = &core->pipeline;
	uint64_t h = 0;

	h = hash(h, core->pmu, offsetof(struct core_pmu, deviation));
	h = hash(h, core->pmu + offsetof(struct core_pmu, memory),
		 CORE_PMU_STATE - offsetof(struct core_pmu, memory));
	HASH(p->now.n);
	HASH(p->filled);
	HASH(p->written);
	HASH(p->loads);
	HASH(p->stores);
	HASH(p->missed);
	HASH(p->mispredicted);
	HASH(p->cpl);
	HASH(p->iflag);
	HASH(p->was_taken);
	HASH(p->pace);
	HASH(s->due_in);
	HASH(s->held_for);
	HASH(s->holds_request);
	HASH(s->tally);
	HASH(interrupts);
	HASH(memory);
	return h;
}

struct specimen {
	const char *model;
	const struct fault *fault, *lawful;
	uint32_t seed, draw;
	const struct seeded *seeded; /* NULL: none */
};

static void power_on(const struct specimen *of)
{
	chance = of->draw * UINT32_C(2654435761);
	wildness = draw(4);
	watches = draw(2);
	silicon_reset(cpu, profile_find(of->model), of->fault);
	silicon_vary(cpu, of->seed);
	if (of->lawful)
		silicon_deviate(cpu, of->lawful);
	seed(of->seeded);
	cpl = 0;
	iflag = true;
	interrupts = held = 0;
	memset(memory, 0, sizeof(memory));
}

/* Fills in what is seen at each stop. */
static void run(const struct specimen *of, bool remember, uint64_t seen[STOPS])
{
	power_on(of);
	silicon_remember(cpu, remember);
	draw_program();
	configure();
	for (unsigned i = 0; i < STOPS; i++) {
		for (unsigned steps = 1 + draw(12); steps; steps--)
			step();
		seen[i] = state_of(cpu);
	}
}

/* The first stop at which they differ; STOPS: none. */
static unsigned differs(const struct specimen *of)
{
	uint64_t fast[STOPS], slow[STOPS];
	unsigned i = 0;

	run(of, true, fast);
	run(of, false, slow);
	while (i < STOPS && fast[i] == slow[i])
		i++;
	return i;
}

static unsigned draws = 2;

/* In all draws. */
static bool all_equal(struct specimen of)
{
	for (of.draw = 1; of.draw <= draws; of.draw++) {
		unsigned stop = differs(&of);

		if (stop == STOPS)
			continue;
		printf("# %s %s, draw %u: differs at stop %u\n", of.model,
		       of.fault ? of.fault->name : "", of.draw, stop);
		return false;
	}
	return true;
}

static void test_models(void)
{
	const struct profile *profile;

	for (unsigned i = 0; (profile = profile_at(i)); i++) {
		all = at_once = 0;
		OK(all_equal((struct specimen){.model = profile->name}));
		OK(at_once >= 1000);
		printf("# %s: %llu of %llu instructions in blocks\n", profile->name,
		       (unsigned long long)at_once, (unsigned long long)all / 2);
	}
}

/* Each specimen of the processor, and each that is broken, as a lawful variation or on purpose. */
static void test_others(const char *model)
{
	const struct profile *profile = profile_find(model);
	const struct fault *fault;

	OK(all_equal((struct specimen){.model = model, .seed = 7}));
	for (uint64_t left = lawful_of(profile); left; left &= left - 1)
		OK(all_equal((struct specimen){
			.model = model,
			.lawful = lawful_number(profile, (unsigned)__builtin_ctzll(left))}));
	for (unsigned i = 0; (fault = fault_at(i)); i++)
		if (i % 32 == 0 && fault_applies(fault, profile))
			OK(all_equal((struct specimen){.model = model, .fault = fault}));
}

/* Is the fault seen in one of some draws? */
static bool is_seen(const char *model, const struct seeded *fault)
{
	struct specimen of = {.model = model, .seeded = fault, .draw = 1};

	while (of.draw < SEEDED_DRAWS && differs(&of) == STOPS)
		of.draw++;
	return of.draw < SEEDED_DRAWS;
}

static void test_seeded(const char *model)
{
	for (unsigned i = 0; i < SEEDED; i++)
		OK(is_seen(model, &seeded[i]));
}

/* An argument is another number of draws than is enough for each day. */
int main(int count, char **words)
{
	static const char *const models[] = {"zen4", "skylake", "prescott"};

	if (count > 1)
		draws = (unsigned)strtoul(words[1], NULL, 10);
	test_models();
	for (unsigned i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
		test_seeded(models[i]);
		test_others(models[i]);
	}
	return tap_end();
}
