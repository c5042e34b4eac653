/* SPDX-License-Identifier: BSD-2-Clause */
/* An inner guest exits for its host and for the VMM. */
#include "nest.h"

void merge_intercepts(struct vmcb *v, const struct vmcb *host)
{
	v->intercept_cr_read |= host->intercept_cr_read;
	v->intercept_cr_write |= host->intercept_cr_write;
	v->intercept_dr_read |= host->intercept_dr_read;
	v->intercept_dr_write |= host->intercept_dr_write;
	v->intercept_exceptions |= host->intercept_exceptions;
	v->intercept |= host->intercept;
	v->intercept_svm |= host->intercept_svm;
}

void merge_map(uint8_t *map, const uint8_t *ours, const uint8_t *hosts, size_t size)
{
	typedef uint64_t word __attribute__((may_alias));
	word *to = (word *)(void *)map;
	const word *a = (const word *)(const void *)ours, *b = (const word *)(const void *)hosts;

	for (size_t i = 0; i < size / sizeof(word); i++)
		to[i] = a[i] | b[i];
}
