/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the models and seeded faults, for run-qemu.sh --list; with "generated" the faults that are
 * generated, or those of a name behind it, with "unseen" the generated faults that no test can see,
 * and why. */
#include <stdio.h>
#include <string.h>

#include "model/cpu/cpu.h"
#include "model/faults/faults.h"
#include "model/profiles/profiles.h"

static void print_models_of(const struct fault *fault)
{
	const char *separator = "";
	const struct profile *profile;

	for (unsigned i = 0; (profile = profile_at(i)); i++)
		if (fault_applies(fault, profile)) {
			printf("%s%s", separator, profile->name);
			separator = ",";
		}
}

static void print_fault(const struct fault *fault)
{
	printf("fault %s models=", fault->name);
	print_models_of(fault);
	printf(" test=%s %s\n", fault->test, fault->says);
}

static void print_lawful(const struct fault *lawful)
{
	printf("lawful %s models=", lawful->name);
	print_models_of(lawful);
	printf(" %s\n", lawful->says);
}

static void print_generated(const struct profile *profile)
{
	struct generated_walk walk;

	for (generated_begin(&walk, profile); generated_next(&walk);)
		print_fault(&walk.fault);
}

static void print_named(const struct profile *profile, const char *name)
{
	const struct fault *fault = generated_find(profile, name);

	if (fault)
		print_fault(fault);
}

static void print_unseen(const struct profile *profile)
{
	struct generated_walk walk;

	for (generated_begin(&walk, profile); generated_next(&walk);) {
		const char *why = generated_unseen(&walk);

		if (why)
			printf("unseen %s %s %s\n", profile->name, walk.name, why);
	}
}

static void print_by_hand(void)
{
	const struct fault *fault;

	for (unsigned i = 0; (fault = fault_at(i)); i++)
		print_fault(fault);
	for (unsigned i = 0; (fault = lawful_at(i)); i++)
		print_lawful(fault);
}

int main(int argc, char **argv)
{
	const char *which = argc > 1 ? argv[1] : "", *name = argc > 2 ? argv[2] : NULL;
	const struct profile *profile;

	if (*which && strcmp(which, "generated") != 0 && strcmp(which, "unseen") != 0) {
		fprintf(stderr, "list_models: unknown '%s'; allowed are generated, unseen\n",
			which);
		return 2;
	}
	for (unsigned i = 0; (profile = profile_at(i)); i++)
		printf("model %s %s\n", profile->name, profile->says);
	if (!*which)
		print_by_hand();
	for (unsigned i = 0; (profile = profile_at(i)); i++) {
		if (!strcmp(which, "unseen"))
			print_unseen(profile);
		else if (!strcmp(which, "generated") && name)
			print_named(profile, name);
		else if (!strcmp(which, "generated"))
			print_generated(profile);
	}
	return 0;
}
