#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Other people's programs on the silicon model: Debian's, by the names of their packages and as they are, in Linux.
#
#     peers.sh [TOOL:MODEL[:FAULT]...]             a row for each; all without a name.  1: one is not as it must be
#     peers.sh --run WORDS TOOL MODEL [OPTION...]  runs WORDS where the programs of TOOL are; OPTIONs are run-qemu.sh's
#     peers.sh --list                              tools, models and faults
#
# KUT=DIRECTORY, a checkout of kvm-unit-tests that was built by "./configure --enable-efi && make", is a tool kut; each of
# its programs is ended after KUT_SECONDS (600).  Packages and logs stay in build/peers.  KERNEL=newest is
# Debian's kernel of testing instead of the stable one, KERNEL=FILE any other.
#
# The tool "hour", which is in no list, runs perf, PAPI and rr in turns for an hour.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$here/..
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=initrd.sh
. "$here/initrd.sh"
# shellcheck source-path=SCRIPTDIR source=kut.sh
. "$here/kut.sh"
# shellcheck disable=SC2034 # for initrd.sh
made=$(cd "$root" && pwd)/build/linux
fetched=$(cd "$root" && pwd)/build/peers

usage()
{
	sed -n 's/^#     //p' "$0"
}

# ---- what is run ----

# Each tool on the models that it is to meet.
plan='perf:skylake perf:k7 perf:zen4
	papi:skylake papi:k10 papi:zen2 papi:zen3
	rr:skylake rr:icelake rr:zen2 rr:zen4
	likwid:skylake likwid:zen3 likwid:sandybridge-ep likwid:haswell-ep likwid:nehalem'

packages='busybox dash coreutils linux-perf papi-tools libpapi-dev rr likwid pcm bash'

# build NAME WORD: the client of this name, for the programs of the packages.
build()
{
	gcc -std=gnu11 -O1 -Wall -Wextra -Werror -I "$from/usr/include" "$here/peers/$1.c" -o "$tree/bin/$1" \
		-L "$from/usr/lib/x86_64-linux-gnu" -Wl,-rpath-link,"$from/usr/lib/x86_64-linux-gnu" "$2"
}

# put_tool TOOL: what its RAM disk has.
put_tool()
{
	case $1 in
	perf)
		put /usr/bin/perf
		put /bin/dash
		put /bin/true
		# busybox has its own, which perf's test of records does not know.
		put /usr/bin/sleep
		;;
	papi)
		build papi -lpapi
		for library in "$from"/usr/lib/x86_64-linux-gnu/libpapi.so.[0-9].[0-9]; do put "${library#"$from"}"; done
		;;
	rr)
		build race -pthread
		put /usr/bin/rr
		put /usr/lib/rr
		put /usr/share/rr
		;;
	likwid)
		build likwid -llikwid
		put /usr/bin/likwid-perfctr
		put /usr/sbin/likwid-accessD
		put /usr/bin/lua5.3
		put /usr/bin/bash
		put /usr/share/lua
		put /usr/share/likwid/perfgroups
		for library in liblikwid.so liblikwid.so.5 liblikwid.so.5.2 liblikwidpin.so.5; do
			put "/usr/lib/x86_64-linux-gnu/$library"
		done
		put_modules arch/x86/kernel/msr
		;;
	pcm)
		put /usr/sbin/pcm
		put /usr/sbin/pcm-core
		put /usr/sbin/pcm-memory
		put_modules arch/x86/kernel/msr
		;;
	hour)
		for counts in perf papi rr; do put_tool $counts; done
		for program in ls sort cat; do put /usr/bin/$program; done
		;;
	*) die "no tool '$1'; see --list" ;;
	esac
}

# ---- packages ----

# unpack: into a tree as an installed system has it.
unpack()
{
	rm -rf "$fetched/new"
	for directory in bin sbin lib lib64; do
		mkdir -p "$fetched/new/usr/$directory"
		ln -s "usr/$directory" "$fetched/new/$directory"
	done
	for package in "$fetched"/archives/*.deb; do
		dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$fetched/new"
	done
}

# fetch: with all that they depend on, as if nothing was installed, and nothing is.
fetch()
{
	mkdir -p "$fetched/archives/partial"
	: >"$fetched/none"
	# shellcheck disable=SC2086 # words
	apt-get -q -y --no-install-recommends --download-only -o Dir::State::status="$fetched/none" \
		-o Dir::Cache::archives="$fetched/archives/" -o Debug::NoLocking=1 install $packages >&2
	unpack
	mv "$fetched/new" "$from"
}

# ---- the guest ----

# make_disk TOOL [WORDS]: what runs in it are these, or the tool's own script.
make_disk()
{
	initrd_begin
	put_tool "$1"
	cp "$here/peers/common.sh" "$tree/"
	if [ -n "${2:-}" ]; then echo "$2" >"$tree/job.sh"; else cp "$here/peers/$1.sh" "$tree/job.sh"; fi
	initrd_pack "$work/$1.img"
}

# boot TOOL MODEL OPTION...: its console is standard output.
boot()
{
	disk=$work/$1.img model=$2
	shift 2
	"$root/run-qemu.sh" --model "$model" --guest "$kernel" --initrd "$disk" --memory 768 \
		--append 'console=ttyS0 quiet panic=-1 oops=panic tsc=reliable no_timer_check nmi_watchdog=0 run="sh /job.sh"' "$@"
}

# ---- rows ----

# judge LOG: what was not as it must be.
judge()
{
	awk -F '|' '
		$1 == "peer" { n++; if ($3 != $4) print $2 ": " $3 ", not " $4 }
		$1 == "peer done" { ended = 1 }
		/Oops|BUG:|segfault|general protection/ { print }
		END { if (!ended) print "it did not end"; else if (!n) print "nothing was seen" }
	' "$1"
}

# print_row TOOL RESULT
print_row()
{
	printf '%-8s %-14s %-24s %s\n' "$1" "$model" "$fault" "$2"
}

# seconds_of TOOL: that its row may take.
seconds_of()
{
	case $1 in
	hour) echo 4500 ;;
	rr) echo 3000 ;;
	*) echo 900 ;;
	esac
}

# tool_row: sets result: right, wrong, or broken if it was not run at all.
tool_row()
{
	rm -f "$kept/serial.log"
	boot "$tool" "$model" --timeout "$(seconds_of "$tool")" ${hide:+"$hide"} ${fault:+--fault "$fault"} --keep "$kept" >"$kept/seen" 2>&1 || :
	result=broken
	if [ -e "$kept/serial.log" ]; then
		serial_clean "$kept/serial.log" >"$kept/clean.log"
		judge "$kept/clean.log" >"$kept/seen"
		if [ -s "$kept/seen" ]; then result=wrong; else result=right; fi
	fi
	print_row "$tool" "$result"
	sed 's/^/  | /' "$kept/seen"
}

# run_row NUMBER: in file NUMBER.row, and in NUMBER.wrong if it is not as it must be; with a fault something must be wrong.
run_row()
{
	run=$(sed -n "$1p" "$work/plan")
	tool=${run%%:*} model=${run#*:} fault='' hide=''
	case $model in
	*:*) fault=${model#*:} model=${model%%:*} ;;
	esac
	[ "$model" != sandybridge-ep ] || hide=--hide-hypervisor
	kept=$fetched/$(echo "$run" | tr : .)
	mkdir -p "$kept"
	case $tool in
	kut) kut_rows ;;
	*) tool_row ;;
	esac >"$work/$1.row"
	case $result$fault in
	right | wrong?*) ;;
	*) : >"$work/$1.wrong" ;;
	esac
	cat "$work/$1.row"
}

clean_up()
{
	rm -rf "$work"
}

# find_linux: the kernel, and the programs that it is to run.
find_linux()
{
	find_kernel
	from=$fetched/tree
	[ -d "$from" ] || fetch
}

# run_words WORDS TOOL MODEL OPTION...
run_words()
{
	find_linux
	make_disk "$2" "$1"
	shift
	boot "$@"
}

rows()
{
	# shellcheck disable=SC2086 # words
	[ $# -gt 0 ] || set -- $plan
	printf '%s\n' "$@" >"$work/plan"
	sed 's/:.*//' "$work/plan" | sort -u >"$work/tools"
	! grep -qvx kut "$work/tools" || find_linux
	while read -r tool; do
		if [ "$tool" = kut ]; then kut_check; else make_disk "$tool"; fi
	done <"$work/tools"
	two_at_once "$work" $# run_row || die "not all machines were booted"
	at_end clean_up
	! find "$work" -name '*.wrong' | grep -q .
}

main()
{
	[ -z "${KUT:-}" ] || plan="$plan $(kut_plan)"
	case ${1:-} in
	--help) usage; exit 0 ;;
	--list) echo "$plan" | tr -s ' \t' '\n'; exit 0 ;;
	esac
	work=$(mktemp -d)
	at_end clean_up
	case ${1:-} in
	--run)
		[ $# -ge 4 ] || die "--run wants WORDS, TOOL and MODEL; see --help"
		shift
		run_words "$@"
		;;
	-*) die "unknown option '$1'; see --help" ;;
	*) rows "$@" ;;
	esac
}

main "$@"
