/* SPDX-License-Identifier: BSD-2-Clause */
/* Other processors of the machine. */
#include "config_keys.h"
#include "model/profiles/profiles.h"

/* A fault that shows only in company is in one that has some. */
static const struct fault *fault_of(const struct fault *first, unsigned number)
{
	return number == 1 && first && first->company ? first : NULL;
}

/* Processors without a word of their own are like the first, but have no other fault. */
enum config_result config_cpus(struct config_run *run, const char *value, char *error)
{
	const char *end = config_number(value, CONFIG_CPUS + 1, &run->cpus);

	if (!end || *end || !run->cpus)
		return config_refuse(error, "cpus=%s: allowed are 1 to %u", value,
				     (unsigned)CONFIG_CPUS);
	for (unsigned n = 1; n < run->cpus; n++) {
		run->cpu[n] = run->setup;
		run->cpu[n].fault = fault_of(run->setup.fault, n);
	}
	return CONFIG_RUN;
}

/* Cuts the value at its first colon; returns the text behind that. */
static char *cut(char *value)
{
	while (*value && *value != ':')
		value++;
	if (*value)
		*value++ = '\0';
	return value;
}

/* Another model, or another specimen: variations drawn for the first one are not for it. */
static enum config_result draw(struct config_run *other, const char *model, const char *seed,
			       char *error)
{
	enum config_result result = CONFIG_RUN;

	if (*model)
		result = config_model(other, model, error);
	if (result == CONFIG_RUN && *seed)
		result = config_seed(other, seed, error);
	if (result != CONFIG_RUN)
		return result;
	if (*seed)
		other->setup.lawful = lawful_of_seed(other->setup.profile, other->setup.seed);
	else if (*model)
		other->setup.lawful = 0;
	return result;
}

/* at: behind "cpu". */
enum config_result config_cpu(struct config_run *run, char *at, char *error)
{
	struct config_run other = *run;
	unsigned number;
	char *value = (char *)(uintptr_t)config_number(at, run->cpus, &number);
	char *fault, *seed;
	enum config_result result;

	if (!value || *value++ != '=' || !number)
		return config_refuse(error, "cpu%s: allowed are processors from 1, below cpus=%u",
				     at, run->cpus);
	fault = cut(value);
	seed = cut(fault);
	result = draw(&other, value, seed, error);
	if (result == CONFIG_RUN)
		result = config_fault(&other, fault, error);
	run->cpu[number] = other.setup;
	run->cpu[number].boxes = run->setup.boxes; /* the machine's */
	return result;
}

static bool has_several_kinds(const struct config_run *run)
{
	unsigned n = 1;

	while (n < run->cpus && run->cpu[n].profile == run->setup.profile)
		n++;
	return n < run->cpus;
}

void config_seat(struct config_run *run)
{
	const bool hybrid = has_several_kinds(run);
	unsigned sockets = run->setup.boxes.sockets,
		 per_socket = (run->cpus + sockets - 1) / sockets;

	for (unsigned n = 0; n < run->cpus; n++) {
		struct silicon_setup *setup = n ? &run->cpu[n] : &run->setup;
		const unsigned cores = silicon_has_one_core(setup->profile) ? 1 : per_socket;

		setup->seat = (struct seat){n / cores, n % cores, cores, hybrid};
		setup->boxes.home = n / per_socket;
		setup->boxes.core = n % per_socket;
	}
}
