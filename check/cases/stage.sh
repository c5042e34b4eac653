# SPDX-License-Identifier: BSD-2-Clause
# The checks of all.sh that stage what firmware leaves behind, and what comes from outside.
# shellcheck shell=sh disable=SC2154 # work and the codes come from all.sh and lib.sh

# left_as_found [PATTERN]: the model saw nothing changed after the program, but for what matches.
left_as_found()
{
	grep -q '^silicon: run 1 status' "$work/clean.log"
	if grep '^silicon: run [0-9]* left ' "$work/clean.log" | grep -v "${1:-^$}"; then
		echo "the program left the machine changed"
		return 1
	fi
}

# run_staged MODEL STAGE TESTS: without a failed test; an empty STAGE stages nothing.  A stage is there
# from the start: no long windows.
run_staged()
{
	expect_status "$PASS" ./run-qemu.sh --model "$1" ${2:+--stage "$2"} --keep "$work" -- "tests=$3" rare=10000 "$unhurried"
	if grep '^silicon: error' "$work/clean.log"; then return 1; fi
}

# all_running: every counter of every PMU in the report was running at entry.
all_running()
{
	awk '
		/^# fact [^.]*\.(counters|like)=/ {
			split($3, word, /[.=]/)
			there += counters[word[1]] = word[2] == "like" ? counters[word[3]] : word[3]
		}
		/^# pmu [^:]*: counter [0-9]+ was running at entry/ { running++ }
		END {
			if (!there || running != there) {
				print "running at entry: " running + 0 " counters of " there + 0
				exit 1
			}
		}' "$work/report.tap"
}

# case_restores MODEL TESTS: with counters running at entry and without.
case_restores()
{
	run_staged "$1" '' "$2"
	left_as_found
	run_staged "$1" counters_running "$2"
	all_running
	left_as_found
}

# A test is ended while the vector registers are its own, and what switches them on is changed.
case_restores_vectors()
{
	expect_status "$FAIL" ./run-qemu.sh --model cougarcove --keep "$work" -- 'tests=*.selftest.vectors_held'
	grep -q '^not ok [0-9]* [^ ]*selftest\.vectors_held$' "$work/report.tap"
	left_as_found
}

# case_stage MODEL STAGE TESTS [PATTERN]: the report has PATTERN.
case_stage()
{
	run_staged "$1" "$2" "$3"
	[ -z "${4:-}" ] || grep -q "$4" "$work/report.tap"
	left_as_found
}

# case_stages MODEL TESTS STAGE...: the same of each stage, in one boot.
case_stages()
{
	model=$1 tests=$2 run=0
	shift 2
	for stage in "$@"; do
		echo "model=$model stage=$stage -- tests=$tests rare=10000 $unhurried"
	done >"$work/silicon.cfg"
	boot_runs
	for stage in "$@"; do
		run=$((run + 1))
		report_of_run $run
		report_judge "$work/report.tap"
		shows=$(stage_shows "$stage" "$model")
		[ -z "$shows" ] || grep "$shows" "$work/report.tap"
	done
	[ "$(grep -c '^silicon: run [0-9]* status 0x0*$' "$work/clean.log")" -eq $# ]
	left_as_found
}

# A guest that calls itself a Xeon E5-2600, whose hypervisor has no uncore; and one that ignores MSRs.
case_no_boxes()
{
	for lawful in '' kvm_ignores_msrs; do
		echo "model=sandybridge-ep stage=no_boxes ${lawful:+lawful=$lawful} -- tests=*.access.*,*.count.*,*.freeze.* $unhurried"
	done >"$work/silicon.cfg"
	boot_runs
	for run in 1 2; do
		report_of_run $run
		report_judge "$work/report.tap"
		grep '^# not here: uncore of the Xeon E5-2600: no PCI function shows it' "$work/report.tap"
	done
	left_as_found
}

# Status that only hardware sets, before version 4, and the program must clear.
case_pmi_pending()
{
	run_staged "$1" pmi_pending "$2"
	grep -q '^# pmu [a-z]*: counter 0 was running at entry' "$work/report.tap"
	left_as_found ' MSR 38eh '
}

case_stage_refused()
{
	refuses gremlin ./run-qemu.sh --model k7 --stage gremlin --keep "$work"
	grep -q '^silicon: error: .*stage=gremlin: no list of stages; allowed are.* smi' "$work/clean.log"
}

# In x2APIC mode nothing of the local APIC is in memory: the program goes by its MSRs.
case_x2apic()
{
	case_stage "$1" x2apic "$2" '^# local APIC: x2APIC mode$'
	grep -q '^silicon: run 1 x2apic accesses [1-9][0-9][0-9]' "$work/clean.log"
}

# stage_shows STAGE MODEL: what the report has to say about it.
stage_shows()
{
	case $1.$2 in
	apic_disabled.*) echo '^# no enabled local APIC' ;;
	nmi.*) echo '^# NMIs that no test asked for: 3$' ;;
	smi.nehalem) echo '^# SMIs during the run: [1-9]' ;;
	esac
}
