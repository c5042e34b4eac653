#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots the program, without a model, on the machines that QEMU can make: every x86-64 processor on
# every machine, then numbers of processors, memory sizes, and what may be missing.  QEMU has no
# PMU, so each must end with the verdict "skip", without a trap in the runner, and in the end.
#
#     machines.sh [--every N]    only every Nth processor
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=matrix.sh
. "$here/matrix.sh"

out=$here/../build/check/machines
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
	qemu-system-x86_64 -cpu help | awk -v not="$not_for_us" -v every="$every" '
		BEGIN { n = split(not, names, " "); for (i = 1; i <= n; i++) no[names[i]] = 1 }
		$1 == "x86" {
			base = $2
			sub(/-v[0-9]+$/, "", base)
			if (!(base in no) && !($2 in no) && count++ % every == 0)
				print $2
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

# machines: one "NAME SERIAL DISK ARGUMENT..." a line; SERIAL: com1, com2 or none; DISK: with whose
# options.  Those named smp.N have N processors, and test all.
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
	esac
}

# start SERIAL DISK ARGUMENT...
start()
{
	serial=$1 disk=$out/$2.img
	shift 2
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

parse "$@"
rm -rf "$out"
mkdir -p "$out"
make_disk "$out/plain.img"
make_disk "$out/com2.img" serial=2f8
make_disk "$out/cpus.img" cpus=all
machines >"$out/list"
boot_all
