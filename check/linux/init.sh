#!/bin/busybox sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
# The first process of the guest: runs the words of "run=" on the kernel's command line, or a shell without them.
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devices /dev
# Samples come by the model's time, which is short: the kernel must not think that they take too much of it.  It takes no
# other rate any more behind the second line.
echo 100000 >/proc/sys/kernel/perf_event_max_sample_rate
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
# Each binds to nothing where there is none of its PMUs, and the first three where CPUID tells of a hypervisor.
for module in /lib/*.ko; do
	insmod "$module" 2>/dev/null
done
eval "${run:-setsid cttyhack sh}"
poweroff -f
