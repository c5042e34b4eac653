#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots both programs from the images, and the 32-bit one by itself, by each firmware that they are for: a BIOS with
# processors of its time, 32-bit and 64-bit UEFI, from disk, USB stick and CD, and over a network.
#
#     legacy.sh [GLOB]    only the machines whose name matches
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=matrix.sh
. "$here/matrix.sh"
# shellcheck source-path=SCRIPTDIR source=slot.sh
. "$here/slot.sh"

[ $# -le 1 ] || die "usage: legacy.sh [GLOB]"
has_32=yes
[ -e "$firmware_32" ] || {
	has_32=
	echo "# uefi32.* is skipped: $no_firmware_32"
}
out=$here/../build/check/legacy
program=$here/../build/gcc/pmutest86.efi
legacy=${program%.efi}.elf
old_processors='athlon pentium2 pentium3 coreduo core2duo qemu32'

# machines: one "NAME FIRMWARE MEDIUM PLACE MACHINE PROCESSOR" a line.
machines()
{
	for machine in pc q35; do
		for processor in $old_processors; do
			echo "bios.$machine.kernel.$processor bios kernel none $machine $processor"
			echo "bios.$machine.stick.$processor bios stick disk $machine $processor"
		done
		for place in uhci ehci xhci; do
			echo "bios.$machine.stick.$place bios stick $place $machine qemu32"
		done
		for place in disk cd; do
			echo "bios.$machine.iso.$place bios iso $place $machine qemu32"
		done
		echo "bios.$machine.ipxe bios ipxe network $machine athlon"
	done
	for firmware in ${has_32:+uefi32} uefi64; do
		for place in disk uhci ehci xhci; do
			echo "$firmware.stick.$place $firmware stick $place q35 max"
		done
		for place in disk cd; do
			echo "$firmware.iso.$place $firmware iso $place q35 max"
		done
	done
}

# 64-bit UEFI, QEMU and iPXE start the program themselves, and all else GRUB.
judge()
{
	case $name in
	uefi64.* | *.kernel.* | *.ipxe) ! grep -q 'GNU GRUB' "$out/$name/serial.log" || echo "GRUB was there" ;;
	*) grep -q 'GNU GRUB' "$out/$name/serial.log" || echo "GRUB was not there" ;;
	esac
	# The UEFI shell, say, is none of the programs.
	grep -q '^# pmutest86 ' "$out/$name/report.tap" || echo "the report is not pmutest86's"
	case $name in
	uefi64.*) ;;
	bios.*.stick.*) slot_judge "$out/stick.img" "$out/$name/disk.img" "$out/$name/report.tap" ;;
	*) grep -q '^pmutest86: no report file: ' "$out/$name/serial.log" || echo "why there is no report file is not said" ;;
	esac
}

# Into $out, of which each machine gets a copy.
make_media()
{
	printf 'end=poweroff\r\n' >"$out/pmutest86.cfg"
	"$here/image.sh" "$program" "$out/stick.img"
	fat_put "$out/stick.img@@1M" "$out/pmutest86.cfg" pmutest86.cfg
	"$here/iso.sh" "$program" "$out/iso.img"
	mkdir "$out/tftp"
	cp "$legacy" "$out/pmutest86.cfg" "$out/tftp"
	cat >"$out/tftp/pmutest86.ipxe" <<-'IPXE'
	#!ipxe
	kernel pmutest86.elf
	module pmutest86.cfg pmutest86.cfg
	boot
	IPXE
}

# place_arguments PLACE FILE: QEMU's words for it; for a network FILE is the directory.
place_arguments()
{
	stick="-drive if=none,id=stick,format=raw,file=$2 -device usb-storage,drive=stick"
	case $1 in
	disk) echo "-drive format=raw,file=$2" ;;
	cd) echo "-cdrom $2" ;;
	uhci) echo "-device piix3-usb-uhci $stick" ;;
	ehci) echo "-device usb-ehci $stick" ;;
	xhci) echo "-device qemu-xhci $stick" ;;
	network) echo "-netdev user,id=net,tftp=$2,bootfile=pmutest86.ipxe -device rtl8139,netdev=net" ;;
	esac
}

# start FIRMWARE MEDIUM PLACE MACHINE PROCESSOR
start()
{
	case $1 in
	bios) firmware=$seabios ;;
	uefi32) firmware=$firmware_32 ;;
	uefi64) firmware=$firmware_64 ;;
	esac
	medium=$2 place=$3 machine="-machine $4,accel=tcg -cpu $5"
	disk=$out/$name/disk.img
	# shellcheck disable=SC2046 # words
	case $medium in
	kernel) set -- -kernel "$legacy" -append end=poweroff ;;
	ipxe) set -- $(place_arguments "$place" "$out/tftp") ;;
	*)
		cp --sparse=always "$out/$medium.img" "$disk"
		set -- $(place_arguments "$place" "$disk")
		;;
	esac
	# shellcheck disable=SC2086 # words
	qemu_start "$out/$name" "$patience" $machine "$@"
	# Its options cannot be changed, and so this program does not end.
	case $name in
	uefi64.iso.*)
		stopped=yes
		qemu_wait_for '^# verdict: '
		qemu_stop
		;;
	esac
}

firmware_64=$firmware
chosen=$(machines | while read -r line; do
	# shellcheck disable=SC2254 # it is meant as a pattern
	case ${line%% *} in
	${1:-*}) echo "$line" ;;
	esac
done)
[ -n "$chosen" ] ||
	die "no machine is named '$1'; allowed is a glob over $(machines | cut -d ' ' -f 1 | paste -sd ' ')"
rm -rf "$out"
mkdir -p "$out"
echo "$chosen" >"$out/list"
make_media
boot_all
