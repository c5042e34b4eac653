# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
# perf stat of programs of Debian from exec to exit, three times each.  Less page faults, at whose end an IRET ends in
# user mode, at least two runs have the same count; the timer's interrupt may add to one.
# shellcheck disable=SC1091 # of the guest
. /common.sh

# runs WORD...: the count of each, least first.
runs()
{
	for _ in 1 2 3; do
		perf stat -x, -o /tmp/stat -e instructions:u,faults:u "$@" || echo ended with $?
		awk -F, '/instructions/ { n = $1 } /faults/ { n -= $1 } END { printf "%.0f\n", n }' /tmp/stat
	done | sort -n
}

# count WORD...
count()
{
	runs "$@" >/tmp/runs
	expect "$*, second run" "$(sed -n 2p /tmp/runs)" "$(sed -n 1p /tmp/runs)"
	expect "$*, ends" "$(grep ended /tmp/runs)" ''
	echo "$* $(paste -sd ' ' /tmp/runs)"
}

count true
count dash -c :
count busybox true
count dash -c true
echo "peer done"
