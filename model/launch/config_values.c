/* SPDX-License-Identifier: BSD-2-Clause */
/* The values of keys. */
#include "config_keys.h"
#include "kernel/lib/fmt.h"
#include "kernel/lib/string.h"
#include "model/profiles/profiles.h"

enum { SEEDS = 1000000 };

enum config_result config_refuse(char *error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fmt_vprint(error, CONFIG_ERROR_SIZE, format, args);
	va_end(args);
	return CONFIG_ERROR;
}

void config_add(char *error, const char *format, ...)
{
	size_t length = strlen(error);
	va_list args;

	va_start(args, format);
	fmt_vprint(error + length, CONFIG_ERROR_SIZE - length, format, args);
	va_end(args);
}

const char *config_number(const char *at, unsigned limit, unsigned *number)
{
	const char *first = at;

	for (*number = 0; *at >= '0' && *at <= '9'; at++)
		if ((*number = 10 * *number + (unsigned)(*at - '0')) >= limit)
			return NULL;
	return at == first ? NULL : at;
}

enum config_result config_model(struct config_run *run, const char *name, char *error)
{
	const struct profile *profile;

	run->setup.profile = profile_find(name);
	if (run->setup.profile)
		return CONFIG_RUN;
	config_refuse(error, "model=%s: unknown; allowed are", name);
	for (unsigned i = 0; (profile = profile_at(i)); i++)
		config_add(error, " %s", profile->name);
	return CONFIG_ERROR;
}

static enum config_result refuse_fault(char *error, const char *name, const struct profile *profile)
{
	const struct fault *fault;

	config_refuse(error, "fault=%s: %s; allowed with model=%s are none", name,
		      fault_find(name) ? "not for this model" : "unknown", profile->name);
	for (unsigned i = 0; (fault = fault_at(i)); i++)
		if (fault_applies(fault, profile))
			config_add(error, " %s", fault->name);
	return CONFIG_ERROR;
}

enum config_result config_fault(struct config_run *run, const char *name, char *error)
{
	const struct kind_ops *of_boxes = run->setup.profile->pmus[1].ops;
	const struct fault *fault;

	run->fault_name = "none";
	run->setup.fault = NULL;
	run->setup.boxes = (struct boxes_config){.sockets = 1};
	if (!*name || !strcmp(name, "none"))
		return CONFIG_RUN;
	fault = fault_find(name);
	if (!fault)
		fault = generated_find(run->setup.profile, name);
	if (!fault || !fault_applies(fault, run->setup.profile))
		return refuse_fault(error, name, run->setup.profile);
	run->setup.fault = fault;
	run->fault_name = fault->name;
	if (of_boxes)
		run->setup.boxes.sockets = of_boxes->boxes->sockets(fault);
	return CONFIG_RUN;
}

enum config_result config_seed(struct config_run *run, const char *value, char *error)
{
	unsigned seed;
	const char *end = config_number(value, SEEDS, &seed);

	run->setup.seed = seed;
	return end && !*end
		       ? CONFIG_RUN
		       : config_refuse(error, "seed=%s: allowed are 0 to %u", value, SEEDS - 1);
}

/* The 32-bit program knows of one processor alone. */
enum config_result config_bits(struct config_run *run, const char *value, char *error)
{
	run->program = !*value ? CONFIG_BY_MODEL : !strcmp(value, "32") ? CONFIG_32 : CONFIG_64;
	if (*value && strcmp(value, "32") && strcmp(value, "64"))
		return config_refuse(error, "bits=%s: allowed are bits=32, bits=64", value);
	if (run->program == CONFIG_32 && run->cpus > 1)
		return config_refuse(error, "bits=32: allowed with cpus=1 alone");
	if (run->cpus > 1)
		run->program = CONFIG_64;
	return CONFIG_RUN;
}

static enum config_result refuse_svm(const struct config_run *run, char *error)
{
	const struct profile *profile;

	config_refuse(error, "nested=yes: model %s has no AMD-V; allowed are",
		      run->setup.profile->name);
	for (unsigned i = 0; (profile = profile_at(i)); i++)
		if (silicon_may_lend_svm(profile))
			config_add(error, " %s", profile->name);
	return CONFIG_ERROR;
}

/* For operating systems: this program has AMD-V wherever the part has it. */
enum config_result config_nested(struct config_run *run, const char *value, char *error)
{
	if (!strcmp(value, "no"))
		return CONFIG_RUN;
	if (!run->setup.system)
		return config_refuse(error, "nested=yes: allowed with guest=FILE alone");
	return silicon_may_lend_svm(run->setup.profile) ? CONFIG_RUN : refuse_svm(run, error);
}

/* An EFI program, which is 64-bit code, on one processor. */
enum config_result config_guest(struct config_run *run, const char *name, char *error)
{
	if (strlen(name) >= CONFIG_NAME)
		return config_refuse(error, "guest=%s: too long; allowed are %u characters", name,
				     CONFIG_NAME - 1);
	if (*name && (run->program == CONFIG_32 || run->cpus > 1))
		return config_refuse(error, "guest=%s: allowed with bits=64, cpus=1 alone", name);
	memcpy(run->guest, name, strlen(name) + 1);
	run->setup.system = *name;
	return CONFIG_RUN;
}

/* ---- lists ---- */

/* Sets a bit of set for each name in the list; false: a name that find() does not know.
 * find: 0, or the bit of the name that has this length and stands at at. */
static bool take_list(const char *at, const struct config_run *run,
		      uint64_t (*find)(const struct config_run *run, const char *at, size_t length),
		      uint64_t *set)
{
	while (*at) {
		size_t length = 0;
		uint64_t bits;

		while (at[length] && at[length] != ',')
			length++;
		bits = find(run, at, length);
		at += length;
		if (!bits || (*at && !*++at))
			return false;
		*set |= bits;
	}
	return true;
}

static bool is_name(const char *name, const char *at, size_t length)
{
	return strlen(name) == length && !memcmp(name, at, length);
}

static uint64_t find_stage(const struct config_run *run, const char *at, size_t length)
{
	const char *name;

	(void)run;
	for (unsigned i = 0; (name = stage_name(i)); i++)
		if (is_name(name, at, length))
			return UINT64_C(1) << i;
	return 0;
}

static enum config_result refuse_stage(char *error, const char *value)
{
	config_refuse(error, "stage=%s: no list of stages; allowed are", value);
	for (unsigned i = 0; stage_name(i); i++)
		config_add(error, " %s", stage_name(i));
	return CONFIG_ERROR;
}

enum config_result config_stages(struct config_run *run, const char *value, char *error)
{
	uint64_t stages = 0;

	if (!take_list(value, run, find_stage, &stages))
		return refuse_stage(error, value);
	run->setup.stages = (uint32_t)stages;
	return CONFIG_RUN;
}

static uint64_t find_lawful(const struct config_run *run, const char *at, size_t length)
{
	const struct fault *lawful;

	for (unsigned n = 0; (lawful = lawful_number(run->setup.profile, n)); n++)
		if (is_name(lawful->name, at, length))
			return UINT64_C(1) << n;
	return is_name("all", at, length) ? lawful_together(run->setup.profile) : 0;
}

static enum config_result refuse_lawful(char *error, const char *value,
					const struct profile *profile)
{
	const struct fault *lawful;

	config_refuse(error, "lawful=%s: no list of lawful variations; allowed with model=%s are",
		      value, profile->name);
	for (unsigned n = 0; (lawful = lawful_number(profile, n)); n++)
		config_add(error, " %s", lawful->name);
	if (lawful_together(profile))
		config_add(error, " %s", "all");
	return CONFIG_ERROR;
}

/* With those that the seed has drawn. */
enum config_result config_lawful(struct config_run *run, const char *value, char *error)
{
	run->setup.lawful = lawful_of_seed(run->setup.profile, run->setup.seed);
	if (take_list(value, run, find_lawful, &run->setup.lawful))
		return CONFIG_RUN;
	return refuse_lawful(error, value, run->setup.profile);
}

/* ---- boxes outside of the core ---- */

static enum config_result refuse_boxes(char *error, const char *key, const char *value)
{
	const struct profile *profile;

	config_refuse(error, "%s=%s: this model has no uncore; allowed are the models", key, value);
	for (unsigned i = 0; (profile = profile_at(i)); i++)
		if (profile->pmus[1].ops)
			config_add(error, " %s", profile->name);
	return CONFIG_ERROR;
}

enum config_result config_sockets(struct config_run *run, const char *value, char *error)
{
	if (!*value)
		return CONFIG_RUN;
	if (!run->setup.profile->pmus[1].ops)
		return refuse_boxes(error, "sockets", value);
	if (strcmp(value, "1") && strcmp(value, "2"))
		return config_refuse(
			error, "sockets=%s: no number of sockets; allowed are sockets=1, sockets=2",
			value);
	run->setup.boxes.sockets = (unsigned)(*value - '0');
	return CONFIG_RUN;
}

/* "D.F"; NULL: no function of boxes. */
static const char *take_function(const struct profile *profile, const char *at, uint8_t *df)
{
	unsigned device, function;

	at = config_number(at, 32, &device);
	if (!at || *at++ != '.' || !(at = config_number(at, 8, &function)))
		return NULL;
	*df = (uint8_t)(device << 3 | function);
	return profile_has_function(profile, *df) ? at : NULL;
}

enum config_result config_hidden(struct config_run *run, const char *value, char *error)
{
	struct boxes_config *boxes = &run->setup.boxes;
	const char *at = value;

	if (!*value)
		return CONFIG_RUN;
	if (!run->setup.profile->pmus[1].ops)
		return refuse_boxes(error, "hide", value);
	for (;; at++) {
		if (boxes->hidden_count == BOXES_HIDDEN)
			return config_refuse(error, "hide=%s: too many functions; allowed are %u",
					     value, (unsigned)BOXES_HIDDEN);
		at = take_function(run->setup.profile, at, &boxes->hidden[boxes->hidden_count++]);
		if (!at || (*at && *at != ','))
			return config_refuse(
				error,
				"hide=%s: no list of functions; allowed are functions of the "
				"uncore, such as hide=8.2,9.2,8.6,9.6",
				value);
		if (!*at)
			return CONFIG_RUN;
	}
}
