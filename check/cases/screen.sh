# SPDX-License-Identifier: BSD-2-Clause
# The checks of all.sh that look at the screen, by pictures that QEMU takes of it.
# shellcheck shell=sh disable=SC2154,SC2034 # work, firmware and patience come from all.sh and lib.sh, and go there

# monitor COMMAND: of QEMU.
monitor()
{
	echo "$1" >&9
}

# screen_start ARGUMENT...: QEMU whose monitor does what monitor() says.
screen_start()
{
	mkfifo "$work/monitor.in" "$work/monitor.out"
	# For both, so that nobody waits for a QEMU that has ended.
	exec 9<>"$work/monitor.in"
	cat "$work/monitor.out" >"$work/monitor.log" &
	qemu_start "$work" "$patience" -accel tcg -monitor "pipe:$work/monitor" "$@"
}

# screen_take: what the screen shows, as text in $work/screen; not 0 while it is being drawn, or no picture is there yet.
# The machine stands still meanwhile, clocks and all: on a busy host looking takes long, and what is looked at may last
# for seconds of the machine's.
screen_take()
{
	rm -f "$work/screen.raw" "$work/looked"
	sleep 0.3
	monitor stop
	case $screen in
	vga) monitor "pmemsave 0xb8000 4000 \"$work/screen.raw\"" ;;
	*) monitor "screendump \"$work/screen.raw\"" ;;
	esac
	# One command is done when the next one has been.
	monitor "pmemsave 0 1 \"$work/looked\""
	waits=1200
	until [ -s "$work/looked" ] || [ $waits -eq 0 ]; do
		sleep 0.05
		waits=$((waits - 1))
	done
	monitor cont
	case $screen in
	vga) build/host/screen_text --vga "$work/screen.raw" ;;
	*) build/host/screen_text "$work/screen.raw" ;;
	esac >"$work/screen" 2>"$work/screen.err"
}

# screen_has PATTERN...: a line of $work/screen for each.
screen_has()
{
	for pattern; do
		missing=$pattern
		grep -qe "$pattern" "$work/screen" || return 1
	done
}

# screen_shows PATTERN...: sooner or later.
screen_shows()
{
	tries=300
	until screen_take && screen_has "$@"; do
		tries=$((tries - 1))
		if [ $tries -eq 0 ] || ! kill -0 "$qemu_pid" 2>/dev/null; then
			cat "$work/screen" "$work/screen.err"
			echo "the screen does not show '${missing:-}'"
			return 1
		fi
	done
}

# screen_disk OPTION...: a disk of the program itself, with these options.
screen_disk()
{
	truncate -s 16M "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_fill "$work/disk.img" build/gcc/pmutest86.efi build/gcc/pmutest86.efi
	echo "$@" | fat_put "$work/disk.img" - pmutest86.cfg
}

# screen_uefi WIDTH HEIGHT [ARGUMENT...]: boots $work/disk.img.  At more frames a second QEMU tells of 4K in a block of
# its EDID that OVMF does not read.
screen_uefi()
{
	screen=ppm width=$1 height=$2
	shift 2
	screen_start -machine q35 -cpu max -smp 1,maxcpus=2 -drive "format=raw,file=$work/disk.img" \
		-device "VGA,edid=on,xres=$width,yres=$height,refresh_rate=30000,vgamem_mb=64" "$@"
}

# The second one waits for so many seconds of the machine's: time to look, and to type.
screen_tests='tests=*.selftest.failing_check,*.selftest.lost_interrupt,*.selftest.user_fault,*.truth.* timeout=5'

# screen_runs COLUMNS FAILED SKIPPED: while the second test runs, after it, and with each key: the run is ended by q.
screen_runs()
{
	screen_shows "^|  *-  *$" '^| \[====*\.*\] 20 %  0:[0-9]' '^| 1 of 5 results: error 0, fail 1, known 0, pass 0, skip 0' \
		'^| > -\.-\.selftest\.lost_interrupt ' '^|   waiting for an interrupt that never comes' '^| selftest  X' '^| truth     \.' '^#kkkkkkkkkkkrkk*$' \
		'^| X -\.-\.selftest\.failing_check' '^|   2 + 2 == 5: got 4 (4), expected 5 (5)' "^#b\{$1\}\$"
	monitor 'sendkey p'
	screen_shows '^| PAUSED' '^| 2 of 5 results' '^|   failed: time is up in ring 0'
	# Nothing runs meanwhile.
	cp "$work/serial.log" "$work/paused.log"
	monitor 'sendkey f'
	screen_shows '^| PAUSED' '^| n next page (1 of .* f all groups'
	has_none '^| truth' "$work/screen"
	monitor 'sendkey v'
	screen_shows '^|   selftest.c:[0-9]*: 2 + 2 == 5' '^|   claim: a failed check is reported' \
		'^| X -\.-\.selftest\.lost_interrupt' '^|   failed: time is up in ring 0'
	monitor 'sendkey n'
	screen_shows '^| n next page (2 of '
	has_none '^| selftest' "$work/screen"
	cmp "$work/serial.log" "$work/paused.log"
	monitor 'sendkey q'
	screen_shows '^| END THE RUN?'
	monitor 'sendkey x'
	screen_shows '^| PAUSED'
	monitor 'sendkey q'
	screen_shows '^| END THE RUN?'
	monitor 'sendkey q'
	# Red over the full width, in all its rows.
	screen_shows "^| FAIL in [0-9:]*: passed 0, failed $2, skipped $3, known 0, errors 0 of 5 results " "^#r\{$1\}\$" '####* *####*'
	[ "$(grep -c '^#r' "$work/screen")" -eq 7 ]
	qemu_wait_for '^# verdict: fail'
	serial_clean "$work/serial.log" | report_extract >"$work/report.tap"
	expect_status "$FAIL" report_judge "$work/report.tap"
	[ "$(grep -c '# SKIP not run: ended by the key q$' "$work/report.tap")" -eq "$3" ]
}

# Characters of VGA, by the 32-bit program, which stays in front of its result.
case_screen_text()
{
	screen=vga
	firmware=$seabios
	screen_start -machine pc -cpu athlon -kernel build/gcc/pmutest86.elf -append "$screen_tests end=halt"
	screen_runs 80 2 3
	screen_shows '^| no report file: '
	monitor 'sendkey f'
	screen_shows '^| FAIL in [0-9:]*: ' 'f failures only'
}

# The smallest framebuffer, and a USB keyboard, of which the firmware knows between tests.  The program returns to it
# when a key is typed that turns no page.
case_screen_small()
{
	screen_disk "$screen_tests" resume=auto
	screen_uefi 640 480 -machine i8042=off -device qemu-xhci -device usb-kbd
	# Its keys come when the next test has begun.
	screen_runs 80 3 2
	screen_shows '^| report in \\pmutest86-1.tap'
	has_none 'BdsDxe: failed to start' "$work/serial.log"
	monitor 'sendkey x'
	qemu_wait_for 'BdsDxe: failed to start'
}

# The largest that QEMU and OVMF have: each dot is three pixels wide and high.  The program halts in front of its result,
# whose pages can still be turned.
case_screen_large()
{
	screen_disk 'tests=*.selftest.failing_check' end=halt
	screen_uefi 3840 2160
	screen_shows '^#r\{160\}$' '^| FAIL in [0-9:]*: passed 0, failed 1' '^| selftest  X' '^#kkkkkkkkkkkrk*$' '^| report in '
	grep -q '^P6' "$work/screen.raw"
	head -c 20 "$work/screen.raw" | grep -aq '^3840 2160'
	monitor 'sendkey f'
	screen_shows '^#r\{160\}$' '^| FAIL in [0-9:]*: passed 0, failed 1' 'f all groups'
}

# The screen of counters with faults: what failed on which, what was measured, which law is broken, and how a run ends
# that bails out, or in a bug.
case_screen_counters()
{
	truncate -s 16M "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_fill "$work/disk.img" build/gcc/silicon.efi build/gcc/pmutest86.efi
	cat >"$work/silicon.cfg" <<-CFG
	model=k7 fault=edge_falling -- tests=*.edge.bursts,*.threshold.sum_law,*.invert.partition,*.overflow.exact_period $unhurried
	model=prescott fault=p4_threshold_plus_one -- tests=netburst.4.filter.compare,netburst.12.filter.complement $unhurried
	model=sandybridge-ep -- tests=imc*.partition,imc*.queue_partition,imc*.threshold.sum_law $unhurried
	model=k7 -- tests=nothing.*
	model=k7 -- tests=*.selftest.lost_interrupt,*.truth.* timeout=5
	CFG
	fat_put "$work/disk.img" "$work/silicon.cfg" silicon.cfg
	screen_uefi 1280 800
	screen_shows '^| FAIL in [0-9:]*: passed 12, failed 4' '^|           amd' '^|           0 1 2 3' '^| invert    + + + +' '^| edge      X X X X' \
		'^#kkkkkkkkkkkgkgkgkgk*$' '^#kkkkkkkkkkkrkrkrkrk*$' '^| X amd.0.edge.bursts, also on 1 2 3 *$' \
		'^|   far_transfers_seen(.*: got 0 (0), expected at least 1 (1)'
	monitor 'sendkey n'
	screen_shows '(2 of 3)' '^| X amd.0.edge.bursts'
	monitor 'sendkey n'
	screen_shows '(3 of 3)' '^| amd\.3  *[.0-8]*9[.0-9]*  [1-9][0-9]* interrupts' \
		'^| threshold.sum_law: the counts of all thresholds' '^| amd\.3  *##*==*%%* [0-9]* of [0-9]*' \
		'^| amd\.0 at 1  *##*==* [0-9]* of [0-9]*'
	has_none ', not ' "$work/screen"
	monitor 'sendkey x'
	screen_shows '^| FAIL in [0-9:]*: ' '^| netburst.4  *\.* 0, not [1-9]' '^#k\{19\}r\{36\}kr*k*$'
	monitor 'sendkey n'
	screen_shows '(2 of 3)'
	monitor 'sendkey n'
	screen_shows '^| filter.compare: with COMPARE' '^| netburst.4  *\.* 0, not [1-9]' \
		'^| filter.complement: ' '^| netburst.12  *#*=*\.* [0-9]* of [0-9]*\.\.[0-9]*'
	monitor 'sendkey x'
	screen_shows '^| PASS in [0-9:]*: ' '^#g\{160\}$' '^| imc3  *#*=* [0-9]* of [0-9]*'
	monitor 'sendkey n'
	screen_shows '^| threshold.sum_law: the plain count' '^| imc0  *##*==*\.* [0-9]* of up to [0-9]*' \
		'^| invert.partition: ' '^| imc3  *#*=* [0-9]* of [0-9]*' '^| invert.queue_partition: '
	monitor 'sendkey x'
	screen_shows '^| ERROR in [0-9:]*: passed 0' '^|Bail out! no test matches' "^#y\{160\}\$"
	monitor 'sendkey x'
	# A machine check outside of any test is a panic: its reason in the banner, and below it all that is known.
	screen_shows '^| > -\.-\.selftest\.lost_interrupt '
	monitor 'sendkey p'
	screen_shows '^| PAUSED'
	monitor 'mce 0 0 0xbd00000000000000 4 0 0'
	screen_shows '^| ERROR in [0-9:]*: passed 0, failed 1' '^| no guard to end: unexpected trap #MC in ring 0' \
		'^| report in ' "^#y\{160\}\$" '^|Bail out! no guard to end: unexpected trap #MC' \
		'^|#   rip [0-9a-f]' '^|#     display_begins+0x' '^|# verdict: error'
	monitor 'sendkey x'
	qemu_wait
	[ "$qemu_status" -eq 33 ]
}

# Results from before a reset are in the cells after it: a failure, and the test that was begun.
case_screen_resume()
{
	screen_disk "${screen_tests%,\*.truth*} timeout=600 resume=auto"
	screen_uefi 640 480 -action reboot=reset
	screen_shows '^| 1 of 3 results' '^| > -\.-\.selftest\.lost_interrupt '
	monitor system_reset
	screen_shows '^| FAIL in [0-9:]*: passed 0, failed 3, skipped 0' '^| selftest  X' \
		'^| X -\.-\.selftest\.failing_check' '^|   2 + 2 == 5: got 4 (4), expected 5 (5)' \
		'^|   failed: the machine was reset during this test' '^| X -\.-\.selftest\.user_fault'
}

# Graphics that only the firmware can draw on: it says beforehand that nothing will be seen, and the verdict at the end, on
# its own console.  Their VGA twin has a framebuffer.
case_screen_none()
{
	for card in virtio-gpu-pci virtio-vga; do
		screen_disk end=poweroff
		boot_disk "$work/disk.img" -device "$card"
		qemu_wait
		serial_clean "$work/serial.log" | tee "$work/$card.log" | report_extract >"$work/$card.tap"
		expect_status "$SKIP" report_judge "$work/$card.tap"
	done
	reason="the firmware's graphics have no linear framebuffer"
	grep -x "# screen: none: $reason" "$work/virtio-gpu-pci.tap"
	grep -x "pmutest86: nothing is shown until the end: $reason" "$work/virtio-gpu-pci.log"
	has_none '^pmutest86: drawing took' "$work/virtio-gpu-pci.log"
	has_none "$reason" "$work/virtio-vga.log"
	grep '^pmutest86: drawing took' "$work/virtio-vga.log"
}
