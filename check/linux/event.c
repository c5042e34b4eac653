/* SPDX-License-Identifier: BSD-2-Clause */
#include "guest.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static FILE *open_file(const char *device, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/%s", device, name);
	return fopen(path, "r");
}

bool event_is_known(const char *device, const char *name)
{
	FILE *file = open_file(device, name);

	if (file)
		fclose(file);
	return file;
}

unsigned long event_number(const char *device, const char *name)
{
	unsigned long number = 0;
	FILE *file = open_file(device, name);

	if (file && fscanf(file, "%lu", &number) != 1)
		number = 0;
	if (file)
		fclose(file);
	return number;
}

const char *event_core(void)
{
	static const char *const kinds[] = {"cpu_core", "cpu_atom"};

	for (unsigned i = 0; i < 2; i++) {
		FILE *file = open_file(kinds[i], "cpus");
		bool some = file && fgetc(file) != '\n';

		if (file)
			fclose(file);
		if (some)
			return kinds[i];
	}
	return "cpu";
}

/* Where Linux knows two kinds of cores, events that name none are of the first, of which there may
 * be no core. */
static int open_event(struct perf_event_attr *attr, int pid, int cpu, int leader)
{
	const uint64_t core = event_number(event_core(), "type");

	if (attr->type == PERF_TYPE_RAW)
		attr->type = (uint32_t)core;
	if (attr->type == PERF_TYPE_HARDWARE && core != PERF_TYPE_RAW)
		attr->config |= core << PERF_PMU_TYPE_SHIFT;
	attr->size = sizeof(*attr);
	attr->disabled = leader < 0;
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, leader, 0);
}

int event_open(struct perf_event_attr *attr, int pid, int cpu)
{
	return open_event(attr, pid, cpu, -1);
}

int event_open_beside(struct perf_event_attr *attr, int leader)
{
	return open_event(attr, 0, -1, leader);
}

void event_enable(int fd, bool on)
{
	ioctl(fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

uint64_t event_read(int fd)
{
	uint64_t count = 0;

	return read(fd, &count, sizeof(count)) == sizeof(count) ? count : 0;
}
