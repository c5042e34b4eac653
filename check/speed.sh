#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# How fast the silicon model is: of long windows the instructions that it counts in a second, and those that it executes
# for each; of whole batteries, from the firmware on, all that QEMU executes.  What QEMU executes does not depend on what
# else the computer does.
#
#     speed.sh [--against DIR] [--linux] [--campaign]
#     speed.sh --profile MODEL [OPTION...]    the functions of the model that execute most; OPTIONs are the program's
#
# --against: the model of another built tree runs the same programs, in turns with this one's.  Printed are medians of five
# runs, and how many times as fast this tree's is.  --linux: a Linux guest's loop, as well.  --campaign: the processor time
# of build/host/campaign --once, as well, in each tree its own, of which one may have more faults: an hour.
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=boot_model.sh
. "$here/boot_model.sh"
build=$here/../build/gcc
plugin=$here/../build/host/executed.so
rounds=5
windows='zen4 skylake prescott'
batteries='zen4 prescott sandybridge-ep'
exact='-- report=none tests=*.rare.exact'

# shellcheck disable=SC2317,SC2329 # called by trap
clean_up()
{
	qemu_stop
	rm -rf "$work"
}

# The words of a window, and what runs there.
program_of()
{
	case $1 in
	exact) echo "$build/pmutest86.efi" ;;
	loop) echo "$build/bench_loop.efi" ;;
	esac
}

words_of()
{
	case $1 in
	exact) echo "$exact" ;;
	loop) ;;
	esac
}

# note WHAT MODEL VALUE: of the tree at hand, for the table.
note()
{
	echo "$name $1 $2 $3" >>"$work/notes"
}

# count_executed PROGRAM LINE: sets total and inside: what QEMU executes of the whole run, and what of it in the model.
count_executed()
{
	more="-plugin $plugin,out=$work/blocks"
	start_model "$@"
	more=
	end_model
	nm -n -t d "${silicon%.efi}.so" | awk -f "$here/functions.awk" - "$work/blocks" | sort -rn >"$work/functions"
	total=$(awk '{ n += $1 } END { printf "%.0f", n }' "$work/functions")
	inside=$(awk '$2 != "elsewhere" { n += $1 } END { printf "%.0f", n }' "$work/functions")
}

# counted: of the last boot's only run.
counted()
{
	sed -n 's/^silicon: run 1 instructions \([0-9]*\) .*/\1/p' "$work/clean.log"
}

# window_rates WINDOW: one run on each model.
window_rates()
{
	set -- "$1" "$(words_of "$1")"
	# shellcheck disable=SC2086 # words
	printf "model=%s $2\n" $windows >"$work/lines"
	start_model "$(program_of "$1")" "$(cat "$work/lines")"
	end_model
	for model in $windows; do
		note "$1,_counted_a_second" "$model" "$(awk -v model="model=$model" '
			$4 == model { run = $3 }
			$3 == run && $4 == "instructions" { printf "%.0f", $5 / $9 }' "$work/clean.log")"
	done
}

window_costs()
{
	for model in $windows; do
		count_executed "$(program_of "$1")" "model=$model $(words_of "$1")"
		each=$(awk -v n="$inside" -v counted="$(counted)" 'BEGIN { printf "%.1f", n / counted }')
		note "$1,_executed_for_each" "$model" "$each"
	done
}

battery_costs()
{
	for model in $batteries; do
		count_executed "$build/pmutest86.efi" "model=$model -- report=none"
		note battery,_G_executed "$model" "$(awk -v n="$total" 'BEGIN { printf "%.2f", n / 1e9 }')"
	done
}

# A loop of which linux-test tells where it begins and ends.
linux_seconds()
{
	PMUTEST86_BUILD=${silicon%/*} PMUTEST86_BOOTED='' "$here/linux.sh" --run "linux-test long" "$1" |
		while IFS= read -r line; do
			case $line in
			*'linux: long begins'*) began=$(now) ;;
			*'linux: long ends'*) echo "$began $(now)" | awk '{ printf "%.2f", $2 - $1 }' ;;
			esac
		done
}

# campaign_seconds DIR: processor time, of all its processes.
campaign_seconds()
{
	(
		cd "$1"
		unset PMUTEST86_BOOTED
		build/host/campaign --once >"$work/campaign"
		times
	) | tail -n 1 | tr 'ms' '  ' | awk '{ printf "%.0f", 60 * ($1 + $3) + $2 + $4 }'
}

repeat()
{
	# shellcheck disable=SC2034 # a count
	for round in $(seq "$rounds"); do "$@"; done
}

# each_tree FUNCTION ARGUMENT...
each_tree()
{
	for name in $trees; do
		silicon=$work/$name/build/gcc/silicon.efi
		"$@"
	done
}

note_linux()
{
	for model in zen4 skylake; do
		note linux,_seconds "$model" "$(linux_seconds "$model")"
	done
}

note_campaign()
{
	note campaign,_processor_seconds - "$(campaign_seconds "$work/$name")"
}

# What is noted for one tree, or for both with how many times as fast the first is: what is counted in a second is more
# then, and all else is less.
table()
{
	awk '
		function median(key,    list, k, i, j, t) {
			k = split(values[key], list, " ")
			for (i = 2; i <= k; i++)
				for (j = i; j > 1 && list[j] + 0 < list[j - 1] + 0; j--) {
					t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
				}
			return list[int((k + 1) / 2)]
		}
		{
			row = $2 " " $3
			if (!(row in seen)) order[++rows] = row
			seen[row] = 1
			values[$1 " " row] = values[$1 " " row] " " $4
		}
		END {
			for (i = 1; i <= rows; i++) {
				row = order[i]
				split(row, word, " ")
				gsub("_", " ", word[1])
				line = sprintf("%-28s %-14s %12s", word[1], word[2], a = median("this " row))
				if (b = median("other " row))
					line = line sprintf(" %12s %8.2f", b, row ~ /a_second/ ? a / b : b / a)
				print line
			}
		}' "$work/notes"
}

measure()
{
	for window in exact loop; do repeat each_tree window_rates "$window"; done
	[ -z "$linux" ] || repeat each_tree note_linux
	for window in exact loop; do each_tree window_costs "$window"; done
	each_tree battery_costs
	[ -z "$campaign" ] || each_tree note_campaign
}

# profile MODEL [OPTION...]
profile()
{
	silicon=$build/silicon.efi
	model=$1
	shift
	count_executed "$build/pmutest86.efi" "model=$model -- report=none $*"
	awk -v total="$total" '{ printf "%10.1f M %5.1f %% %s\n", $1 / 1e6, 100 * $1 / total, $2 }' "$work/functions" | head -n 60
	echo "$(counted) instructions counted, $total executed, $inside of them in the model"
}

need_file "$plugin"
need_file "$build/bench_loop.efi"
work=$(mktemp -d)
at_end clean_up
trees=this linux='' campaign=''
ln -s "$(cd "$here/.." && pwd)" "$work/this"
if [ "${1:-}" = --profile ]; then
	[ $# -gt 1 ] || die "--profile wants MODEL"
	shift
	profile "$@"
	exit
fi
while [ $# -gt 0 ]; do
	case $1 in
	--against)
		[ -e "${2:-}/build/gcc/silicon.efi" ] || die "--against: '${2:-}' is no built tree"
		ln -s "$(cd "$2" && pwd)" "$work/other"
		trees='this other'
		shift
		;;
	--linux) linux=yes ;;
	--campaign) campaign=yes ;;
	*) die "unknown option '$1'; allowed are --against DIR, --linux, --campaign, --profile MODEL" ;;
	esac
	shift
done
measure
table
