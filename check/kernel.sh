#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes build/linux/vmlinuz, a link to Debian's kernel, and build/linux/modules, one to its modules: what is installed,
# or else the package, which is fetched and unpacked, and not installed, as that would change what this machine boots.
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
made=$here/../build/linux

# newest DIRECTORY: of the kernels in it.
newest()
{
	find "$1" -name 'vmlinuz-*-amd64' 2>/dev/null | sort -V | tail -n 1
}

fetch()
{
	package=$(apt-cache depends linux-image-amd64 | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	[ -n "$package" ] || die "no Debian package linux-image-amd64 is known; run apt-get update, or set KERNEL=FILE"
	(cd "$made" && apt-get -q download "$package" && dpkg-deb -x "$package"_*.deb tree && rm "$package"_*.deb) >&2
}

mkdir -p "$made"
top=
if [ -z "$(newest /boot)" ]; then
	top=$(cd "$made" && pwd)/tree
	[ -d "$top" ] || fetch
fi
kernel=$(newest "$top/boot")
version=${kernel##*/vmlinuz-}
ln -sfn "$top/lib/modules/$version" "$made/modules"
ln -sf "$kernel" "$made/vmlinuz"
