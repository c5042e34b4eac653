# SPDX-License-Identifier: BSD-2-Clause
# The checks of all.sh of several processors.
# shellcheck shell=sh disable=SC2154 # work, out and the codes come from all.sh and lib.sh

# OVMF starts every processor.  None has a PMU here, but each is taken over and given back, and runs
# what needs none: with the same outcome.
case_processors()
{
	for n in 1 4; do
		expect_status "$FAIL" ./run-qemu.sh --plain --smp "$n" --keep "$work" -- \
			cpus=all 'tests=*.selftest.failing_check,*.selftest.user_fault'
		[ "$(grep -c '^not ok .* cpu[1-9]\.-\.cpu\.same_battery$' "$work/report.tap")" -eq $((n - 1)) ]
		[ "$(grep -c '^#   failed: -\.-\.selftest\.' "$work/report.tap")" -eq $((2 * n - 2)) ]
		grep -q "^1\.\.$((n + 1))\$" "$work/report.tap"
	done
	grep -q '^# processor kind 0: 4, the first is cpu0' "$work/report.tap"
}

# The firmware gets every processor back with its registers as they were, after two runs in a boot.
case_processors_restored()
{
	echo "cpus=all report=none serial=none tests=*.selftest.failing_check,*.selftest.user_fault,*.cpu.together" >"$work/witness.cfg"
	for smp in 2 8,sockets=2,cores=2,threads=2; do
		rm -f "$work/disk.img"
		truncate -s 16M "$work/disk.img"
		fat_make "$work/disk.img" 32768
		fat_fill "$work/disk.img" build/gcc/witness.efi build/gcc/pmutest86.efi
		mdel -i "$work/disk.img" ::/pmutest86.cfg
		fat_put "$work/disk.img" "$work/witness.cfg" witness.cfg
		qemu_start "$work" "$patience" -machine q35,accel=tcg -smp "$smp" \
			-drive "format=raw,file=$work/disk.img"
		qemu_wait
		serial_clean "$work/serial.log" >"$work/clean.log"
		grep '^witness: ' "$work/clean.log"
		others=$((${smp%%,*} - 1))
		grep -q "^witness: $others of $others others answer\$" "$work/clean.log"
		# EFI_ABORTED: what was run fails on purpose.
		[ "$(grep -c '^witness: run [12] status 0x8000000000000015$' "$work/clean.log")" -eq 2 ]
		[ "$(grep -c '^witness: ' "$work/clean.log")" -eq 3 ]
	done
}

# One that does not come back is named, and the others are tested.
case_processor_hangs()
{
	expect_status "$BROKEN" ./run-qemu.sh --plain --smp 4 --keep "$work" -- \
		cpus=0,2,3 cpu-timeout=3 'tests=*.selftest.deaf,*.selftest.failing_check' on-fail=continue
	[ "$(grep -c '^#   error: cpu[23]: it did not come back in time$' "$work/report.tap")" -eq 2 ]
	has_none 'plan not met' "$work/report.tap"
	has_none 'cpu1\.' "$work/report.tap"
}

# lost_processors OPTION... -- WORD...: on the model, where those that have the test do not come back.
lost_processors()
{
	expect_status "$BROKEN" ./run-qemu.sh --keep "$work" "$@" on-fail=continue
	has_none 'plan not met' "$work/report.tap"
	has_none '^silicon: run 1 left ' "$work/clean.log"
	grep -q '^silicon: done' "$work/clean.log"
}

# One whose time is over ends between two tests, and gives back what it has.
case_out_of_time()
{
	lost_processors --model goldencove --cpus 2 -- cpus=all cpu-timeout=1 random=300 'tests=*.count.*,*.modes.*,*.random.*'
	grep '^#   error: cpu1: cpu-timeout= is over$' "$work/report.tap"
	has_none '^silicon: cpu1 left ' "$work/clean.log"
}

# So is the first of a kind, and what was planned for it is not run; and the boxes that only it reached.
case_first_hangs()
{
	lost_processors --model goldencove --cpus 3 --cpu 1=gracemont -- \
		cpus=all 'tests=*.selftest.deaf,*.selftest.failing_check'
	grep -A 1 '^not ok [0-9]* cpu1\.-\.selftest\.deaf$' "$work/report.tap" |
		grep -q '^#   error: it did not come back in time$'
	grep -q '^ok [0-9]* cpu1\.-\.selftest\.failing_check # SKIP not run: its processor' "$work/report.tap"
	grep -q '^not ok [0-9]* cpu2\.-\.cpu\.same_battery$' "$work/report.tap"
	lost_processors --model sandybridge-ep --sockets 2 --cpus 2 -- \
		cpus=all 'tests=*.selftest.deaf,ubox*.access.control_holds'
	grep -q '^not ok [0-9]* cpu1\.-\.cpu\.same_battery$' "$work/report.tap"
	[ "$(grep -c '^ok [0-9]* cpu1\.[01]\.cpu\.boxes_not_run # SKIP it did not come back' "$work/report.tap")" -eq 2 ]
}

# staged_processors STAGE LINE N: on the model, with three processors and firmware as STAGE has it, the
# report has N lines like LINE; the firmware's processor passes, and so does the run.
staged_processors()
{
	expect_status "$PASS" ./run-qemu.sh --model k8 --cpus 3 --stage "$1" --keep "$work" -- \
		cpus=all 'tests=*.access.registers_present'
	has_none 'plan not met' "$work/report.tap"
	has_none '^silicon: run 1 left ' "$work/clean.log"
	grep -q '^ok [0-9]* amd\.0\.access\.registers_present$' "$work/report.tap"
	[ "$(grep -c "$2" "$work/report.tap")" -eq "$3" ]
}

# A firmware that does not start processors is no error of theirs.
case_bad_mp_services()
{
	alone='^# processors: this one alone: the firmware'
	staged_processors mp_missing "$alone has no MP services" 1
	staged_processors mp_fails "${alone}'s MP services do not say how many" 1
	says='cpu\.same_battery # SKIP the firmware says that it is'
	staged_processors mp_busy "^ok [0-9]* cpu[12]\.-\.$says busy\$" 2
	staged_processors cpu_disabled "^ok [0-9]* cpu2\.-\.$says disabled\$" 1
	grep -q '^ok [0-9]* cpu1\.-\.cpu\.same_battery$' "$work/report.tap"
	staged_processors cpu_unhealthy "^ok [0-9]* cpu2\.-\.$says not healthy\$" 1
	grep -q '^ok [0-9]* cpu1\.-\.cpu\.same_battery$' "$work/report.tap"
}

# model_processors OPTION... -- WORD...: on the model of core2, without long windows; every processor
# is left as it was.
model_processors()
{
	./run-qemu.sh --keep "$work" "$@" rare=0 || [ $? -eq "$FAIL" ]
	grep -q '^silicon: run 1 status' "$work/clean.log"
	has_none '^silicon: \(run [0-9]*\|cpu[0-9]*\) left ' "$work/clean.log"
	has_none 'plan not met' "$work/report.tap"
}

# A full set for each kind, by what the processor itself says: an E-core has counters 0 to 5.
case_hybrid()
{
	model_processors --model goldencove --cpus 3 --cpu 1=gracemont -- \
		cpus=all 'tests=*.count.cycles,*.threshold.*'
	has_none '^not ok' "$work/report.tap"
	grep -q '^# processor kind 0: 2, the first is cpu0: .*, P-core$' "$work/report.tap"
	grep -q '^# processor kind 1: 1, the first is cpu1: .*, E-core$' "$work/report.tap"
	grep -q '^ok [0-9]* intel\.7\.threshold\.ladder$' "$work/report.tap"
	grep -q '^ok [0-9]* cpu1-intel\.5\.threshold\.ladder$' "$work/report.tap"
	has_none 'cpu1-intel\.6\.threshold\.ladder' "$work/report.tap"
	grep -q '^ok [0-9]* cpu2\.-\.cpu\.same_battery$' "$work/report.tap"
	model_processors --model goldencove --cpus 3 --cpu 1=gracemont -- cpus=kinds 'tests=*.access.*'
	grep -q '^ok [0-9]* cpu1-intel\.' "$work/report.tap"
	has_none 'cpu2' "$work/report.tap"
}

# A fault of one processor fails its own line; one that only a comparison with the first shows, too.
case_processor_differs()
{
	for fault in aaj107_instructions_lost rdpmc_wraps_index; do
		model_processors --model core2 --cpus 4 --cpu "2=:$fault" -- cpus=all 'tests=*.access.*'
		[ "$(grep -c '^not ok' "$work/report.tap")" -eq 1 ]
		grep -q '^not ok [0-9]* cpu2\.-\.cpu\.same_battery$' "$work/report.tap"
	done
	model_processors --model core2 --cpus 4 --cpu 2=:aaj107_instructions_lost -- cpus=all 'tests=*.access.*'
	grep -q '^#   failed: intel\.-\.cpu\.counts_alike$' "$work/report.tap"
	grep -q '^#   counter 0, .* on processor 2, and .* on processor 0$' "$work/report.tap"
}

# All others at once count as each does alone, on each kind of PMU, and where one is of another kind.
case_together()
{
	while read -r machine; do
		echo "$machine -- other-thread=no cpus=all tests=*.cpu.together rare=0 report=none"
	done >"$work/silicon.cfg" <<-MACHINES
		model=zen4 cpus=4
		model=skylake cpus=4
		model=k7 cpus=4
		model=prescott cpus=4
		model=goldencove cpus=4 cpu2=gracemont
	MACHINES
	boot_runs
	has_none '^not ok\|^silicon: .* left ' "$work/clean.log"
	[ "$(grep -c '^ok [0-9]* cpu[123]\.-\.cpu\.together$' "$work/clean.log")" -eq 15 ]
}

# A defect that shows only in company is seen there, and nowhere before.
case_together_broken()
{
	cat >"$work/silicon.cfg" <<-CFG
		model=zen4 fault=company_stops cpus=4 -- other-thread=no cpus=all tests=*.cpu.together,*.overflow.skid report=none
		model=skylake fault=company_counts cpus=4 -- other-thread=no cpus=all tests=*.cpu.together,*.count.instructions report=none
		model=prescott fault=company_interrupts cpus=4 -- other-thread=no cpus=all tests=*.cpu.together,*.overflow.skid report=none
	CFG
	boot_runs
	sed -n 's/^not ok [0-9]* //p' "$work/clean.log" >"$work/failed"
	# Of the first one processor 2 fails, of the second one 1, and of the third one 1 and 2.
	printf 'cpu%s.-.cpu.together\n' 2 1 1 2 | diff - "$work/failed"
}

# One of them that does not come back is named, and keeps no other one waiting; nor does one that the firmware
# does not start.  One alone has no company.
case_together_lost()
{
	lost_processors --model core2 --cpus 4 --stage cpu_lost -- cpus=all 'tests=*.cpu.together'
	grep -A 1 '^not ok [0-9]* cpu3\.-\.cpu\.together$' "$work/report.tap" |
		grep -q '^#   error: it did not come back in time$'
	without='\.-\.cpu\.together # SKIP another processor does not come along$'
	[ "$(grep -c "^ok [0-9]* cpu[12]$without" "$work/report.tap")" -eq 2 ]
	model_processors --model core2 --cpus 4 --stage cpu_disabled -- cpus=all 'tests=*.cpu.together'
	[ "$(grep -c '^ok [0-9]* cpu[12]\.-\.cpu\.together$' "$work/report.tap")" -eq 2 ]
	has_none 'cpu3\.-\.cpu\.together' "$work/report.tap"
	model_processors --model core2 --cpus 2 -- cpus=all 'tests=*.cpu.together'
	has_none 'together$' "$work/report.tap"
}

# Each of 64 equal processors is named once, in little room; nothing of it without cpus=.
case_many_processors()
{
	model_processors --model core2 --cpus 64 -- 'tests=*.access.*'
	has_none 'cpu[0-9]\|processor' "$work/report.tap"
	alone=$(wc -c <"$work/report.tap")
	model_processors --model core2 --cpus 64 -- cpus=all 'tests=*.access.*'
	[ "$(grep -c '^ok [0-9]* cpu[0-9]*\.-\.cpu\.same_battery$' "$work/report.tap")" -eq 63 ]
	more=$(($(wc -c <"$work/report.tap") - alone))
	echo "63 more processors: $more bytes"
	[ "$more" -lt 8192 ]
}

# Options that ask for processors that are not there, or that do not go together, are refused.
case_processors_refused()
{
	for words in 'cpus=1,4' 'cpus=all takeover=exit end=poweroff' 'cpus=kinds other-thread=yes'; do
		# shellcheck disable=SC2086 # words are what it consists of
		expect_status "$BROKEN" ./run-qemu.sh --plain --smp 4 --keep "$work" -- $words
		grep -q "^pmutest86: error in options: option \"${words%% *}" "$work/clean.log"
	done
}
