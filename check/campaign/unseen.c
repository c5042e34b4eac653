/* SPDX-License-Identifier: BSD-2-Clause */
/* Why no test can see some generated faults, as check/unseen.txt lists them: "invisible MODELS
 * FAULTS reason". */
#include <fnmatch.h>
#include <string.h>

#include "campaign.h"

static struct rule {
	char *models, *faults, *why;
} rules[256];

/* Of these globs brackets are a part. */
static bool listed(const char *globs, const char *name)
{
	char glob[256];

	for (;; globs++) {
		size_t length = strcspn(globs, ",");

		snprintf(glob, sizeof(glob), "%.*s", (int)length, globs);
		if (!fnmatch(glob, name, 0))
			return true;
		globs += length;
		if (!*globs)
			return false;
	}
}

static struct rule *read_rules(void)
{
	FILE *file = fopen("check/unseen.txt", "r");
	struct rule *rule = rules;
	char line[4096];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "invisible %ms %ms %m[^\n]", &rule->models, &rule->faults,
			   &rule->why) == 3)
			rule++;
	if (rule == rules)
		die("check/unseen.txt: no line of it names faults");
	fclose(file);
	return rule;
}

const char *unseen_why(const char *model, const char *fault)
{
	static const struct rule *end;

	if (!end)
		end = read_rules();
	for (const struct rule *rule = rules; rule < end; rule++)
		if (listed(rule->models, model) && listed(rule->faults, fault))
			return rule->why;
	return NULL;
}
