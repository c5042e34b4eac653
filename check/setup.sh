#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Says which release this is, and installs the Debian packages that building and checking need, when any is missing.
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

missing=

# has COMMAND|FILE...: one of these is there.  They are looked at, not dpkg's list, so that the script is right on other
# systems too.
has()
{
	for thing in "$@"; do
		case $thing in
		/*) [ ! -e "$thing" ] || return 0 ;;
		*) if command -v "$thing" >/dev/null; then return 0; fi ;;
		esac
	done
	return 1
}

# need PACKAGE COMMAND|FILE...
need()
{
	package=$1
	shift
	has "$@" || missing="$missing $package"
}

can_install()
{
	command -v apt-get >/dev/null && { [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null; }
}

update()
{
	as_root apt-get update -q >&2
}

# offered PACKAGE: the release has it, as far as apt's lists tell, which a new system does not have yet.
offered()
{
	can_install || return 1
	[ -n "$(apt-cache madison base-files)" ] || update
	[ -n "$(apt-cache madison "$1")" ]
}

# want PACKAGE WHAT COMMAND|FILE...: where the release has no such package, WHAT is skipped.
want()
{
	package=$1 what=$2
	shift 2
	if has "$@"; then
		:
	elif offered "$package"; then
		missing="$missing $package"
	else
		echo "setup: no package $package to be had: skipped is $what" >&2
	fi
}

# say_release: the first line, and whether docs/building.md has tried it.
say_release()
{
	os=$(sed -n 's/^PRETTY_NAME="*\([^"]*\)"*$/\1/p' /etc/os-release)
	codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	if releases | grep -qx "$codename"; then
		echo "setup: $os, which has been tried (docs/building.md)" >&2
	else
		echo "setup: ${os:-an unknown system}, which has not been tried; those that have: $(releases | paste -sd " ") (docs/building.md)" >&2
	fi
}

say_release

need gcc gcc
need libc6-dev /usr/include/stdlib.h
need gcc-multilib /usr/lib/gcc/x86_64-linux-gnu/*/32/libgcc.a
need clang clang
need libclang-rt-dev /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-x86_64.a
need make make
need nasm nasm
need binutils objcopy
need xfonts-terminus /usr/share/fonts/X11/misc/ter-u16b_iso-8859-1.pcf.gz
need gnu-efi /usr/include/efi/efi.h
need qemu-system-x86 qemu-system-x86_64
need ovmf /usr/share/ovmf/OVMF.fd
need seabios /usr/share/seabios/bios-256k.bin
need ipxe /usr/lib/ipxe/ipxe.efi
need ipxe-qemu /usr/lib/ipxe/qemu/pxe-rtl8139.rom /usr/share/qemu/pxe-rtl8139.rom
need grub-common grub-mkimage
need grub-pc-bin /usr/lib/grub/i386-pc/boot.img
need grub-efi-amd64-bin /usr/lib/grub/x86_64-efi/kernel.img
need grub-efi-ia32-bin /usr/lib/grub/i386-efi/kernel.img
need busybox busybox
need cpio cpio
need mtools mformat
need gdisk sgdisk
need e2fsprogs mke2fs
need xorriso xorriso
need xz-utils xz
need openssl openssl
need sbsigntool sbsign
need libpfm4-dev /usr/include/perfmon/pfmlib.h
need clang-format clang-format
need cppcheck cppcheck
need shellcheck shellcheck
need perl prove
need bsdutils script
need libtap-formatter-junit-perl /usr/share/perl5/TAP/Formatter/JUnit.pm
need libtap-formatter-html-perl /usr/share/perl5/TAP/Formatter/HTML.pm
need libxml2-utils xmllint
need netpbm pngtopnm
case $codename in
bookworm | trixie) ;;
*) want efi-shell-x64 'what the shell of UEFI starts' "$shell_64" ;;
esac
want ovmf-ia32 'what 32-bit UEFI boots' "$firmware_32"

# A browser is several hundred megabytes, for one check: nobody gets one unasked.
has chromium || echo 'setup: chromium is not here, and is for you to install: skipped is what looks at pages of reports in it' >&2

[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
	echo "setup: missing (by their Debian package names):$missing" >&2
	exit 1
elif ! can_install; then
	echo "setup: please install as root: apt-get install$missing" >&2
	exit 1
fi

echo "setup: installing$missing" >&2
# shellcheck disable=SC2086 # words
install_missing()
{
	as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -q --no-install-recommends $missing >&2
}
install_missing || {
	update
	install_missing
}
