#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every check, one TAP line each; what a check printed is in build/check/NAME.log.
#
#     all.sh [GLOB...]    only the checks whose name matches one
#
# Three workers take one check after the other: some are busy on one core, some wait.  The campaigns, which are two
# machines at once, come first, one after the other in one worker; so no core has to wait for the end of each.
set -eu
cd "$(dirname "$0")/.."
here=check
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=grub.sh
. "$here/grub.sh"
# shellcheck source-path=SCRIPTDIR source=progress.sh
. "$here/progress.sh"
# shellcheck source-path=SCRIPTDIR source=slot.sh
. "$here/slot.sh"
# All that are there, each of which lint.sh looks at alone.
for cases in "$here"/cases/*.sh; do
	# shellcheck source=/dev/null
	. "$cases"
done

out=build/check
passed=0 failed=0 skipped=0
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
		reason=
		[ ! -e "$out/$2.skip" ] || {
			skipped=$((skipped + 1))
			read -r reason <"$out/$2.skip"
		}
		echo "ok $((passed + failed)) $2${reason:+ # SKIP $reason}"
	else
		failed=$((failed + 1))
		echo "not ok $((passed + failed)) $2"
		[ ! -e "$out/$2.log" ] || tail -n 12 "$out/$2.log" | sed 's/^/#   /'
	fi
}

# Verbs, each of which does something with a check:  VERB NAME FUNCTION ARGUMENT...

# perform: unless another process has taken it.  A check has its own directory, $out/NAME, and
# passes when it returns 0.
perform()
{
	wanted "$1" && mkdir "$out/$1" 2>/dev/null || return 0
	name=$1
	shift
	status=0
	check_began=$(date +%s)
	(
		set -e
		work=$out/$name
		trap qemu_stop EXIT
		"$@"
	) >"$out/$name.log" 2>&1 &
	wait $! || status=$?
	echo "$(($(date +%s) - check_began)) $name" >>"$out/seconds"
	echo $status >"$out/$name.new"
	mv "$out/$name.new" "$out/$name.status"
}

# await NAME: until its status is there.
await()
{
	until [ -e "$out/$1.status" ]; do
		sleep 0.2
		[ ! -e "$out/ended.1" ] || [ ! -e "$out/ended.2" ] || [ ! -e "$out/ended.3" ] ||
			[ -e "$out/$1.status" ] || die "nobody is left to run $1"
	done
}

# report: once it is there.
report()
{
	wanted "$1" || return 0
	await "$1"
	read -r status <"$out/$1.status"
	result "$status" "$1"
}

# each_check VERB: of the checks that run at once.
each_check()
{
	for test in $(cd build/host/unit && find . -type f | sort); do
		test=${test#./}
		"$1" "unit.$(echo "$test" | tr / .)" case_unit "build/host/unit/$test"
	done
	"$1" unit.events build/host/events
	"$1" unit.judge check/test_judge.sh
	"$1" unit.kut check/test_kut.sh
	"$1" unit.decoder check/decoder.sh
	"$1" unit.rooms check/test_rooms.sh
	for target in build/fuzz/fuzz_*; do
		[ ! -x "$target" ] || "$1" "fuzz.${target##*/fuzz_}" case_fuzz "${target##*/fuzz_}"
	done
	for lint in format shell cppcheck rooms errata; do
		"$1" "lint.$lint" case_lint $lint
	done
	for model in $(build/host/list_models | awk '$1 == "model" { print $2 }'); do
		case $model in
		k7 | p6) "$1" "model.$model" case_words "$model" 32 --uefi ;;
		willamette | northwood) "$1" "model.$model" case_word "$model" 32 ;;
		core2 | prescott) "$1" "model.$model" case_words "$model" 64 --bios ;;
		*) "$1" "model.$model" case_model "$model" ;;
		esac
	done
	"$1" model.native_is_exact case_native
	"$1" model.memo_is_exact case_memo
	"$1" model.first_fetch case_first_fetch
	"$1" model.native_is_native check/bench.sh --loop
	"$1" model.clang case_clang
	"$1" model.other_thread case_other_thread
	"$1" made_up.pmus case_made_up
	"$1" uncore.hidden case_uncore_hidden
	"$1" uncore.two_sockets case_uncore_two_sockets
	"$1" uncore.one_port_hidden case_uncore_one_port_hidden
	"$1" uncore.pc case_uncore_pc
	"$1" model.twice_in_one_boot case_twice
	"$1" model.system_management case_system_management
	"$1" report.prove case_prove
	"$1" report.prove_sees_failure case_prove_failure
	"$1" report.causes case_causes
	"$1" machine.q35 case_machine q35
	"$1" machine.pc case_machine pc
	"$1" plain.skips case_plain
	"$1" plain.shell_twice case_shell
	"$1" plain.bios case_bios_plain
	"$1" plain.exit case_exit_boot_services
	"$1" wedged.times_out case_wedged
	"$1" image.usb case_usb
	"$1" image.usb_plain case_usb_plain
	"$1" image.usb_uefi32 case_usb_uefi32
	"$1" image.iso case_iso
	"$1" image.iso_bios case_iso_bios
	"$1" options.script case_bad_script_options
	"$1" options.program case_bad_program_options
	"$1" options.model case_bad_model_options
	"$1" options.keys case_option_keys
	"$1" options.list case_list
	"$1" selftest.outcomes case_selftest
	"$1" processors.all case_processors
	"$1" processors.restored case_processors_restored
	"$1" processors.one_hangs case_processor_hangs
	"$1" processors.first_hangs case_first_hangs
	"$1" processors.out_of_time case_out_of_time
	"$1" processors.bad_mp_services case_bad_mp_services
	"$1" processors.refused case_processors_refused
	"$1" processors.hybrid case_hybrid
	"$1" processors.one_differs case_processor_differs
	"$1" processors.many case_many_processors
	"$1" processors.together case_together
	"$1" processors.together_broken case_together_broken
	"$1" processors.together_lost case_together_lost
	"$1" processors.packages case_packages
	"$1" options.on_fail_stop case_on_fail_stop
	"$1" options.repeat_forever case_forever
	"$1" serial.spcr case_serial_spcr
	"$1" serial.elsewhere case_serial_elsewhere
	"$1" serial.none case_serial_none
	"$1" watchdog.tco case_watchdog
	"$1" resume.after_reset case_resume
	"$1" processors.resume case_resume_processors
	"$1" resume.refused case_resume_refused
	"$1" build.reproducible case_reproducible
	"$1" build.image_size case_image_size
	"$1" machines.some check/machines.sh --every 144
	"$1" cpuid.absurd case_absurd_cpuid
	"$1" smi.run_again case_smi
	"$1" overcounts.known case_overcounts
	"$1" stage.refused case_stage_refused
	"$1" stage.restores_k7 case_restores k7 "*"
	"$1" stage.restores_zen4 case_restores zen4 "*.access.*,*.count.*,*.global.*,*.overflow.*"
	"$1" stage.restores_nehalem case_restores nehalem "*.access.*,*.count.*,*.freeze.*,*.global.*,*.lbr.*,*.overflow.*,*.pebs.*"
	"$1" stage.restores_prescott case_restores prescott "*.access.*,*.ovf.*"
	"$1" stage.restores_vectors case_restores_vectors
	"$1" stage.restores_sandybridge-ep case_stage sandybridge-ep "" "*.access.*,*.freeze.*"
	for model in k7 nehalem prescott; do
		"$1" "stage.pmi_pending_$model" case_pmi_pending $model "*.access.*,*.overflow.*"
	done
	for model in k7 nehalem; do
		"$1" "stage.each_$model" case_stages $model "*.access.*,*.count.*,*.0.modes.*,*.overflow.*" \
			interrupts_pending apic_disabled apic_soft_disabled nmi smi
	done
	"$1" stage.no_boxes case_no_boxes
	for model in zen2 zen4; do
		"$1" "stage.smi_$model" case_stage $model smi "*.count.*,*.privilege.*,*.overflow.*"
	done
	for model in zen4 nehalem; do
		"$1" "stage.x2apic_$model" case_x2apic $model "*.access.*,*.count.*,*.overflow.*"
	done
	for cpu in athlon pentium2 pentium3 coreduo core2duo qemu32; do
		"$1" "legacy.pc_$cpu" case_legacy pc $cpu
	done
	# An Athlon and a Pentium Pro as they were; tables of two levels; and the second compiler.
	"$1" legacy.q35_k7 case_legacy q35 athlon,-sse,-sse2,-clflush
	"$1" legacy.q35_p6 case_legacy q35 pentium2,-mmx,-fxsr,-pat
	"$1" legacy.two_levels case_legacy pc pentium3,-pae
	"$1" legacy.small_pages case_legacy pc pentium3,-pae,-pse
	"$1" legacy.clang case_legacy pc core2duo clang
	"$1" legacy.selftest case_legacy_selftest
	"$1" legacy.options case_legacy_options
	"$1" legacy.endings case_legacy_endings
	"$1" legacy.too_old case_legacy_too_old
	"$1" legacy.bare case_legacy_bare
	"$1" legacy.instructions case_legacy_instructions
	"$1" screen.text case_screen_text
	"$1" screen.small case_screen_small
	"$1" screen.large case_screen_large
	"$1" screen.counters case_screen_counters
	"$1" screen.resume case_screen_resume
	"$1" screen.none case_screen_none
	"$1" slot.ide case_slot pc -cpu athlon -device ide-hd,drive=stick
	"$1" slot.xhci case_slot q35 -cpu coreduo -device qemu-xhci -device usb-storage,drive=stick
	"$1" slot.again case_slot_again
	"$1" slot.burn_in case_slot_burn_in
	"$1" slot.off case_slot_off
	"$1" slot.refused case_slot_refused
	"$1" slot.protected case_slot_protected
	"$1" slot.elsewhere case_slot_elsewhere
	"$1" slot.elsewhere_uefi32 case_slot_elsewhere_uefi32
	"$1" linux.words case_linux_words
	"$1" linux.interrupts check/interrupts.sh 300 zen4
	"$1" linux.watchdog case_linux_watchdog core2
	"$1" linux.kvm case_kvm
	"$1" linux.zen4 check/linux.sh zen4
	"$1" linux.prescott check/linux.sh prescott
	"$1" linux.sandybridge-ep check/linux.sh sandybridge-ep
	"$1" lab.facts case_lab_facts
	"$1" lab.compare check/test_compare.sh
	"$1" lab.report_data case_report_data
	"$1" lab.report_browser case_report_browser
	"$1" lab.results case_lab_results
	"$1" lab.console case_lab_console
	"$1" lab.install case_lab_install
	"$1" lab.dist case_lab_dist
	"$1" lab.secure_boot case_lab_secure_boot
	"$1" lab.ipxe_bios case_lab_ipxe_bios
	"$1" lab.ipxe_uefi case_lab_ipxe_uefi
	"$1" lab.pxe case_lab_pxe
	"$1" lab.http case_lab_http
	"$1" lab.boot_entry case_lab_boot_entry
	"$1" hosts.make_image case_hosts_make_image
	"$1" hosts.make_iso case_hosts_make_iso
	"$1" hosts.dist case_hosts_dist
	"$1" hosts.no_room case_hosts_no_room
	"$1" hosts.disk_fills case_hosts_disk_fills
	"$1" hosts.no_qemu case_hosts_no_qemu
	"$1" hosts.terminal case_hosts_terminal
	"$1" hosts.progress case_hosts_progress
	"$1" readme.pmus case_readme
	"$1" speed.plugin case_speed_plugin
	"$1" speed.functions case_speed_functions
	"$1" recorded.tables case_recorded_tables
	"$1" recorded.facts case_recorded_facts
	"$1" recorded.met case_recorded_met
	"$1" recorded.models case_recorded_models
	"$1" docs.groups case_groups
	"$1" docs.lawful case_lawful_docs
}

# each_campaign VERB: samples, each for a minute or two.  A fault that is seeded by hand is a result of its own; of those that
# the model generates, and of its seeds, a few are one for all.
each_campaign()
{
	"$1" campaign build/host/campaign --once --every 17 --results "$out/campaign.results"
	"$1" lawful build/host/campaign --lawful --every 23
	"$1" campaign.varied build/host/campaign --varied --every 181
	"$1" campaign.generated build/host/campaign --generated --every 50021
	"$1" campaign.rare build/host/campaign --generated --class rare --only visible --every 30011
	"$1" campaign.pairs build/host/campaign --generated --class pairs --strict --only visible --model k7 --every 67
	"$1" seeds.some build/host/campaign --seeds 1 --tests '*.0.count.*,*.-.count.*'
}

# worker N
worker()
{
	me=$1
	trap ': >"$out/ended.$me"' EXIT
	[ "$me" -ne 1 ] || each_campaign perform
	each_check perform
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

# report_campaign NAME ...: with the result of each fault in front of it.
report_campaign()
{
	[ "$1" != campaign ] || report_faults
	report "$1"
}

report_faults()
{
	wanted campaign || return 0
	await campaign
	while read -r line; do
		case $line in
		ok\ *) result 0 "${line#ok }" ;;
		*) result 1 "${line#not ok }" ;;
		esac
	done <"$out/campaign.results"
	tail -n 1 "$out/campaign.log" | sed 's/^/# /'
}

run_all()
{
	worker 1 &
	one=$!
	worker 2 &
	two=$!
	worker 3 &
	three=$!
	trap 'kill $one $two $three 2>/dev/null' EXIT
	trap 'exit 2' INT TERM HUP
	each_check report
	sum_fuzz
	each_campaign report_campaign
	trap - EXIT INT TERM HUP
}

rm -rf "$out"
mkdir -p "$out"
: >"$out/campaign.results"
: >"$out/seconds"
echo "TAP version 13"
# Machines without a firmware of their own go on behind it.
if check/booted.sh "$PWD/$out/booted" 2>"$out/booted.log"; then
	export PMUTEST86_BOOTED="$PWD/$out/booted"
else
	sed 's/^/# each firmware is booted from its reset on: /' "$out/booted.log"
fi
run_all
[ $((passed + failed)) -gt 0 ] || die "no check's name matches $filter; check/all.sh and check/cases name them"
echo "1..$((passed + failed))"
echo "# slowest, in seconds: $(sort -rn "$out/seconds" | head -n 12 | paste -sd ',' -)"
echo "# $(($(date +%s) - began)) s; logs in $out"
[ $skipped -eq 0 ] || echo "# skipped, and so not among the passed: $skipped"
echo "$((passed - skipped)) passed, $failed failed"
[ "$failed" -eq 0 ]
