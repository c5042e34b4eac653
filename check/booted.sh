#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Keeps in FILE the state of the usual machine when its firmware is about to read the disk for the first time: every boot
# with PMUTEST86_BOOTED=FILE goes on from there.  Nine tenths of a boot are the firmware's, which unpacks itself.
#
#     booted.sh FILE
set -eu
here=$(dirname "$0")
unset PMUTEST86_BOOTED
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

[ $# -eq 1 ] || die "usage: booted.sh FILE"
state=$1
need_qemu
work=$(mktemp -d)

clean_up()
{
	rm -rf "$work" "$state.new"
}
at_end clean_up

# words: what QEMU's monitor is told.  The first read fails, which stops the machine; where it goes on, the disk is
# asked again.
words()
{
	until grep -q 'paused (io-error)' "$work/monitor"; do
		echo 'info status'
		sleep 0.1
	done
	echo "migrate \"exec:cat >$state.new\""
	echo quit
}

printf '[inject-error]\nevent = "read_aio"\nerrno = "5"\n' >"$work/failing.conf"
truncate -s "$usual_disk" "$work/disk.img"
: >"$work/monitor"
qemu_limit='timeout --foreground 60'
# shellcheck disable=SC2046 # words are what it consists of
words | (qemu_exec "$work" $(usual_machine) -monitor stdio \
	-drive "format=raw,rerror=stop,file=blkdebug:$work/failing.conf:$work/disk.img") >"$work/monitor"
# The kept state of a machine says that it has stopped, too.
[ "$(grep -ac 'io-error' "$state.new")" -eq 1 ] || die "the machine did not stop in front of its disk"
sed -i 's/io-error/running\x00/' "$state.new"

# Does it go on?
PMUTEST86_BOOTED=$state.new "$here/../run-qemu.sh" --model k7 --quiet --timeout 60 -- 'tests=amd.0.access.registers_present' >"$work/report" || {
	tail -n 3 "$work/report" >&2
	die "the machine does not go on from there"
}
mv "$state.new" "$state"
