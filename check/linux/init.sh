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
# It binds to nothing where CPUID tells of a hypervisor, or where there is no uncore.
insmod /lib/intel-uncore.ko 2>/dev/null
eval "${run:-setsid cttyhack sh}"
poweroff -f
