#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The fault campaign: each seeded fault of the silicon model must be reported as failed by the test
# that claims to see it, and a model without a fault must have no failed test.
#
#     campaign.sh [--full] [--model NAME] [--fault GLOBS] [--tests FILTER] [--results FILE]
#                 [--generated [--only KIND] [--every N]]
#
# A fault whose test is "-" is left out: no test fails by it.
#
# --generated: instead of the seeded faults those that the model generates, every Nth of each class,
# each up to its first failed test, and a table of the classes instead of the matrix.
# Those that are not seen are listed in unseen.txt, with the reason.  Of what KIND to run: visible, those
# that are not listed; invisible; unused, which tells what is seen by chance.  Without it, the first two.
#
# Of those generated, what its own tests do not see meets the whole battery after that.
#
# To save time, a fault meets only the test that claims to see it, until it first fails; the whole battery
# with --full (make faults).  FILTER replaces either.  One boot runs many faults of one model; two machines run at
# once.  FILE receives one line "ok fault.NAME" or "not ok fault.NAME - why" each.
set -euf
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

build=$here/../build
lister=$build/host/list_models
out=$build/check/campaign
runs_per_boot=60 # most
stall_seconds=90

parse()
{
	full='' only_model='' only_fault='' tests='' results='' generated='' only='' every=1
	while [ $# -ge 1 ]; do
		case $1 in
		--full) full=yes; shift; continue ;;
		--generated) generated=generated; shift; continue ;;
		esac
		[ $# -ge 2 ] || break
		case $1 in
		--model) only_model=$2 ;;
		--fault) only_fault=$2 ;;
		--tests) tests=$2 ;;
		--results) results=$2 ;;
		--only)
			case $2 in
			visible | invisible | unused) only=$2 ;;
			*) die "--only: '$2'; allowed are visible, invisible and unused" ;;
			esac
			;;
		--every)
			case $2 in
			'' | *[!0-9]* | 0*) die "--every: '$2' is no number; allowed is a whole number from 1" ;;
			esac
			every=$2
			;;
		*) break ;;
		esac
		shift 2
	done
	# One failed test is enough, and often the others would run into their time-outs.
	stop=on-fail=stop
	[ -z "$full" ] || stop=
	[ $# -eq 0 ] ||
		die "unknown or incomplete '$1'; allowed are --full, --generated, and --model, --fault, --tests, --results, --only, --every with a value"
	[ -z "$only" ] || [ -n "$generated" ] || die "--only is of --generated faults"
	[ -x "$lister" ] || die "build/host/list_models is not there; run make first"
}

# Writes what is to be run to $out/pairs, as campaign_pairs.awk says, and what is not to $out/unused.
make_pairs()
{
	# shellcheck disable=SC2086 # a word or none
	"$lister" $generated | awk -v only_model="$only_model" -v only_fault="$only_fault" -v full="$full" \
		-v tests="$tests" -v every="$every" -v unseen="${generated:+$here/unseen.txt}" \
		-f "$here/globs.awk" -f "$here/campaign_pairs.awk" >"$out/all"
	[ -s "$out/all" ] || die "no such model and fault; run-qemu.sh --list names them"
	awk -v only="$only" 'only != "" ? $5 == only : $5 != "unused"' "$out/all" >"$out/pairs"
	awk -v only="$only" 'only == "" && $5 == "unused" { print $1, $2, $5 }' "$out/all" >"$out/unused"
	[ -s "$out/pairs" ] || die "none of these faults is to be run; a smaller --every leaves more"
}

# Cuts the pairs of the round into the work lists of single boots: $round/boot.N, one "MODEL FAULT FILTER" a
# line.  The whole battery without a fault is the first of a model; the last of each boot are the
# tests before it without their fault, to show that resets are whole: mostly all of them, where the
# faults are generated.
make_boots()
{
	awk -v out="$round" -v most="$runs_per_boot" -v tests="${tests:-*}" -v generated="$generated" '
		function finish() { if (file) print model, "none", last >file }
		$1 != model || ++n > most {
			finish()
			model = $1
			file = out "/boot." ++boots
			n = 1
			if (!generated && !(model in begun))
				print model, "none", tests >file
			begun[model] = 1
		}
		{ print $1, $2, last = $4 >file }
		END { finish(); print boots }' "$round/pairs"
}

# boot_list DIRECTORY LIST: boots once for the runs in LIST.
boot_list()
{
	awk -v stop="$stop" '{
		print "model=" $1 ($2 == "none" ? "" : " fault=" $2) " -- tests=" $3, stop
	}' "$2" >"$1/silicon.cfg"
	truncate -s 16M "$1/disk.img"
	fat_make "$1/disk.img" 32768
	fat_fill "$1/disk.img" "$build/gcc/silicon.efi" "$build/gcc/pmutest86.efi"
	fat_put "$1/disk.img" "$1/silicon.cfg" silicon.cfg
	# Some faults make the model count, and so execute step by step, all that draws on a screen.
	qemu_start "$1" 3600 -machine q35,accel=tcg -cpu max -smp 1,maxcpus=2 -vga none \
		-drive "format=raw,file=$1/disk.img"
	watch_serial
	qemu_wait
}

# Ends a QEMU whose serial line has been silent for too long.
watch_serial()
{
	seen='' silent=0
	while kill -0 "$qemu_pid" 2>/dev/null && [ "$silent" -lt $stall_seconds ]; do
		size=$(wc -c <"$dir/serial.log")
		silent=$((silent + 1))
		[ "$size" = "$seen" ] || silent=0
		seen=$size
		sleep 1
	done
	[ "$silent" -lt $stall_seconds ] || kill "$qemu_pid" 2>/dev/null || :
}

# boot_all N: everything in boot.N.  A run that does not end costs itself only: the rest of the list
# is booted again.
boot_all()
{
	trap qemu_stop EXIT
	trap 'exit 2' TERM
	set -- "$round/$1" "$round/boot.$1"
	mkdir -p "$1"
	cp "$2" "$1/left"
	attempt=0
	while [ -s "$1/left" ]; do
		attempt=$((attempt + 1))
		boot_list "$1" "$1/left"
		serial_clean "$1/serial.log" >"$1/clean.$attempt.log"
		ended=$(grep -c '^silicon: run .* status' "$1/clean.$attempt.log") || :
		sed "1,$((ended + 1))d" "$1/left" >"$1/left.new"
		mv "$1/left.new" "$1/left"
	done
	rm -f "$1/disk.img" "$1/vars.fd"
}

# run_round DIRECTORY: its pairs, into its file judged.
run_round()
{
	round=$1
	two_at_once "$round" "$(make_boots)" boot_all
	# Found rather than listed: there may be thousands.
	find "$round" -name "clean.*.log" -exec cat {} + | awk -v alarms="$out/false-alarms" \
		-f "$here/globs.awk" -f "$here/campaign_judge.awk" "$round/pairs" - >"$round/judged"
}

# The second round: what its own tests have missed.
run_again()
{
	mkdir "$out/again"
	awk -f "$here/campaign_again.awk" "$out/judged" "$out/pairs" >"$out/again/pairs"
	[ -s "$out/again/pairs" ] || return 0
	run_round "$out/again"
	awk -v merge=1 -f "$here/campaign_again.awk" "$out/again/judged" "$out/judged" >"$out/judged.new"
	mv "$out/judged.new" "$out/judged"
}

# The matrix: one row per fault and model, one column per test that failed anywhere.
print_matrix()
{
	awk '
		function test_of(id) { sub(/^!?[^.]*\.[^.]*\./, "", id); return id }
		{
			for (i = 4; i <= NF; i++) {
				test = test_of($i)
				if (!(test in column)) {
					column[test] = ++columns
					name[columns] = test
				}
				mark = substr($i, 1, 1) == "!" ? "#" : "x"
				if (cell[NR, column[test]] != "#")
					cell[NR, column[test]] = mark
			}
			row[NR] = sprintf("%-10s %-36s", $1, $2)
			outcome[NR] = $3
		}
		END {
			print "fault x test (# failed as claimed, x failed too):"
			for (c = 1; c <= columns; c++) {
				line = sprintf("%47s", "")
				for (k = 1; k < c; k++)
					line = line "|"
				print line "+-- " name[c]
			}
			for (r = 1; r <= NR; r++) {
				line = row[r]
				for (c = 1; c <= columns; c++)
					line = line ((r, c) in cell ? cell[r, c] : ".")
				print line " " outcome[r]
			}
		}' "$out/judged"
}

# By class and model: how many of the faults were seen, of those that can be.  Marked as in Markdown,
# for docs/trust.md.
print_classes()
{
	awk -v generated="$generated" '
		{
			if (generated)
				sub(/-.*/, "", $2)
			else
				$2 = "by hand"
			if (!($2 in row)) { row[$2] = ++rows; class[rows] = $2 }
			if (!($1 in column)) { column[$1] = ++columns; model[columns] = $1 }
			if ($3 == "invisible" || $3 == "unused") { hidden[$3, $2]++; next }
			seeded[$2, $1]++
			caught[$2, $1] += $3 == "caught"
		}
		END {
			line = "| class |"
			rule = "|---|"
			for (m = 1; m <= columns; m++) {
				line = line " " model[m] " |"
				rule = rule "---|"
			}
			print line " invisible | unused |"
			print rule "---|---|"
			for (c = 1; c <= rows; c++) {
				line = "| " class[c] " |"
				for (m = 1; m <= columns; m++) {
					k = class[c] SUBSEP model[m]
					line = line " " (k in seeded ? caught[k] "/" seeded[k] : "-") " |"
				}
				print line " " hidden["invisible", class[c]] + 0 " | " \
					hidden["unused", class[c]] + 0 " |"
			}
		}' "$out/judged"
}

# What is neither seen nor listed.
print_missed()
{
	awk '$3 != "caught" && $3 != "invisible" && $3 != "unused" {
		print "  " $3 ": " $1 " " $2
	}' "$out/judged"
}

# A fault is caught when it is on every model that can have it; a generated one has one model.
print_totals()
{
	awk -v generated="$generated" -v results="$results" -v alarms="$(wc -l <"$out/false-alarms")" '
		generated { $2 = $1 "." $2 }
		!($2 in why) { order[++faults] = $2; why[$2] = "" }
		$3 == "invisible" { invisible++ }
		$3 == "unused" { unused++ }
		$3 != "caught" && $3 != "invisible" && $3 != "unused" { why[$2] = why[$2] " " $3 " on " $1 }
		END {
			for (f = 1; f <= faults; f++) {
				fault = order[f]
				missed += why[fault] != ""
				if (results != "")
					print (why[fault] == "" ? "ok fault." fault : \
						"not ok fault." fault " -" why[fault]) >results
			}
			printf "%d faults, %d caught, %d missed, %d false alarms", faults,
				faults - missed - invisible - unused, missed, alarms
			print generated ? ", " invisible + 0 " invisible, " unused + 0 " in unused bits" : ""
			exit missed || alarms
		}' "$out/judged"
}

parse "$@"
rm -rf "$out"
mkdir -p "$out"
make_pairs
: >"$out/false-alarms"
run_round "$out"
if [ -n "$generated" ]; then
	[ -n "$tests" ] || run_again
	cat "$out/unused" >>"$out/judged"
else
	print_matrix
fi
print_missed
print_classes | tee "$out/classes.md"
sed 's/^/false alarm: /' "$out/false-alarms"
print_totals
