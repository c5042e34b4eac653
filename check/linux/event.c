/* SPDX-License-Identifier: BSD-2-Clause */
#include "guest.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int event_open(struct perf_event_attr *attr, int pid, int cpu)
{
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, 0);
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

unsigned long event_number(const char *device, const char *name)
{
	char path[128];
	unsigned long number = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/%s", device, name);
	file = fopen(path, "r");

	if (file && fscanf(file, "%lu", &number) != 1)
		number = 0;
	if (file)
		fclose(file);
	return number;
}
