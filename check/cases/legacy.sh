# SPDX-License-Identifier: BSD-2-Clause
# The checks of all.sh that boot the 32-bit program by a BIOS and Multiboot, without UEFI.
# shellcheck shell=sh disable=SC2154 # work and the codes come from all.sh and lib.sh

# legacy_boot MACHINE CPU COMPILER OPTIONS [QEMU-ARGUMENT...]: sets qemu_status; the serial log and the
# reports in it are in $work.
legacy_boot()
{
	machine=$1 cpu=$2 elf=build/$3/pmutest86.elf append=$4
	shift 4
	qemu_status=0
	timeout --foreground -k 5 "$patience" qemu-system-x86_64 -machine "$machine" -cpu "$cpu" -m 256 \
		-kernel "$elf" -append "$append" -display none -monitor none -no-reboot -nic none \
		-serial "file:$work/serial.log" -device isa-debug-exit,iobase=0xf4,iosize=4 "$@" || qemu_status=$?
	serial_clean "$work/serial.log" >"$work/clean.log"
	report_extract <"$work/clean.log" >"$work/report.tap"
	cat "$work/clean.log"
}

# legacy_ends VERDICT: QEMU has ended with this verdict's number, and the report is whole.
legacy_ends()
{
	case $1 in
	pass) number=0 code=$PASS ;;
	fail) number=1 code=$FAIL ;;
	skip) number=2 code=$SKIP ;;
	esac
	[ "$qemu_status" -eq $((2 * number + 1)) ] || {
		echo "QEMU's status is $qemu_status, not that of the verdict $1"
		return 1
	}
	expect_status "$code" report_judge "$work/report.tap"
}

# legacy_steps: every payload was stepped through; or, on QEMU 10 and 11, those up to the first string instruction,
# which has one trap too many there.  The models answer for that, and step through all of them on any QEMU.
legacy_steps()
{
	if grep '^#   payload strings, 1 iterations$' "$work/report.tap"; then
		legacy_ends fail
		[ "$(grep -c '^#   got 9 (9), expected 8 (8)$' "$work/report.tap")" -eq 2 ]
		[ "$(grep -c '^#   payload strings, 1 ' "$work/report.tap")" -eq 2 ]
	else
		legacy_ends pass
		[ "$(grep -c '^ok .*\.truth\.counts_ring[03]$' "$work/report.tap")" -eq 2 ]
	fi
}

# case_legacy MACHINE CPU [COMPILER]: QEMU has no PMU there, but payloads can be stepped through.
case_legacy()
{
	legacy_boot "$1" "$2" "${3:-gcc}" 'tests=*.truth.*'
	legacy_steps
	legacy_boot "$1" "$2" "${3:-gcc}" ''
	legacy_ends skip
}

# words_report: sets bits to those of the program that ran; its report without what depends on them.
words_report()
{
	bits=64
	! grep '^silicon: run 1 program pmutest86.elf$' "$work/clean.log" || bits=32
	sed '/^#/d; /^$/d' check/cases/words.list >"$work/patterns"
	grep -vEf "$work/patterns" "$work/report.tap" >"$work/$bits.tap"
}

# case_word MODEL BITS: the program of so many bits is run when nothing is said.
case_word()
{
	case_model "$1"
	words_report
	[ "$bits" -eq "$2" ]
}

# case_words MODEL BITS --bios|--uefi: and the other one says the same of the same processor.
case_words()
{
	case_word "$1" "$2"
	case_model "$1" "$3"
	words_report
	[ "$bits" -ne "$2" ]
	[ "$(grep -c '^ok' "$work/32.tap")" -gt 100 ]
	diff "$work/32.tap" "$work/64.tap"
}

# With no-execute bits and without.
case_legacy_selftest()
{
	for cpu in athlon core2duo; do
		legacy_boot pc $cpu gcc 'timeout=2 tests=*.selftest.*'
		legacy_ends fail
		for reason in 'unexpected trap #UD in ring 0' 'unexpected trap #GP in ring 3' \
			'unexpected trap #DF in ring 0' 'time is up in ring 0' 'time is up in ring 3'; do
			grep "^#   .*$reason" "$work/report.tap"
		done
	done
	grep '^# memory: no page is both writable and executable$' "$work/report.tap"
}

# From the command line, behind the program's path, and from a module, which it overrides.
case_legacy_options()
{
	while read -r words reason; do
		legacy_boot pc athlon gcc "$words" </dev/null
		[ "$qemu_status" -eq 9 ] # 2 * PROGRAM_REFUSED + 1
		grep "^pmutest86: error in .*$reason" "$work/clean.log"
		has_none '^KTAP' "$work/clean.log"
	done <<-'REFUSED'
	end=return there is nobody to return to
	takeover=exit there are no boot services
	cpus=1 no firmware is there that starts other processors
	gremlin allowed is tests= list
	REFUSED
	echo 'tests=*.selftest.failing_check timeout=77' >"$work/pmutest86.cfg"
	legacy_boot pc athlon gcc 'timeout=78' -initrd "$work/pmutest86.cfg"
	legacy_ends fail
	grep '^# options: tests=\*\.selftest\.failing_check .*timeout=78' "$work/report.tap"
}

# legacy_save_screen LINE: what is typed at QEMU's monitor: once the serial line has had this, the memory of the screen is
# to be saved.
legacy_save_screen()
{
	until has_line "$work/serial.log" "$1"; do
		sleep 0.3
	done
	sleep 1
	echo "pmemsave 0xb8000 4000 \"$work/screen\""
	sleep 1
	echo quit
}

# A character, and grey on black.
legacy_screen()
{
	tr -d '\007' <"$work/screen"
}

# Reset ends QEMU, by -no-reboot.  Halted it stays, with the last lines of the report on the screen.
case_legacy_endings()
{
	legacy_boot pc athlon gcc 'end=reset tests=*.selftest.failing_check'
	[ "$qemu_status" -eq 0 ]
	expect_status "$FAIL" report_judge "$work/report.tap"
	: >"$work/serial.log"
	legacy_save_screen '^# verdict: ' | timeout --foreground -k 5 60 qemu-system-x86_64 -machine pc -cpu athlon -m 256 -no-reboot \
		-nic none -kernel build/gcc/pmutest86.elf -append 'end=halt screen=scroll tests=*.selftest.failing_check' -display none \
		-serial "file:$work/serial.log" -monitor stdio
	legacy_screen | grep -a '# verdict: fail  .*pmutest86: verdict fail  '
}

# legacy_refused SENTENCE MACHINE CPU [QEMU-ARGUMENT...]: an error that both the serial line and the screen have, and
# the end as asked.
legacy_refused()
{
	sentence=$1 machine=$2 cpu=$3
	shift 3
	legacy_boot "$machine" "$cpu" gcc end=poweroff "$@"
	[ "$qemu_status" -eq 7 ] # 2 * VERDICT_ERROR + 1
	grep "^pmutest86: error in machine: $sentence" "$work/clean.log"
	has_none '^KTAP' "$work/clean.log"
}

# Processors that this program is not for, and one whose PMU nobody could reach.
case_legacy_too_old()
{
	for cpu in 486 pentium pentium3,-cmov athlon,-cmov pentium3,-tsc; do
		legacy_refused 'a Pentium Pro, an Athlon or what came after them is needed: ' pc $cpu
	done
	: >"$work/serial.log"
	legacy_save_screen '^pmutest86: error in ' | timeout --foreground -k 5 60 qemu-system-x86_64 -machine pc \
		-cpu 486 -m 256 -no-reboot -nic none -kernel build/gcc/pmutest86.elf -append end=halt -display none \
		-serial "file:$work/serial.log" -monitor stdio
	legacy_screen | grep -a 'pmutest86: error in machine: a Pentium Pro, an Athlon'
	legacy_boot pc pentium3,-msr gcc ''
	legacy_ends skip
	grep '^1\.\.0 # SKIP the processor has no model-specific registers' "$work/report.tap"
}

# legacy_khz: the measured rate of the time-stamp counter.
legacy_khz()
{
	sed -n 's/^# fact tsc.khz=//p' "$work/report.tap"
}

# Without a BIOS there is no INT 13h; without timer 2 there is the power management timer, or no way to know the time.
case_legacy_bare()
{
	legacy_boot pc core2duo gcc '' -bios qboot.rom
	legacy_ends skip
	grep '^pmutest86: no report file: there is no BIOS: the vector of INT 13h is empty$' "$work/clean.log"
	khz=$(legacy_khz)
	legacy_boot pc,pit=off core2duo gcc ''
	legacy_ends skip
	[ "$(legacy_khz)" -gt $((khz / 2)) ] && [ "$(legacy_khz)" -lt $((khz * 2)) ]
	legacy_refused 'the rate of the time-stamp counter cannot be measured: ' microvm core2duo
}

# Instructions of the compiler and of the kernel's own assembly are there on a Pentium Pro and an Athlon:
# CMOV, but neither vectors nor long NOPs, and of x87 no more than to save and empty it.  Payloads are
# chosen by CPUID; so are traffic to memory, for a processor that has all of it, and FXSAVE.  The northbridge is looked
# for, and ops are sampled, from the Athlon 64 on.
case_legacy_instructions()
{
	for compiler in gcc clang; do
		find build/$compiler/32 -name '*.o' ! -path '*/payloads/*' ! -path '*/tests/box/memory.c.o' \
			! -path '*/pmu/box/alive.c.o' ! -path '*/tests/samples/known.asm.o' -exec \
			objdump -d -j .text --no-show-raw-insn {} + >"$work/code.$compiler"
		[ "$(wc -l <"$work/code.$compiler")" -gt 20000 ]
		has_none '%[xyz]mm\|%mm[0-7]\|%st\b' "$work/code.$compiler"
		has_none '	\(nop[lw]\|endbr\|popcnt\|lzcnt\|movnti\|clflush\|[lms]fence\|prefetch\|sys\|rdtscp\)' \
			"$work/code.$compiler"
		has_none '	f\(ld\|st\|add\|mul\|div\|sub\|ild\|ist\|com\|ucom\|xch\|cmov\)' "$work/code.$compiler"
		# And not even CMOV where a processor may come that has none, which is to be told.
		find build/$compiler/32/boot build/$compiler/32/kernel/console build/$compiler/32/kernel/lib -name '*.o' -exec \
			objdump -d -j .text --no-show-raw-insn {} + >"$work/old.$compiler"
		[ "$(wc -l <"$work/old.$compiler")" -gt 5000 ]
		has_none '	\(cmov\|bswap\|cmpxchg\|xadd\)' "$work/old.$compiler"
		# libgcc's functions: ENDBR32 is one of the NOPs with ModRM that the assembler, too, knows of both, and
		# TZCNT is BSF to a processor that ignores F3h.
		objdump -d --no-show-raw-insn "build/$compiler/32/pmutest86.elf" |
			awk '/^[0-9a-f]+ <__[a-z]+di[0-9]>:/ { on = 1 } /^$/ { on = 0 } on' >"$work/library.$compiler"
		[ "$(wc -l <"$work/library.$compiler")" -gt 300 ]
		has_none '%[xyz]mm\|%mm[0-7]\|%st\b\|	\(popcnt\|lzcnt\|[ras][aho][dlr]x\|mulx\|pdep\|pext\|andn\|bls\)' \
			"$work/library.$compiler"
	done
}
