#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Puts the programs to where GRUB finds them, with a menu entry, and images for sticks and CDs beside the documents; or
# takes all that away.
#
#     [prefix=DIRECTORY] [DESTDIR=DIRECTORY] install.sh install|uninstall    DESTDIR: in front of all paths, for packages
set -eu
cd "$(dirname "$0")/.."
here=check
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

build=build/gcc

do_install()
{
	need_file "$build/pmutest86.elf"
	install -d "$boot" "$menu" "$share" "$doc/lab"
	install -m 644 "$build/pmutest86.efi" "$build/pmutest86.elf" "$boot"
	# One that has been edited stays.
	[ -e "$boot/pmutest86.cfg" ] || cfg_template | tr -d '\r' >"$boot/pmutest86.cfg"
	install "$here/grub.d/$entry" "$menu"
	"$here/image.sh" "$build/pmutest86.efi" "$share/pmutest86.img"
	"$here/iso.sh" "$build/pmutest86.efi" "$share/pmutest86.iso"
	install -m 644 LICENSE README.md CHANGELOG.md "$doc"
	install -m 644 docs/*.md "$doc"
	install -m 644 docs/lab/* "$doc/lab"
}

# The directories are the program's alone.
do_uninstall()
{
	rm -rf "$boot" "$share" "$doc"
	rm -f "$menu/$entry"
}

[ $# -eq 1 ] || die "usage: [prefix=DIRECTORY] [DESTDIR=DIRECTORY] install.sh install|uninstall"
prefix=${prefix:-/usr/local} DESTDIR=${DESTDIR:-}
case $prefix in
/?*) ;;
*) die "prefix '$prefix' is no absolute path" ;;
esac
boot=$DESTDIR/boot/pmutest86 menu=$DESTDIR/etc/grub.d entry=20_pmutest86
share=$DESTDIR$prefix/share/pmutest86 doc=$DESTDIR$prefix/share/doc/pmutest86
case $1 in
install | uninstall) "do_$1" ;;
*) die "unknown '$1'; allowed are install, uninstall" ;;
esac
[ -n "$DESTDIR" ] || echo "$1: run update-grub for the boot menu"
