#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots the program, without a model, on the machines that QEMU can make: every x86-64 processor on
# every machine, then numbers of processors, memory sizes, and what may be missing.  QEMU has no
# PMU, so each must end with the verdict "skip", without a trap in the runner, and within a minute.
#
#     machines.sh [--every N]    only every Nth processor
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

out=$here/../build/check/machines
program=$here/../build/gcc/pmutest86.efi
seconds=60
skip_status=5 # of the debug-exit device, for the verdict "skip"

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

# trouble_with NAME: prints why the machine's end is not as it should be; nothing when it is.
trouble_with()
{
	serial_clean "$out/$1/serial.log" | report_extract >"$out/$1/report.tap"
	case $qemu_status in
	"$skip_status") ;;
	124 | 137) echo "no end within $seconds s"; return ;;
	*) echo "QEMU ended with $qemu_status instead of $skip_status"; return ;;
	esac
	[ "$serial" != none ] || return 0
	judged=0
	report_judge "$out/$1/report.tap" || judged=$?
	[ "$judged" -eq "$SKIP" ] || echo "the report is judged $judged"
	grep -E '^not ok |^Bail out' "$out/$1/report.tap" || :
}

# boot NAME SERIAL DISK ARGUMENT...: one result line; SERIAL is QEMU's, or "none".
boot()
{
	name=$1 serial=$2 disk=$3
	shift 3
	mkdir -p "$out/$name"
	cp --sparse=always "$disk" "$out/$name/disk.img"
	qemu_serial=${serial#file}
	qemu_start "$out/$name" "$seconds" -accel tcg -drive "format=raw,file=$out/$name/disk.img" "$@"
	qemu_wait
	trouble=$(trouble_with "$name")
	rm -f "$out/$name/disk.img" "$out/$name/vars.fd"
	if [ -z "$trouble" ]; then
		echo "ok $name"
	else
		echo "not ok $name - $trouble" | tr '\n' ' '
		echo
	fi
}

# All of them, one after the other; each is a background job's.
boot_processors()
{
	for cpu in $(processors); do
		boot "$1.$cpu" file "$out/disk.img" -machine "$1" -cpu "$cpu"
	done
}

boot_others()
{
	for smp in 2 4; do
		boot "smp.$smp" file "$out/disk.img" -machine q35 -cpu max -smp "$smp"
	done
	for memory in 128M 1G 4G 8G; do
		boot "memory.$memory" file "$out/disk.img" -machine q35 -cpu max -m "$memory"
	done
	boot graphics.none file "$out/disk.img" -machine q35 -cpu max -vga none
	boot serial.none none "$out/disk.img" -machine q35 -cpu max
	boot serial.com2 none "$out/com2.img" -machine q35 -cpu max \
		-chardev "file,id=com2,path=$out/serial.com2/com2.log" \
		-device isa-serial,iobase=0x2f8,irq=3,chardev=com2
	grep -q '^# verdict: skip' "$out/serial.com2/com2.log" ||
		echo "not ok serial.com2 - no verdict on COM2"
}

parse "$@"
rm -rf "$out"
mkdir -p "$out/serial.com2"
make_disk "$out/disk.img"
make_disk "$out/com2.img" serial=2f8
(
	trap qemu_stop EXIT
	boot_processors q35 >"$out/q35.results"
) &
first=$!
trap 'qemu_stop; kill $first 2>/dev/null' EXIT
{
	boot_processors pc
	boot_others
} >"$out/pc.results"
wait "$first"
trap - EXIT
cat "$out/q35.results" "$out/pc.results"
failed=$(cat "$out"/*.results | grep -c '^not ok') || :
echo "$(cat "$out"/*.results | grep -c '') machines, $failed failed"
[ "$failed" -eq 0 ]
