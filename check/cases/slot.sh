# SPDX-License-Identifier: BSD-2-Clause
# The checks of all.sh on the file in which the program leaves its report under a BIOS: slot.sh.  Two buses, and
# whatever is to keep the program from writing; make legacy has the other buses.
# shellcheck shell=sh disable=SC2154,SC2034 # work and the codes come from all.sh and lib.sh, which reads firmware.

# slot_stick [OPTION...]: a stick with these options, and without GRUB's wait for a key: $work/before.img, whose volume
# is $stick.
slot_stick()
{
	firmware=$seabios
	[ -e "$work/made.img" ] || check/image.sh build/gcc/pmutest86.efi "$work/made.img"
	cp --sparse=always "$work/made.img" "$work/before.img"
	stick=$work/before.img@@1M
	echo "end=poweroff $*" | mcopy -o -i "$stick" - ::/pmutest86.cfg
	mcopy -n -i "$stick" ::/grub/grub.cfg - | sed 's/timeout=3/timeout=0/' >"$work/grub.cfg"
	fat_put "$stick" "$work/grub.cfg" grub/grub.cfg
}

# slot_start MACHINE ARGUMENT...: QEMU has a copy of the stick, $work/after.img, as its drive "stick".
slot_start()
{
	cp --sparse=always "$work/before.img" "$work/after.img"
	qemu_start "$work" "$patience" -accel tcg -machine "$@" \
		-drive "if=none,id=stick,format=raw,file=$work/after.img${slot_protected:+,readonly=on}"
}

# slot_run MACHINE ARGUMENT...: what the program says is in $work/clean.log, and its report, which says "skip",
# in $work/report.tap.
slot_run()
{
	slot_start "$@"
	qemu_wait
	serial_clean "$work/serial.log" >"$work/clean.log"
	report_extract <"$work/clean.log" >"$work/report.tap"
	grep '^pmutest86: ' "$work/clean.log" || :
	[ "$qemu_status" -eq 5 ] # of the debug-exit device, for the verdict "skip"
	expect_status "$SKIP" report_judge "$work/report.tap"
}

# slot_has REPORT: the file has it, and the stick is as it was but for that.
slot_has()
{
	slot_judge "$work/before.img" "$work/after.img" "$1" | tee "$work/wrong"
	[ ! -s "$work/wrong" ]
}

# slot_takes MACHINE ARGUMENT...: the report gets into the file.
slot_takes()
{
	slot_run "$@"
	has_none 'no report file' "$work/clean.log"
	slot_has "$work/report.tap"
}

# slot_keeps REASON MACHINE ARGUMENT...: the program says why there is no report, and the stick is as it was.
slot_keeps()
{
	reason=$1
	shift
	slot_run "$@"
	grep "^pmutest86: no report file: $reason\$" "$work/clean.log"
	cmp "$work/before.img" "$work/after.img"
}

# case_slot MACHINE ARGUMENT...
case_slot()
{
	slot_stick
	slot_takes "$@"
}

# The file may lie elsewhere, and a longer report be in it.
case_slot_again()
{
	slot_stick
	made_at=$(slot_sector "$stick")
	cat docs/*.md >"$work/older"
	slot_contents "$work/older" | mcopy -i "$stick" - ::/copy
	mdel -i "$stick" "::/$slot_name"
	mren -i "$stick" ::/copy "::/$slot_name"
	[ "$(slot_sector "$stick")" -ne "$made_at" ]
	slot_takes pc -cpu athlon -device ide-hd,drive=stick
}

# A burn-in that ends with the power: the first round that failed is in the file since then.
case_slot_burn_in()
{
	slot_stick repeat=forever timeout=2 'tests=*.selftest.*'
	slot_start pc -cpu athlon -device ide-hd,drive=stick
	qemu_wait_for '^# round 2: '
	qemu_stop
	qemu_wait
	serial_clean "$work/serial.log" | report_extract | sed '/^# verdict: /q' >"$work/round.tap"
	expect_status "$FAIL" report_judge "$work/round.tap"
	{
		echo '# rounds:          1, failed:          1, first failed:          1; verdict of all: fail '
		cat "$work/round.tap"
	} >"$work/report.tap"
	slot_has "$work/report.tap"
}

case_slot_off()
{
	slot_stick report=none
	slot_run pc -cpu athlon -device ide-hd,drive=stick
	has_none 'report file' "$work/clean.log"
	cmp "$work/before.img" "$work/after.img"
}

# ---- never another sector ----

# slot_spoil HOW: the file on the stick.
slot_spoil()
{
	case $1 in
	missing) mdel -i "$stick" "::/$slot_name" ;;
	directory) mdel -i "$stick" "::/$slot_name" && mmd -i "$stick" "::/$slot_name" ;;
	marked) mattrib +r -i "$stick" "::/$slot_name" ;;
	foreign) slot_contents | sed '1s/the last report/our last report/' | mcopy -o -i "$stick" - "::/$slot_name" ;;
	short) slot_contents | head -c -512 | mcopy -o -i "$stick" - "::/$slot_name" ;;
	long) { slot_contents && echo; } | mcopy -o -i "$stick" - "::/$slot_name" ;;
	in_pieces)
		mdel -i "$stick" "::/$slot_name"
		slot_fill "$stick"
		slot_contents | mcopy -i "$stick" - "::/$slot_name"
		[ "$(slot_pieces "$stick")" -eq 2 ]
		;;
	esac
}

# slot_fill VOLUME: but for two holes, which have room for the file together.
slot_fill()
{
	for kib in 500 1 20; do
		head -c ${kib}K /dev/zero | mcopy -i "$1" - ::/filler.$kib
	done
	free=$(mdir -i "$1" :: | sed -n 's/ bytes free//p' | tr -d ' ')
	head -c "$free" /dev/zero | mcopy -i "$1" - ::/filler
	mdel -i "$1" ::/filler.500 ::/filler.20
}

case_slot_refused()
{
	while read -r how reason; do
		slot_stick
		slot_spoil "$how"
		slot_keeps "$reason" pc -cpu athlon -device ide-hd,drive=stick
	done <<-REFUSED
	missing no FAT volume of the disk has $slot_name
	directory $slot_name is a directory
	marked $slot_name is marked read-only
	foreign $slot_name does not begin as the one made for the report
	short $slot_name has another size than the one made for the report
	long $slot_name has another size than the one made for the report
	in_pieces the file is not in one piece: it must be made anew
	REFUSED
}

# No bus has a way to say so but USB and SCSI, and SeaBIOS tells of a failure.
case_slot_protected()
{
	slot_stick
	slot_protected=yes
	for bus in qemu-xhci,usb-storage usb-ehci,usb-storage virtio-scsi-pci,scsi-hd; do
		slot_keeps 'the BIOS cannot write the disk, which may be protected: status [0-9a-f]*h' \
			pc -cpu athlon -device "${bus%,*}" -device "${bus#*,},drive=stick"
	done
}

# A program that was not booted from the stick does not look for the file there.
case_slot_elsewhere()
{
	slot_stick
	slot_keeps 'the BIOS has no such drive as the loader names, or no extensions of INT 13h for it' \
		pc -cpu athlon -kernel build/gcc/pmutest86.elf -append end=poweroff
	check/iso.sh build/gcc/pmutest86.efi "$work/pmutest86.iso"
	slot_keeps 'the loader came from a medium with sectors of other than 512 bytes, as a CD has' \
		pc -cpu athlon -boot d -cdrom "$work/pmutest86.iso" -device ide-hd,drive=stick
	cp "$work/pmutest86.iso" "$work/before.img"
	slot_keeps "no FAT volume of the disk has $slot_name" pc -cpu athlon -device ide-hd,drive=stick
}

case_slot_elsewhere_uefi32()
{
	need_firmware_32
	slot_stick
	firmware=$firmware_32
	slot_keeps 'the loader runs on UEFI, which it has left, and not on a BIOS' \
		q35 -cpu max -device usb-ehci -device usb-storage,drive=stick
}
