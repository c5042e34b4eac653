#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds everything with both compilers, and runs every check; with DEBIAN=RELEASE in a chroot of another release.
set -eu
cd "$(dirname "$0")/.."

[ -z "${DEBIAN:-}" ] || exec check/debian.sh "$DEBIAN"
check/setup.sh
check/kernel.sh
make -j2 everything
make -j2 CC=clang all
check/all.sh
