/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults in what HostOnly and GuestOnly make of hosts and guests, while SVM is on. */
#include "amd.h"

#define TELL_APART (SELECT_GUEST | SELECT_HOST)
#define LENT_SVM   (MODEL_K10 | MODEL_JAGUAR | MODEL_EXTENDED)
#define WORLD_FAULT(name_, says_, statement_)                                                      \
	FAULT_DO_ON(LENT_SVM, name_, "*.select.hosts_and_guests", says_, runs, statement_,         \
		    .as_lawful = "firmware may have switched SVM off")

/* Is it in this world, and has the counter these bits? */
static bool is_in(const struct point *at, enum world world, uint64_t bits)
{
	const struct pmu_amd *p = at->pmu;

	return p->world == world && (at->counter[at->ctr].control & TELL_APART) == bits;
}

/* Would it count, if there were one world alone? */
static bool is_enabled(const struct point *at)
{
	const struct pmu_amd *p = at->pmu;

	return at->counter[at->ctr].set.enable &&
	       core_acting(&p->core, AMD_GLOBAL_CTL, 0, p->global_ctl) >> at->ctr & 1;
}

WORLD_FAULT(guest_only_counts_host, "with GuestOnly the host counts, too",
	    at->enabled |= is_in(at, WORLD_HOST, SELECT_GUEST) && is_enabled(at));
WORLD_FAULT(host_only_counts_guest, "with HostOnly guests count, too",
	    at->enabled |= is_in(at, WORLD_GUEST, SELECT_HOST) && is_enabled(at));
WORLD_FAULT(guest_only_dead, "with GuestOnly no guest counts",
	    at->enabled &= !is_in(at, WORLD_GUEST, SELECT_GUEST));
WORLD_FAULT(host_only_dead, "with HostOnly no host counts",
	    at->enabled &= !is_in(at, WORLD_HOST, SELECT_HOST));
WORLD_FAULT(both_worlds_count_hosts, "with HostOnly and GuestOnly no guest counts",
	    at->enabled &= !is_in(at, WORLD_GUEST, TELL_APART));
WORLD_FAULT(both_worlds_count_guests, "with HostOnly and GuestOnly no host counts",
	    at->enabled &= !is_in(at, WORLD_HOST, TELL_APART));
WORLD_FAULT(guests_need_guest_only, "with neither HostOnly nor GuestOnly no guest counts",
	    at->enabled &= !is_in(at, WORLD_GUEST, 0));
