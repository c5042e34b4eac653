/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the models and seeded faults, for run-qemu.sh --list; with "generated" the faults that are
 * generated, with "unseen" the generated faults that no test can see, and why. */
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

static void print_generated(const struct profile *profile, bool unseen)
{
	struct generated_walk walk;

	for (generated_begin(&walk, profile); generated_next(&walk);) {
		const char *why = generated_unseen(&walk);

		if (!unseen)
			print_fault(&walk.fault);
		else if (why)
			printf("unseen %s %s %s\n", profile->name, walk.name, why);
	}
}

int main(int argc, char **argv)
{
	const struct profile *profile;
	const struct fault *fault;
	bool unseen = argc > 1 && !strcmp(argv[1], "unseen");
	bool generated = unseen || (argc > 1 && !strcmp(argv[1], "generated"));

	for (unsigned i = 0; (profile = profile_at(i)); i++)
		printf("model %s %s\n", profile->name, profile->says);
	for (unsigned i = 0; generated && (profile = profile_at(i)); i++)
		print_generated(profile, unseen);
	for (unsigned i = 0; !generated && (fault = fault_at(i)); i++)
		print_fault(fault);
	for (unsigned i = 0; !generated && (fault = lawful_at(i)); i++)
		print_lawful(fault);
	return 0;
}
