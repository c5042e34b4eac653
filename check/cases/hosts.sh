# SPDX-License-Identifier: BSD-2-Clause
# The checks of all.sh about hosts in trouble: full disks, missing tools, interrupts; and about the terminal in front.
# shellcheck shell=sh disable=SC2154 # work and the codes come from all.sh and lib.sh

# stand_in TOOL: puts a program of this name, from standard input, in front of PATH; it can start the real one as $real.
stand_in()
{
	mkdir -p "$work/bin"
	{
		echo '#!/bin/sh'
		echo "real=$(command -v "$1")"
		cat
	} >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}

# killed_by SIGNAL COMMAND...: it ends as killed by the signal, which is not ignored here as in a background process.
killed_by()
{
	# shellcheck disable=SC2016 # Perl's
	expect_status 0 perl -MConfig -e '
		my ($wanted, @command) = @ARGV;
		$SIG{INT} = $SIG{TERM} = $SIG{HUP} = "DEFAULT";
		system @command;
		my $got = (split " ", $Config{sig_name})[$? & 127];
		print "ended by $got, status $?\n";
		exit($got ne $wanted)' "$@"
}

# nothing_new: the temporary directory, and the one of what is made, are as they were.
nothing_new()
{
	find "$work/tmp" -mindepth 1 | diff /dev/null -
	find "$work/made" | sort | diff "$work/before" -
	[ ! -e "$work/made/old" ] || echo old | diff - "$work/made/old"
}

# makes_all_or_nothing TOOL COMMAND... FILE: an interrupt while TOOL runs, and a disk that has room for no file of
# FILE's size, leave neither a part of FILE nor a temporary one; a FILE from before stays as it was.
makes_all_or_nothing()
{
	tool=$1
	shift
	mkdir -p "$work/tmp" "$work/made"
	find "$work/made" | sort >"$work/before"
	for signal in INT TERM HUP; do
		echo "kill -$signal \$PPID; exec \$real \"\$@\"" | stand_in "$tool"
		killed_by $signal env TMPDIR="$PWD/$work/tmp" PATH="$PWD/$work/bin:$PATH" "$@"
		nothing_new
	done
	rm "$work/bin/$tool"
	# 4 MiB.
	if (ulimit -f 8192 && TMPDIR="$PWD/$work/tmp" exec "$@"); then return 1; fi
	nothing_new
}

case_hosts_make_image()
{
	makes_all_or_nothing mmd check/image.sh build/gcc/pmutest86.efi "$work/made/new"
	mkdir -p "$work/made"
	echo old >"$work/made/old"
	makes_all_or_nothing mmd check/image.sh build/gcc/pmutest86.efi "$work/made/old"
}

# xorriso writes into a file that is there already.
case_hosts_make_iso()
{
	makes_all_or_nothing xorriso check/iso.sh build/gcc/pmutest86.efi "$work/made/new"
	echo old >"$work/made/old"
	makes_all_or_nothing xorriso check/iso.sh build/gcc/pmutest86.efi "$work/made/old"
}

case_hosts_dist()
{
	makes_all_or_nothing xz check/dist.sh "$work/made/new"
}

# says_why PATTERN COMMAND...: exit code 2, and on standard error one line alone, which has the pattern.
says_why()
{
	pattern=$1
	shift
	expect_status "$BROKEN" "$@"
	[ "$(wc -l <"$work/err")" -eq 1 ]
	grep -e "$pattern" "$work/err"
}

# Nothing is said of a PMU when no directory can be had, or nothing can be written to one.
case_hosts_no_room()
{
	: >"$work/file"
	mkdir -p "$work/full" "$work/tmp"
	for mode in '--model k7' --plain '--plain --bios'; do
		# shellcheck disable=SC2086 # words
		says_why 'file.*Not a directory' ./run-qemu.sh $mode --keep "$work/file/below"
		# shellcheck disable=SC2086
		says_why 'none/tmp.*No such file or directory' env TMPDIR="$work/none" ./run-qemu.sh $mode
		ln -s /dev/full "$work/full/room"
		# shellcheck disable=SC2086
		says_why 'full/room.*No space left on device' ./run-qemu.sh $mode --keep "$work/full"
	done
	ln -s /dev/full "$work/full/room"
	says_why 'full/room.*No space left on device' ./run-qemu.sh --model k7 --guest build/gcc/pmutest86.efi --keep "$work/full"
	[ "$(find "$work/full" | wc -l)" -eq 1 ]
	if ./run-qemu.sh --help >/dev/full; then return 1; else [ $? -eq "$BROKEN" ]; fi
	# The same when the report itself cannot be written.
	if TMPDIR="$PWD/$work/tmp" ./run-qemu.sh --plain >/dev/full; then return 1; else [ $? -eq "$BROKEN" ]; fi
	find "$work/tmp" -mindepth 1 | diff /dev/null -
}

# shell_dies: does the firmware's own shell end in a triple fault, too, when it writes to a USB stick that is full?
shell_dies()
{
	printf 'fs0:\r\ncp startup.nsh copy\r\nreset -s\r\n' | shell_disk "$work/stick.img"
	firmware=$firmware_flash
	qemu_start "$work" "$patience" -machine q35,accel=tcg -cpu max -device qemu-xhci -d cpu_reset -D "$work/reset.log" \
		-drive "if=none,id=stick,format=raw,werror=report,file=blkdebug:$work/full.conf:$work/stick.img" \
		-device usb-storage,drive=stick
	qemu_wait
	grep '^Triple fault$' "$work/reset.log"
}

# A disk that is full while the machine runs: the program's file cannot be written, and nothing else in that directory.
# The firmware would have its variables on that disk, and none of its files after that failed: it gets a flash chip.
case_hosts_disk_fills()
{
	cat >"$work/full.conf" <<-CONF
	[inject-error]
	event = "write_aio"
	errno = "28"
	CONF
	[ -e build/pmutest86.img ] || check/image.sh
	for words in --plain '--plain --usb'; do
		rm -rf "$work/kept"
		stand_in qemu-system-x86_64 <<-SH
		ln -s /dev/full "$work/kept/room"
		for word; do
			shift
			set -- "\$@" "\$(echo "\$word" | sed "s|file=\(.*/disk.img\)|file=blkdebug:$work/full.conf:\1|
				s|^-bios\$|-drive|; s|^$firmware\$|if=pflash,format=raw,snapshot=on,file=&|")"
		done
		exec \$real "\$@"
		SH
		# shellcheck disable=SC2086 # words
		says_why 'kept/room.*No space left on device' env PATH="$PWD/$work/bin:$PATH" \
			./run-qemu.sh $words --timeout 60 --keep "$work/kept"
		# The machine went on behind what it wrote: whether that was an error is for its firmware to say.
		grep '^pmutest86: .*report' "$work/kept/serial.log" || {
			[ "$words" != --plain ]
			shell_dies
			skip_check "this OVMF dies of any write that a USB stick refuses; on a disk it passed"
		}
	done
}

# Without QEMU whatever needs it says so at once, and nothing else does.
case_hosts_no_qemu()
{
	mkdir -p "$work/bin"
	for tool in awk cat dirname env grep rm sed sh tr; do
		ln -s "$(command -v $tool)" "$work/bin"
	done
	while read -r words; do
		# shellcheck disable=SC2086 # words
		says_why 'qemu-system-x86_64 is not there' env -i PATH="$work/bin" sh ./run-qemu.sh $words
		has_none . "$work/out"
	done <<-'WORDS'

	--plain
	--kvm
	--model k7
	--model k7 -- list
	--bios --plain --qemu-cpu pentium3
	--model k7 --guest build/gcc/pmutest86.efi
	--usb
	WORDS
	expect_status 0 env -i PATH="$work/bin" sh ./run-qemu.sh --list
	grep '^model k7' "$work/out"
	expect_status 0 env -i PATH="$work/bin" sh ./run-qemu.sh --help
	says_why "unknown machine 'isa'" env -i PATH="$work/bin" sh ./run-qemu.sh --machine isa
}

# on_terminal STATUS WORDS: run-qemu.sh with these words and standard error on a terminal of 80 columns, whose lines, the
# redrawn ones too, stay in $work/terminal.
on_terminal()
{
	expect_status "$1" script --quiet --return --command \
		"PMUTEST86_BOOTED='' ./run-qemu.sh --keep $work/kept $2 >$work/report" /dev/null
	tr '\r' '\n' <"$work/out" | sed 's/ *$//; /^$/d' >"$work/terminal"
}

# One line in front of the user, gone at the end, while the report is what it is without a terminal.  It is drawn once a
# second: for longer the firmware boots, and for some seconds the tests run.
case_hosts_terminal()
{
	on_terminal "$FAIL" "--fault edge_falling -- tests='*.count.*,*.edge.*,*.modes.*,*.overflow.*,*.threshold.*'"
	grep -x '0:0[0-9]  no results yet' "$work/terminal"
	grep -x '[0-9]*:[0-9][0-9]  [0-9]* of [0-9]*, [1-9][0-9]* failed[,;].* last amd\..*' "$work/terminal"
	sed 1d "$work/report" | diff - "$work/kept/report.tap"
	[ "$(awk 'length > 79' "$work/terminal" | wc -l)" -eq 0 ]
	# Nothing but the return to where the line began is sent, and the last one is blank.
	[ "$(tr -d '\r' <"$work/out" | tr -d '[:print:]' | wc -c)" -eq 0 ]
	tail -c 81 "$work/out" | tr -d ' ' | od -An -c | tr -d ' \n' | grep -Fx '\r\r'

	on_terminal "$SKIP" '--quiet --plain'
	diff /dev/null "$work/out"
	expect_status "$SKIP" ./run-qemu.sh --plain
	diff /dev/null "$work/err"
}

# The line of progress is about the report that is being written, and about its whole lines.
case_hosts_progress()
{
	printf '%s\r\n' 'boot: ok 7 times' 'KTAP version 1' 1..3 'ok 1 a.0.b.c' 'not ok 2 a.1.b.c' 'not ok 3 a.2.b.c # TODO known: 1' \
		'# verdict: fail' >"$work/log"
	awk -f check/progress.awk "$work/log" | grep -x '1 3 3 1 a.2.b.c'
	printf '%s\r\n' '> KTAP version 1' '1..4' 'ok 1 a.0.b.c # SKIP 4 are not enough' '#   not ok 2' >>"$work/log"
	awk -f check/progress.awk "$work/log" | grep -x '2 4 1 0 a.0.b.c'
	: | awk -f check/progress.awk | grep -x '0 0 0 0 '

	while read -r pace plan now left; do
		echo "$pace of $plan at $now"
		[ "$(echo "$pace" | tr '/,' ' \n' | progress_left "$plan" "$now")" = "$left" ]
	done <<-'LEFT'
	100/0,110/50 100 110 10
	100/0,110/50 100 119 1
	100/0,110/50 100 120
	100/0,103/10 100 103 27
	100/0,103/9 100 103
	100/0,102/50 100 102
	100/0,105/60,115/80 100 115 10
	100/0,105/60,115/80,117/99 100 117
	100/0,105/60,115/80,125/100 100 125
	100/80,120/90 100 120 20
	LEFT
}
