#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes the hybrid image, which boots as a CD (El Torito) and as a disk (GPT).  Needs no root.
#
#     make-iso.sh [PROGRAM.efi IMAGE.iso]
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

[ $# -eq 0 ] || [ $# -eq 2 ] || die "usage: make-iso.sh [PROGRAM.efi IMAGE.iso]"
program=${1:-build/gcc/pmutest86.efi}
image=${2:-build/pmutest86.iso}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$(dirname "$image")" "$work/root"
rm -f "$image"
truncate -s 2M "$work/esp.img"
fat_make "$work/esp.img" 4096
cfg_template >"$work/root/pmutest86.cfg"
fat_fill "$work/esp.img" "$program" "$program"
fat_put "$work/esp.img" "$work/root/pmutest86.cfg" pmutest86.cfg
cp "$program" "$work/root/pmutest86.efi"
touch -d "@$SOURCE_DATE_EPOCH" "$work/root"/* "$work/root" "$work/esp.img"

xorriso -as mkisofs -quiet -V PMUTEST86 -o "$image" \
	--gpt_disk_guid 70747574-7465-7374-3836-000000000003 \
	-append_partition 2 0xef "$work/esp.img" -appended_part_as_gpt \
	-e --interval:appended_partition_2:all:: -no-emul-boot \
	"$work/root" >"$work/log" 2>&1 || {
	cat "$work/log" >&2
	exit 1
}
