/* SPDX-License-Identifier: BSD-2-Clause */
/* \silicon.cfg of the silicon model: the input is the file's text. */
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>

#include "model/faults/faults.h"
#include "model/launch/config.h"
#include "model/profiles/profiles.h"

static const char *line_between(const char *from, const char *to)
{
	return fuzz_text(&(struct input){(const uint8_t *)from, (size_t)(to - from)});
}

static bool has_word(const char *line, const char *word, size_t length)
{
	return strstr(line, fuzz_text(&(struct input){(const uint8_t *)word, length}));
}

static void check_run(const struct config_run *run, const char *line)
{
	size_t options = strlen(run->options);

	MUST(run->setup.profile == profile_find(run->setup.profile->name));
	MUST(run->fault_name);
	if (run->setup.fault)
		MUST(fault_applies(run->setup.fault, run->setup.profile) &&
		     !strcmp(run->fault_name, run->setup.fault->name));
	else
		MUST(!strcmp(run->fault_name, "none"));
	MUST(options < CONFIG_OPTIONS && !strpbrk(run->options, "\r\n#"));
	MUST(strstr(line, run->options));
	/* The line names what was understood. */
	MUST(strstr(line, run->setup.profile->name));
	MUST(!run->setup.fault || strstr(line, run->setup.fault->name));
	MUST(!(run->setup.lawful & ~lawful_of(run->setup.profile)));
	MUST(run->cpus >= 1 && run->cpus <= CONFIG_CPUS);
	MUST(run->program == CONFIG_64 || run->cpus == 1);
	MUST(run->program == CONFIG_BY_MODEL || run->cpus > 1 || strstr(line, "bits="));
	MUST(strlen(run->guest) < CONFIG_NAME && strstr(line, run->guest));
	MUST(!run->guest[0] == !run->setup.system && (!run->guest[0] || run->cpus == 1));
	for (unsigned n = 1; n < run->cpus; n++)
		MUST(strstr(line, run->cpu[n].profile->name) &&
		     (!run->cpu[n].fault || strstr(line, run->cpu[n].fault->name)) &&
		     run->cpu[n].seat.package < run->setup.boxes.sockets);
}

/* It says what may stand there, to the end, and names a word of the line. */
static void check_error(const char *error, const char *line)
{
	const char *equals = strchr(error, '='), *word;

	MUST(memchr(error, '\0', CONFIG_ERROR_SIZE) && strlen(error) < CONFIG_ERROR_SIZE - 1);
	MUST(strstr(error, "allowed"));
	if (*error == '"') {
		MUST(has_word(line, error + 1, strcspn(error + 1, "\"")));
	} else if (strncmp(error, "the options are too long", 24)) {
		/* KEY=VALUE: the value stands there, be it a part of cpuN=. */
		word = equals && equals < strchr(error, ':') ? equals + 1 : error;
		MUST(has_word(line, word, strcspn(word, ":")));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	const char *text = fuzz_text(&in), *at = text, *before;
	struct config_run *run = fuzz_block(sizeof(*run));
	char *error = fuzz_block(CONFIG_ERROR_SIZE);
	enum config_result result;

	do {
		before = at;
		memset(run, 0xff, sizeof(*run));
		result = config_next(&at, run, error);
		MUST(at >= before && at <= text + strlen(text));
		MUST(result == CONFIG_END || at > before);
		if (result == CONFIG_RUN)
			check_run(run, line_between(before, at));
		else if (result == CONFIG_ERROR)
			check_error(error, line_between(before, at));
	} while (result == CONFIG_RUN);
	fuzz_free_all();
	return 0;
}
