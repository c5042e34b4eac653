#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Signs the 64-bit program for Secure Boot, and makes a stick of it: build/signed.
#
#     KEY=FILE CERT=FILE sign.sh [DIRECTORY]    both in PEM: the private key, and the certificate that firmware has of it
set -eu
cd "$(dirname "$0")/.."
here=check
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

program=build/gcc/pmutest86.efi

if [ -z "${KEY:-}" ] || [ -z "${CERT:-}" ] || [ $# -gt 1 ]; then
	die "key or certificate is missing: make sign KEY=FILE CERT=FILE, both in PEM"
fi
out=${1:-build/signed}
need_file "$program"
command -v sbsign >/dev/null || die "sbsign is not there (Debian package sbsigntool); run check/setup.sh"
[ -r "$KEY" ] || die "KEY: '$KEY' is no file that can be read"
[ -r "$CERT" ] || die "CERT: '$CERT' is no file that can be read"
mkdir -p "$out"
rm -f "$out/pmutest86.efi"
sbsign --key "$KEY" --cert "$CERT" --output "$out/pmutest86.efi" "$program" ||
	die "nothing is signed: allowed are a private key and its certificate, both in PEM"
cp "${program%.efi}.elf" "$out"
"$here/image.sh" "$out/pmutest86.efi" "$out/pmutest86.img"
echo "signed: $out/pmutest86.efi, and $out/pmutest86.img with it"
