/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the models and seeded faults, for run-qemu.sh --list and the fault campaign. */
#include <stdio.h>

#include "faults.h"
#include "profiles.h"
#include "silicon.h"

static void print_models_of(const struct fault *fault)
{
	const char *separator = "";

	for (unsigned i = 0; i < profiles_count; i++)
		if (fault_applies(fault, &profiles[i])) {
			printf("%s%s", separator, profiles[i].name);
			separator = ",";
		}
}

int main(void)
{
	const struct fault *fault;

	for (unsigned i = 0; i < profiles_count; i++)
		printf("model %s %s\n", profiles[i].name, profiles[i].says);
	for (unsigned i = 0; (fault = fault_at(i)); i++) {
		printf("fault %s models=", fault->name);
		print_models_of(fault);
		printf(" test=%s %s\n", fault->test, fault->says);
	}
	return 0;
}
