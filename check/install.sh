#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Puts the programs to where GRUB finds them, with a menu entry, and images for sticks and CDs beside the documents; or
# takes all that away.
#
#     install.sh install|uninstall PREFIX [DESTDIR]    DESTDIR: in front of all paths, for packages
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

[ $# -eq 2 ] || [ $# -eq 3 ] || die "usage: install.sh install|uninstall PREFIX [DESTDIR]"
case $2 in
/?*) ;;
*) die "prefix '$2' is no absolute path" ;;
esac
boot=${3:-}/boot/pmutest86 menu=${3:-}/etc/grub.d entry=20_pmutest86
share=${3:-}$2/share/pmutest86 doc=${3:-}$2/share/doc/pmutest86
case $1 in
install | uninstall) "do_$1" ;;
*) die "unknown '$1'; allowed are install, uninstall" ;;
esac
[ -n "${3:-}" ] || echo "$1: run update-grub for the boot menu"
