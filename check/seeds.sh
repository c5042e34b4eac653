#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# False alarms: the healthy models with varied seeds, each a lawful processor of another width, with
# other stalls, latencies and skids.  No test may fail on any.
#
#     seeds.sh [--model NAME] [--runs N] [--tests FILTER]    N seeds of each model (200)
#
# One boot runs many seeds; two machines run at once.
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

build=$here/../build
out=$build/check/seeds
most_per_boot=20
seconds=3600

parse()
{
	only_model='' runs=200 tests='*'
	while [ $# -ge 2 ]; do
		case $1 in
		--model) only_model=$2 ;;
		--tests) tests=$2 ;;
		--runs)
			case $2 in
			'' | *[!0-9]* | 0*) die "--runs: '$2' is no number; allowed is a whole number from 1" ;;
			esac
			runs=$2
			;;
		*) break ;;
		esac
		shift 2
	done
	[ $# -eq 0 ] || die "unknown or incomplete '$1'; allowed are --model, --runs, --tests with a value"
}

# Writes the work lists of single boots: $out/boot.N/silicon.cfg.  There are four at least, so that neither
# machine waits long for the other in the end.
make_boots()
{
	"$build/host/list_models" | awk -v out="$out" -v most=$most_per_boot -v runs="$runs" \
		-v only_model="$only_model" -v tests="$tests" '
		$1 == "model" && (only_model == "" || $2 == only_model) { model[++models] = $2 }
		END {
			per_boot = int((models * runs + 3) / 4)
			if (per_boot > most)
				per_boot = most
			for (m = 1; m <= models; m++)
				for (seed = 1; seed <= runs; seed++) {
					if (n++ % per_boot == 0)
						system("mkdir -p " out "/boot." ++boots)
					print "model=" model[m] " seed=" seed " -- tests=" tests \
						>(out "/boot." boots "/silicon.cfg")
				}
			print boots + 0
		}'
}

# boot N: everything in boot.N.
boot()
{
	trap qemu_stop EXIT
	trap 'exit 2' TERM
	set -- "$out/boot.$1"
	truncate -s 16M "$1/disk.img"
	fat_make "$1/disk.img" 32768
	fat_fill "$1/disk.img" "$build/gcc/silicon.efi" "$build/gcc/pmutest86.efi"
	fat_put "$1/disk.img" "$1/silicon.cfg" silicon.cfg
	qemu_start "$1" $seconds -machine q35,accel=tcg -cpu max -smp 1,maxcpus=2 \
		-drive "format=raw,file=$1/disk.img"
	qemu_wait
	serial_clean "$1/serial.log" >"$1/clean.log"
	rm -f "$1/disk.img" "$1/vars.fd"
}

# One line per run that was not without failure, and how many there were of each model.
judge()
{
	cat "$out"/boot.*/silicon.cfg | grep -c '' >"$out/planned"
	cat "$out"/boot.*/clean.log | awk -v planned="$(cat "$out/planned")" '
		/^silicon: run [0-9]+ model=/ { run = $4 " " $6; failures = ""; verdict = "none" }
		/^not ok / && !/# TODO / { failures = failures " " $4 }
		/^# verdict: / { verdict = $3 }
		/^silicon: run [0-9]+ status/ {
			runs++
			if (failures == "" && verdict ~ /^(pass|skip)$/) {
				passed += verdict == "pass"
				skipped += verdict == "skip"
				next
			}
			print "false alarm: " run ": verdict " verdict ":" failures
		}
		END {
			good = passed + skipped
			printf "%d runs, %d without a failed test, %d false alarms, %d skipped, %d not run\n", \
				runs, good, runs - good, skipped, planned - runs
			exit !passed || good != planned
		}'
}

parse "$@"
rm -rf "$out"
mkdir -p "$out"
boots=$(make_boots)
[ "$boots" -gt 0 ] || die "--model: unknown model '$only_model'; run-qemu.sh --list names them"
two_at_once "$out" "$boots" boot
judge
