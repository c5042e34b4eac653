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
	makes_all_or_nothing mmd check/make-image.sh build/gcc/pmutest86.efi "$work/made/new"
	mkdir -p "$work/made"
	echo old >"$work/made/old"
	makes_all_or_nothing mmd check/make-image.sh build/gcc/pmutest86.efi "$work/made/old"
}

# xorriso writes into a file that is there already.
case_hosts_make_iso()
{
	makes_all_or_nothing xorriso check/make-iso.sh build/gcc/pmutest86.efi "$work/made/new"
	echo old >"$work/made/old"
	makes_all_or_nothing xorriso check/make-iso.sh build/gcc/pmutest86.efi "$work/made/old"
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
	# Nor when the report itself cannot be.
	if TMPDIR="$PWD/$work/tmp" ./run-qemu.sh --plain >/dev/full; then return 1; else [ $? -eq "$BROKEN" ]; fi
	find "$work/tmp" -mindepth 1 | diff /dev/null -
}

# A disk that is full while the machine runs: the program's file cannot be written, and nothing else in that directory.
case_hosts_disk_fills()
{
	cat >"$work/full.conf" <<-CONF
	[inject-error]
	event = "write_aio"
	errno = "28"
	CONF
	[ -e build/pmutest86.img ] || check/make-image.sh
	for words in --plain '--plain --usb'; do
		rm -rf "$work/kept"
		stand_in qemu-system-x86_64 <<-SH
		ln -s /dev/full "$work/kept/room"
		for word; do
			shift
			set -- "\$@" "\$(echo "\$word" | sed "s|file=\(.*/disk.img\)|file=blkdebug:$work/full.conf:\1|")"
		done
		exec \$real "\$@"
		SH
		# shellcheck disable=SC2086 # words
		says_why 'kept/room.*No space left on device' env PATH="$PWD/$work/bin:$PATH" \
			./run-qemu.sh $words --timeout 60 --keep "$work/kept"
		# The machine went on behind what it wrote: whether that was an error is for its firmware to say.
		grep '^pmutest86: .*report' "$work/kept/serial.log"
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
