/* SPDX-License-Identifier: BSD-2-Clause */
/* Other processors of the machine. */
#include "config_keys.h"

/* Those without a word of their own are like the first, but have no fault. */
enum config_result config_cpus(struct config_run *run, const char *value, char *error)
{
	const char *end = config_number(value, CONFIG_CPUS + 1, &run->cpus);

	if (!end || *end || !run->cpus)
		return config_refuse(error, "cpus=%s: allowed are 1 to %u", value,
				     (unsigned)CONFIG_CPUS);
	for (unsigned n = 1; n < run->cpus; n++) {
		run->cpu[n] = run->setup;
		run->cpu[n].fault = NULL;
	}
	return CONFIG_RUN;
}

/* Cuts "MODEL:FAULT" in two. */
static const char *cut_fault(char *value)
{
	while (*value && *value != ':')
		value++;
	if (!*value)
		return "";
	*value = '\0';
	return value + 1;
}

/* at: behind "cpu". */
enum config_result config_cpu(struct config_run *run, char *at, char *error)
{
	struct config_run other = *run;
	unsigned number;
	char *value = (char *)(uintptr_t)config_number(at, run->cpus, &number);
	const char *fault;
	enum config_result result = CONFIG_RUN;

	if (!value || *value++ != '=' || !number)
		return config_refuse(error, "cpu%s: allowed are processors from 1, below cpus=%u",
				     at, run->cpus);
	fault = cut_fault(value);
	if (*value) {
		result = config_model(&other, value, error);
		/* What is drawn for the first one is of its own model. */
		other.setup.lawful = 0;
	}
	if (result == CONFIG_RUN)
		result = config_fault(&other, fault, error);
	run->cpu[number] = other.setup;
	return result;
}
