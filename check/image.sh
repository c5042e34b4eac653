#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes the image for a USB stick, which boots by 64-bit UEFI, by 32-bit UEFI and by a BIOS: a GPT disk with one
# FAT32 EFI system partition, and GRUB in front of it.  Needs no root.
#
#     image.sh [PROGRAM.efi IMAGE]    with PROGRAM.elf beside it, the 32-bit program
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=grub.sh
. "$here/grub.sh"
# shellcheck source-path=SCRIPTDIR source=slot.sh
. "$here/slot.sh"

[ $# -eq 0 ] || [ $# -eq 2 ] || die "usage: image.sh [PROGRAM.efi IMAGE]"
program=${1:-build/gcc/pmutest86.efi}
legacy=${program%.efi}.elf
image=${2:-build/pmutest86.img}
new=$image.new
volume=$new@@1M
need_file "$program"
need_file "$legacy"

# The image has its name when it is whole.
clean_up()
{
	rm -rf "$work" "$new"
}

work=$(mktemp -d)
at_end clean_up

mkdir -p "$(dirname "$image")"
rm -f "$new"
# 40 MiB of partition: the smallest round size that is FAT32, which some firmware insists on.
truncate -s 42M "$new"
# Fixed identifiers, so that the same program makes the same image to the byte.  The second partition, in front
# of the first, is for GRUB alone.
sgdisk --clear --set-alignment=1 --disk-guid=70747574-7465-7374-3836-000000000001 \
	--new=1:2048:83967 --typecode=1:EF00 --change-name=1:PMUTEST86 \
	--partition-guid=1:70747574-7465-7374-3836-000000000002 \
	--new=2:34:2047 --typecode=2:EF02 --change-name=2:GRUB \
	--partition-guid=2:70747574-7465-7374-3836-000000000004 "$new" >"$work/log" 2>&1 || {
	cat "$work/log" >&2
	exit 1
}
grub_stick "$work/core.img"
grub_embed "$new" "$work/core.img"
fat_make "$volume" 81920
slot_make "$volume"
cfg_template >"$work/pmutest86.cfg"
fat_fill "$volume" "$program" "$program"
fat_put "$volume" "$work/pmutest86.cfg" pmutest86.cfg
fat_put "$volume" "$legacy" pmutest86.elf
grub_fill "$work" "$volume"
mv "$new" "$image"
