# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
# Programs that are counted in turns by perf, PAPI and rr, for an hour of the machine's real-time clock, as the guest's own
# time is behind it: none may end otherwise than it does uncounted.
# shellcheck disable=SC1091 # of the guest
. /common.sh
export _RR_TRACE_DIR=/tmp/rr
rounds=0 failed=0
clock=/sys/class/rtc/rtc0/since_epoch
end=$(($(cat $clock) + 3600))

# must WORD...: it succeeds.
must()
{
	"$@" >/tmp/said 2>&1 && return
	failed=$((failed + 1))
	echo "failed with $?: $*"
	tail -n 5 /tmp/said
}

# counted: something was.
# shellcheck disable=SC2016 # awk's
counted()
{
	must awk -F, '/instructions/ && $1 > 1000 { found = 1 } END { exit !found }' /tmp/stat
}

perf_round()
{
	for program in true 'dash -c :' 'busybox true' 'ls -l /usr/bin' 'sort /common.sh' 'gzip -c /bin/dash'; do
		# shellcheck disable=SC2086 # words
		must perf stat -x, -o /tmp/stat -e instructions:u,branches,cycles,faults $program
		counted
	done
	must perf stat -d -o /tmp/stat dash -c 'for i in 1 2 3 4 5; do true | cat; done'
	must perf record -q -e instructions:u -c 20000 -o /tmp/data dash -c 'for i in 1 2 3; do ls /usr/bin; done'
	must perf script -i /tmp/data -F ip
}

# Where it knows the part: it has presets.
# shellcheck disable=SC2016 # awk's
papi_round()
{
	papi >/tmp/papi
	! grep -q 'overflows|refused' /tmp/papi || return 0
	must awk -F '|' '$1 == "peer" && $3 != $4 { exit 1 }' /tmp/papi
}

# A replay on AMD takes minutes: docs/model.md.
rr_round()
{
	must rr record -c 3000 race 1000
	! grep -q GenuineIntel /proc/cpuinfo || must rr replay -a
	rm -r /tmp/rr
}

while [ "$(cat $clock)" -lt $end ]; do
	perf_round
	papi_round
	rr_round
	rounds=$((rounds + 1))
	echo "round $rounds"
done
expect "failed of $rounds rounds" $failed 0
echo "peer done"
