#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots the program, without a model, on the machines that QEMU can make: every x86-64 processor on
# every machine, then numbers of processors, memory sizes, and what may be missing.  QEMU has no
# PMU, so each must end with the verdict "skip", without a trap in the runner, and in the end.  On U-Boot's UEFI, too,
# where Debian's packages of it are installed.
#
#     machines.sh [--every N]    only every Nth processor
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=matrix.sh
. "$here/matrix.sh"

out=$here/../build/check/machines
u_boot=/usr/lib/u-boot/qemu-x86_64/u-boot.rom
program=$here/../build/gcc/pmutest86.efi

# These have no long mode; "host" needs an accelerator, and "base" has no features at all.
no_long_mode='486 athlon coreduo kvm32 n270 pentium pentium2 pentium3 qemu32'
not_for_us="$no_long_mode host base"

parse()
{
	every=1
	[ $# -gt 0 ] || return 0
	if [ $# -ne 2 ] || [ "$1" != --every ]; then
		die "unknown '$*'; allowed is --every N"
	fi
	case $2 in
	'' | *[!0-9]* | 0*) die "--every: '$2' is no number; allowed is a whole number from 1" ;;
	esac
	every=$2
}

# The processors of this QEMU; names that end in -v and a number are versions of others.
processors()
{
	qemu_processors | awk -v not="$not_for_us" -v every="$every" '
		BEGIN { n = split(not, names, " "); for (i = 1; i <= n; i++) no[names[i]] = 1 }
		{
			base = $1
			sub(/-v[0-9]+$/, "", base)
			if (!(base in no) && !($1 in no) && count++ % every == 0)
				print $1
		}'
}

# make_disk FILE OPTION...: with the program and these options for it.
make_disk()
{
	disk=$1
	shift
	truncate -s 16M "$disk"
	fat_make "$disk" 32768
	fat_fill "$disk" "$program" "$program"
	printf '%s\r\n' end=poweroff "$@" >"$out/pmutest86.cfg"
	fat_put "$disk" "$out/pmutest86.cfg" pmutest86.cfg
}

# make_u_boot_disk FILE: with a script for U-Boot, which starts the program twice: at first with an option that it does
# not know.
make_u_boot_disk()
{
	make_disk "$1"
	cat >"$out/boot.cmd" <<-'CMD'
	load scsi 0:1 ${kernel_addr_r} pmutest86.efi
	setenv bootargs gremlin=1
	bootefi ${kernel_addr_r}
	setenv bootargs timeout=77
	bootefi ${kernel_addr_r}
	CMD
	mkimage -T script -d "$out/boot.cmd" "$out/boot.scr" >"$out/mkimage.log"
	fat_put "$1" "$out/boot.scr" boot.scr
}

# machines: one "NAME SERIAL DISK ARGUMENT..." a line; SERIAL: com1, com2 or none; DISK: with whose
# options.  Machines named smp.N have N processors, and test all.
machines()
{
	for machine in q35 pc; do
		for cpu in $(processors); do
			echo "$machine.$cpu com1 plain -machine $machine -cpu $cpu"
		done
	done
	for smp in 1 2 4 8; do
		echo "smp.$smp com1 cpus -machine q35 -cpu max -smp $smp"
	done
	echo "smp.8.sockets com1 cpus -machine q35 -cpu max -smp 8,sockets=2,cores=2,threads=2"
	for memory in 128M 1G 4G 8G; do
		echo "memory.$memory com1 plain -machine q35 -cpu max -m $memory"
	done
	echo "graphics.none com1 plain -machine q35 -cpu max -vga none"
	echo "serial.none none plain -machine q35 -cpu max"
	echo "serial.com2 com2 com2 -machine q35 -cpu max"
	if has_u_boot; then
		echo "u-boot com1 u-boot -machine q35 -cpu max"
	else
		echo "machines.sh: not on U-Boot: its Debian packages u-boot-qemu and u-boot-tools are not installed" >&2
	fi
}

has_u_boot()
{
	[ -e "$u_boot" ] && command -v mkimage >/dev/null
}

judge()
{
	case $name in
	smp.*)
		others=${name#smp.}
		others=$((${others%%.*} - 1))
		[ "$(grep -c '^ok [0-9]* cpu[0-9]*\.-\.cpu\.same_battery # SKIP' "$out/$name/report.tap")" -eq "$others" ] ||
			echo "not each of $others other processors is named once"
		;;
	u-boot)
		[ "$(grep -c '^pmutest86: error in load options "gremlin=1": ' "$out/$name/serial.log")" -eq 1 ] ||
			echo "the word that is not understood is not named once"
		grep -q '^# options: .*timeout=77' "$out/$name/report.tap" || echo "bootargs are no options"
		mtype -i "$out/$name/disk.img" ::/pmutest86-1.tap | diff - "$out/$name/report.tap" >/dev/null ||
			echo "the report is not in its file"
		;;
	esac
}

# start SERIAL DISK ARGUMENT...
start()
{
	serial=$1 disk=$out/$2.img
	shift 2
	case $name in
	u-boot) firmware=$u_boot ;;
	*) firmware=$ovmf ;;
	esac
	case $serial in
	com1) qemu_serial='' ;;
	none) qemu_serial=none silent=yes ;;
	com2)
		qemu_serial=none
		set -- "$@" -chardev "file,id=com2,path=$out/$name/serial.log" \
			-device isa-serial,iobase=0x2f8,irq=3,chardev=com2
		;;
	esac
	cp --sparse=always "$disk" "$out/$name/disk.img"
	qemu_start "$out/$name" "$patience" -accel tcg -drive "format=raw,file=$out/$name/disk.img" "$@"
}

ovmf=$firmware
parse "$@"
rm -rf "$out"
mkdir -p "$out"
make_disk "$out/plain.img"
make_disk "$out/com2.img" serial=2f8
make_disk "$out/cpus.img" cpus=all
if has_u_boot; then make_u_boot_disk "$out/u-boot.img"; fi
machines >"$out/list"
boot_all
