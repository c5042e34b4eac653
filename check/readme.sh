#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Writes the README's table of PMUs as the program itself lists them, and its sample of a report; --check only compares.
set -eu
cd "$(dirname "$0")/.."

# "pmu NAME: TITLE: PROCESSORS [MANUAL]" becomes a row.
table()
{
	echo '| in test ids | PMU | processors |'
	echo '|---|---|---|'
	# shellcheck disable=SC2016 # the quotes are Markdown's
	./run-qemu.sh -- list | sed -n 's/^pmu \([^:]*\): \([^:]*\): \(.*\) \[.*\].*$/| `\1` | \2 | \3 |/p'
}

# A report, shortened.  The version is another one in each commit.
sample()
{
	./run-qemu.sh --quiet --model k7 --fault edge_falling -- 'tests=*.edge.*' | awk '
		function show(line) { print "    " substr(line, 1, 96) }
		/^# pmutest86 / { sub(/ \(.*/, ""); show($0) }
		/^# run-qemu|^KTAP|^# cpu|^# hypervisor|^# pmu |^1\.\.|^ok 8 |^# passed|^# verdict/ { show($0) }
		/^KTAP/ { show("# ...") }
		/^not ok 9 / { on = 1 }
		/^not ok 10 / { on = 0; show("...") }
		on { show($0) }'
}

# replace FROM TO WHAT FILE: between the lines "<!-- FROM -->" and "<!-- TO -->" of FILE is what WHAT prints.
replace()
{
	"$3" >"build/$3"
	[ "$(wc -l <"build/$3")" -gt 2 ] || {
		echo "readme.sh: the program prints no $3" >&2
		exit 1
	}
	awk -v begin="<!-- $1 -->" -v end="<!-- $2 -->" -v lines="build/$3" -f check/between.awk "$4"
}

[ $# -eq 0 ] || [ "$*" = --check ] || {
	echo "readme.sh: '$*'; allowed is --check" >&2
	exit 2
}
new=build/README.md
replace 'from the program: make readme' end table README.md >"$new.1"
replace 'from a run: make readme' 'end of the run' sample "$new.1" >"$new"
if [ $# -eq 1 ]; then
	diff -u README.md "$new"
else
	mv "$new" README.md
fi
