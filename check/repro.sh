#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds twice, in directories of different names, and compares byte for byte all that a user boots;
# prints the SHA-256 of each file.
#
#     repro.sh [DIRECTORY]    where the two copies are made and removed
set -eu
cd "$(dirname "$0")/.."

if [ $# -gt 0 ]; then
	work=$1
else
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	trap 'exit 2' INT TERM HUP
fi
# The copies have no history to take it from.
id=$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
files='gcc/pmutest86.efi gcc/silicon.efi pmutest86.img pmutest86.iso'
for copy in one another_place; do
	mkdir -p "$work/$copy"
	tar -cf - --exclude=./build --exclude=./.git . | tar -xf - -C "$work/$copy"
	(
		cd "$work/$copy"
		make GIT_ID="$id" build/gcc/pmutest86.efi build/gcc/silicon.efi
		check/make-image.sh
		check/make-iso.sh
	) >&2
done
for file in $files; do
	cmp "$work/one/build/$file" "$work/another_place/build/$file"
done
# shellcheck disable=SC2086 # one word a file
(cd "$work/one/build" && sha256sum $files)
rm -rf "$work/one" "$work/another_place"
