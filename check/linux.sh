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
# shellcheck source-path=SCRIPTDIR source=model_words.sh
. "$here/model_words.sh"
# shellcheck source-path=SCRIPTDIR source=linux/judge.sh
. "$here/linux/judge.sh"
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

# share_retiring: of all slots.
share_retiring()
{
	awk '$1 == "linux:" && $2 == "topdown" { share = int(100 * $9 / $3 + 0.5) "%" } END { print share ? share : "-" }' "$log"
}

row()
{
	printf '%-14s %-12s %-9s %-10s %-9s %-9s %-9s %-9s %-7s %-6s %s\n' "$@"
}

# Leaves its row in the work directory, and what is wrong with it beside it.  A machine that has written nothing is no row.
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
	rm -f "$kept/serial.log"
	boot "$model" linux-test ${hide:+"$hide"} ${fault:+--fault "$fault"} --keep "$kept" >"$work/$1.console" 2>&1 || :
	log=$kept/clean.log
	[ -e "$kept/serial.log" ] || {
		cat "$work/$1.console" >&2
		return 1
	}
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
	two_at_once "$work" "$(wc -l <"$work/models")" run_model || die "not all machines were booted"
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
		for model in "$@"; do
			known_model "$model" || die "unknown model '$model'; allowed are $(names model)"
		done
		make_initrd
		printf '%s\n' "$@" >"$work/models"
		row model instructions branches thresholds samples precise records addresses topdown boxes ''
		table
		;;
	esac
}

main "$@"
