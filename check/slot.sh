# SPDX-License-Identifier: BSD-2-Clause
# Shared by image.sh and the checks, after lib.sh: the file in which the program leaves its report under a BIOS.
# shellcheck shell=sh disable=SC2154 # work comes from the script that reads this

# boot/bios/disk/disk.h: SLOT_NAME, SLOT_SIZE, SLOT_LINE.  The program takes no file that is otherwise, as the
# checks slot.* would show.
slot_name=pmubios.tap
slot_size=528384
slot_line='# pmutest86: the last report under a BIOS.  Copy this file, but do not edit or move it.'

# slot_contents [REPORT]: the line, the report, and up to the end of the file spaces with an end of line for each sector.
slot_contents()
{
	{
		echo "$slot_line"
		cat "${1:-/dev/null}"
	} | awk -v size="$slot_size" '
		{ print; at += length($0) + 1 }
		END {
			while (at < size) {
				left = 512 - at % 512
				printf "%*s\n", left - 1, ""
				at += left
			}
		}'
}

# slot_pieces VOLUME: how many there are of the file.
slot_pieces()
{
	mshowfat -i "$1" "::/$slot_name" | tr -dc '<' | wc -c
}

# slot_make VOLUME: the program takes the file in one piece only, which it is where nothing was deleted before.
slot_make()
{
	slot_contents >"$work/$slot_name"
	fat_put "$1" "$work/$slot_name" "$slot_name"
	[ "$(slot_pieces "$1")" -eq 1 ] || die "$slot_name is not in one piece on $1"
}

# slot_sector VOLUME: the first one of the file, counted from the beginning of the volume, which is FAT32.
slot_sector()
{
	cluster=$(mshowfat -i "$1" "::/$slot_name" | sed 's/.*<\([0-9]*\).*/\1/')
	minfo -i "$1" :: | awk -F '[:=]' -v cluster="$cluster" '
		/^cluster size:/ { size = $2 + 0 }
		/^reserved \(boot\) sectors:/ { reserved = $2 + 0 }
		/^fats:/ { tables = $2 + 0 }
		/^Big fatlen=/ { sectors = $2 + 0 }
		END { print reserved + tables * sectors + (cluster - 2) * size }'
}

# slot_judge BEFORE AFTER REPORT: prints what is wrong with the stick's image after a run with this report, or
# nothing: the file has it, and nothing else has changed.  Uses files beside AFTER.
slot_judge()
{
	cp --sparse=always "$1" "$2.expected"
	slot_contents "$3" | dd of="$2.expected" bs=512 seek=$((2048 + $(slot_sector "$1@@1M"))) conv=notrunc status=none
	cmp "$2.expected" "$2" 2>&1 || :
	rm "$2.expected"
	mcopy -n -i "$2@@1M" "::/$slot_name" "$2.tap" 2>&1 || :
	slot_contents "$3" | cmp - "$2.tap" 2>&1 || :
}
