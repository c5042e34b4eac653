#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Is each interrupt of a guest of the silicon model delivered once, whatever is counted meanwhile, and however often
# QEMU's processor is stopped?  Prints how many of each kind were asked for and came; ends with 1 if one is too many or
# too few.
#
#     interrupts.sh [ROUNDS [MODEL...]]    100000, on zen4 and skylake
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
build=${PMUTEST86_BUILD:-$here/../build/gcc}
program=$here/../build/gcc/interrupts.efi

# start ROUNDS MODEL: QEMU with the guest, and its monitor at the descriptor 9.
start()
{
	rm -f "$work/monitor.in" "$work/monitor.out" "$work/disk.img"
	truncate -s 16M "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_put "$work/disk.img" "$build/silicon.efi" EFI/BOOT/BOOTX64.EFI
	fat_put "$work/disk.img" "$program" interrupts.efi
	echo "model=$2 guest=interrupts.efi -- $1" >"$work/silicon.cfg"
	fat_put "$work/disk.img" "$work/silicon.cfg" silicon.cfg
	mkfifo "$work/monitor.in" "$work/monitor.out"
	exec 9<>"$work/monitor.in"
	cat "$work/monitor.out" >/dev/null &
	qemu_start "$work" $((patience + $1 / 50)) -machine q35,accel=tcg,hpet=off -cpu max,la57=off \
		-drive "format=raw,file=$work/disk.img" -monitor "pipe:$work/monitor"
}

# disturb: stops QEMU's processor again and again, which leaves the guest's code wherever that is.
disturb()
{
	while :; do
		printf 'stop\ncont\n' >&9
		sleep 0.001
	done
}

# judge FILE: three runs, in which as many came as were asked for, and clocks that stood still.
judge()
{
	awk '
		$1 != "interrupts:" { next }
		{ print }
		$2 == "halted" { halted = $4; next }
		{ runs++ }
		{ for (i = 4; i <= 8; i += 2) { split($i, n, "/"); bad = bad || !n[1] || n[1] != n[2] } }
		END { if (runs != 3) print "it hangs"; exit bad || runs != 3 || halted < 90 }' "$1"
}

# shellcheck disable=SC2317,SC2329 # called by trap
clean_up()
{
	[ -z "$disturber" ] || kill "$disturber" 2>/dev/null || :
	qemu_stop
	rm -rf "$work"
}

rounds=${1:-100000}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- zen4 skylake
work=$(mktemp -d)
disturber=''
at_end clean_up
wrong=0
for model in "$@"; do
	echo "$model, $rounds rounds:"
	start "$rounds" "$model"
	qemu_wait_for '^silicon: run 1 ' || :
	disturb &
	disturber=$!
	qemu_wait
	kill "$disturber"
	disturber=''
	serial_clean "$work/serial.log" >"$work/clean.log"
	judge "$work/clean.log" || wrong=1
done
exit $wrong
