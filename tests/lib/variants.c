/* SPDX-License-Identifier: BSD-2-Clause */
/* Features of the processor that payloads need, and payloads that take the place of those that
 * cannot run. */
#include "kernel/kernel.h"
#include "payload.h"

/* Bits of CPUID 1 EDX. */
static const struct {
	unsigned bit;
	const char *missing;
} features[] = {
	{19, "this processor has no CLFLUSH, which the payload needs"},
	{23, "this processor has no MMX, which the payload needs"},
	{24, "this processor has no FXSAVE, without which there is no SSE for the payload"},
	{25, "this processor has no SSE, which the payload needs"},
	{26, "this processor has no SSE2, which the payload needs"},
};

/* CPUID 1 EDX.  It is read once, as under a hypervisor each CPUID is an exit, and every window
 * asks. */
static uint32_t has;

const char *payload_missing(const struct payload *payload)
{
	uint32_t lacks = payload->needs & ~has;

	for (unsigned i = 0; i < ARRAY_SIZE(features); i++)
		if (lacks >> features[i].bit & 1)
			return features[i].missing;
	return NULL;
}

/* Code that names the payload gets the other one from now on.  The linker puts all of them where
 * they can be written, because a firmware moves the image. */
static void replace(const struct payload *payload, const struct payload *with)
{
	struct payload *to = (struct payload *)(uintptr_t)payload, was = *payload;

	*to = *with;
	memcpy(to->name, was.name, sizeof(was.name));
	to->ordinary = was.ordinary;
	to->stands_for = NULL;
}

void payloads_choose(void)
{
	has = cpuid(1, 0).edx;
	FOR_EACH_PAYLOAD (p)
		if (p->stands_for && payload_missing(p->stands_for) && !payload_missing(p))
			replace(p->stands_for, p);
}
