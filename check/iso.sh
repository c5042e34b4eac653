#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes the hybrid image, which boots as a CD (El Torito) and as a disk (GPT), by 64-bit UEFI, by 32-bit UEFI and by
# a BIOS.  Needs no root.
#
#     iso.sh [PROGRAM.efi IMAGE.iso]    with PROGRAM.elf beside it, the 32-bit program
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=grub.sh
. "$here/grub.sh"

[ $# -eq 0 ] || [ $# -eq 2 ] || die "usage: iso.sh [PROGRAM.efi IMAGE.iso]"
program=${1:-build/gcc/pmutest86.efi}
legacy=${program%.efi}.elf
image=${2:-build/pmutest86.iso}
new=$image.new
need_file "$program"
need_file "$legacy"

# The image has its name when it is whole.
clean_up()
{
	rm -rf "$work" "$new"
}

work=$(mktemp -d)
at_end clean_up

mkdir -p "$(dirname "$image")" "$work/root"
rm -f "$new"
truncate -s 3M "$work/esp.img"
fat_make "$work/esp.img" 6144
cfg_template >"$work/root/pmutest86.cfg"
cp "$program" "$work/root/pmutest86.efi"
cp "$legacy" "$work/root/pmutest86.elf"
fat_fill "$work/esp.img" "$program" "$program"
fat_put "$work/esp.img" "$work/root/pmutest86.cfg" pmutest86.cfg
fat_put "$work/esp.img" "$work/root/pmutest86.elf" pmutest86.elf
grub_fill "$work/root" "$work/esp.img"
grub_cd "$work/root/$grub_dir/bios.img"
find "$work/root" "$work/esp.img" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +

# The active flag is as grub_embed sets it on the stick.
xorriso -as mkisofs -quiet -r -V PMUTEST86 -o "$new" \
	--gpt_disk_guid 70747574-7465-7374-3836-000000000003 \
	--grub2-mbr "$grub_lib/i386-pc/boot_hybrid.img" --mbr-force-bootable \
	-b "$grub_dir/bios.img" -no-emul-boot -boot-load-size 4 -boot-info-table --grub2-boot-info \
	-append_partition 2 0xef "$work/esp.img" -appended_part_as_gpt \
	-eltorito-alt-boot -e --interval:appended_partition_2:all:: -no-emul-boot \
	"$work/root" >"$work/log" 2>&1 || {
	cat "$work/log" >&2
	exit 1
}
mv "$new" "$image"
