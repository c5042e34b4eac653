#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Installs the Debian packages that building and checking need, when any is missing.
set -eu
PATH=$PATH:/usr/sbin:/sbin

missing=

# need PACKAGE COMMAND|FILE...: the package is missing when none of these is there.  Files and
# commands are looked at, not dpkg's list, so that the script is right on other systems too.
need()
{
	package=$1
	shift
	for thing in "$@"; do
		case $thing in
		/*) [ ! -e "$thing" ] || return 0 ;;
		*) if command -v "$thing" >/dev/null; then return 0; fi ;;
		esac
	done
	missing="$missing $package"
}

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
need ovmf-ia32 /usr/share/OVMF/OVMF32_CODE_4M.secboot.fd
need seabios /usr/share/seabios/bios-256k.bin
need ipxe-qemu /usr/lib/ipxe/qemu/pxe-rtl8139.rom
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

[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
	echo "setup: missing (by their Debian package names):$missing" >&2
	exit 1
elif [ "$(id -u)" -eq 0 ]; then
	as_root="env"
elif command -v sudo >/dev/null; then
	as_root='sudo env'
else
	echo "setup: please install as root: apt-get install$missing" >&2
	exit 1
fi

echo "setup: installing$missing" >&2
# Both variables are lists of words.
# shellcheck disable=SC2086
install_missing()
{
	$as_root DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -q --no-install-recommends $missing >&2
}
install_missing || {
	$as_root apt-get update -q >&2
	install_missing
}
