#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# How many causes does the report name, of faults seeded by hand?  Each meets the whole battery on one of its models.
#
#     causes.sh EVERY [FIRST [MODEL]]    every so many faults, from number FIRST on, or 1; exit code 1 if a cause is wrong, or
#                                        fewer than 80 % are named
set -eu
cd "$(dirname "$0")/../.."

case $# in
1 | 2 | 3) ;;
*)
	sed -n 's/^#     /usage: /p' check/campaign/causes.sh >&2
	exit 2
	;;
esac
for number in "$1" "${2:-1}"; do
	case $number in
	'' | *[!0-9]* | 0*)
		echo "causes.sh: '$number' is no number of faults; allowed are 1 and above" >&2
		exit 2
		;;
	esac
done
faults=$(build/host/list_models |
	awk -v every="$1" -v first="${2:-1}" '/^fault / && !/ test=- / && (++n - first) % every == 0 { print $2 }' | paste -sd, -)
status=0
build/host/campaign --full --once --fault "$faults" ${3:+--model "$3"} >build/causes.log || status=$?
[ "$status" -le 1 ] || exit "$status" # 1: some were missed
awk -f check/campaign/cause.awk check/campaign/broken.rows build/campaign/boot.*.log
