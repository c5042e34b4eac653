# SPDX-License-Identifier: BSD-2-Clause
# The checks of all.sh that boot the program in each way that UEFI has, mostly without a model.
# shellcheck shell=sh disable=SC2154 # work, out and the codes come from all.sh and lib.sh

case_machine()
{
	expect_status "$PASS" ./run-qemu.sh --model k7 --machine "$1" --smp 2 --keep "$work" \
		-- 'tests=*.count.*,*.overflow.*'
}

case_plain()
{
	expect_status "$SKIP" ./run-qemu.sh --plain --keep "$work"
	grep -q '^1\.\.0 # SKIP ' "$work/report.tap"
	grep '^# not here: uncore of the Xeon E5-2600: only on ' "$work/report.tap"
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
