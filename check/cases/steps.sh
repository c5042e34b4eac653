# SPDX-License-Identifier: BSD-2-Clause
# What checks of all.sh consist of.  Each runs at the root, with set -e and an empty directory $work.
# shellcheck shell=sh disable=SC2154,SC2034 # work, out and the codes come from all.sh and lib.sh, and the others read this

# expect_status WANTED COMMAND...: what it prints stays in $work/out and $work/err, and in the log.
expect_status()
{
	want=$1
	shift
	got=0
	"$@" >"$work/out" 2>"$work/err" || got=$?
	cat "$work/out" "$work/err"
	[ "$got" -eq "$want" ] || {
		echo "exit code $got instead of $want: $*"
		return 1
	}
}

# results_of FILE: the result lines alone, which are the same in every run on the same machine.
results_of()
{
	grep -E '^(not )?ok |^1\.\.' "$1"
}

# has_none PATTERN FILE: "! grep" would end no check that goes on behind it.
has_none()
{
	if grep -e "$1" "$2"; then
		echo "'$1' in $2"
		return 1
	fi
}

# skip_check REASON: what this check needs is not here, and it ends.
skip_check()
{
	echo "$1" | tee "$out/$name.skip"
	exit 0
}

# need_firmware_32
need_firmware_32()
{
	[ -e "$firmware_32" ] || skip_check "$no_firmware_32"
}

# An option of the program: no test is ended because the computer is busy.
unhurried='timeout=100 random=60'

# boot_disk DISK ARGUMENT...: starts QEMU without a model's help.
boot_disk()
{
	disk=$1
	shift
	qemu_start "$work" "$patience" -machine q35,accel=tcg -cpu max "$@" -drive "format=raw,file=$disk"
}

# boot_usual DISK: starts the usual machine.
boot_usual()
{
	# shellcheck disable=SC2046 # words are what it consists of
	qemu_start "$work" "$patience" $(usual_machine) -drive "format=raw,file=$1"
}

# boot_runs: on the models, once for each line of $work/silicon.cfg; the output is $work/clean.log.
boot_runs()
{
	truncate -s "$usual_disk" "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_fill "$work/disk.img" build/gcc/silicon.efi build/gcc/pmutest86.efi
	fat_put "$work/disk.img" "$work/silicon.cfg" silicon.cfg
	boot_usual "$work/disk.img"
	qemu_wait
	serial_clean "$work/serial.log" >"$work/clean.log"
	grep "^silicon: " "$work/clean.log"
	[ "$qemu_status" -eq 33 ]
}

# report_of_run N: of those of boot_runs, into $work/report.tap.
report_of_run()
{
	awk -v run="$1" '/^silicon: run / { on = $3 == run } on' "$work/clean.log" |
		report_extract >"$work/report.tap"
}

# shell_disk FILE: a disk on which a UEFI shell does what standard input says.
shell_disk()
{
	truncate -s 16M "$1"
	fat_make "$1" 32768
	[ ! -e "$shell_64" ] || fat_put "$1" "$shell_64" EFI/BOOT/BOOTX64.EFI
	fat_put "$1" - startup.nsh
}

# boot_shell: starts QEMU with a shell, which does what standard input says.
boot_shell()
{
	shell_disk "$work/disk.img"
	fat_put "$work/disk.img" build/gcc/pmutest86.efi pmutest86.efi
	boot_disk "$work/disk.img"
}

# report_file VOLUME: the one report file on it is put into $work/file.tap.  As same_report it also says so where
# set -e ends nothing.
report_file()
{
	file=$(mdir -b -i "$1" ::/ | tr -d '\r' | grep -i 'pmutest86-.*\.tap') || return 1
	[ "$(echo "$file" | wc -l)" -eq 1 ] || return 1
	mtype -i "$1" "$file" | tr -d '\r' | tee "$work/file.tap"
}

# same_report VOLUME: the report file is the report of the serial line.
same_report()
{
	report_file "$1" && diff "$work/file.tap" "$work/report.tap"
}

# refuses WORD COMMAND...: exit code 2, an error that names the word, and no report.
refuses()
{
	word=$1
	shift
	expect_status "$BROKEN" "$@"
	grep -q -e "$word" "$work/err"
	if grep -q KTAP "$work/out" "$work/err"; then
		echo "a report in spite of bad options: $*"
		return 1
	fi
}
