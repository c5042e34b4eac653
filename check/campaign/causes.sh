#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# How many causes does the report name, of faults seeded by hand?  Each meets the whole battery on one of its models.
#
#     causes.sh EVERY [FIRST [MODEL]]    every so many faults, from number FIRST on, or 1; exit code 1 if a cause is wrong, or
#                                        fewer than 80 % are named
set -eu
cd "$(dirname "$0")/../.."

faults=$(build/host/list_models |
	awk -v every="$1" -v first="${2:-1}" '/^fault / && !/ test=- / && (++n - first) % every == 0 { print $2 }' | paste -sd, -)
build/host/campaign --full --once --fault "$faults" ${3:+--model "$3"} >build/causes.log || :
awk -f check/campaign/cause.awk check/campaign/broken.rows build/campaign/boot.*.log
