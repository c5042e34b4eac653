# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# perf 6.1 that measures on a processor of choice, without its counters; behind lib/packages.sh.  perf takes the processor from
# PERF_CPUID and its PMUs from $SYSFS_PATH, which has four cores of two processors.  A library in front of libc opens counters that
# have counted what "counts" says, and has a clock that goes on by $SECONDS_RUN with each program that perf waits for, and not else.
packages linux-perf=6.1.176-1
cat >counters.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static time_t now = 1;

int clock_gettime(clockid_t clock, struct timespec *time)
{
	(void)clock;
	*time = (struct timespec){.tv_sec = now};
	return 0;
}

pid_t wait4(pid_t child, int *status, int options, struct rusage *usage)
{
	pid_t ended = (pid_t)syscall(SYS_wait4, child, status, options, usage);

	if (ended > 0)
		now += atoi(getenv("SECONDS_RUN"));
	return ended;
}

FILE *fopen64(const char *path, const char *mode)
{
	FILE *(*next)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen64");

	return next(strcmp(path, "/sys/devices/system/cpu/online") ? path : getenv("ONLINE"), mode);
}

static long open_counter(const struct perf_event_attr *event)
{
	/* It, and the times that it was enabled and counted. */
	uint64_t count[3] = {0, 1, 1};
	unsigned long long config, number;
	unsigned type;
	int file = memfd_create("counter", 0);
	FILE *counts = fopen(getenv("COUNTS"), "r"), *opened = fopen(getenv("OPENED"), "a");

	fprintf(opened, "%u %llx %llx\n", event->type, (unsigned long long)event->config,
		(unsigned long long)event->config1);
	fclose(opened);
	while (fscanf(counts, "%u %llx %llu", &type, &config, &number) == 3)
		if (type == event->type && config == event->config)
			count[0] = number;
	fclose(counts);
	return pwrite(file, count, sizeof(count), 0) == sizeof(count) ? file : -1;
}

long syscall(long number, ...)
{
	long (*next)(long, ...) = dlsym(RTLD_NEXT, "syscall"), a[6];
	va_list arguments;

	va_start(arguments, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(arguments, long);
	va_end(arguments);
	if (number == SYS_perf_event_open)
		return open_counter((const struct perf_event_attr *)a[0]);
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int ioctl(int file, unsigned long request, ...)
{
	int (*next)(int, unsigned long, long) = dlsym(RTLD_NEXT, "ioctl");
	long argument;
	va_list arguments;

	va_start(arguments, request);
	argument = va_arg(arguments, long);
	va_end(arguments);
	return (request >> 8 & 0xff) == '$' ? 0 : next(file, request, argument);
}
C
cc -shared -fPIC -o counters.so counters.c
# shellcheck disable=SC2154 # packages.sh sets root
export SYSFS_PATH="$root/sys" COUNTS="$root/counts" OPENED="$root/opened" ONLINE="$root/online" SECONDS_RUN=1
mkdir -p sys/devices/system/cpu/smt
echo 0-7 | tee online >sys/devices/system/cpu/possible
echo 1 >sys/devices/system/cpu/smt/active
for first in 0 2 4 6; do
	for number in $first $((first + 1)); do
		topology=sys/devices/system/cpu/cpu$number/topology
		mkdir -p "$topology"
		echo "$first-$((first + 1))" | tee "$topology/core_cpus_list" >"$topology/thread_siblings_list"
		echo 0-7 | tee "$topology/package_cpus_list" "$topology/die_cpus_list" >"$topology/core_siblings_list"
		echo 0 | tee "$topology/physical_package_id" >"$topology/die_id"
		echo "$first" >"$topology/core_id"
	done
done

# pmu NAME TYPE FIELD=BITS...: one that perf finds, with these fields of its events.
pmu()
{
	device=$SYSFS_PATH/bus/event_source/devices/$1
	mkdir -p "$device/events" "$device/format"
	echo "$2" >"$device/type"
	shift 2
	for field; do
		echo "${field#*=}" >"$device/format/${field%%=*}"
	done
}

# perf_on PROCESSOR ARGUMENT...: perf; in "opened" are types and configurations of counters that it opened, in "told" its errors.
perf_on()
{
	model=$1
	shift
	: >opened
	PERF_CPUID=$model LD_PRELOAD=$root/counters.so tool usr/bin/perf "$@" 2>told || {
		cat told >&2
		exit 2
	}
}

# measured PROCESSOR METRIC OPTION...: perf stat's values of this metric, while counters have counted what "counts" says, which are
# lines of the PMU's type, the event in hexadecimal and its count.
measured()
{
	processor=$1
	metric=$2
	shift 2
	perf_on "$processor" stat -x ';' --metric-no-group -M "$metric" "$@" true
	awk -F ';' -v metric="$metric" '$NF ~ metric "$" { print $(NF - 1) }' told
}

# resolved PROCESSOR NAME OPTION...: how perf list says that it resolves a metric or an event.
resolved()
{
	processor=$1
	name=$2
	shift 2
	perf_on "$processor" list --details "$@" | awk -v name="$name" '
		/^  [^ ]/ { on = $1 == name }
		on && /^ +/ && NF { line = $0 }
		END { gsub(/^ +\[?|\]? *$/, "", line); print line }'
}
