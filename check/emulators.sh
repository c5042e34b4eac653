#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots the programs by other emulators than QEMU: on every processor of Bochs, by its BIOS, and some by 64-bit UEFI; and
# on v86's, by Debian's SeaBIOS and by Multiboot, without ACPI and with it.  None has a PMU: each must end with the verdict "skip", those
# before the Pentium Pro with the reason that they are too old.  An emulator that is not installed is named, and not booted.
#
#     emulators.sh [GLOB]    only the machines whose name matches
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=matrix.sh
. "$here/matrix.sh"

[ $# -le 1 ] || die "usage: emulators.sh [GLOB]"
out=$here/../build/check/emulators
program=$here/../build/gcc/pmutest86.efi
legacy=${program%.efi}.elf

bochs_bios=/usr/share/bochs/BIOS-bochs-latest
bochs_vga_bios=/usr/share/bochs/VGABIOS-lgpl-latest
# Models that are before the Pentium Pro; Bochs fixes what each model has.
bochs_too_old='pentium pentium_mmx amd_k6_2_chomper'
# One of each vendor and time.
bochs_by_uefi='athlon64_clawhammer core2_penryn_t9600 corei7_haswell_4770 ryzen tigerlake'

v86_version=0.5.462
v86=$here/../build/v86/node_modules/v86
v86_bios=/usr/share/seabios/bios.bin
v86_vga_bios=/usr/share/seabios/vgabios-stdvga.bin

# ---- which ----

has_bochs()
{
	command -v bochs >/dev/null && [ -e "$bochs_bios" ] && [ -e "$bochs_vga_bios" ]
}

has_v86()
{
	command -v node >/dev/null && [ -e "$v86_bios" ] && [ -e "$v86_vga_bios" ] &&
		grep -qs "\"version\": \"${v86_version}[+\"]" "$v86/package.json"
}

bochs_models()
{
	bochs --help cpu 2>&1 | awk '/^$/ { if (n) exit } on && NF == 1 { n++; print $1 } /^Supported CPU models:/ { on = 1 }'
}

# machines: one "NAME EMULATOR WORD..." a line.
machines()
{
	! has_bochs || for model in $(bochs_models); do
		echo "bochs.bios.$model bochs $bochs_bios none $model"
	done
	! has_bochs || for model in $bochs_by_uefi; do
		echo "bochs.uefi.$model bochs $firmware vbe $model"
	done
	! has_v86 || for acpi in none acpi; do
		echo "v86.multiboot.$acpi v86 multiboot $legacy $acpi"
		echo "v86.iso.$acpi v86 cdrom $out/iso.img $acpi"
	done
}

name_what_is_missing()
{
	has_bochs || echo "# no Bochs: apt-get install bochs bochsbios vgabios"
	has_v86 || echo "# no v86: apt-get install nodejs npm seabios; npm install --prefix build/v86 v86@$v86_version"
}

# ---- how ----

# bochs_configure FIRMWARE GRAPHICS MODEL: its BIOS and GRUB wait by a clock that goes with the instructions, so that it
# is to be slow; with VBE, GRUB 2.06 jumps to nowhere there.  Its serial line is a file, and its screen a server that
# waits for nobody.
bochs_configure()
{
	cat <<-RC
	config_interface: textconfig
	display_library: rfb, options="timeout=0"
	megs: 256
	romimage: file=$1
	vgaromimage: file=$bochs_vga_bios
	vga: extension=$2
	cpu: model=$3, count=1, ips=8000000, reset_on_triple_fault=0
	clock: sync=none
	ata0-master: type=cdrom, path=$out/iso.img, status=inserted
	boot: cdrom
	com1: enabled=1, mode=file, dev=$dir/serial.log
	panic: action=fatal
	log: $dir/bochs.log
	RC
}

# start_bochs FIRMWARE GRAPHICS MODEL: Debian's has a debugger in front, which is told to go on.
start_bochs()
{
	case " $bochs_too_old " in
	*" $3 "*) refused='a Pentium Pro, an Athlon or what came after them is needed' ;;
	esac
	bochs_configure "$@" >"$dir/bochsrc"
	echo continue >"$dir/commands"
	timeout --foreground -k 5 "$patience" bochs -q -f "$dir/bochsrc" -rc "$dir/commands" </dev/null >"$dir/qemu.log" 2>&1 &
	qemu_pid=$!
}

# start_v86 MEDIUM FILE ACPI
start_v86()
{
	timeout --foreground -k 5 "$patience" node "$here/v86.mjs" "$v86" "$v86_bios" "$v86_vga_bios" "$@" \
		</dev/null >"$dir/serial.log" 2>"$dir/qemu.log" &
	qemu_pid=$!
}

# start EMULATOR WORD...: none of them can be ended by the program.
start()
{
	dir=$out/$name emulator=$1
	shift
	: >"$dir/serial.log"
	"start_$emulator" "$@"
	stopped=yes
	qemu_wait_for '^# verdict: \|^pmutest86: error in ' || :
	qemu_stop
	wait "$qemu_pid" 2>/dev/null || :
}

judge()
{
	grep -q '^# pmutest86 ' "$out/$name/report.tap" || echo "the report is not pmutest86's"
}

name_what_is_missing
rm -rf "$out"
mkdir -p "$out"
machines | while read -r line; do
	# shellcheck disable=SC2254 # it is meant as a pattern
	case ${line%% *} in
	${1:-*}) echo "$line" ;;
	esac
done >"$out/list"
[ -s "$out/list" ] || exit 0
"$here/iso.sh" "$program" "$out/iso.img"
boot_all
