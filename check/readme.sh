#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Writes the README's table of PMUs as the program itself lists them; --check only compares.
set -eu
cd "$(dirname "$0")/.."
begin='<!-- from the program: make readme -->' end='<!-- end -->'

# "pmu NAME: TITLE: PROCESSORS [MANUAL]" becomes a row.
table()
{
	echo '| in test ids | PMU | processors |'
	echo '|---|---|---|'
	# shellcheck disable=SC2016 # the quotes are Markdown's
	./run-qemu.sh -- list | sed -n 's/^pmu \([^:]*\): \([^:]*\): \(.*\) \[.*\].*$/| `\1` | \2 | \3 |/p'
}

[ $# -eq 0 ] || [ "$*" = --check ] || {
	echo "readme.sh: '$*'; allowed is --check" >&2
	exit 2
}
new=build/README.md
table >build/pmus
[ "$(wc -l <build/pmus)" -gt 2 ] || {
	echo "readme.sh: the program lists no PMU" >&2
	exit 1
}
awk -v begin="$begin" -v end="$end" -v lines=build/pmus -f check/between.awk README.md >"$new"
if [ $# -eq 1 ]; then
	diff -u README.md "$new"
else
	mv "$new" README.md
fi
