# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2034,SC2154 # the words come from linux.sh, and go there
# What the log of Linux on a model must say of it.  linux.sh sets model, log and fault; judge() sets wrong, note and boxes.

# Messages of a kernel when something is wrong; a warning names the CPU first in 6.1, the line first in 7.2.
complaints='broken PMU|invalid IBS|IBS interrupt offset|unchecked MSR|soft lockup|rcu.*stall|BUG:|Oops|WARNING: CPU|WARNING: .*CPU#'

# What it says of cores that it does not know: that of Debian 12 knows none from Meteor Lake on.
unknown='generic architected perfmon'

# driver_of MODEL: what the kernel's log must say of the driver.
driver_of()
{
	case $1 in
	k[78] | k10 | jaguar) echo ' AMD PMU driver' ;;
	piledriver) echo ' Fam15h core perfctr, AMD PMU driver' ;;
	zen[45]) echo ' Fam17h+ 16-deep LBR, core perfctr, AMD PMU driver' ;;
	zen*) echo ' Fam17h+ core perfctr, AMD PMU driver' ;;
	p6) echo ' p6 PMU driver' ;;
	willamette | northwood | prescott) echo ' Netburst events, Netburst P4/Xeon PMU driver' ;;
	zhaoxin) echo ' ZXE events, zhaoxin PMU driver' ;;
	goldencove | alderlake) echo ' Alderlake Hybrid events,.* Intel PMU driver' ;;
	sapphirerapids) echo ' Sapphire Rapids events,.* Intel PMU driver' ;;
	redwoodcove) echo " \(Meteorlake Hybrid events\|$unknown\),.* Intel PMU driver" ;;
	lioncove | skymont) echo " \(Arrowlake Hybrid events\|$unknown\),.* Intel PMU driver" ;;
	cougarcove | darkmont) echo " \(Pantherlake Hybrid events\|$unknown\),.* Intel PMU driver" ;;
	*) echo " ${1%-[es]p} events,.* Intel PMU driver" ;;
	esac
}

# value KEY N: the N-th word behind it in what the test has said; - if it has not.
value()
{
	awk -v key="$1" -v n="$2" '$1 == "linux:" && $2 == key { found = $(n + 2) } END { print found == "" ? "-" : found }' "$log"
}

# must WHAT: WHAT is wrong unless the rest succeeds.
must()
{
	what=$1
	shift
	if ! "$@"; then wrong="$wrong${wrong:+, }$what"; fi
}

has_none()
{
	! grep -Eq "$1" "$log"
}

knows_core()
{
	has_none "$unknown"
}

# Does the kernel offer precise samples on each part with PEBS?
offers_precise()
{
	knows_core || return 0
	case $model in
	k* | zen* | piledriver | jaguar | p6 | willamette | northwood | prescott | zhaoxin) ;;
	*) [ "$(value precise 1)" != - ] ;;
	esac
}

# And branch records on each part that has them, but for Core 2, of which it knows too few?
offers_records()
{
	case $model in
	k* | zen[23] | piledriver | jaguar | p6 | willamette | northwood | prescott | core2 | zhaoxin) ;;
	*) [ "$(value records 9)" != - ] ;;
	esac
}

# addresses_hold MODEL: where records have them, those of the instruction that loads, which is one of three, are all right.
addresses_hold()
{
	knows_core || return 0
	case $1 in
	icelake | icelake-sp | gracemont | goldencove | sapphirerapids | alderlake | redwoodcove | lioncove | skymont | cougarcove | darkmont)
		[ "$(value addresses 1)" = 150 ] && [ "$(value addresses 7)" = 0 ] &&
			[ "$(value addresses 9)" -ge 40 ] && [ "$(value addresses 11)" = "$(value addresses 9)" ]
		;;
	esac
}

# width_of MODEL: its slots in a clock, where PERF_METRICS tells of them.
width_of()
{
	case $1 in
	icelake | icelake-sp) echo 5 ;;
	goldencove | sapphirerapids | alderlake | redwoodcove) echo 6 ;;
	lioncove | cougarcove) echo 8 ;;
	esac
}

# shares_hold MODEL: slots are clocks times the width; those that retire are the micro-operations, to half of what a share
# of 255 is; and all four shares are 255, give or take 3.  Linux rounds each down.
shares_hold()
{
	width=$(width_of "$1")
	[ -z "$width" ] || ! knows_core || awk -v width="$width" '
		function off(a, b) { return a < b ? b - a : a - b }
		$1 == "linux:" && $2 == "topdown" {
			slots = $3
			right = slots > 0 && slots == width * $5 && off($9, $7) <= slots / 510 + 1 && off($11, slots) <= 3 * slots / 255 + 4
		}
		END { exit !right }' "$log"
}

# On NetBurst its driver begins at a stale value, unless it has written another one meanwhile: docs/findings.md.
is_stale()
{
	case $model in
	willamette | northwood | prescott) [ "$whole" -gt 549755813888 ] ;;
	*) false ;;
	esac
}

# Newer kernels than 6.1 have no address of its fixed counters, which stand at 0 for them: docs/findings.md.
has_no_fixed()
{
	[ "$model" = zhaoxin ] && [ "$(value instructions 1)" = 0 ]
}

# Once its first process runs, as before that it is the machine that may be too busy for Linux to know the time.
time_is_steady()
{
	! sed '1,/Run \/init as init/d' "$log" | grep -q 'TSC unstable\|clocksource.*unstable'
}

# Eight windows, of each of which the begin and the end may lie in one clock more or less.  NetBurst has no such event.
sum_holds()
{
	case $1 in
	refused:) ;;
	-) false ;;
	*) [ "$1" -ge $((20000 - 16)) ] && [ "$1" -le $((20000 + 16)) ] ;;
	esac
}

# PEBS writes a record of the event behind the overflow, which the next period then lacks, or, where it has a precise
# distribution, of the overflow's own: a period of 2,000 or 2,001.
precise_hold()
{
	case $(value precise 1) in
	- | "$(value precise 3)" | $(($(value precise 3) - 1))) ;;
	*) false ;;
	esac
}

# engine_holds NAME: on a part of AMD's that samples instructions, or is no such part; of fetches Piledriver has one sample
# with Linux (docs/model.md).  Samples may be lost; and there are
# more than of instructions of the loop, as the engine knows of no rings, and counts the end of the kernel's handler, too.
engine_holds()
{
	case $model:$1 in
	zen[2345]:* | k10:* | jaguar:* | piledriver:ibs_op) [ "$(value "$1" 5)" != - ] && [ "$(value "$1" 5)" -ge $(($(value "$1" 3) / 2)) ] && [ "$(value "$1" 7)" = 0 ] ;;
	esac
}

# What the boxes of a part must have counted of the lines that linux-test reads and writes, and in how many of their events,
# which are slices, threads, channels of memory: words "NAME=COUNT:EVENTS".
boxes_of()
{
	zen='l3_slices=1024:8 l3_threads=1024:1'
	case $1 in
	sandybridge-ep | ivybridge-ep | haswell-ep | skylake-sp) echo uncore=1024:4 ;;
	nehalem) echo whole_read=1024:1 ;;
	sapphirerapids) echo slices_read=1024:6 channels_read=1024:4 ;;
	icelake-sp) echo uncore=1024:8 slices_read=1024:6 lines_read=1024:4 memory_written=1024:4 ;;
	skylake) echo lines_read=1024:1 lines_written=1024:1 ;;
	goldencove) echo lines_read=1024:2 lines_written=1024:2 cas_read=1024:2 ;;
	zen2) echo l3_slices=1024:4 l3_threads=1024:1 df_requests=2048:8 ;;
	zen3) echo "$zen df_requests=2048:8" ;;
	zen4) echo "$zen df_reads=1024:12 df_writes=1024:12" "$(controllers_of 12)" ;;
	zen5) echo "$zen df_reads=1024:2 df_writes=1024:2" "$(controllers_of 2)" ;;
	esac
}

# controllers_of COUNT: 6.1 has no driver of AMD's memory controllers.
controllers_of()
{
	[ "${KERNEL:-}" != newest ] || echo "umc_all=2048:$1 umc_reads=1024:$1 umc_writes=1024:$1"
}

# judge_boxes: sets boxes to how many of their events are right, and how many there are.
judge_boxes()
{
	right=0 all=0
	for wanted in $(boxes_of "$model"); do
		name=${wanted%%=*}
		all=$((all + 1))
		if [ "$(value "$name" 1):$(value "$name" 3)" = "${wanted#*=}" ]; then
			right=$((right + 1))
		else
			must "$name" false
		fi
	done
	boxes=$right/$all
	[ $all -gt 0 ] || boxes=-
}

judge_samples()
{
	must samples [ "$(value samples 1)" = "$(value samples 3)" ]
	must "samples' places" [ "$(value samples 5)" = "$(value samples 1)" ]
	must "lost samples" [ "$(value samples 7)" = 0 ]
	must "whole count" [ "$whole" -lt 21000 ]
}

# Judges counts of a program that is known, and of some of Debian's, from exec to exit.
judge_programs()
{
	must known [ "$(value known 1)" = "$(value known 3)" ]
	must "programs' ends" [ "$(value programs 3)" = "$(value programs 1)" ]
	must "programs' counts" [ "$(value programs 5)" = "$(value programs 1)" ]
}

judge()
{
	wrong='' note='' whole=$(value instructions 5)
	[ "$whole" != - ] || whole=0
	must "end" grep -q '^linux: done' "$log"
	must "driver" grep -iq "$(driver_of "$model")" "$log"
	[ -n "$fault" ] || must "watchdog" grep -q 'NMI watchdog: Enabled' "$log"
	must "log" has_none "$complaints"
	has_no_fixed || must instructions [ "$(value instructions 1)" = 20000 ]
	must branches [ "$(value branches 1)" = 10000 ]
	must thresholds sum_holds "$(value thresholds 1)"
	if is_stale || has_no_fixed; then
		note='known: findings.md'
	else
		judge_programs
		judge_samples
	fi
	must PEBS offers_precise
	must precise precise_hold
	must "precise samples' places" [ "$(value precise 5)" = "$(value precise 1)" ]
	must "branch records" offers_records
	must records [ "$(value records 9)" = "$(value records 11)" ]
	must "records' places" [ "$(value records 13)" = "$(value records 9)" ]
	must addresses addresses_hold "$model"
	must topdown shares_hold "$model"
	must "samples of ops" engine_holds ibs_op
	must "samples of fetches" engine_holds ibs_fetch
	must "steady time" time_is_steady
	must breakpoints [ "$(value breakpoints 3) $(value breakpoints 5)" = "$(value breakpoints 1) $(value breakpoints 1)" ]
	must steps [ "$(value steps 1)" = "$(value steps 3)" ]
	must unharmed [ "$(value unharmed 1)" = 10 ]
	judge_boxes
}
