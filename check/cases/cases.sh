# SPDX-License-Identifier: BSD-2-Clause
# The single checks of all.sh.  Each runs at the root, with set -e and an empty directory $work.
# shellcheck shell=sh disable=SC2154 # work, out and the codes come from all.sh and lib.sh

# expect_status WANTED COMMAND...: what it prints stays in $work/out and $work/err, and in the log.
expect_status()
{
	want=$1
	shift
	got=0
	"$@" >"$work/out" 2>"$work/err" || got=$?
	cat "$work/out" "$work/err"
	[ "$got" -eq "$want" ] || {
		echo "exit code $got instead of $want: $*"
		return 1
	}
}

# results_of FILE: the result lines alone, which are the same in every run on the same machine.
results_of()
{
	grep -E '^(not )?ok |^1\.\.' "$1"
}

# has_none PATTERN FILE: "! grep" would end no check that goes on behind it.
has_none()
{
	if grep -e "$1" "$2"; then
		echo "'$1' in $2"
		return 1
	fi
}

# skip_check REASON: what this check needs is not here, and it ends.
skip_check()
{
	echo "$1" | tee "$out/$name.skip"
	exit 0
}

# need_firmware_32
need_firmware_32()
{
	[ -e "$firmware_32" ] || skip_check "$no_firmware_32"
}

# case_lint WHAT
case_lint()
{
	expect_status 0 check/lint.sh "$1"
	reason=$(sed -n 's/^lint.sh: skipped: //p' "$work/out")
	[ -z "$reason" ] || skip_check "$reason"
}

case_unit()
{
	prove -e '' -v "$1"
}

# The same inputs each time, some seconds of them.
case_fuzz()
{
	case $1 in
	probe) inputs=12000 ;; # hundreds of registers each
	*) inputs=30000 ;;
	esac
	FUZZ_FOUND=$work/found check/fuzz.sh "$1" -runs="$inputs" -seed=1
}

# An option of the program: no test is ended because the computer is busy.
unhurried='timeout=100 random=60'

# case_model MODEL [--bios|--uefi]: the model tells of each access to an uncore that its processor has not.
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

# The table of groups has every group of tests with the group that it leans on, and nothing else.
case_groups()
{
	find tests -name '*.c' -exec sed -n 's/^#define GROUP *"\([a-z_]*\)", *"\([a-z_]*\)".*/\1 \2/p' {} + |
		sort -u | grep -v '^selftest ' >"$work/sources"
	# shellcheck disable=SC2016 # the quotes are Markdown's
	sed -n 's/^| `\([a-z_]*\)` | *`\{0,1\}\([a-z_]*\)`\{0,1\} *|.*/\1 \2/p' docs/reading-a-report.md |
		sort >"$work/docs"
	diff "$work/sources" "$work/docs"
}

# The table of lawful variations has each of them, and nothing else.
case_lawful_docs()
{
	build/host/list_models | awk '$1 == "lawful" { print $2 }' | sort >"$work/listed"
	# shellcheck disable=SC2016 # the quotes are Markdown's
	sed -n '/^## 5. Lawful/,/^## 6/s/^| `\([a-z0-9_]*\)` |.*/\1/p' docs/hardware.md | sort >"$work/docs"
	diff "$work/listed" "$work/docs"
}

uncore_tests='tests=imc*,ha*,qpi*,r2pcie*,r3qpi*,cbo*,ubox*,pcu*'

# The firmware hides the QPI boxes: each is skipped, with the reason, and nothing else is.
case_uncore_hidden()
{
	expect_status "$PASS" ./run-qemu.sh --model sandybridge-ep --hide 8.2,9.2,8.6,9.6 \
		--keep "$work" -- "$uncore_tests" "$unhurried"
	for box in qpi0 qpi1; do
		grep -q "^# pmu $box: PCI function .* is hidden by the firmware" "$work/report.tap"
		grep -q "^ok [0-9]* $box\..* # SKIP PCI function .* is hidden" "$work/report.tap"
		grep "^ok [0-9]* $box\." "$work/report.tap" >"$work/results"
		[ "$(grep -c '' "$work/results")" -eq "$(grep -c 'hidden by the firmware' "$work/results")" ]
	done
	grep "hidden by the firmware" "$work/report.tap" | grep '^ok' >"$work/hidden"
	has_none '^ok [0-9]* [^q]' "$work/hidden"
}

# The boxes of the second socket have results of their own, and its memory is found.
case_uncore_two_sockets()
{
	expect_status "$PASS" ./run-qemu.sh --model sandybridge-ep --sockets 2 --keep "$work" \
		-- "$uncore_tests" "$unhurried"
	grep -q '^ok [0-9]* imc3-s1\.[^#]*$' "$work/report.tap"
	grep -q '^ok [0-9]* qpi0.-.traffic.remote_reads$' "$work/report.tap"
	grep -q '^ok [0-9]* qpi0.-.traffic.packets$' "$work/report.tap"
	grep -q '^ok [0-9]* cbo0.-.traffic.remote_node$' "$work/report.tap"
}

# With a port hidden, packets that it carried are out of sight.
case_uncore_one_port_hidden()
{
	expect_status "$PASS" ./run-qemu.sh --model sandybridge-ep --sockets 2 --hide 9.2 --keep "$work" \
		-- 'tests=*.traffic.remote_*,*.traffic.packets'
	[ "$(grep -c '^ok .* # SKIP a port is hidden' "$work/report.tap")" -eq 2 ]
}

# Without ECAM there is no way to the registers beyond 100h, and the report says so.
case_uncore_pc()
{
	expect_status "$PASS" ./run-qemu.sh --model sandybridge-ep --machine pc --keep "$work" \
		-- "$uncore_tests" "$unhurried"
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

case_machine()
{
	expect_status "$PASS" ./run-qemu.sh --model k7 --machine "$1" --smp 2 --keep "$work" \
		-- 'tests=*.count.*,*.overflow.*'
}

# boot_disk DISK ARGUMENT...: starts QEMU without a model's help.
boot_disk()
{
	disk=$1
	shift
	qemu_start "$work" "$patience" -machine q35,accel=tcg -cpu max "$@" -drive "format=raw,file=$disk"
}

# boot_usual DISK: starts the usual machine.
boot_usual()
{
	# shellcheck disable=SC2046 # words are what it consists of
	qemu_start "$work" "$patience" $(usual_machine) -drive "format=raw,file=$1"
}

# boot_runs: on the models, once for each line of $work/silicon.cfg; the output is $work/clean.log.
boot_runs()
{
	truncate -s "$usual_disk" "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_fill "$work/disk.img" build/gcc/silicon.efi build/gcc/pmutest86.efi
	fat_put "$work/disk.img" "$work/silicon.cfg" silicon.cfg
	boot_usual "$work/disk.img"
	qemu_wait
	serial_clean "$work/serial.log" >"$work/clean.log"
	grep "^silicon: " "$work/clean.log"
	[ "$qemu_status" -eq 33 ]
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

# report_of_run N: of those of boot_runs, into $work/report.tap.
report_of_run()
{
	awk -v run="$1" '/^silicon: run / { on = $3 == run } on' "$work/clean.log" |
		report_extract >"$work/report.tap"
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

case_plain()
{
	expect_status "$SKIP" ./run-qemu.sh --plain --keep "$work"
	grep -q '^1\.\.0 # SKIP ' "$work/report.tap"
	grep '^# not here: uncore of the Xeon E5-2600: only on ' "$work/report.tap"
}

# shell_disk FILE: a disk on which a UEFI shell does what standard input says.
shell_disk()
{
	truncate -s 16M "$1"
	fat_make "$1" 32768
	[ ! -e "$shell_64" ] || fat_put "$1" "$shell_64" EFI/BOOT/BOOTX64.EFI
	fat_put "$1" - startup.nsh
}

# boot_shell: starts QEMU with a shell, which does what standard input says.
boot_shell()
{
	shell_disk "$work/disk.img"
	fat_put "$work/disk.img" build/gcc/pmutest86.efi pmutest86.efi
	boot_disk "$work/disk.img"
}

# Out of the shell, back into it, and once more, called as only a shell knows it, which hands quotes over; the shell
# itself then ends the machine.
case_shell()
{
	boot_shell <<-'NSH'
	fs0:
	pmutest86.efi
	echo first-%lasterror%
	pmutest86 "report=none" "timeout=77"
	echo second-%lasterror%
	pmutest86.efi nonsense=1
	echo third-%lasterror%
	reset -s
	NSH
	qemu_wait
	serial_clean "$work/serial.log" | tee "$work/clean.log"
	[ "$qemu_status" -eq 0 ]
	grep -q '^first-0x0' "$work/clean.log"
	grep -q '^second-0x0' "$work/clean.log"
	grep -q '^third-0x0*2$' "$work/clean.log"
	[ "$(grep -c '^# options: .* timeout=77' "$work/clean.log")" -eq 1 ]
	report_extract <"$work/clean.log" >"$work/report.tap"
	[ "$(grep -c '^# verdict: skip' "$work/report.tap")" -eq 2 ]
	mdir -b -i "$work/disk.img" ::/ | grep -i '\.tap' >"$work/files"
	[ "$(wc -l <"$work/files")" -eq 1 ]
}

# Nothing of the firmware stays behind; power-off is then our own.
case_exit_boot_services()
{
	expect_status "$SKIP" ./run-qemu.sh --plain --keep "$work" -- takeover=exit end=poweroff
}

# A guest that never ends, and a guest that never begins.
case_wedged()
{
	expect_status "$BROKEN" ./run-qemu.sh --plain --timeout 25 -- end=halt
	grep -q 'no end within 25 s' "$work/err"
	expect_status "$BROKEN" ./run-qemu.sh --model k7 --timeout 1
	grep -q 'no end within 1 s' "$work/err"
}

# report_file VOLUME: the one report file on it is put into $work/file.tap.  As same_report it also says so where
# set -e ends nothing.
report_file()
{
	file=$(mdir -b -i "$1" ::/ | tr -d '\r' | grep -i 'pmutest86-.*\.tap') || return 1
	[ "$(echo "$file" | wc -l)" -eq 1 ] || return 1
	mtype -i "$1" "$file" | tr -d '\r' | tee "$work/file.tap"
}

# same_report VOLUME: the report file is the report of the serial line.
same_report()
{
	report_file "$1" && diff "$work/file.tap" "$work/report.tap"
}

case_usb()
{
	check/image.sh
	sgdisk --verify build/pmutest86.img
	expect_status "$PASS" ./run-qemu.sh --usb --uefi --model k7 --keep "$work" -- 'tests=*.access.*'
	same_report "$work/disk.img@@1M"
	expect_status "$SKIP" ./run-qemu.sh --usb --bios --plain --keep "$work"
	grep -q 'GNU GRUB' "$work/serial.log"
}

# The file is written after the last line of the report.
has_written()
{
	serial_clean "$work/serial.log" | report_extract >"$work/report.tap"
	same_report "$work/stick.img@@1M"
}

case_usb_plain()
{
	check/image.sh build/gcc/pmutest86.efi "$work/stick.img"
	# As it is on the stick: no option set, so the program returns to the firmware.
	qemu_start "$work" "$patience" -machine q35,accel=tcg -cpu max -device qemu-xhci \
		-drive "if=none,id=stick,format=raw,file=$work/stick.img" \
		-device usb-storage,drive=stick
	qemu_wait_until has_written
	qemu_stop
	expect_status "$SKIP" report_judge "$work/report.tap"
}

case_iso()
{
	check/iso.sh
	qemu_start "$work" "$patience" -machine q35,accel=tcg -cpu max -cdrom build/pmutest86.iso
	qemu_wait_for '^# verdict: skip'
	qemu_stop
	serial_clean "$work/serial.log" | report_extract | tee "$work/report.tap"
	expect_status "$SKIP" report_judge "$work/report.tap"
	# The same file on a disk or stick.
	cp build/pmutest86.iso "$work/disk.img"
	boot_disk "$work/disk.img"
	qemu_wait_for '^# verdict: skip'
	qemu_stop
}

# refuses WORD COMMAND...: exit code 2, an error that names the word, and no report.
refuses()
{
	word=$1
	shift
	expect_status "$BROKEN" "$@"
	grep -q -e "$word" "$work/err"
	if grep -q KTAP "$work/out" "$work/err"; then
		echo "a report in spite of bad options: $*"
		return 1
	fi
}

case_bad_script_options()
{
	refuses frobnicate ./run-qemu.sh --frobnicate
	refuses zx81 ./run-qemu.sh --model zx81
	grep -q k7 "$work/err"
	refuses gremlin ./run-qemu.sh --fault gremlin
	refuses gremlin ./run-qemu.sh --lawful gremlin
	refuses kvm_drops_host_guest ./run-qemu.sh --model k7 --lawful kvm_drops_host_guest
	refuses isa ./run-qemu.sh --machine isa
	refuses many ./run-qemu.sh --smp many
	refuses soon ./run-qemu.sh --timeout soon
	refuses --timeout ./run-qemu.sh --timeout
	refuses "no uncore" ./run-qemu.sh --model k7 --sockets 2
	refuses "'3'" ./run-qemu.sh --model sandybridge-ep --sockets 3
	refuses "'8:2'" ./run-qemu.sh --model sandybridge-ep --hide 8:2
	refuses hide=18.0 ./run-qemu.sh --model sandybridge-ep --hide 18.0
	refuses --plain ./run-qemu.sh --model k7 --plain
	refuses "'z80'" ./run-qemu.sh --bios --plain --qemu-cpu z80
	refuses --bios ./run-qemu.sh --plain --qemu-cpu athlon
	refuses --bios ./run-qemu.sh --bios --usb --model k7
}

case_bad_program_options()
{
	refuses frobnicate ./run-qemu.sh --plain -- frobnicate=1
	refuses sideways ./run-qemu.sh --plain -- takeover=sideways
	refuses gremlin ./run-qemu.sh --model k7 --keep "$work" -- repeat=gremlin
	grep -q '^silicon: run 1 status 0x8000000000000002' "$work/clean.log"
}

# A pattern with a PMU and a counter finds the test that the list names with stars; one that finds none is told so.
case_list()
{
	expect_status 0 ./run-qemu.sh -- list 'tests=amd.0.count.instructions,netburst.17.rare.*'
	sed -n 's/^\(\*\.[^ ]*\): .*/\1/p' "$work/out" >"$work/listed"
	grep -x '\*\.\*\.count\.instructions' "$work/listed"
	has_none '\.count\.cycles' "$work/listed"
	has_none 'matches the option' "$work/out"
	expect_status 0 ./run-qemu.sh -- list 'tests=amd.0.nothing'
	grep -x 'no test of this list matches the option tests=' "$work/out"
}

# The model's own file, with what run-qemu.sh would not let through.
case_bad_model_options()
{
	truncate -s "$usual_disk" "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_fill "$work/disk.img" build/gcc/silicon.efi build/gcc/pmutest86.efi
	for line in model=zx81 'model=k7 fault=gremlin' 'modle=k7' 'model=k7 sockets=2' \
		'model=k7 native=maybe' 'model=k8 lawful=gremlin'; do
		echo "$line" >"$work/silicon.cfg"
		fat_put "$work/disk.img" "$work/silicon.cfg" silicon.cfg
		boot_usual "$work/disk.img"
		qemu_wait
		serial_clean "$work/serial.log" | tee "$work/clean.log"
		[ "$qemu_status" -eq 35 ] # 0x11
		grep -q "^silicon: error: .*$(echo "${line##* }" | sed 's/.*=\(zx81\|gremlin\)/\1/')" \
			"$work/clean.log"
		has_none KTAP "$work/clean.log"
	done
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

# Boxes that only their own package reaches are tested from its first processor; those that all reach,
# once.  A fault of that package's fails its boxes, and no others.
case_packages()
{
	tests='tests=*.access.control_holds,*.traffic.nid_filter,*.traffic.remote_node'
	model_processors --model sandybridge-ep --sockets 2 --cpus 4 --cpu 2=:uncore_nid_ignored -- \
		cpus=all "$tests"
	for name in cbo0 cbo0-s1 ubox ubox-s1 pcu pcu-s1 imc0 ha; do
		[ "$(grep -c "^ok [0-9]* $name\.0\.access\.control_holds\$" "$work/report.tap")" -eq 1 ]
	done
	for name in cbo1 cbo7 cbo1-s1 cbo7-s1 imc1 imc0-s1 imc3-s1 ha-s1; do
		[ "$(grep -c "^ok [0-9]* $name\.-\.box\.same_battery\$" "$work/report.tap")" -eq 1 ]
	done
	for n in 1 2 3; do
		[ "$(grep -c "cpu$n\." "$work/report.tap")" -eq 1 ]
		grep -q "^ok [0-9]* cpu$n\.-\.cpu\.same_battery\$" "$work/report.tap"
	done
	grep -q '^# uncore of package 1: from cpu2$' "$work/report.tap"
	grep -q '^ok [0-9]* cbo0\.-\.traffic\.remote_node$' "$work/report.tap"
	grep '^not ok' "$work/report.tap" | sed 's/^not ok [0-9]* //' >"$work/failed"
	printf '%s\n' cbo0-s1.-.traffic.nid_filter cbo0-s1.-.traffic.remote_node | cmp - "$work/failed"
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

# Another directory, the same bytes.
case_reproducible()
{
	check/repro.sh "$work"
}

case_image_size()
{
	size=$(wc -c <build/gcc/pmutest86.efi)
	echo "$size bytes"
	[ "$size" -le 655360 ]
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

# The table of PMUs in the README is what the program lists.
case_readme()
{
	check/readme.sh --check
}
