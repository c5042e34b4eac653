/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs of a program up to a place, with recording ended there. */
#include "random.h"

/* Where an instruction of two bytes or more is. */
static unsigned place_at(uint32_t where)
{
	unsigned place = where % image_now.size;

	while (place < image_now.size && image_now.note[place].length < 2)
		place++;
	return where && !image_now.ways && place < image_now.size ? place : image_now.end;
}

void reach_run(unsigned place, unsigned ring, const struct msr_switch *by)
{
	asm_code *entry = (asm_code *)(uintptr_t)user_code;
	struct msr_switch at_once = *by;

	at_once.on = at_once.off;
	image_prepare_buffer();
	crossings_open(image_now.ways);
	image_break(place);
	msr_switch_by_trap(FAULT_UD, &at_once);
	if (ring) {
		wrmsr(by->msr, by->on);
		ring_call(ring, entry, image_now.turns, user_buffer(), 0);
	} else {
		msr_switch_call(by, entry, image_now.turns, user_buffer());
	}
	msr_switch_by_trap(FAULT_UD, NULL);
	crossings_close();
}

bool reach_find(enum ring ring, uint32_t where, unsigned *place)
{
	struct truth truth;

	*place = place_at(where);
	if (!truth_up_to(&truth, ring, *place))
		return false;
	if (route_now.place != *place) {
		*place = image_now.end;
		route_now.taken--;
	}
	return true;
}

void wrong_unless(struct wrong *wrong, const char *what, uint64_t got, uint64_t want)
{
	if (got == want || wrong->what)
		return;
	wrong->what = what;
	wrong->got = got;
	wrong->least = wrong->most = want;
}
