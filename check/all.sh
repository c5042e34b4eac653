#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every check, one TAP line each; what a check printed is in build/check/NAME.log.
#
#     all.sh [GLOB...]    only the checks whose name matches one
#
# Two checks run at once, as each is one QEMU at most; machines.some and the campaign run two by
# themselves.
set -eu
cd "$(dirname "$0")/.."
here=check
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=cases.sh
. "$here/cases.sh"
# shellcheck source-path=SCRIPTDIR source=cases_unattended.sh
. "$here/cases_unattended.sh"
# shellcheck source-path=SCRIPTDIR source=cases_stage.sh
. "$here/cases_stage.sh"

out=build/check
passed=0 failed=0
running='' # "PID NAME" of the check begun first and not yet reported
filter=$*
began=$(date +%s)

wanted()
{
	[ -n "$filter" ] || return 0
	set -f
	for glob in $filter; do
		# shellcheck disable=SC2254 # it is meant as a pattern
		case $1 in
		$glob) set +f; return 0 ;;
		esac
	done
	set +f
	return 1
}

# result STATUS NAME
result()
{
	if [ "$1" -eq 0 ]; then
		passed=$((passed + 1))
		echo "ok $((passed + failed)) $2"
	else
		failed=$((failed + 1))
		echo "not ok $((passed + failed)) $2"
		[ ! -e "$out/$2.log" ] || tail -n 12 "$out/$2.log" | sed 's/^/#   /'
	fi
}

# Waits for the check begun first.
collect()
{
	[ -n "$running" ] || return 0
	status=0
	wait "${running%% *}" || status=$?
	result "$status" "${running#* }"
	running=
}

# How long each check took, for the list of the slowest.
note_seconds()
{
	echo "$(($(date +%s) - $2)) $1" >>"$out/seconds"
}

# run NAME FUNCTION ARGUMENT...: runs a check beside the one before it.  It has its own directory,
# $out/NAME, and passes when it returns 0.
run()
{
	name=$1
	shift
	wanted "$name" || return 0
	rm -rf "${out:?}/$name"
	mkdir -p "$out/$name"
	(
		set -e
		work=$out/$name
		check_began=$(date +%s)
		trap 'qemu_stop; note_seconds "$name" "$check_began"' EXIT
		"$@"
	) >"$out/$name.log" 2>&1 &
	newest="$! $name"
	collect
	running=$newest
}

run_all()
{
	for test in build/host/test_*; do
		[ ! -x "$test" ] || run "unit.${test##*/test_}" case_unit "$test"
	done
	run unit.judge check/test_judge.sh
	for target in build/fuzz/fuzz_*; do
		[ ! -x "$target" ] || run "fuzz.${target##*/fuzz_}" case_fuzz "${target##*/fuzz_}"
	done
	run lint.format check/lint.sh format
	run lint.shell check/lint.sh shell
	run lint.cppcheck check/lint.sh cppcheck
	for model in $(build/host/list_models | awk '$1 == "model" { print $2 }'); do
		run "model.$model" case_model "$model"
	done
	run model.native_is_exact case_native
	run model.clang case_clang
	run uncore.hidden case_uncore_hidden
	run uncore.two_sockets case_uncore_two_sockets
	run uncore.pc case_uncore_pc
	run model.twice_in_one_boot case_twice
	run report.prove case_prove
	run report.prove_sees_failure case_prove_failure
	run machine.q35 case_machine q35
	run machine.pc case_machine pc
	run plain.skips case_plain
	run plain.shell_twice case_shell
	run plain.exit case_exit_boot_services
	run wedged.times_out case_wedged
	run image.usb case_usb
	run image.usb_plain case_usb_plain
	run image.iso case_iso
	run image.damaged case_damaged
	run options.script case_bad_script_options
	run options.program case_bad_program_options
	run options.model case_bad_model_options
	run selftest.outcomes case_selftest
	run options.on_fail_stop case_on_fail_stop
	run options.repeat_forever case_forever
	run serial.spcr case_serial_spcr
	run serial.none case_serial_none
	run resume.after_reset case_resume
	run resume.refused case_resume_refused
	run build.reproducible case_reproducible
	run build.image_size case_image_size
	run machines.some check/machines.sh --every 16
	run cpuid.absurd case_absurd_cpuid
	run smi.run_again case_smi
	run stage.refused case_stage_refused
	run stage.restores_k7 case_restores k7 "*"
	run stage.restores_nehalem case_restores nehalem "*"
	run stage.restores_prescott case_restores prescott "*.access.*,*.count.*,*.overflow.*,*.ovf.*"
	run stage.restores_sandybridge-ep case_restores sandybridge-ep "*"
	for model in k7 nehalem prescott; do
		run "stage.pmi_pending_$model" case_pmi_pending $model "*.access.*,*.overflow.*"
	done
	for model in k7 nehalem; do
		for stage in interrupts_pending apic_disabled apic_soft_disabled nmi smi; do
			run "stage.${stage}_$model" case_stage $model $stage "*.access.*,*.count.*,*.overflow.*" \
				"$(stage_shows $stage $model)"
		done
	done
	run readme.pmus case_readme
	collect
}

# How much the fuzz targets that were run have seen.
sum_fuzz()
{
	for target in build/fuzz/fuzz_*; do
		name=fuzz.${target##*/fuzz_}
		if [ -x "$target" ] && wanted "$name"; then tail -n 1 "$out/$name.log"; fi
	done | awk '
		/ inputs, / { n++; inputs += $3 }
		END { if (n) print "# fuzz: " n " targets, " inputs " inputs" }'
}

# Each fault is a result of its own.
run_campaign()
{
	wanted campaign || return 0
	status=0
	campaign_began=$(date +%s)
	check/campaign.sh --results "$out/campaign.results" >"$out/campaign.log" 2>&1 || status=$?
	note_seconds campaign "$campaign_began"
	while read -r line; do
		case $line in
		ok\ *) result 0 "${line#ok }" ;;
		*) result 1 "${line#not ok }" ;;
		esac
	done <"$out/campaign.results"
	tail -n 1 "$out/campaign.log" | sed 's/^/# /'
	result "$status" campaign
}

# A few of the faults that the model generates, one result for all; and of its seeds.
run_samples()
{
	run campaign.generated check/campaign.sh --generated --every 500
	collect
	run seeds.some check/seeds.sh --runs 2 --tests '*.count.*,*.privilege.*,*.threshold.*,*.edge.*,*.overflow.*'
	collect
}

mkdir -p "$out"
: >"$out/campaign.results"
: >"$out/seconds"
echo "TAP version 13"
run_all
sum_fuzz
run_campaign
run_samples
echo "1..$((passed + failed))"
echo "# slowest, in seconds: $(sort -rn "$out/seconds" | head -n 12 | paste -sd ',' -)"
echo "# $(($(date +%s) - began)) s; logs in $out"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
