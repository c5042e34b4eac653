#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Becomes a QEMU that does the runs of a configuration, with its serial line on standard output.
#
#     boot.sh FILE.cfg
set -eu
here=$(dirname "$0")/..
# shellcheck source-path=SCRIPTDIR/.. source=lib.sh
. "$here/lib.sh"

work=${1%.cfg}
build=$here/../build/gcc
rm -rf "$work"
mkdir "$work"
truncate -s "$usual_disk" "$work/disk.img"
fat_make "$work/disk.img" 32768
fat_fill "$work/disk.img" "$build/silicon.efi" "$build/pmutest86.efi"
fat_put "$work/disk.img" "$build/pmutest86.elf" pmutest86.elf
fat_put "$work/disk.img" "$1" silicon.cfg
qemu_serial=stdio
# shellcheck disable=SC2046 # words are what it consists of
qemu_exec "$work" $(usual_machine) -drive "format=raw,file=$work/disk.img" </dev/null
