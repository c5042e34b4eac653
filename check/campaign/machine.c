/* SPDX-License-Identifier: BSD-2-Clause */
/* QEMU: two processes share the boots between them.  The logs on disk are all that they hand back,
 * and all that a campaign has to remember: an interrupted campaign goes on behind them. */
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "campaign.h"

/* Generous: on a busy computer a run takes many times its time, and where a defect lets counters
 * count on behind the program, 200 seconds without a word. */
enum { MACHINES = 2, MOST_SILENT_SECONDS = 900, MOST_PROCESSOR_SECONDS = 6 * 3600 };

static pid_t qemu; /* of this process */

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("campaign: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	exit(2);
}

FILE *open_file(const char *path, const char *mode)
{
	FILE *file = fopen(path, mode);

	if (!file)
		die("%s: cannot be opened", path);
	return file;
}

/* ---- one boot ---- */

/* The rarest fault seeded by hand is one in 2^17; no lawful variation needs long windows to be met,
 * and those that are generated say what they need. */
static unsigned rare(const struct program_run *run, const struct options *o)
{
	unsigned least = o->seeds || o->lawful || o->generated ? 20000 : 300000;

	return run->rare > least ? run->rare : least;
}

/* Of a fault some ten programs show what a hundred do; of random tests alone all are asked for. */
static unsigned random_programs(const struct options *o)
{
	return o->alone || !(o->full || o->seeds || o->lawful) ? 300 : 60;
}

/* One line per run that is left of the boot.  On a busy computer a test that is only slow must not
 * be ended: it would count as failed, which is a false alarm or no catch at all. */
static void write_config(const char *path, const struct reader *reader, const struct options *o)
{
	FILE *file = open_file(path, "w");

	for (struct program_run **run = reader->next; run < reader->end; run++)
		fprintf(file,
			"model=%s fault=%s seed=%u lawful=%s bits=%s cpus=%u -- report=none%s "
			"tests=%s%s rare=%u random=%u timeout=100\n",
			(*run)->model, (*run)->fault, (*run)->seed,
			(*run)->lawful ? (*run)->lawful : "", o->bits ? o->bits : "",
			(*run)->cpus ? (*run)->cpus : 1,
			(*run)->cpus ? " other-thread=no cpus=all" : "", (*run)->tests,
			o->full || o->seeds || o->lawful ? "" : " on-fail=stop", rare(*run, o),
			random_programs(o));
	fclose(file);
}

static void kill_qemu(int signal)
{
	(void)signal;
	kill(qemu, SIGKILL);
}

/* Returns what its serial line says. */
static FILE *start_qemu(const char *config)
{
	const struct rlimit limit = {MOST_PROCESSOR_SECONDS, MOST_PROCESSOR_SECONDS};
	int ends[2];

	if (pipe(ends) || (qemu = fork()) < 0)
		die("QEMU cannot be started");
	if (!qemu) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setrlimit(RLIMIT_CPU, &limit);
		dup2(ends[1], STDOUT_FILENO);
		execl("check/campaign/boot.sh", "boot.sh", config, NULL);
		_exit(2);
	}
	close(ends[1]);
	signal(SIGALRM, kill_qemu);
	return fdopen(ends[0], "r");
}

/* copy NULL: none. */
static void read_lines(struct reader *reader, FILE *from, FILE *copy)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t length;

	while ((length = getline(&line, &size, from)) > 0) {
		for (char *nul; (nul = memchr(line, '\0', (size_t)length));)
			*nul = ' ';
		if (!judge_line(reader, line))
			die("the logs are of another campaign: %s", line);
		if (!copy)
			continue;
		fputs(line, copy);
		alarm(MOST_SILENT_SECONDS);
	}
	free(line);
}

static void boot(struct reader *reader, FILE *log, const char *config, const struct options *o)
{
	unsigned steps = reader->steps;
	FILE *serial;

	write_config(config, reader, o);
	serial = start_qemu(config);
	alarm(MOST_SILENT_SECONDS);
	read_lines(reader, serial, log);
	alarm(0);
	fclose(serial);
	waitpid(qemu, NULL, 0);
	fputs("\n" BOOT_ENDED "\n", log);
	judge_line(reader, BOOT_ENDED);
	if (reader->steps == steps)
		die("QEMU has ended before the first run of %s", config);
}

/* ---- all boots ---- */

static size_t next_boot(const struct plan *plan, size_t first)
{
	size_t next = first;

	while (next < plan->count && plan->run[next]->boot == plan->run[first]->boot)
		next++;
	return next;
}

/* Reads what the log has of the boot that begins with the run first; what is left is booted, again
 * and again. */
static void run_boot(const struct plan *plan, size_t first, const char *config,
		     const struct options *o)
{
	struct reader reader = {.next = plan->run + first,
				.end = plan->run + next_boot(plan, first)};
	char path[64];
	FILE *log;

	snprintf(path, sizeof(path), DIRECTORY "/boot.%u.log", plan->run[first]->boot);
	log = open_file(path, "a+");
	setlinebuf(log);
	read_lines(&reader, log, NULL);
	while (reader.next < reader.end)
		boot(&reader, log, config, o);
	fclose(log);
}

/* Takes one boot after the other from the list. */
static pid_t start_worker(const int list[2], unsigned number, const struct plan *plan,
			  const struct options *o)
{
	pid_t worker = fork();
	char config[64];
	size_t first;

	if (worker)
		return worker;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(list[1]);
	snprintf(config, sizeof(config), DIRECTORY "/machine.%u.cfg", number);
	while (read(list[0], &first, sizeof(first)) == sizeof(first))
		run_boot(plan, first, config, o);
	exit(0);
}

void machine_run(const struct plan *plan, const struct options *o)
{
	int list[2], status;

	if (pipe(list))
		die("no process can be started");
	for (unsigned k = 0; k < MACHINES; k++)
		if (start_worker(list, k, plan, o) < 0)
			die("no process can be started");
	for (size_t first = 0; first < plan->count; first = next_boot(plan, first))
		if (write(list[1], &first, sizeof(first)) < 0)
			die("no process is left");
	close(list[1]);
	close(list[0]);
	while (wait(&status) > 0)
		if (status)
			exit(2);
	for (size_t first = 0; first < plan->count; first = next_boot(plan, first))
		run_boot(plan, first, "", o);
}
