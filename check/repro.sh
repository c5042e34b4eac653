#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds here and in a directory of another name, and compares byte for byte all that a user boots; prints
# the SHA-256 of each file.
#
#     repro.sh [DIRECTORY]    where the copy is made and removed
set -eu
cd "$(dirname "$0")/.."

if [ $# -gt 0 ]; then
	work=$(cd "$1" && pwd)
else
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	trap 'exit 2' INT TERM HUP
fi
# The copy has no history to take it from.
id=$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)

# build DIRECTORY: there, and what is booted of it into DIRECTORY.boots beside it.
build()
{
	boots=$work/$(basename "$1").boots
	mkdir -p "$boots"
	booted='build/gcc/pmutest86.efi build/gcc/pmutest86.elf'
	# shellcheck disable=SC2086 # words
	make -C "$1" GIT_ID="$id" $booted
	# shellcheck disable=SC2086
	(cd "$1" && cp $booted "$boots")
	check/image.sh "$boots/pmutest86.efi" "$boots/pmutest86.img"
	check/iso.sh "$boots/pmutest86.efi" "$boots/pmutest86.iso"
}

here=$(pwd)
mkdir -p "$work/another_place"
tar -cf - --exclude=./build --exclude=./.git . | tar -xf - -C "$work/another_place"
build "$here" >&2
build "$work/another_place" >&2
cd "$work/$(basename "$here").boots"
for file in *; do
	cmp "$file" "$work/another_place.boots/$file"
done
sha256sum -- *
rm -rf "$work/another_place" "$work"/*.boots
