/* SPDX-License-Identifier: BSD-2-Clause */
/* Other processors: there is nobody who would start them for us. */
#include "bios.h"

static const char nobody[] = "no firmware is there that starts other processors";

const char FIRMWARE_TIMEOUT[] = "it did not come back in time";

unsigned firmware_processors(const struct firmware *fw, const char **why)
{
	(void)fw;
	*why = nobody;
	return 0;
}

const char *firmware_processor(const struct firmware *fw, unsigned n,
			       struct firmware_processor *processor)
{
	(void)fw;
	(void)n;
	(void)processor;
	return nobody;
}

const char *firmware_run_on(const struct firmware *fw, unsigned n, void (*call)(void *arg),
			    void *arg, unsigned seconds)
{
	(void)fw;
	(void)n;
	(void)call;
	(void)arg;
	(void)seconds;
	return nobody;
}

const char *firmware_run_on_all(const struct firmware *fw, void (*call)(void *arg, unsigned n),
				void *arg, unsigned seconds)
{
	(void)fw;
	(void)call;
	(void)arg;
	(void)seconds;
	return nobody;
}
