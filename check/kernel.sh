#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes build/linux/vmlinuz, a link to Debian's kernel, and build/linux/modules, one to its modules: what is installed,
# or else the package, which is fetched and unpacked, and not installed, as that would change what this machine boots.
#
#     kernel.sh           of the release at hand
#     kernel.sh newest    of Debian's testing, in build/linux/newest; what apt knows of this machine is left alone
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

# use_testing: apt's words for its packages alone, from the archive that this machine has the others from.
use_testing()
{
	archive=$(apt-get indextargets --format "\$(REPO_URI)" 'Created-By: Packages' 'Label: Debian' | head -n 1)
	[ -n "$archive" ] || die "newest: apt knows of no archive of Debian; set KERNEL=FILE"
	echo "deb $archive testing main" >"$made/testing.list"
	mkdir -p "$made/lists/partial"
	apt="-o Dir::Etc::sourcelist=$made/testing.list -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists=$made/lists
		-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o Acquire::Languages=none"
	# shellcheck disable=SC2086 # words
	apt-get -q $apt -o APT::Update::Error-Mode=any update >&2 ||
		die "newest: there is no way to testing at $archive, as apt says above; set KERNEL=FILE"
}

# fetch: from Debian 14 on the package itself is empty, and depends on one for the kernel and one for the modules.
# shellcheck disable=SC2086 # words
fetch()
{
	[ -z "$testing" ] || use_testing
	package=$(apt-cache $apt depends linux-image-amd64 | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	[ -n "$package" ] || die "no Debian package linux-image-amd64 is known; run apt-get update, or set KERNEL=FILE"
	for part in image binary modules; do
		one=linux-$part-${package#linux-image-}
		[ -n "$(apt-cache $apt madison "$one")" ] || continue
		(cd "$made" && apt-get -q $apt download "$one" && dpkg-deb -x "$one"_*.deb tree && rm "$one"_*.deb) >&2
	done
}

apt='' top='' testing=${1:-}
case $testing in
'') ;;
newest) made=$made/newest ;;
*) die "unknown word '$1'; allowed is newest" ;;
esac
mkdir -p "$made"
made=$(cd "$made" && pwd)
if [ -n "$testing" ] || [ -z "$(newest '')" ]; then
	top=$made/tree
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
