#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes the files of a release: the programs and images under versioned names, what they consist of, their licences and
# their sums.  The same sources, compiler and Debian packages make the same bytes.
#
#     dist.sh [DIRECTORY]    a new one; else build/dist, anew
set -eu
cd "$(dirname "$0")/.."
here=check
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=grub.sh
. "$here/grub.sh"
# shellcheck source-path=SCRIPTDIR source=sbom.sh
. "$here/sbom.sh"

[ $# -le 1 ] || die "usage: dist.sh [DIRECTORY]"
[ $# -eq 0 ] || [ ! -e "$1" ] || die "'$1' is there already; allowed is a new directory"
program=build/gcc/pmutest86.efi
need_file "$program"
umask 022
root=$(pwd)
version=$(cut -d ' ' -f 1 build/version)
id=$(sed 's/.*(\(.*\))/\1/' build/version)
name=pmutest86-$version
created=$(git log -1 --format=%ct 2>/dev/null || echo "$SOURCE_DATE_EPOCH")
out=${1:-build/dist}
out=${out%/}
new=$out.new

# The directory has its name when it is whole.
clean_up()
{
	rm -rf "$new"
}

clean_up
at_end clean_up
mkdir -p "$new"
cp "$program" "$new/$name.efi"
cp "${program%.efi}.elf" "$new/$name.elf"
"$here/image.sh" "$program" "$new/$name.img"
"$here/iso.sh" "$program" "$new/$name.iso"
xz -9 --threads=1 "$new/$name.img"
{
	cat LICENSE
	printf '\n---- GRUB, in the images ----\n\n'
	grub_notice
	printf '\n---- gnu-efi, in the 64-bit program ----\n\n'
	cat /usr/share/doc/gnu-efi/copyright
} >"$new/$name.licences.txt"
(
	cd "$new"
	sbom "$created" >"$name.spdx"
	sha256sum -- * >SHA256SUMS
)
rm -rf "$out"
mv "$new" "$out"
cat "$out/SHA256SUMS"
