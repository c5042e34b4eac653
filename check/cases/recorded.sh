# SPDX-License-Identifier: BSD-2-Clause
# Checks of the recorded processors: check/processors/README.md.
# shellcheck shell=sh disable=SC2154 # work comes from all.sh

case_recorded_tables()
{
	check/processors.sh --check
	same=$(cut -d' ' -f2- check/processors/*.rows | grep -v '^ *SPDX\|^ *Recorded' | sort | uniq -d)
	[ -z "$same" ] || { echo "more than once: $same"; return 1; }
}

case_recorded_met()
{
	build/host/processors check/processors/errata.txt check/processors/*.rows
}

# CPUID says on the models what it said on their processors.
case_recorded_models()
{
	build/host/models check/models/recorded.rows
}

# A report with all facts becomes a row, of which what the program says is right.  The facts of a select
# register are the bits that the model keeps and faults, without INV where that is broken.
case_recorded_facts()
{
	./run-qemu.sh --model skylake -- facts=all 'tests=*.access.*' >"$work/tap"
	check/processors.sh --row "$work/tap" skylake >"$work/row"
	build/host/processors check/processors/errata.txt "$work/row"
	grep -q '^# fact intel.msr.186=0:ffffffff:ffffffff00000000$' "$work/tap"
	! grep '^# fact cpu.cpuid.3[.=]' "$work/tap"
	./run-qemu.sh --model skylake --fault evtsel_loses_inv -- facts=all 'tests=*.truth.*' >"$work/tap"
	grep -q '^# fact intel.msr.186=0:ff7fffff:ffffffff00000000$' "$work/tap"
}
