#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes build/linux/vmlinuz, a link to Debian's kernel, and build/linux/modules, one to its modules: what is installed,
# or else the package, which is fetched and unpacked, and not installed, as that would change what this machine boots.
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
made=$here/../build/linux

# newest TOP: of the kernels below it, which are beside their modules from Debian 14 on.
newest()
{
	find "$1/boot" "$1/usr/lib/modules" -maxdepth 2 \( -name 'vmlinuz-*-amd64' -o -path '*-amd64/vmlinuz' \) \
		2>/dev/null | sort -V | tail -n 1
}

# fetch: from Debian 14 on the package itself is empty, and depends on one for the kernel and one for the modules.
fetch()
{
	package=$(apt-cache depends linux-image-amd64 | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	[ -n "$package" ] || die "no Debian package linux-image-amd64 is known; run apt-get update, or set KERNEL=FILE"
	for part in image binary modules; do
		one=linux-$part-${package#linux-image-}
		[ -n "$(apt-cache madison "$one")" ] || continue
		(cd "$made" && apt-get -q download "$one" && dpkg-deb -x "$one"_*.deb tree && rm "$one"_*.deb) >&2
	done
}

mkdir -p "$made"
top=
if [ -z "$(newest '')" ]; then
	top=$(cd "$made" && pwd)/tree
	[ -n "$(newest "$top")" ] || fetch
fi
kernel=$(newest "$top")
[ -n "$kernel" ] || die "no kernel is below $top; set KERNEL=FILE"
version=${kernel%/vmlinuz}
version=${version##*/}
version=${version#vmlinuz-}
modules=$(find "$top/lib/modules/" "$top/usr/lib/modules/" -maxdepth 1 -name "$version" 2>/dev/null | head -n 1)
ln -sfn "$modules" "$made/modules"
ln -sf "$kernel" "$made/vmlinuz"
