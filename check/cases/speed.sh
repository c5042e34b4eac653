# SPDX-License-Identifier: BSD-2-Clause
# Checks of what measures the model's speed.
# shellcheck shell=sh disable=SC2154 # work comes from all.sh

# The plugin counts what a firmware executes to the last instruction, of which nasm knows the number.
case_speed_plugin()
{
	mkdir -p "$work"
	nasm -f bin -w+error -o "$work/firmware" check/executed.asm
	timeout 60 qemu-system-x86_64 -display none -nodefaults -no-reboot -bios "$work/firmware" \
		-plugin "build/host/executed.so,out=$work/blocks"
	known=$(od -An -tu4 -N4 "$work/firmware" | tr -d ' ')
	awk -v known="$known" '
		{ n += $2 * $3 }
		END { printf "%d of %d instructions\n", n, known; exit n != known }' "$work/blocks"
}

# Of functions that begin 100h apart the second has executed 50 instructions, which are found 1000000h above it, and what
# lies outside of them all is elsewhere.
case_speed_functions()
{
	mkdir -p "$work"
	printf '%s\n' '4096 t first' '4352 T second' '4360 d data' '4608 t third' >"$work/names"
	printf '%s\n' '16781312 4 1' '16781568 7 2' '16781600 12 3' '16781824 5 1' '256 9 9' >"$work/blocks"
	awk -f check/functions.awk "$work/names" "$work/blocks" | sort >"$work/sums"
	printf '%s\n' '4 first' '5 third' '50 second' '81 elsewhere' | sort | diff - "$work/sums"
}
