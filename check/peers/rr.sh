# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
# rr: a data race is recorded and replayed.  It counts conditional branches, and has an interrupt after so many; a replay
# that is off by one branch ends with an assertion, or with another sum.  The last of them, 100 on Intel and 10,000 on
# AMD, it goes from stop to stop, so the race is short.
# shellcheck disable=SC1091 # of the guest
. /common.sh
export _RR_TRACE_DIR=/tmp/rr
slice=3000 turns=1500
! grep -q AuthenticAMD /proc/cpuinfo || slice=1000 turns=500

# round NAME OPTION...
round()
{
	name=$1
	shift
	rr record "$@" -c "$slice" race "$turns" >/tmp/recorded 2>&1
	rr replay -a >/tmp/replayed 2>&1
	expect "$name ends" $? 0
	expect "$name" "$(grep race: /tmp/replayed)" "$(grep race: /tmp/recorded)"
	expect_least "$name switches" "$(rr dump | grep -c 'event:.SCHED')" 3
	grep -q race: /tmp/replayed || tail -n 20 /tmp/recorded /tmp/replayed
	rm -r /tmp/rr
}

round plain -n
# A second, buffered round would take as long again.
grep -q AuthenticAMD /proc/cpuinfo || round buffered
echo "peer done"
