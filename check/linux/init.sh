#!/bin/busybox sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
# The first process of the guest: runs the words of "run=" on the kernel's command line, or a shell without them.
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devices /dev
# It binds to nothing where CPUID tells of a hypervisor, or where there is no uncore.
insmod /lib/intel-uncore.ko 2>/dev/null
eval "${run:-setsid cttyhack sh}"
poweroff -f
