# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Checks of the recorded processors: check/processors/README.md.

case_processors_tables()
{
	check/processors.sh --check
	same=$(cut -d' ' -f2- check/processors/*.rows | grep -v '^ *SPDX\|^ *Recorded' | sort | uniq -d)
	[ -z "$same" ] || { echo "more than once: $same"; return 1; }
}

case_processors_met()
{
	build/processors check/processors/errata.txt check/processors/*.rows
}
