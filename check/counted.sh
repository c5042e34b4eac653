#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What the battery costs on a model: instructions that it counts, without what is rare and random.
#
#     counted.sh [--against DIR] MODEL [TESTS]
#
# TESTS: only of these, by default of all.  --against: of another built tree, which is asked for all of its tests, as well,
# and how many times as many this tree's are.  The rate that the TSC is taken for stands beside them: what waits by the
# clock, while counters of reference clocks run, takes as many more as that is too high on a computer that is busy.
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
other=
if [ "${1:-}" = --against ]; then
	[ $# -ge 2 ] || die "--against needs a directory"
	other=$2
	shift 2
fi
[ $# -eq 1 ] || [ $# -eq 2 ] || die "usage: counted.sh [--against DIR] MODEL [TESTS]"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# count TREE OPTION...: instructions, and the rate in kHz.
count()
{
	tree=$1
	shift
	"$tree/run-qemu.sh" --model "$model" --keep "$work" -- "$@" >"$work/out" 2>&1 || die "$tree: $(tail -n 1 "$work/out")"
	awk '/^silicon: run 1 instructions / { n = $5 } sub(/^# fact tsc\.khz=/, "") { khz = $0 } END { print n, khz }' \
		"$work/clean.log"
}

# Trees from before random programs do not know that option.
options_of()
{
	if grep -q '`random=' "$1/docs/options.md"; then echo rare=0 random=0; else echo rare=0; fi
}

model=$1
# shellcheck disable=SC2046 # words
ours=$(count "$here/.." $(options_of "$here/..") ${2:+"tests=$2"})
# shellcheck disable=SC2046 # words
theirs=$([ -z "$other" ] || count "$other" $(options_of "$other"))
echo "$model $ours $theirs" | awk '{
	printf "%s: %d instructions (TSC %d kHz)", $1, $2, $3
	if (NF > 3) printf ", and %d (%d kHz) in the other tree: %.2f times as many", $4, $5, $2 / $4
	print ""
}'
