# SPDX-License-Identifier: BSD-2-Clause
# The checks of all.sh that are about labs: what scripts make of a report, and the ways in which a program that is
# handed on gets to a machine.  They stand on those in cases.sh.
# shellcheck shell=sh disable=SC2154 # work and the codes come from all.sh and lib.sh

# Of a hybrid part and of a machine with a box that its firmware has hidden: each fact is written as the documents have
# it, once a report, and the keys are those of the table of keys.
case_lab_facts()
{
	cat >"$work/silicon.cfg" <<-'CFG'
	model=goldencove cpus=2 cpu1=gracemont -- other-thread=no cpus=kinds tests=*.1.overflow.skid
	model=sandybridge-ep hide=8.2 -- tests=*.1.overflow.skid
	CFG
	boot_runs
	report_extract <"$work/clean.log" >"$work/report.tap"
	sed -n 's/^KTAP.*/---/p; s/^# fact //p' "$work/report.tap" >"$work/facts"
	[ "$(grep -c '^---$' "$work/facts")" -eq 2 ]
	value='\([A-Za-z0-9._+:,/-]\{1,\}\|"\([^"\\]\|\\.\)*"\)'
	grep -v "^---$\|^[a-z0-9.-]*\.[a-z]*=$value$" "$work/facts" >"$work/wrong" || :
	awk -F= '/^---/ { n++ } seen[n, $1]++ { print "again: " $1 }' "$work/facts" >>"$work/wrong"
	diff /dev/null "$work/wrong"
	grep '^cpu1-intel.counters=9$' "$work/facts"
	sed 's/=.*//; /^---$/d; s/^cpu[0-9]*\./cpu./; s/^cpu[0-9]*-//; /^\(cpu\|program\|tsc\)\./!s/^[a-z0-9]*\./PMU./
		s/^PMU\.[0-9]*\./PMU.N./' "$work/facts" | sort -u >"$work/keys"
	# shellcheck disable=SC2016 # the quotes are Markdown's
	sed -n '/^## Facts/,/^## A failure/s/^| \(`.*`\) |.*|$/\1/p' docs/reading-a-report.md |
		tr -d ' `' | tr , '\n' | sort >"$work/documented"
	diff "$work/documented" "$work/keys"
}
