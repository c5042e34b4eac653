# SPDX-License-Identifier: BSD-2-Clause
# Shared by image.sh and iso.sh, after lib.sh: the boot loader of Debian's packages grub-pc-bin and
# grub-efi-ia32-bin, which starts the 32-bit program under a BIOS and under 32-bit UEFI.  64-bit UEFI starts its program
# by itself.
# shellcheck shell=sh disable=SC2154 # work comes from the script that reads this

grub_lib=/usr/lib/grub
# The directory on the medium, whose grub.cfg an owner may edit.
grub_dir=grub
# Modules that the menu uses, or that help to find out why it does not come: nothing else is in the loader, nor loaded later.
grub_modules="part_gpt part_msdos fat normal test multiboot2 echo ls cat reboot halt"

# grub_image FORMAT PREFIX FILE MODULE...: the loader in one file, with its directory and its modules.
grub_image()
{
	format=$1 prefix=$2 file=$3
	shift 3
	# shellcheck disable=SC2086 # words
	grub-mkimage --format="$format" --prefix="$prefix" --output="$file" $grub_modules "$@"
}

# grub_efi FILE: for 32-bit UEFI, which draws: the loader takes its directory from where it was itself.  From 2.14 on
# GRUB has no UGA, which EFI drew with before UEFI.
grub_efi()
{
	uga=efi_uga
	[ -e "$grub_lib/i386-efi/$uga.mod" ] || uga=
	grub_image i386-efi "/$grub_dir" "$1" iso9660 efi_gop ${uga:+"$uga"}
}

# grub_stick FILE: what the code in the first sector of a disk loads.  Its directory is in partition 1 of
# the disk that the BIOS names.
grub_stick()
{
	grub_image i386-pc "(,gpt1)/$grub_dir" "$1" biosdisk serial
}

# grub_cd FILE: what a BIOS loads from a CD, and the first sector of the same image on a disk.
grub_cd()
{
	grub_image i386-pc-eltorito "/$grub_dir" "$1" biosdisk serial iso9660
}

# patch FILE OFFSET BYTES: bytes as printf takes them.
patch()
{
	# shellcheck disable=SC2059 # the format is what is meant
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# grub_embed IMAGE FILE: FILE of grub_stick from sector 34 of a GPT disk, where a BIOS boot partition is, and the code
# that loads it into the first sector.  This is what grub-install does, which would need root and a real disk.
grub_embed()
{
	sector=34
	boot=$work/boot.img
	cp "$grub_lib/i386-pc/boot.img" "$boot"
	patch "$boot" 92 "\\$(printf %03o $sector)"
	# Without the jump around it the code takes drive 80h when the BIOS names one that is no disk, as old ones do.
	patch "$boot" 102 '\220\220'
	# Behind the code there are the disk's signature and partition table.
	dd if="$boot" of="$1" bs=440 count=1 conv=notrunc status=none
	dd if="$2" of="$1" bs=512 seek=$sector conv=notrunc status=none
	# Where the second sector of the loader is, the first one says at its end.
	patch "$1" $((sector * 512 + 500)) "\\$(printf %03o $((sector + 1)))"
	# Many a BIOS boots from no disk without an active partition.  On the protective one the flag would be against
	# the UEFI specification: an empty entry behind it has it, of type 0 and one sector.
	patch "$1" 462 '\200\0\001\0\0\0\001\0\0\0\0\0\001\0\0\0'
}

# The menu.  Multiboot 2 on BIOS as well as on UEFI, so that there is one way, on which the loader tells where ACPI's
# tables are and what the screen is.
grub_cfg()
{
	cat <<-'CFG'
	# pmutest86: the menu of BIOS and 32-bit UEFI.  64-bit UEFI starts its program without a menu.
	# Options go into pmutest86.cfg, or to the end of the line that begins with "multiboot2"; for one boot alone press
	# e in the menu, and then Ctrl-x.
	set timeout=3
	set default=0

	# UEFI has its own way to the serial line.
	if [ "$grub_platform" = pc ]; then
	    if serial --unit=0 --speed=115200; then
	        terminal_input console serial
	        terminal_output console serial
	    fi
	fi

	menuentry "pmutest86, 32 bits" {
	    multiboot2 /pmutest86.elf
	    if [ -e /pmutest86.cfg ]; then
	        module2 /pmutest86.cfg pmutest86.cfg
	    fi
	}
	menuentry "Restart" {
	    reboot
	}
	CFG
}

# The notice that a medium with the loader on it must come with.
grub_notice()
{
	cat <<-TEXT
	The files of pmutest86 are under the BSD-2-Clause licence.

	The boot loader that starts its 32-bit program is GNU GRUB $(grub-mkimage --version | sed 's/.*) //'), unmodified, from
	Debian: the file EFI/BOOT/BOOTIA32.EFI, and what is in the first sectors of this medium.  It is under the GNU General
	Public License, version 3 or later: see the file COPYING beside this one.  Its source is Debian's source
	package grub2 of that version: https://snapshot.debian.org/package/grub2/

	The glyphs on the program's screen are of the Terminus Font: see the file FONT beside this one.
	TEXT
}

# grub_fill DIRECTORY VOLUME: the loader's own files into $work/DIRECTORY, and into the FAT volume with what 32-bit
# UEFI starts.
grub_fill()
{
	mkdir -p "$1/$grub_dir"
	grub_cfg >"$1/$grub_dir/grub.cfg"
	grub_notice >"$1/$grub_dir/README.txt"
	cp /usr/share/common-licenses/GPL-3 "$1/$grub_dir/COPYING"
	cp /usr/share/doc/xfonts-terminus/copyright "$1/$grub_dir/FONT"
	mcopy -s -i "$2" "$1/$grub_dir" ::/
	grub_efi "$work/bootia32.efi"
	fat_put "$2" "$work/bootia32.efi" EFI/BOOT/BOOTIA32.EFI
}
