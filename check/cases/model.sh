# SPDX-License-Identifier: BSD-2-Clause
# The checks of all.sh of the model, and of the program on it.
# shellcheck shell=sh disable=SC2154 # work, out and the codes come from all.sh and lib.sh

# case_model MODEL [--bios|--uefi]: the model tells of each access to an uncore that its processor has not, and of
# each register that is not left as it was.
case_model()
{
	case $1 in
	# Their cores are those of others, or nearly so: of these, counters that are like the first one are left out.
	*-ep | *-sp | sapphirerapids | redwoodcove | darkmont | cougarcove | zen3 | haswell | alderlake)
		long='rare=10000 random=1 tests=!intel.1.*,!intel.2.*,!intel.3.*,!intel.5.*,!intel.6.*,!intel.7.*,!amd.1.*,!amd.2.*,!amd.3.*' ;;
	*) long='rare=10000 random=30' ;;
	esac
	# shellcheck disable=SC2086 # words
	expect_status "$PASS" ./run-qemu.sh --model "$1" ${2:+"$2"} --keep "$work" -- $long timeout=100
	grep -q "^# run-qemu: silicon model $1 " "$work/out"
	has_none '^silicon: run 1 left ' "$work/clean.log"
	case $1 in
	# Clients, of which slices or all boxes are not modelled: the program looks for them.
	sandybridge | haswell | broadwell | skylake | goldencove | icelake | gracemont | alderlake | redwoodcove | skymont | cougarcove | darkmont) ;;
	*) has_none '^silicon: uncore access' "$work/clean.log" ;;
	esac
	case $1 in
	*-ep | *-sp | sapphirerapids | nehalem | skylake | goldencove | lioncove | zen* | k8 | k10 | piledriver | jaguar) has_none '^# not here: uncore' "$work/report.tap" ;;
	*) grep '^# not here: uncore of the Xeon E5-2600: only on ' "$work/report.tap" ;;
	esac
	[ "$1" != zen4 ] || is_short "$work/report.tap"
}

# The page that SYSCALL leads to has not been executed when a guest that is stepped through comes there: without other tests
# ahead, by the third program of this seed.
case_first_fetch()
{
	expect_status "$PASS" ./run-qemu.sh --model core2 --keep "$work" -- 'tests=*.random.*' random=12 seed=86 timeout=100
	grep '12 programs: .* [1-9][0-9]* crossings' "$work/report.tap"
}

# is_short REPORT: of an EPYC of twelve channels.  With three lines for each other thread of 96 cores,
# "ok 777 cpu191.-.cpu.same_battery", "box.same_counters" and "cpu.together", it has less than 64 KB.
is_short()
{
	[ $(($(wc -c <"$1") + 191 * 3 * 34)) -lt 65536 ]
}

# case_made_up: PMUs that no processor has are tested like others: a sampler without counters, and 400 boxes.  Of each of
# three kinds of these the first is reported in full, or one that is asked for by its name.  Failures in others
# stand below their one result, and the boot behind the one that resets the machine goes on with the next.
case_made_up()
{
	truncate -s 16M "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_fill "$work/disk.img" build/made_up/pmutest86.efi build/made_up/pmutest86.efi
	echo "end=poweroff resume=auto timeout=1 tests=made_up.*,box77.*.made_up.keeps" >"$work/pmutest86.cfg"
	fat_put "$work/disk.img" "$work/pmutest86.cfg" pmutest86.cfg
	boot_disk "$work/disk.img" -action reboot=reset
	qemu_wait
	serial_clean "$work/serial.log" | last_report >"$work/report.tap"
	expect_status "$BROKEN" report_judge "$work/report.tap" # a test is refused
	has_none 'plan not met' "$work/report.tap"
	grep -q '^# pmu sampler: .* no counters' "$work/report.tap"
	grep -q '^ok [0-9]* sampler\.-\.made_up\.takes_one$' "$work/report.tap"
	[ "$(grep -c '^ok [0-9]* box[0-277]*\.[0-3]\.made_up\.keeps$' "$work/report.tap")" -eq 16 ]
	[ "$(grep -c '^ok [0-9]* box[0-9]*\.-\.box\.same_battery$' "$work/report.tap")" -eq 391 ]
	sed '/^# resumed/,$d' "$work/report.tap" >"$work/first.tap"
	[ "$(grep -c '^# fact box[0-9]*\.like=box[0-2]$' "$work/first.tap")" -eq 396 ]
	[ "$(grep -c '^# pmu box[0-2]: 13[1-3] more like it, with one result each$' "$work/first.tap")" -eq 3 ]
	[ "$(grep -vc '^# fact\|\.same_battery$' "$work/report.tap")" -lt 200 ]
	sed -n 's/ in ring 0 .*//; s/^not ok [0-9]* //p; /^#   \(failed\|error\|skipped\|known\): /p' "$work/report.tap" >"$work/wrong"
	diff - "$work/wrong" <<-'BELOW'
		box150.-.box.same_battery
		#   failed: box150.2.made_up.goes_wrong
		box151.-.box.same_battery
		#   failed: box151.2.made_up.goes_wrong: unexpected trap #UD
		box152.-.box.same_battery
		#   failed: box152.2.made_up.goes_wrong: time is up
		#   skipped: box153.2.made_up.goes_wrong: nothing happens on counter 2
		#   skipped: box154.0.made_up.goes_wrong and 3 more: nothing happens here
		#   known: box155.2.made_up.goes_wrong: erratum 1
		box156.-.box.same_battery
		#   error: box156.2.made_up.goes_wrong: no such configuration
		box200.-.box.same_battery
		#   failed: the machine was reset while it was tested
	BELOW
}

# The other thread of the core runs only if it may, and if the machine's tables list one: under the
# model a second processor of QEMU's is none.
case_other_thread()
{
	expect_status "$PASS" ./run-qemu.sh --model northwood --keep "$work" -- 'tests=*.thread.*'
	has_none SKIP "$work/report.tap"
	expect_status "$PASS" ./run-qemu.sh --model northwood --keep "$work" \
		-- other-thread=no 'tests=*.thread.*'
	grep '^ok .*thread.both_active # SKIP the other thread .* is started with other-thread=yes only' \
		"$work/report.tap"
	expect_status "$PASS" ./run-qemu.sh --model northwood --smp 2 --keep "$work" \
		-- 'tests=*.thread.*'
	grep '^ok .*thread.both_active # SKIP the MADT lists no other thread' "$work/report.tap"
}

# Every count, and every place of an interrupt, is the same whether the model executes natively or
# single-steps each instruction.  *.freeze.* is left out: frozen by the interrupt itself, the counters
# do not say when it arrives, and two equal runs differ.  So is fixed.reference_rate, whose window is as
# long as the rate of the TSC, which is measured anew in each run, makes some microseconds.  Of K7 one
# counter is enough: for all four the same instructions are executed.  rare.reads_by_rdpmc reads for some milliseconds.
case_native()
{
	some="*.access.*,*.count.*,*.edge.*,*.fixed.e*,*.fixed.interrupt,*.global.*,*.invert.*,*.lvt.*,*.overflow.*"
	some="$some,*.pebs.*,*.privilege.*,*.select.*,*.status.*,*.threshold.*"
	all="amd.0.*,amd.-.a*,amd.-.count.*,amd.-.interrupt.*,amd.-.overflow.*,amd.-.sub_event.*"
	all="$all,amd.-.rare.carries,amd.-.rare.exact,amd.-.rare.o*,amd.-.rare.reads_by_rdmsr"
	cat >"$work/silicon.cfg" <<-CFG
		model=k7 native=yes -- tests=$all timeout=100 rare=10000
		model=k7 native=no -- tests=$all timeout=100 rare=10000
		model=core2 native=yes -- tests=$some timeout=100
		model=core2 native=no -- tests=$some timeout=100
		model=northwood native=yes -- tests=*.tag.* timeout=100
		model=northwood native=no -- tests=*.tag.* timeout=100
		model=willamette native=yes -- tests=*.rare.of_vectors timeout=100 rare=10000
		model=willamette native=no -- tests=*.rare.of_vectors timeout=100 rare=10000
	CFG
	boot_runs
	# Lines of each run that must be the same; the number of instructions stepped need not.
	for run in 1 2 3 4 5 6 7 8; do
		awk -v run="$run" '
			/^silicon: run / { on = $3 == run }
			on && /^silicon: run .* digest/ { print $4, $5 }
			on && /^silicon: run .* instructions/ { print $4, $5; stepped = $7 / $5 }
			on && /^(not )?ok |^1\.\./
			END { exit !(run % 2 ? stepped < 0.1 : stepped >= 1) }' \
			"$work/clean.log" >"$work/run.$run"
		grep -q "^ok .*\.\(overflow\|tag\|rare\)\." "$work/run.$run"
	done
	diff "$work/run.1" "$work/run.2"
	diff "$work/run.3" "$work/run.4"
	diff "$work/run.5" "$work/run.6"
	diff "$work/run.7" "$work/run.8"
}

# Every count, and every place of an interrupt, is the same whether the model remembers what it has executed or not: also
# with a fault in a register, with one in the clocks of counters, with variations, and with a seed.  Left out are tests
# that wait, by the machine's time, while something counts: of two equal runs each counts another number.  These are
# *.freeze.* and fixed.reference_rate (see above), and NetBurst's of overflows, whose requests are held meanwhile.
case_memo()
{
	# Not of boxes: they wait for as long as the clock says.
	some="amd.0.count.*,intel.0.count.*,netburst.0.count.*,*.12.count.*,*.0.edge.*,*.12.event.*,*.12.filter.*,*.0.invert.*,*.0.pebs.*,*.12.privilege.*"
	some="$some,amd.0.overflow.*,intel.0.overflow.*,netburst.*.tag.i*,*.threshold.*,*.xcascade.*"
	for model in "zen4" "skylake" "prescott" "zen4 fault=threshold_bit1_stuck" \
		"skylake lawful=all" "zen2 seed=5"; do
		echo "model=$model memo=yes -- tests=$some timeout=100"
		echo "model=$model memo=no -- tests=$some timeout=100"
	done >"$work/silicon.cfg"
	boot_runs
	# Whether boxes are there is asked for as long as the clock says.
	awk '/^silicon: run / { run = $3 }
		/^silicon: run .* model=/ { waits = /model=(zen|skylake)/ }
		/^silicon: run .* digest/ || (/^silicon: run .* instructions/ && !waits) { print run, $4, $5 }
		/^(not )?ok / { print run, $1, $2, $3, $4 }' "$work/clean.log" >"$work/runs"
	for run in 1 3 5 7 9 11; do
		grep "^$run " "$work/runs" | cut -d ' ' -f 2- >"$work/with"
		grep "^$((run + 1)) " "$work/runs" | cut -d ' ' -f 2- >"$work/without"
		diff "$work/with" "$work/without"
		grep -q '\.threshold\.' "$work/with"
	done
}

case_clang()
{
	PMUTEST86_BUILD=build/clang
	export PMUTEST86_BUILD
	expect_status "$PASS" ./run-qemu.sh --model k7 --keep "$work" -- rare=20000 "$unhurried"
}

# Firmware whose variables only system management mode writes to, which is entered while the model is beneath it.
case_system_management()
{
	printf 'model=%s -- tests=*.count.*\n' k7 skylake >"$work/silicon.cfg"
	# shellcheck disable=SC2034 # for qemu_exec
	firmware=$firmware_secure variables_secure=$variables_keyless PMUTEST86_BOOTED=
	boot_runs
	for run in 1 2; do
		report_of_run $run
		report_judge "$work/report.tap"
	done
}

# The second run must find the machine as the first did.
case_twice()
{
	printf 'model=k8 -- timeout=100 rare=20000\nmodel=k8 -- timeout=100 rare=20000\n' >"$work/silicon.cfg"
	boot_runs
	[ "$(grep -c '^silicon: run [12] status 0x0*$' "$work/clean.log")" -eq 2 ]
	report_extract <"$work/clean.log" |
		awk -v work="$work" '/^KTAP/ { n++ } { print >(work "/report." n ".tap") }'
	report_judge "$work/report.1.tap"
	results_of "$work/report.1.tap" >"$work/first"
	results_of "$work/report.2.tap" >"$work/second"
	diff "$work/first" "$work/second"
}

case_prove()
{
	expect_status "$PASS" ./run-qemu.sh --model k7 --keep "$work" -- 'tests=*.access.*,*.edge.*'
	prove -e cat "$work/report.tap" "$work/out"
}

case_prove_failure()
{
	fault=$(build/host/list_models | awk '$1 == "fault" && !n++ { print $2 }')
	expect_status "$FAIL" ./run-qemu.sh --fault "$fault" --keep "$work" -- rare=0
	if prove -e cat "$work/report.tap"; then
		echo "prove saw no failure"
		return 1
	fi
}

# The runner's own tests go wrong on purpose: each must end as not ok for its reason, and the run
# must go on to its verdict.
case_selftest()
{
	expect_status "$FAIL" ./run-qemu.sh --model k7 --keep "$work" -- \
		'tests=*.selftest.*,*.access.registers_present'
	for test in unexpected_trap user_fault user_endless_loop pmi_storm lost_interrupt \
		failing_check stack_overflow vectors_held; do
		grep -q "^not ok [0-9]* [^ ]*selftest\.$test\$" "$work/report.tap" || {
			echo "no failure of $test"
			return 1
		}
	done
	# Each for its own reason.
	for reason in 'unexpected trap #UD in ring 0' 'unexpected trap #GP in ring 3' \
		'unexpected trap #DF in ring 0' 'time is up in ring 0' 'time is up in ring 3' 'PMI storm' 'got 4 .*expected 5 ' '2 + 2 > 5, of counter 3$'; do
		grep -q "^#   .*$reason" "$work/report.tap" || {
			echo "nothing says $reason"
			return 1
		}
	done
	grep -q '^ok [0-9]* .*access\.registers_present' "$work/report.tap"
	has_none 'plan not met' "$work/report.tap"
	grep -q '^# verdict: fail' "$work/report.tap"
}

# A CPUID that says things beyond reason ends in a complete report, whatever its verdict.
case_absurd_cpuid()
{
	build/host/list_models >"$work/list"
	sed -n 's/^fault \([^ ]*\) models=\([^, ]*\)[^ ]* test=- .*/model=\2 fault=\1 -- tests=*.access.*,*.count.*/p' \
		"$work/list" >"$work/silicon.cfg"
	[ -s "$work/silicon.cfg" ]
	boot_runs
	run=0
	while read -r line; do
		run=$((run + 1))
		report_of_run $run
		status=0
		report_judge "$work/report.tap" || status=$?
		echo "$line: $status"
		[ "$status" -ne "$BROKEN" ]
	done <"$work/silicon.cfg"
}
