#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Linux on the silicon model: Debian's kernel boots as its guest, counts and samples what is known.
#
#     linux.sh                               a row for each model, then --multiplexed, then --faults
#     linux.sh MODEL...                      a row for each; 1: one is not as it must be
#     linux.sh --faults                      some seeded faults, and what Linux makes of them
#     linux.sh --multiplexed [MODEL...]      events that take turns on the counters: is each within 5 % of what there was?
#     linux.sh --run WORDS MODEL [OPTION...] runs WORDS, such as "perf stat -e instructions:u ls", or a shell if
#                                            they are empty; OPTIONs are those of run-qemu.sh
#
# perf is there if it is installed here (Debian package linux-perf).  KERNEL=newest is Debian's kernel of testing instead of
# the stable one, KERNEL=FILE any other, whose uncore drivers are not modules.
set -eu
here=$(dirname "$0")
root=$here/..
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=initrd.sh
. "$here/initrd.sh"
made=$root/build/linux
lister=$root/build/host/list_models

usage()
{
	sed -n 's/^#     //p' "$0"
}

# make_initrd [FILE]: with FILE, if there is one.
make_initrd()
{
	initrd_begin
	cp "$made/linux-test" "$tree/bin/"
	# Programs that linux-test counts; busybox links its own "true" only where there is none.
	put /bin/dash
	put /bin/true
	put_modules arch/x86/events/intel/intel-uncore arch/x86/events/intel/intel-cstate arch/x86/events/rapl arch/x86/events/amd/power
	[ -z "${1:-}" ] || put "$1"
	initrd_pack "$work/initrd.img"
}

# boot MODEL WORDS OPTION...: its console is standard output.  Before the first counter runs time is the machine's; if
# that is busy, ticks get lost, and Linux would blame the TSC or the timer.  A kernel that has gone wrong is to end.
boot()
{
	model=$1
	words=$2
	shift 2
	# With a broken or varied processor the whole boot would be stepped through for the counter of the watchdog.
	case " $* " in
	*" --fault "* | *" --lawful "*) watchdog='nmi_watchdog=0 ' ;;
	*) watchdog='' ;;
	esac
	"$root/run-qemu.sh" --model "$model" --guest "$kernel" --initrd "$work/initrd.img" \
		--append "console=ttyS0 panic=-1 oops=panic tsc=reliable no_timer_check $watchdog${quiet:-}${words:+run=\"$words\"}" "$@"
}

# ---- one row ----

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

# share_retiring: of all slots.
share_retiring()
{
	awk '$1 == "linux:" && $2 == "topdown" { share = int(100 * $9 / $3 + 0.5) "%" } END { print share ? share : "-" }' "$log"
}

row()
{
	printf '%-14s %-12s %-9s %-10s %-9s %-9s %-9s %-9s %-7s %-6s %s\n' "$@"
}

# Leaves its row in the work directory, and what is wrong with it beside it.
run_model()
{
	run=$(sed -n "$1p" "$work/models")
	model=${run%%:*} fault='' hide=''
	[ "$run" = "$model" ] || fault=${run#*:}
	# Where Linux has drivers of an uncore, which do nothing under a hypervisor.
	case $model in
	k* | zen* | piledriver | jaguar | p6 | willamette | northwood | prescott | core2) ;;
	*) hide=--hide-hypervisor ;;
	esac
	kept=$made/$model${fault:+.$fault}
	mkdir -p "$kept"
	boot "$model" linux-test ${hide:+"$hide"} ${fault:+--fault "$fault"} --keep "$kept" >"$work/$1.console" 2>&1 || :
	log=$kept/clean.log
	serial_clean "$kept/serial.log" >"$log"
	judge
	if [ -n "$fault" ]; then
		fault_row "$model" "$fault" "${wrong:-nothing}" "$(complaint)" >"$work/$1.row"
		return
	fi
	row "$model" "$(value instructions 1)" "$(value branches 1)" "$(value thresholds 1)" "$(value samples 1)/$(value samples 3)" \
		"$(value precise 1)/$(value precise 3)" "$(value records 13)/$(value records 11)" \
		"$(value addresses 11)/$(value addresses 9)" "$(share_retiring)" "$boxes" \
		"${wrong:+WRONG: $wrong }$note" >"$work/$1.row"
	[ -z "$wrong" ] || tail -n 12 "$log" >"$work/$1.wrong"
}

table()
{
	two_at_once "$work" "$(wc -l <"$work/models")" run_model
	at_end clean_up
	for number in $(seq "$(wc -l <"$work/models")"); do
		cat "$work/$number.row"
		[ ! -e "$work/$number.wrong" ] || sed 's/^/  | /' "$work/$number.wrong"
	done
	! ls "$work"/*.wrong >/dev/null 2>&1
}

# ---- faults ----

# Each on a model that has it, of kinds that an operating system meets.
faults='k7:pmi_every_second_lost k7:pmi_doubled k7:instruction_lost_every_64 k8:usr_dead k8:counter_truncates_32
	zen2:threshold_off_by_one zen4:v2_status_not_set core2:cpuid_0a_31_fixed core2:cmask_off_by_one
	nehalem:lbr_from_and_to_swapped nehalem:lbrs_run_on skylake:pebs_ip_off skylake:pebs_record_twice
	skylake:streamlined_freeze_dead icelake:global_ctrl_misses_fixed prescott:p4_lost_every_64
	goldencove:slots_of_a_narrow_core sandybridge-ep:uncore_cas_reads_doubled zen2:uncore_l3_slices_ignored'

# The first complaint of the kernel, in its own words.
complaint()
{
	grep -Eom 1 "$complaints|perfevents: irq loop stuck|Uhhuh. NMI received|hw perf events fixed [0-9]+ > max[^,]*|Failed to access perfctr.*" "$log" || :
}

fault_row()
{
	printf '%-14s %-26s %-34s %s\n' "$@"
}

# multiplexed MODEL: of a loop of 100 million branches.
multiplexed()
{
	boot "$1" "linux-test multiplex" >"$work/console" 2>&1 || :
	serial_clean "$work/console" | awk -v model="$1" '
		$1 == "linux:" && $2 == "multiplexed" {
			print model ": " substr($0, 8)
			right = $4 >= 0.95 * $8 && $6 <= 1.05 * $8 && $10 > 0 && $10 < 100
		}
		END { exit !right }'
}

clean_up()
{
	rm -rf "$work"
}

main()
{
	find_kernel
	[ -e "$made/linux-test" ] || die "build/linux/linux-test is not there; run make host first"
	work=$(mktemp -d)
	at_end clean_up
	case ${1:-} in
	'')
		# shellcheck disable=SC2046 # words
		"$0" $("$lister" | sed -n 's/^model \([^ ]*\).*/\1/p') && "$0" --multiplexed && "$0" --faults
		;;
	--help) usage ;;
	--run)
		[ $# -ge 3 ] || die "--run wants WORDS and MODEL; see --help"
		perf=$(command -v perf || :)
		make_initrd "$perf"
		words=$2 model=$3 quiet='quiet '
		shift 3
		boot "$model" "$words" "$@"
		;;
	--multiplexed)
		make_initrd
		shift
		[ $# -gt 0 ] || set -- zen4 skylake
		wrong=0
		for model in "$@"; do multiplexed "$model" || wrong=1; done
		return $wrong
		;;
	--faults)
		make_initrd
		echo "$faults" | tr -s ' \t' '\n' >"$work/models"
		fault_row model fault 'wrong in what programs see' 'the kernel says'
		table
		;;
	-*) die "unknown option '$1'; see --help" ;;
	*)
		make_initrd
		printf '%s\n' "$@" >"$work/models"
		row model instructions branches thresholds samples precise records addresses topdown boxes ''
		table
		;;
	esac
}

main "$@"
