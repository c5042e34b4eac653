#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes the image for a USB stick: a GPT disk with one FAT32 EFI system partition.  Needs no root.
#
#     make-image.sh [PROGRAM.efi IMAGE]
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

[ $# -eq 0 ] || [ $# -eq 2 ] || die "usage: make-image.sh [PROGRAM.efi IMAGE]"
program=${1:-build/gcc/pmutest86.efi}
image=${2:-build/pmutest86.img}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$(dirname "$image")"
rm -f "$image"
# 40 MiB of partition: the smallest round size that is FAT32, which some firmware insists on.
truncate -s 42M "$image"
# Fixed identifiers, so that the same program makes the same image to the byte.
sgdisk --clear --disk-guid=70747574-7465-7374-3836-000000000001 \
	--new=1:2048:83967 --typecode=1:EF00 --change-name=1:PMUTEST86 \
	--partition-guid=1:70747574-7465-7374-3836-000000000002 "$image" >"$work/log" 2>&1 || {
	cat "$work/log" >&2
	exit 1
}
fat_make "$image@@1M" 81920
cfg_template >"$work/pmutest86.cfg"
fat_fill "$image@@1M" "$program" "$program"
fat_put "$image@@1M" "$work/pmutest86.cfg" pmutest86.cfg
