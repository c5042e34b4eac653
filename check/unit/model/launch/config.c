/* \silicon.cfg: what its keys set, and what is said of words that none of them is. */
#include "model/launch/config.h"

#include <stdint.h>

#include "check/unit/tap.h"

static struct config_run run;
static char error[CONFIG_ERROR_SIZE];

static bool reads(const char *line)
{
	error[0] = '\0';
	return config_next(&line, &run, error) == CONFIG_RUN;
}

static void test_yes_or_no(void)
{
	OK(reads("model=k7") && !run.setup.single_step && !run.setup.forgets &&
	   !run.setup.hides_hypervisor && !run.setup.lends_svm);
	OK(reads("model=k7 native=no") && run.setup.single_step && !run.setup.forgets);
	OK(reads("model=k7 memo=no hypervisor=yes") && run.setup.forgets &&
	   !run.setup.hides_hypervisor);
	OK(reads("hypervisor=no native=yes model=k7") && run.setup.hides_hypervisor &&
	   !run.setup.single_step);
	OK(reads("model=zen4 cpus=2 memo=no native=no hypervisor=no") && run.cpu[1].forgets &&
	   run.cpu[1].single_step && run.cpu[1].hides_hypervisor);
	OK(reads("model=zen2 guest=a.efi nested=yes") && run.setup.lends_svm);
	OK(reads("model=k7 nested=no") && !run.setup.lends_svm);
	OK(!reads("model=zen2 nested=yes"));
	SAME(error, "nested=yes: allowed with guest=FILE alone");
	OK(!reads("model=k8 guest=a.efi nested=yes") && strstr(error, "model k8 has no AMD-V"));
	OK(!reads("model=k7 native=maybe"));
	SAME(error, "native=maybe: allowed are native=yes, native=no");
	OK(!reads("model=k7 nested="));
	SAME(error, "nested=: allowed are nested=yes, nested=no");
}

static void test_unknown_word(void)
{
	OK(!reads("modle=k7"));
	SAME(error, "\"modle=k7\": allowed are model=NAME fault=NAME seed=N lawful=NAME[,NAME...] "
		    "native=yes|no hypervisor=yes|no memo=yes|no stage=NAME[,NAME...] sockets=1|2 "
		    "hide=D.F[,D.F...] cpus=N bits=32|64 guest=FILE nested=yes|no "
		    "cpuN=[MODEL][:[FAULT][:SEED]] -- and then options");
}

int main(void)
{
	test_yes_or_no();
	test_unknown_word();
	return tap_end();
}
