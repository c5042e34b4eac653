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
