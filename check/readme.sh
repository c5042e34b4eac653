#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Writes the README's table of PMUs and its list of models as the programs themselves list them, and its sample of a report;
# --check only compares.
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

# The models of each vendor, in words.
models()
{
	build/host/list_models | awk '
		$1 == "model" {
			if (!($3 in of)) vendors[++n] = $3
			of[$3] = of[$3] (of[$3] == "" ? "" : ", ") "`" $2 "`"
		}
		END {
			for (i = 1; i <= n; i++)
				line = line (i > 1 ? "; " : "The modelled processors: ") vendors[i] " " of[vendors[i]]
			print line ".\n`./run-qemu.sh --list` says what each has."
		}' | fold -s -w 120 | sed 's/ *$//'
}

# A report, shortened.  The version is another one in each commit.
sample()
{
	./run-qemu.sh --quiet --model k7 --fault edge_falling -- 'tests=*.edge.*' | awk '
		function show(line) { print "    " (length(line) > 96 ? substr(line, 1, 93) "..." : line) }
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
replace 'from the models: make readme' 'end of the models' models "$new.1" >"$new.2"
replace 'from a run: make readme' 'end of the run' sample "$new.2" >"$new"
if [ $# -eq 1 ]; then
	diff -u README.md "$new"
else
	mv "$new" README.md
fi
