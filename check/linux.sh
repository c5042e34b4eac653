#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What Linux makes of the silicon model: Debian's kernel boots as its guest, counts and samples what is known.
#
#     linux.sh [MODEL...]                    a row for each, all without a name; 1: one is not as it must be
#     linux.sh --faults                      what it makes of some seeded faults
#     linux.sh --run WORDS MODEL [OPTION...] runs WORDS, such as "perf stat -e instructions:u ls", or a shell if
#                                            they are empty; OPTIONs are those of run-qemu.sh
#
# KERNEL=FILE is another kernel.
set -eu
here=$(dirname "$0")
root=$here/..
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
made=$root/build/linux
lister=$root/build/host/list_models

usage()
{
	sed -n 's/^#     //p' "$0"
}

newest_kernel()
{
	find /boot -name 'vmlinuz-*-amd64' | sort -V | tail -n 1
}

# ---- the initial RAM disk ----

# copy_program FILE: with the libraries that it needs.
copy_program()
{
	cp "$1" "$tree/bin/"
	for library in $(ldd "$1" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) .*/\1/p'); do
		mkdir -p "$tree$(dirname "$library")"
		cp -L "$library" "$tree$library"
	done
}

# It is made each time, for the kernel at hand: that takes a second.
make_initrd()
{
	tree=$work/tree
	version=$(basename "$kernel" | sed 's/^vmlinuz-//')
	module=/lib/modules/$version/kernel/arch/x86/events/intel/intel-uncore.ko
	mkdir -p "$tree/bin" "$tree/lib" "$tree/proc" "$tree/sys" "$tree/dev" "$tree/tmp" "$tree/root"
	cp "$(command -v busybox)" "$made/linux-test" "$tree/bin/"
	cp "$here/linux/init.sh" "$tree/init"
	chmod +x "$tree/init"
	[ ! -e "$module" ] || cp "$module" "$tree/lib/"
	[ -z "${1:-}" ] || copy_program "$1"
	(cd "$tree" && find . | cpio -o -H newc --quiet) | gzip -1 >"$work/initrd.img"
}

# boot MODEL WORDS OPTION...: its console is standard output.
boot()
{
	model=$1
	words=$2
	shift 2
	"$root/run-qemu.sh" --model "$model" --guest "$kernel" --initrd "$work/initrd.img" \
		--append "console=ttyS0 panic=-1 nmi_watchdog=0 ${quiet:-}${words:+run=\"$words\"}" "$@"
}

# ---- one row ----

# driver_of MODEL: what the kernel's log must say of the driver.
driver_of()
{
	case $1 in
	k[78]) echo ' AMD PMU driver' ;;
	zen*) echo ' Fam17h+ core perfctr, AMD PMU driver' ;;
	p6) echo ' p6 PMU driver' ;;
	willamette | northwood | prescott) echo ' Netburst events, Netburst P4/Xeon PMU driver' ;;
	goldencove) echo ' Alderlake Hybrid events,.* Intel PMU driver' ;;
	*) echo " ${1%-ep} events,.* Intel PMU driver" ;;
	esac
}

# value KEY N: the N-th word behind it in what the test has said; - if it has not.
value()
{
	awk -v key="$1" -v n="$2" '$1 == "linux:" && $2 == key { found = $(n + 2) } END { print found == "" ? "-" : found }' "$log"
}

# must WHAT: WHAT is wrong unless the rest succeeds.
must()
{
	what=$1
	shift
	if ! "$@"; then wrong="$wrong${wrong:+, }$what"; fi
}

has_none()
{
	! grep -Eq "$1" "$log"
}

# On NetBurst its driver begins at a stale value: docs/findings.md.
is_stale()
{
	case $model in
	willamette | northwood | prescott) [ "$whole" -gt 549755813888 ] && [ "$(value samples 1)" = 0 ] ;;
	*) false ;;
	esac
}

judge_samples()
{
	must samples [ "$(value samples 1)" = "$(value samples 3)" ]
	must "samples' places" [ "$(value samples 5)" = "$(value samples 1)" ]
	must "lost samples" [ "$(value samples 7)" = 0 ]
	must "whole count" [ "$whole" -lt 21000 ]
}

judge()
{
	wrong='' note='' whole=$(value instructions 5)
	[ "$whole" != - ] || whole=0
	must "end" grep -q '^linux: done' "$log"
	must "driver" grep -iq "Performance Events:.*$(driver_of "$model")" "$log"
	must "log" has_none 'broken PMU|unchecked MSR|clocksource.*unstable|soft lockup|rcu.*stall|BUG:|Oops|WARNING: CPU'
	must instructions [ "$(value instructions 1)" = 20000 ]
	must branches [ "$(value branches 1)" = 10000 ]
	if is_stale; then note='known: findings.md'; else judge_samples; fi
	must precise [ "$(value precise 5)" = "$(value precise 3)" ]
	must records [ "$(value records 11)" = "$(value records 9)" ]
	case $model in
	sandybridge-ep) must uncore [ "$(value uncore 1)" = 1024 ] ;;
	esac
}

row()
{
	printf '%-14s %-12s %-9s %-13s %-10s %-10s %-6s %s\n' "$@"
}

# Leaves its row in the work directory, and what is wrong with it beside it.
run_model()
{
	model=$(sed -n "$1p" "$work/models")
	hide=
	[ "$model" != sandybridge-ep ] || hide=--hide-hypervisor
	mkdir -p "$made/$model"
	# shellcheck disable=SC2086 # a word or none
	boot "$model" linux-test $hide --keep "$made/$model" >"$work/$1.console" 2>&1 || :
	log=$made/$model/clean.log
	serial_clean "$made/$model/serial.log" >"$log"
	judge
	row "$model" "$(value instructions 1)" "$(value branches 1)" "$(value samples 1)/$(value samples 3)" \
		"$(value precise 1)/$(value precise 3)" "$(value records 11)/$(value records 9)" "$(value uncore 1)" \
		"${wrong:+WRONG: $wrong}${note}" >"$work/$1.row"
	[ -z "$wrong" ] || tail -n 12 "$log" >"$work/$1.wrong"
}

table()
{
	row model instructions branches samples precise records uncore ''
	two_at_once "$work" "$(wc -l <"$work/models")" run_model
	trap 'rm -rf "$work"' EXIT
	for number in $(seq "$(wc -l <"$work/models")"); do
		cat "$work/$number.row"
		[ ! -e "$work/$number.wrong" ] || sed 's/^/  | /' "$work/$number.wrong"
	done
	! ls "$work"/*.wrong >/dev/null 2>&1
}

main()
{
	kernel=${KERNEL:-$(newest_kernel)}
	[ -r "$kernel" ] || die "no kernel '$kernel' that can be read; Debian package linux-image-amd64, or KERNEL=FILE"
	need_file "$made/linux-test"
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	case ${1:-} in
	--help) usage ;;
	--run)
		[ $# -ge 3 ] || die "--run wants WORDS and MODEL; see --help"
		perf=$(command -v perf || :)
		make_initrd "$perf"
		words=$2 model=$3 quiet='quiet '
		shift 3
		boot "$model" "$words" "$@"
		;;
	--faults)
		make_initrd
		fault_table
		;;
	-*) die "unknown option '$1'; see --help" ;;
	*)
		make_initrd
		[ $# -gt 0 ] || set -- $("$lister" | awk '$1 == "model" { print $2 }')
		printf '%s\n' "$@" >"$work/models"
		table
		;;
	esac
}

main "$@"
