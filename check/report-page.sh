#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes a page of reports: files of the program's, or logs of a serial line; a directory stands for its *.tap and *.log.
# Of one report, it shows all of it; of two, what changed as well, side by side; of more, or a directory, a table of
# machines.  Exit code: 0 pass, 1 fail, 77 skip, 2 what is not to be believed; of several reports the worst.
#
#     report-page.sh [--json|--junit] REPORT... >page.html
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
usage='usage: report-page.sh [--json|--junit] REPORT...'

# frame NAME FILE: the report in FILE with what read.awk wants around it.
frame()
{
	status=0
	words=$(report_judge "$2" | sed 's/^report: //' | paste -sd ';' - | sed 's/;/; /g')
	report_judge "$2" >/dev/null || status=$?
	worst $status
	printf '@report %s\n' "$1"
	# Of no other signs, for XML and JSON have no way to write some of them.
	tr -c '\n -~' '?' <"$2" | sed 's/^@/ &/'
	echo "@judged $status $words"
}

# worst STATUS: code becomes the worse of both.
worst()
{
	for status_worse in $BROKEN $FAIL $PASS $SKIP; do
		case $status_worse in
		"$1" | "$code") code=$status_worse && return ;;
		esac
	done
}

# take FILE: each report in it, or what there is instead.
take()
{
	if [ ! -f "$1" ] || [ ! -r "$1" ]; then die "'$1' is no file that can be read"; fi
	rm -f "$work"/part.*
	serial_clean "$1" | report_extract | awk -v to="$work/part." '/^KTAP version/ { n++ } { print >(to sprintf("%04d", n)) }'
	[ -e "$work/part.0001" ] || : >"$work/part.0001"
	for part in "$work"/part.*; do
		frame "${1##*/}" "$part"
	done
}

# take_directory DIRECTORY
take_directory()
{
	for file in "$1"/*.tap "$1"/*.log; do
		[ ! -e "$file" ] || take "$file"
	done
}

# take_all FILE|DIRECTORY...
take_all()
{
	for place; do
		if [ -d "$place" ]; then take_directory "$place"; else take "$place"; fi
	done
}

# changes FILE FILE: what compare.sh finds, or says.
changes()
{
	"$here/compare.sh" "$@" 2>&1 | sed "s|^compare.sh: |not compared: |; s/^/@changed /"
}

form=page
case ${1:-} in
--json | --junit) form=${1#--} && shift ;;
-*) die "$usage" ;;
esac
[ $# -gt 0 ] || die "$usage"
clean_up()
{
	rm -rf "$work"
}

work=$(mktemp -d)
at_end clean_up
code=$SKIP
kind=report
take_all "$@" >"$work/all"
if [ $# -eq 2 ] && [ -f "$1" ] && [ -f "$2" ]; then
	kind=pair
	changes "$@" >>"$work/all"
elif [ $# -gt 1 ] || [ -d "$1" ]; then
	kind=wall
fi
if [ "$form" = page ]; then
	set -- -f "$here/report/html.awk" -f "$here/report/matrix.awk" -f "$here/report/plots.awk" -f "$here/report/failures.awk"
else
	set --
fi
awk -v kind=$kind -v style="$here/report/page.css" -f "$here/report/read.awk" "$@" -f "$here/report/$form.awk" "$work/all"
[ "$code" -eq "$PASS" ] || exit "$code"
