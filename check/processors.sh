#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Works out what must come out for each recorded processor, and writes the table of all processors
# into docs/hardware.md.
#
#     processors.sh            writes both
#     processors.sh --check    only compares them with what is there
#     processors.sh --row REPORT NAME    prints the rows of a report made with facts=all
set -eu
cd "$(dirname "$0")/.."
here=check/processors
begin='<!-- from check/processors: make processors -->' end='<!-- end -->'

# expected ROWS
expected()
{
	awk -f $here/parts.awk -f $here/expect.awk $here/parts.txt "$1"
}

# row REPORT NAME
row()
{
	awk -v name="$2" -f $here/from_report.awk "$1" >build/row
	[ -s build/row ] || {
		echo "processors.sh: '$1' has no facts of CPUID: made with facts=all?" >&2
		exit 1
	}
	expected build/row
}

# put FILE: what is read becomes the file, or with --check must be it.
put()
{
	cat >build/new
	if [ "$check" ]; then
		diff -u "$1" build/new
	else
		cat build/new >"$1"
	fi
}

check=''
case $#,${1:-} in
0,) ;;
1,--check) check=1 ;;
3,--row)
	row "$2" "$3"
	exit
	;;
*)
	echo "processors.sh: '$*'; allowed is nothing, --check, or --row REPORT NAME" >&2
	exit 2
	;;
esac
mkdir -p build
for rows in "$here"/*.rows; do
	expected "$rows" | put "$rows"
done
awk -v quiet=1 -f $here/parts.awk -f $here/document.awk $here/parts.txt $here/*.rows >build/all_processors
awk -v begin="$begin" -v end="$end" -v lines=build/all_processors -f check/between.awk docs/hardware.md |
	put docs/hardware.md
