#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds the programs and runs the 64-bit one in QEMU.
set -eu
cd "$(dirname "$0")/.."

check/setup.sh
make -j2 all
./run-qemu.sh --uefi
