#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# How many causes does the report name, of faults seeded by hand?  Each meets the whole battery on one of its models.
#
#     causes.sh EVERY [MODEL]    every so many faults; exit code 1 if a cause is wrong, or fewer than 80 % are named
set -eu
cd "$(dirname "$0")/../.."

build/host/campaign --full --once --every "$1" ${2:+--model "$2"} >build/causes.log || :
build/host/list_models | awk -f check/campaign/cause.awk - build/campaign/boot.*.log
