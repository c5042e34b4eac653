/* SPDX-License-Identifier: BSD-2-Clause */
/* Lingering: how long a system is stepped through behind the last counter. */
#include "model/cpu/state.h"
#include "model/vmm/step/stepping.h"

#include "check/unit/tap.h"

enum { A_MOMENT = 1000, LONG = 1000000 };

static struct guest guest = {.system = true};
static uint64_t retired;

struct silicon silicon_cpu;

struct silicon_tally silicon_tally(struct silicon *s)
{
	return (struct silicon_tally){.retired = s == &silicon_cpu ? retired : 0};
}

/* As step_update() asks it. */
static bool lingers(bool counting)
{
	bool lingering = linger_is_on(&guest, counting);

	guest.stepping = counting || lingering;
	return lingering;
}

static void test_moment(void)
{
	OK(!lingers(false) && !lingers(true));
	OK(lingers(false) && !linger_is_over());
	retired += A_MOMENT;
	OK(lingers(false) && !linger_is_over());
	OK(!lingers(true));
	retired += LONG;
	OK(!linger_is_over() && lingers(false));
}

/* Looking does not begin it anew. */
static void test_long(void)
{
	retired += LONG;
	OK(linger_is_over() && !lingers(false));
	OK(!lingers(false) && !guest.stepping);
}

static void test_no_system(void)
{
	guest.system = false;
	OK(!lingers(true) && !lingers(false) && !guest.stepping);
}

int main(void)
{
	test_moment();
	test_long();
	test_no_system();
	return tap_end();
}
