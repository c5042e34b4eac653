#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Compares two reports: files of the program's, or logs of a serial line with one whole report each.  Prints what changed
# from the first to the second.  Exit code 0: nothing; 1: something; 2: one of them is not to be believed, or is none.
#
#     compare.sh REPORT REPORT
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

# take FILE OUTPUT: the report in it.
take()
{
	if [ ! -f "$1" ] || [ ! -r "$1" ]; then die "'$1' is no file that can be read"; fi
	serial_clean "$1" | report_extract >"$2"
	reports=$(grep -c '^KTAP version' "$2" || :)
	[ "$reports" -eq 1 ] || die "'$1' has $reports reports; allowed is one"
	status=0
	why=$(report_judge "$2") || status=$?
	[ $status -ne "$BROKEN" ] || die "'$1': $why"
}

[ $# -eq 2 ] || die "usage: compare.sh REPORT REPORT"
clean_up()
{
	rm -rf "$work"
}

work=$(mktemp -d)
at_end clean_up
take "$1" "$work/a"
take "$2" "$work/b"
awk -f "$here/compare.awk" "$work/a" "$work/b"
