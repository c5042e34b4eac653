# SPDX-License-Identifier: BSD-2-Clause
# The single checks of all.sh.  Each runs at the root, with set -e and an empty directory $work.
# shellcheck shell=sh disable=SC2154,SC2034 # work, out and the codes come from all.sh and lib.sh,
# which reads qemu_serial.

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

case_unit()
{
	prove -e '' -v "$1"
}

case_model()
{
	expect_status "$PASS" ./run-qemu.sh --model "$1" --keep "$work"
	grep -q "^# run-qemu: silicon model $1 " "$work/out"
}

case_clang()
{
	PMUTEST86_BUILD=build/clang
	export PMUTEST86_BUILD
	expect_status "$PASS" ./run-qemu.sh --model k7 --keep "$work"
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
	qemu_start "$work" 200 -machine q35,accel=tcg -cpu max "$@" -drive "format=raw,file=$disk"
}

# The second run must find the machine as the first did.
case_twice()
{
	truncate -s 16M "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_fill "$work/disk.img" build/gcc/silicon.efi build/gcc/pmutest86.efi
	printf 'model=k8\nmodel=k8\n' >"$work/silicon.cfg"
	fat_put "$work/disk.img" "$work/silicon.cfg" silicon.cfg
	boot_disk "$work/disk.img"
	qemu_wait
	serial_clean "$work/serial.log" >"$work/clean.log"
	[ "$qemu_status" -eq 33 ]
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
	expect_status "$FAIL" ./run-qemu.sh --fault "$fault" --keep "$work"
	if prove -e cat "$work/report.tap"; then
		echo "prove saw no failure"
		return 1
	fi
}

case_plain()
{
	expect_status "$SKIP" ./run-qemu.sh --plain --keep "$work"
	grep -q '^1\.\.0 # SKIP ' "$work/report.tap"
}

# Out of the shell, back into it, and once more, called as only a shell knows it; the shell itself
# then ends the machine.
case_shell()
{
	truncate -s 16M "$work/disk.img"
	mformat -i "$work/disk.img" -T 32768 -h 64 -s 32 ::
	fat_put "$work/disk.img" build/gcc/pmutest86.efi pmutest86.efi
	cat >"$work/startup.nsh" <<-'NSH'
	fs0:
	pmutest86.efi
	echo first-%lasterror%
	pmutest86 report=none
	echo second-%lasterror%
	pmutest86.efi nonsense=1
	echo third-%lasterror%
	reset -s
	NSH
	fat_put "$work/disk.img" "$work/startup.nsh" startup.nsh
	boot_disk "$work/disk.img"
	qemu_wait
	serial_clean "$work/serial.log" | tee "$work/clean.log"
	[ "$qemu_status" -eq 0 ]
	grep -q '^first-0x0' "$work/clean.log"
	grep -q '^second-0x0' "$work/clean.log"
	grep -q '^third-0x0*2$' "$work/clean.log"
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

# A guest that never ends, and one that never gets so far.
case_wedged()
{
	expect_status "$BROKEN" ./run-qemu.sh --plain --timeout 25 -- end=halt
	grep -q 'no end within 25 s' "$work/err"
	expect_status "$BROKEN" ./run-qemu.sh --model k7 --timeout 1
	grep -q 'no end within 1 s' "$work/err"
}

# report_file VOLUME: the one report file on it is put into $work/file.tap.
report_file()
{
	file=$(mdir -b -i "$1" ::/ | tr -d '\r' | grep -i 'pmutest86-.*\.tap')
	[ "$(echo "$file" | wc -l)" -eq 1 ]
	mtype -i "$1" "$file" | tr -d '\r' | tee "$work/file.tap"
}

# same_report VOLUME: the report file is the report of the serial line.
same_report()
{
	report_file "$1"
	diff "$work/file.tap" "$work/report.tap"
}

case_usb()
{
	check/make-image.sh
	sgdisk --verify build/pmutest86.img
	expect_status "$PASS" ./run-qemu.sh --usb --model k7 --keep "$work" -- 'tests=*.access.*'
	same_report "$work/disk.img@@1M"
}

case_usb_plain()
{
	check/make-image.sh build/gcc/pmutest86.efi "$work/stick.img"
	# As it is on the stick: no option set, so the program returns to the firmware.
	qemu_start "$work" 100 -machine q35,accel=tcg -cpu max -device qemu-xhci \
		-drive "if=none,id=stick,format=raw,file=$work/stick.img" \
		-device usb-storage,drive=stick
	qemu_wait_for '^# verdict: skip' 1
	sleep 5 # the file is written after the last line
	qemu_stop
	serial_clean "$work/serial.log" | report_extract >"$work/report.tap"
	same_report "$work/stick.img@@1M"
}

case_iso()
{
	check/make-iso.sh
	qemu_start "$work" 100 -machine q35,accel=tcg -cpu max -cdrom build/pmutest86.iso
	qemu_wait_for '^# verdict: skip' 1
	qemu_stop
	serial_clean "$work/serial.log" | report_extract | tee "$work/report.tap"
	expect_status "$SKIP" report_judge "$work/report.tap"
	# The same file on a disk or stick.
	cp build/pmutest86.iso "$work/disk.img"
	boot_disk "$work/disk.img"
	qemu_wait_for '^# verdict: skip' 1
	qemu_stop
}

# A stick with a byte gone bad: a word about it, and nothing of the program is started.
case_damaged()
{
	cp build/gcc/pmutest86.efi "$work/damaged.efi"
	printf damage | dd of="$work/damaged.efi" bs=1 seek=40000 conv=notrunc 2>"$work/dd.log"
	if cmp build/gcc/pmutest86.efi "$work/damaged.efi"; then return 1; fi
	truncate -s 16M "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_fill "$work/disk.img" "$work/damaged.efi" "$work/damaged.efi"
	boot_disk "$work/disk.img"
	qemu_wait_for "^pmutest86: error: this file is damaged, copy it anew" 1
	qemu_stop
	serial_clean "$work/serial.log" | tee "$work/clean.log"
	! grep -e KTAP -e "^pmutest86 " "$work/clean.log"
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
	refuses isa ./run-qemu.sh --machine isa
	refuses many ./run-qemu.sh --smp many
	refuses soon ./run-qemu.sh --timeout soon
	refuses --timeout ./run-qemu.sh --timeout
	refuses --plain ./run-qemu.sh --model k7 --plain
}

case_bad_program_options()
{
	refuses frobnicate ./run-qemu.sh --plain --timeout 20 -- frobnicate=1
	refuses sideways ./run-qemu.sh --plain --timeout 20 -- takeover=sideways
	refuses gremlin ./run-qemu.sh --model k7 --keep "$work" -- repeat=gremlin
	grep -q '^silicon: run 1 status 0x8000000000000002' "$work/clean.log"
}

# The model's own file, with what run-qemu.sh would not let through.
case_bad_model_options()
{
	truncate -s 16M "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_fill "$work/disk.img" build/gcc/silicon.efi build/gcc/pmutest86.efi
	for line in model=zx81 'model=k7 fault=gremlin' 'modle=k7'; do
		echo "$line" >"$work/silicon.cfg"
		fat_put "$work/disk.img" "$work/silicon.cfg" silicon.cfg
		boot_disk "$work/disk.img"
		qemu_wait
		serial_clean "$work/serial.log" | tee "$work/clean.log"
		[ "$qemu_status" -eq 35 ] # 0x11
		grep -q "^silicon: error: .*$(echo "${line##* }" | sed 's/.*=\(zx81\|gremlin\)/\1/')" \
			"$work/clean.log"
		! grep -q KTAP "$work/clean.log"
	done
}

# The runner's own tests go wrong on purpose: each must end as not ok for its reason, and the run
# must go on to its verdict.
case_selftest()
{
	expect_status "$FAIL" ./run-qemu.sh --model k7 --keep "$work" -- \
		'tests=*.selftest.*,*.access.registers_present'
	for test in unexpected_trap user_fault user_endless_loop pmi_storm lost_interrupt \
		failing_check; do
		grep -q "^not ok [0-9]* [^ ]*selftest\.$test\$" "$work/report.tap" || {
			echo "no failure of $test"
			return 1
		}
	done
	# Each for its own reason.
	for reason in 'unexpected trap #UD in ring 0' 'unexpected trap #GP in ring 3' \
		'time is up in ring 0' 'time is up in ring 3' 'PMI storm' 'got 4 .*expected 5 '; do
		grep -q "^#   .*$reason" "$work/report.tap" || {
			echo "nothing says $reason"
			return 1
		}
	done
	grep -q '^ok [0-9]* .*access\.registers_present' "$work/report.tap"
	! grep -q 'plan not met' "$work/report.tap"
	grep -q '^# verdict: fail' "$work/report.tap"
}

# What did not run is skipped by name, so that plan and verdict still hold.
case_on_fail_stop()
{
	expect_status "$FAIL" ./run-qemu.sh --model k7 --fault edge_falling --keep "$work" -- \
		'tests=*.count.instructions,*.edge.bursts on-fail=stop'
	results_of "$work/report.tap" >"$work/results"
	diff - "$work/results" <<-'TAP'
	1..8
	ok 1 amd.0.count.instructions
	ok 2 amd.1.count.instructions
	ok 3 amd.2.count.instructions
	ok 4 amd.3.count.instructions
	not ok 5 amd.0.edge.bursts
	ok 6 amd.1.edge.bursts # SKIP not run: on-fail=stop
	ok 7 amd.2.edge.bursts # SKIP not run: on-fail=stop
	ok 8 amd.3.edge.bursts # SKIP not run: on-fail=stop
	TAP
	grep -q '^# options: .* on-fail=stop' "$work/report.tap"
	if prove -e cat "$work/report.tap"; then
		echo "prove saw no failure"
		return 1
	fi
}

# wait_for_line FILE PATTERN: until the file has such a line, or QEMU has ended.
wait_for_line()
{
	until grep -q "$2" "$1"; do
		kill -0 "$qemu_pid" || return 1
		sleep 0.3
	done
}

# Two burn-ins in one boot, ended over the serial line and by the keyboard.  The second one fails in
# every round.
case_forever()
{
	truncate -s 16M "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_fill "$work/disk.img" build/gcc/silicon.efi build/gcc/pmutest86.efi
	cat >"$work/silicon.cfg" <<-'CFG'
	model=k7 -- tests=*.count.instructions repeat=forever serial=2f8
	model=k7 fault=edge_falling -- tests=*.count.instructions,*.edge.bursts repeat=forever
	CFG
	fat_put "$work/disk.img" "$work/silicon.cfg" silicon.cfg
	mkfifo "$work/com2.in" "$work/com2.out" "$work/keys.in" "$work/keys.out"
	cat "$work/com2.out" >"$work/com2.log" &
	cat "$work/keys.out" >"$work/keys.log" &
	boot_disk "$work/disk.img" -serial "pipe:$work/com2" -monitor "pipe:$work/keys"

	wait_for_line "$work/com2.log" '^# round [3-9]: passed 4, failed 0'
	printf q >"$work/com2.in"
	wait_for_line "$work/serial.log" '^# round 3: passed 4, failed 4; .* failed 12,'
	echo 'sendkey q' >"$work/keys.in"
	qemu_wait
	[ "$qemu_status" -eq 33 ]

	# Healthy rounds but the first one are a line each; those that fail are reports.
	serial_clean "$work/com2.log" >"$work/healthy.log"
	expect_status "$PASS" report_judge "$work/healthy.log"
	[ "$(grep -c '^KTAP' "$work/healthy.log")" -eq 1 ]
	grep -q '^# rounds: .*, failed:          0, .* of all: pass' "$work/healthy.log"
	serial_clean "$work/serial.log" | tee "$work/clean.log" | report_extract >"$work/failing.tap"
	expect_status "$FAIL" report_judge "$work/failing.tap"
	[ "$(grep -c '^KTAP' "$work/failing.tap")" -ge 3 ]
	grep -q '^silicon: run 1 status 0x0*$' "$work/clean.log"
	grep -q '^silicon: run 2 status 0x80*15$' "$work/clean.log"

	# The files: the last healthy round, the first one that failed.
	mtype -i "$work/disk.img" ::/pmutest86-1.tap | tr -d '\r' >"$work/1.tap"
	mtype -i "$work/disk.img" ::/pmutest86-2.tap | tr -d '\r' >"$work/2.tap"
	expect_status "$PASS" report_judge "$work/1.tap"
	expect_status "$FAIL" report_judge "$work/2.tap"
	prove -e cat "$work/1.tap"
	grep -q '^# round [3-9]' "$work/1.tap"
	grep -q '^# round 1$' "$work/2.tap"
	grep -q '^# rounds: .*, first of these:          1; verdict of all: fail' "$work/2.tap"
	[ "$(head -n 1 "$work/1.tap")" = "$(grep '^# rounds: ' "$work/healthy.log")" ]
	[ "$(head -n 1 "$work/2.tap")" = "$(grep '^# rounds: ' "$work/clean.log")" ]
}

# last_report: of a clean log on standard input, the report begun last.
last_report()
{
	report_extract | awk '/^KTAP version/ { text = "" } { text = text $0 "\n" } END { printf "%s", text }'
}

# No boot will go on with the run.
journal_gone()
{
	if mdir -b -i "$work/disk.img" ::/pmutest86.run; then
		echo "pmutest86.run is still there"
		return 1
	fi
}

# One test that hangs until somebody resets the machine, one that resets it: three boots, one report.
case_resume()
{
	truncate -s 16M "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_fill "$work/disk.img" build/gcc/silicon.efi build/gcc/pmutest86.efi
	tests='*.selftest.failing_check,*.selftest.lost_interrupt,*.selftest.reset,*.count.instructions'
	echo "model=k7 -- tests=$tests timeout=600 resume=auto" >"$work/silicon.cfg"
	fat_put "$work/disk.img" "$work/silicon.cfg" silicon.cfg
	mkfifo "$work/keys.in" "$work/keys.out"
	cat "$work/keys.out" >"$work/keys.log" &
	boot_disk "$work/disk.img" -monitor "pipe:$work/keys" -action reboot=reset
	wait_for_line "$work/serial.log" '^not ok 1 -.-.selftest.failing_check'
	sleep 2 # until the next test has begun
	echo system_reset >"$work/keys.in"
	qemu_wait
	[ "$qemu_status" -eq 33 ]

	serial_clean "$work/serial.log" | tee "$work/clean.log" | last_report >"$work/report.tap"
	expect_status "$FAIL" report_judge "$work/report.tap"
	results_of "$work/report.tap" >"$work/results"
	diff - "$work/results" <<-'TAP'
	1..7
	not ok 1 -.-.selftest.failing_check
	not ok 2 -.-.selftest.lost_interrupt
	not ok 3 -.-.selftest.reset
	ok 4 amd.0.count.instructions
	ok 5 amd.1.count.instructions
	ok 6 amd.2.count.instructions
	ok 7 amd.3.count.instructions
	TAP
	[ "$(grep -c '^#   failed: the machine was reset during this test' "$work/report.tap")" -eq 2 ]
	grep -q '^# resumed: the machine was reset after test 2 had begun' "$work/report.tap"
	[ "$(grep -c '^silicon: run 1 model=' "$work/clean.log")" -eq 3 ]
	same_report "$work/disk.img"
	journal_gone
}

# boot_plain OPTION...: the program itself on $work/disk.img, up to its end.
boot_plain()
{
	echo "end=poweroff resume=auto $*" >"$work/pmutest86.cfg"
	fat_put "$work/disk.img" "$work/pmutest86.cfg" pmutest86.cfg
	boot_disk "$work/disk.img"
}

# What another run left behind is not taken for this one's, and a reset before the first test ends
# the run.
case_resume_refused()
{
	truncate -s 16M "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_fill "$work/disk.img" build/gcc/pmutest86.efi build/gcc/pmutest86.efi
	hangs='tests=*.selftest.lost_interrupt timeout=600'
	boot_plain "$hangs"
	qemu_wait_for '^1\.\.1' 1
	sleep 2 # until the test has begun
	qemu_stop
	wait "$qemu_pid" || :
	mcopy -i "$work/disk.img" ::/pmutest86.run "$work/left.run"

	boot_plain 'tests=*.selftest.failing_check'
	qemu_wait
	[ "$qemu_status" -eq 3 ]
	serial_clean "$work/serial.log" | last_report | tee "$work/other.tap"
	grep -q '^# resume: .pmutest86.run was of another run: begun anew' "$work/other.tap"
	[ "$(results_of "$work/other.tap" | wc -l)" -eq 2 ]
	journal_gone

	# The number of the test begun: behind the magic and the run's identity.
	printf '\0\0\0\0' | dd of="$work/left.run" bs=1 seek=24 conv=notrunc
	fat_put "$work/disk.img" "$work/left.run" pmutest86.run
	boot_plain "$hangs"
	qemu_wait
	[ "$qemu_status" -eq 7 ]
	serial_clean "$work/serial.log" | last_report | tee "$work/early.tap"
	grep -q '^Bail out! the machine was reset before the first test' "$work/early.tap"
	journal_gone
}

# boot_unattended OPTION...: the program alone on $work/disk.img, up to its end; sets qemu_status.
# What the machine has besides is in $machine.
boot_unattended()
{
	truncate -s 16M "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_fill "$work/disk.img" build/gcc/pmutest86.efi build/gcc/pmutest86.efi
	echo "end=poweroff $*" >"$work/pmutest86.cfg"
	fat_put "$work/disk.img" "$work/pmutest86.cfg" pmutest86.cfg
	# shellcheck disable=SC2086 # words
	boot_disk "$work/disk.img" $machine
	qemu_wait
}

# write_spcr PORT: an SPCR without its header, as in kernel/spcr.c; PORT is two octal bytes, the low
# one first, as printf wants them.
write_spcr()
{
	printf '\0\0\0\0' # a full 16550
	printf '\1\10\0\1%b\0\0\0\0\0\0' "$1"
	printf '\0\0\0\0\0\0\7' # 115200 baud, and no interrupt
	printf '\1\1\0\3\0\377\377\377\377\0\0\0\0\0\0\0\0\0\0\0\0'
}

# The port is the one that the firmware names, COM1 or no COM1; or COM1, when nothing answers there.
case_serial_spcr()
{
	write_spcr '\370\2' >"$work/com2.spcr"
	write_spcr '\350\3' >"$work/com3.spcr"
	com2="-chardev file,id=com2,path=$work/com2.log -device isa-serial,iobase=0x2f8,irq=3,chardev=com2"

	qemu_serial=none
	machine="-acpitable sig=SPCR,rev=2,data=$work/com2.spcr $com2"
	boot_unattended
	[ "$qemu_status" -eq 5 ]
	serial_clean "$work/com2.log" | report_extract | tee "$work/report.tap"
	expect_status "$SKIP" report_judge "$work/report.tap"
	grep -q '^# serial: port 2f8h' "$work/report.tap"
	same_report "$work/disk.img"

	qemu_serial=
	machine="-acpitable sig=SPCR,rev=2,data=$work/com3.spcr $com2"
	boot_unattended
	[ "$qemu_status" -eq 5 ]
	serial_clean "$work/serial.log" | report_extract | tee "$work/report.tap"
	expect_status "$SKIP" report_judge "$work/report.tap"
	grep -q '^# serial: port 3f8h' "$work/report.tap"
	same_report "$work/disk.img"
	if grep -q KTAP "$work/com2.log"; then
		echo "a report on COM2, which nobody named"
		return 1
	fi
}

# Without a serial line the end is seen from outside, and the report is in the file.
case_serial_none()
{
	qemu_serial=none machine=-nodefaults
	boot_unattended
	[ "$qemu_status" -eq 5 ]
	report_file "$work/disk.img"
	expect_status "$SKIP" report_judge "$work/file.tap"
	grep -q '^# serial: none' "$work/file.tap"

	qemu_serial='' machine=''
	boot_unattended serial=none
	[ "$qemu_status" -eq 5 ]
	report_file "$work/disk.img"
	expect_status "$SKIP" report_judge "$work/file.tap"
	if grep -q KTAP "$work/serial.log"; then
		echo "a report on a serial line that is not to be used"
		return 1
	fi
}

# Another directory, the same bytes.
case_reproducible()
{
	for copy in one another_place; do
		mkdir -p "$work/$copy"
		tar -cf - --exclude=./build --exclude=./.git . | tar -xf - -C "$work/$copy"
		make -C "$work/$copy" all image iso
	done
	for file in gcc/pmutest86.efi gcc/silicon.efi pmutest86.img pmutest86.iso; do
		cmp "$work/one/build/$file" "$work/another_place/build/$file"
	done
	rm -rf "$work/one" "$work/another_place"
}

case_image_size()
{
	size=$(wc -c <build/gcc/pmutest86.efi)
	echo "$size bytes"
	[ "$size" -lt 131072 ]
}

# What CPUID may say beyond reason ends in a report, whatever its verdict.
case_absurd_cpuid()
{
	build/host/list_models | sed -n 's/^fault \([^ ]*\) models=\([^, ]*\)[^ ]* test=- .*/\1 \2/p' >"$work/faults"
	[ -s "$work/faults" ] || return 1
	while read -r fault model; do
		status=0
		./run-qemu.sh --model "$model" --fault "$fault" -- 'tests=*.access.*,*.count.*' \
			>"$work/$fault.out" 2>&1 </dev/null || status=$?
		echo "$fault: $status"
		case $status in
		0 | 1 | 77) ;;
		*) return 1 ;;
		esac
	done <"$work/faults"
}

# A failure that may be an SMI's is not believed until it comes again, and then said to be one.
case_smi()
{
	expect_status "$PASS" ./run-qemu.sh --model nehalem --fault smi_steals_once --keep "$work" -- \
		'tests=*.count.instructions'
	[ "$(grep -c '^#   run again 1 times: SMIs came while it failed$' "$work/report.tap")" -eq 1 ]
	grep -q '^# SMI count: 0' "$work/report.tap"
	grep -q '^# SMIs during the run: 1' "$work/report.tap"
	expect_status "$FAIL" ./run-qemu.sh --model nehalem --fault smi_always_steals --keep "$work" -- \
		'tests=*.0.count.instructions'
	grep -q '^#   run again 3 times: SMIs came while it failed, and did so each time' "$work/report.tap"
	expect_status "$PASS" ./run-qemu.sh --model core2 --keep "$work" -- 'tests=*.count.instructions'
	grep -q '^# SMI count: not readable' "$work/report.tap"
}

# The table of PMUs in the README is what the program lists.
case_readme()
{
	check/readme-pmus.sh --check
}
