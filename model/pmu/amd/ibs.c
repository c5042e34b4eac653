/* SPDX-License-Identifier: BSD-2-Clause */
/* The engines of instruction-based sampling: what they count, and what a sample holds. */
#include "amd.h"

#include "kernel/lib/string.h"

/* ---- random numbers, as the hardware draws them ---- */

uint32_t ibs_draw(struct ibs *ibs)
{
	ibs->random = ibs->random * 1664525 + 1013904223;
	return ibs->random >> 16;
}

/* 1 to 127. */
static uint32_t low_bits(struct ibs *ibs)
{
	return 1 + ibs_draw(ibs) % 127;
}

/* ---- when they run ---- */

static uint64_t fetch_ctl(const struct pmu_amd *p)
{
	return core_acting(&p->core, AMD_IBS_FETCH_CTL, 0, p->ibs.fetch_ctl);
}

static uint64_t op_period(uint64_t ctl)
{
	return (ctl & OP_MAX_CNT_HIGH) | (ctl & OP_MAX_CNT) << 4;
}

static uint64_t fetch_period(uint64_t ctl)
{
	return (ctl & FETCH_MAX_CNT) << 4;
}

/* Of no modelled part: of variations alone. */
static bool has_ctl2(const struct pmu_amd *p)
{
	for (const struct active *a = p->core.active; a; a = a->next)
		if (a->defect->ibs_ctl2)
			return true;
	return false;
}

bool ibs_has(const struct pmu_amd *p, unsigned kind)
{
	return (kind != AMD_IBS_OP_CTL2 && kind != AMD_IBS_FETCH_CTL2) || has_ctl2(p);
}

static bool is_disabled(const struct pmu_amd *p, unsigned kind, uint64_t ctl2)
{
	return has_ctl2(p) && core_acting(&p->core, kind, 0, ctl2) & CTL2_DIS;
}

uint64_t ibs_op_ctl(const struct pmu_amd *p)
{
	return core_acting(&p->core, AMD_IBS_OP_CTL, 0, p->ibs.op_ctl);
}

/* Shorter periods are reserved: assumed, that nothing is sampled. */
bool ibs_ops_run(const struct pmu_amd *p)
{
	uint64_t ctl = ibs_op_ctl(p);

	return (ctl & (OP_EN | OP_VAL)) == OP_EN && op_period(ctl) >= OP_SHORTEST &&
	       !is_disabled(p, AMD_IBS_OP_CTL2, p->ibs.op_ctl2);
}

static bool fetches_run(const struct pmu_amd *p)
{
	uint64_t ctl = fetch_ctl(p);

	return (ctl & (FETCH_EN | FETCH_VAL)) == FETCH_EN && fetch_period(ctl) &&
	       !is_disabled(p, AMD_IBS_FETCH_CTL2, p->ibs.fetch_ctl2);
}

void ibs_update(struct pmu_amd *p)
{
	bool ops = ibs_ops_run(p), fetches = fetches_run(p);

	p->ibs.ops.tagged &= ops;
	p->ibs.fetches.tagged &= fetches;
	p->core.precise = ops || fetches;
	p->core.wants_assist &= p->core.precise;
}

/* ---- registers ---- */

/* As they were measured on a Phenom II and an FX-8150, and as the PPR of family 17h has them. */
const struct ibs_bits ibs_10h = {
	.fetch_ctl = FETCH_RAND_EN | FETCH_VAL | FETCH_EN | FETCH_CNT | FETCH_MAX_CNT,
	.op_ctl = FIELD(19, 0),
	.sampled3 = FIELD(47, 32) | FIELD(18, 0),
};
const struct ibs_bits ibs_15h = {
	.fetch_ctl = FETCH_RAND_EN | FETCH_EN | FETCH_MAX_CNT,
	.op_ctl = OP_CUR_CNT | FIELD(26, 17) | OP_MAX_CNT,
	.data = FIELD(37, 0),
	.data3 = FIELD(47, 32) | FIELD(19, 11) | FIELD(9, 0),
	.sampled3 = FIELD(47, 32) | FIELD(19, 0),
};
const struct ibs_bits ibs_zen = {
	.fetch_ctl = FETCH_RAND_EN | FETCH_EN | FETCH_CNT | FETCH_MAX_CNT,
	.op_ctl = OP_CUR_CNT | FIELD(26, 17) | OP_MAX_CNT,
	.data = FIELD(40, 34) | FIELD(31, 0),
	.data3 = FIELD(63, 13) | FIELD(8, 0),
	.sampled3 = UINT64_MAX,
};

uint64_t ibs_shows(const struct pmu_amd *p, const struct reg_id *reg, uint64_t value)
{
	if (reg->kind == AMD_IBS_OP_CTL)
		return value | field_put(OP_CUR_CNT, p->ibs.ops.count);
	if (reg->kind == AMD_IBS_FETCH_CTL)
		return value | field_put(FETCH_CNT, p->ibs.fetches.count >> 4);
	return value;
}

/* Each write loads the count. */
void ibs_put_op(struct pmu_amd *p, uint64_t value)
{
	uint64_t acts = core_acting(&p->core, AMD_IBS_OP_CTL, 0, value);

	p->ibs.op_ctl = value & ~OP_CUR_CNT;
	p->ibs.ops = (struct ibs_engine){.count = (uint32_t)field_get(OP_CUR_CNT, acts)};
	ibs_update(p);
}

/* Val and the rest of the status, which no write sets, are cleared by each; but on some parts only
 * by one that finds the engine off or leaves it off: PPR17, and Linux, fetch_count_reset_broken. It
 * loads the count, too. */
void ibs_put_fetch(struct pmu_amd *p, uint64_t value)
{
	struct ibs *ibs = &p->ibs;
	bool goes_on = p->traits->val_sticks && ibs->fetch_ctl & value & FETCH_EN;
	uint32_t count = (uint32_t)field_get(FETCH_CNT, value) << 4;

	ibs->fetch_ctl = (goes_on ? ibs->fetch_ctl & ~FETCH_CONTROLS : 0) | (value & ~FETCH_CNT);
	if (value & FETCH_RAND_EN)
		count |= ibs_draw(ibs) % 16;
	if (!goes_on)
		ibs->fetches = (struct ibs_engine){.count = count};
	ibs_update(p);
}

/* ---- bits of registers that are documented to do something ---- */

/* Bit 7 and those below it; and periods of more than 500 fetches. */
#define FINE_CUR_CNT   FIELD(39, 32)
#define COARSE_MAX_CNT FIELD(15, 5)

const char *ibs_unseen(const struct pmu_register *reg, uint64_t bit, bool inverted)
{
	if (reg->reg.kind == AMD_IBS_OP_CTL && bit & FINE_CUR_CNT)
		return "no period is known so exactly";
	if (reg->reg.kind == AMD_IBS_OP_CTL && bit == BIT(40) && !inverted)
		return "256 ops more are within the four periods in which a sample comes";
	if (reg->reg.kind != AMD_IBS_FETCH_CTL)
		return NULL;
	if (bit & FETCH_CNT)
		return "with a count that is not 0 no manual says how many fetches follow";
	if (bit == FETCH_RAND_EN)
		return "what it adds is random, and may be nothing";
	if (bit == FETCH_L3_MISS_ONLY && !inverted)
		return "no test knows which fetches miss the L3";
	if (bit & COARSE_MAX_CNT && !inverted)
		return "how many fetches code takes, no manual says, so a shorter period is not "
		       "seen";
	return NULL;
}

/* ---- counting ---- */

static uint64_t left_of(const struct ibs_engine *engine, uint64_t period)
{
	return engine->tagged || engine->count >= period ? 0 : period - 1 - engine->count;
}

uint64_t ibs_room(const struct pmu_amd *p)
{
	uint64_t ops = UINT64_MAX, fetches = UINT64_MAX;

	if (p->ibs.told)
		return 0;
	if (!p->core.precise)
		return UINT64_MAX;
	if (having(p->core.active, HOOK_BIT(engine)))
		return 0;
	if (ibs_ops_run(p))
		ops = left_of(&p->ibs.ops, op_period(ibs_op_ctl(p)));
	if (fetches_run(p))
		fetches = left_of(&p->ibs.fetches, fetch_period(fetch_ctl(p)));
	return ops < fetches ? ops : fetches;
}

/* The engine goes on by amount; true: it has come to its period. */
static bool go_on(struct pmu_amd *p, unsigned which, struct ibs_engine *engine, uint64_t period,
		  uint64_t amount)
{
	struct point at = core_point(&p->core, which);

	at.value = period;
	at.amount = amount;
	REACH(&at, p->core.active, engine);
	engine->count += (uint32_t)at.amount;
	return engine->count >= at.value;
}

/* What nobody counts is forgotten. */
static void note(struct pmu_amd *p, enum fate fate)
{
	for (uint32_t left = p->core.running; left; left &= left - 1) {
		const struct amd_event *event = p->event[__builtin_ctz(left)];

		if (!event || event->signal != SIGNAL_FATES)
			continue;
		p->ibs.fates[fate] = 1;
		p->ibs.told = true;
	}
}

void ibs_tell(struct pmu_amd *p, struct clock *clock)
{
	memcpy(&clock->n[SIGNAL_FATES], p->ibs.fates, FATES);
	memset(p->ibs.fates, 0, FATES);
	p->ibs.told = false;
}

/* What is tagged is the instruction that retires next. */
static void clock_ops(struct pmu_amd *p, const struct clock *clock, uint64_t times)
{
	struct ibs_engine *ops = &p->ibs.ops;
	uint64_t ctl = ibs_op_ctl(p);
	uint64_t amount = ctl & OP_CNT_CTL ? clock->n[SIGNAL_UOPS] : 1;

	if (ops->tagged) {
		p->core.wants_assist |= clock->n[SIGNAL_UOPS] != 0;
		p->ibs.missed = clock->n[SIGNAL_MET + MET_LINE_READ] != 0;
	} else if (go_on(p, AMD_IBS_OPS, ops, op_period(ctl), amount * times)) {
		ops->count = low_bits(&p->ibs);
		ops->tagged = true;
		note(p, FATE_TAGGED);
	}
}

/* Each instruction is a fetch. */
static void clock_fetches(struct pmu_amd *p, const struct clock *clock, uint64_t times)
{
	struct ibs_engine *fetches = &p->ibs.fetches;
	uint64_t amount = clock->n[SIGNAL_INSTRUCTIONS];

	if (fetches->tagged)
		p->core.wants_assist |= amount != 0;
	else
		fetches->tagged = go_on(p, AMD_IBS_FETCHES, fetches, fetch_period(fetch_ctl(p)),
					amount * times);
}

void ibs_clock(struct pmu_amd *p, const struct clock *clock, uint64_t times)
{
	if (ibs_ops_run(p))
		clock_ops(p, clock, times);
	if (fetches_run(p))
		clock_fetches(p, clock, times);
}

/* ---- samples ---- */

/* False: it is thrown away, and nothing of it is seen. */
static bool reach(struct pmu_amd *p, unsigned which, uint64_t *record,
		  const struct machine *machine)
{
	struct point at = core_point(&p->core, which);

	at.machine = machine;
	at.record = record;
	at.passes = true;
	REACH(&at, p->core.active, sample);
	return at.passes;
}

/* There is one now, of which software is to know. */
static void announce(struct pmu_amd *p, unsigned which)
{
	struct point at = core_point(&p->core, which);

	at.requests = (p->ibs.control & CONTROL_ENTRY_VALID) != 0;
	at.value = field_get(CONTROL_ENTRY, p->ibs.control);
	REACH(&at, p->core.active, announce);
	p->ibs.announced += at.requests;
	p->ibs.entry = (unsigned)at.value;
}

unsigned ibs_announces(void *pmu, unsigned *entry)
{
	struct pmu_amd *p = pmu;
	unsigned announced = p->ibs.announced;

	p->ibs.announced = 0;
	*entry = p->ibs.entry;
	return announced;
}

static void sample_op(struct pmu_amd *p, const struct machine *machine)
{
	struct ibs *ibs = &p->ibs;
	uint32_t latency = ibs_latency(ibs, machine->insn);
	bool filtered = ibs_is_filtered(p, latency);
	uint64_t record[OP_WORDS];

	ibs->ops.tagged = false;
	memcpy(record, ibs->op, sizeof(record));
	ibs_fill_op(record, machine, latency);
	record[OP_DATA3] &= p->traits->ibs_bits->sampled3;
	if (!reach(p, AMD_IBS_OPS, record, machine))
		return;
	note(p, FATE_RETIRED);
	note(p, filtered ? FATE_FILTERED : FATE_RECORDED);
	if (filtered)
		return;
	memcpy(ibs->op, record, sizeof(record));
	ibs->ops.count += IBS_IN_FLIGHT;
	ibs->op_ctl |= OP_VAL;
	announce(p, AMD_IBS_OPS);
}

static void sample_fetch(struct pmu_amd *p, const struct machine *machine)
{
	struct ibs *ibs = &p->ibs;
	uint64_t record[FETCH_WORDS];

	ibs->fetches.tagged = false;
	memcpy(record, ibs->fetch, sizeof(record));
	ibs_fill_fetch(record, machine);
	if (!reach(p, AMD_IBS_FETCHES, record, machine) || fetch_ctl(p) & FETCH_L3_MISS_ONLY) {
		ibs->fetches.count = ibs->fetch_ctl & FETCH_RAND_EN ? low_bits(ibs) : 0;
		return;
	}
	memcpy(ibs->fetch, record, sizeof(record));
	ibs->fetch_ctl = (ibs->fetch_ctl & FETCH_CONTROLS) | record[FETCH_STATUS] | FETCH_VAL;
	announce(p, AMD_IBS_FETCHES);
}

unsigned ibs_assist(void *pmu, const struct machine *machine)
{
	struct pmu_amd *p = pmu;

	/* It waits for one of which all is known. */
	if (!machine->insn)
		return 0;
	p->core.wants_assist = false;
	if (p->ibs.ops.tagged)
		sample_op(p, machine);
	if (p->ibs.fetches.tagged)
		sample_fetch(p, machine);
	ibs_update(p);
	return 0;
}
