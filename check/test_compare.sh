#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Tests compare.sh: what it must find, what it must not, and what it must refuse.
# shellcheck disable=SC2016 # "$" is the end of a line, and the last line
set -eu
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

cat >"$work/a" <<'TAP'
KTAP version 1
# cpu: as the header's sentence has it
# fact cpu.name="a name of words"
# fact cpu.microcode=0x1
# fact tsc.khz=1000000
1..6
ok 1 amd.0.overflow.skid
#   interrupt 3 instructions late
# fact amd.0.skid=3
# fact amd.0.overflow.skid.late=3:1
# fact amd.0.threshold.sum_law.sum=3+1/4
not ok 2 amd.0.count.cycles
#   edge.c:7: a == b
#   got 5 (5), expected 6 (6)
ok 3 amd.0.edge.bursts
ok 4 amd.1.edge.bursts # SKIP no edges
not ok 5 amd.0.rare.reads # TODO known: 1291
ok 6 amd.0.edge.bursts
# passed 3, failed 1, skipped 1, known 1, errors 0
# verdict: fail
TAP

# check STATUS NAME ARGUMENT...: exactly the lines that are wanted are printed.
check()
{
	want=$1 name=$2 got=0
	shift 2
	"$here/compare.sh" "$@" >"$work/out" 2>&1 || got=$?
	if [ $got -eq "$want" ] && sed "s|$work/||; s|^compare.sh: ||" "$work/out" | diff - "$work/wanted"; then
		echo "ok $name"
	else
		echo "not ok $name: exit code $got instead of $want"
		bad=1
	fi
}

# expect STATUS NAME SCRIPT: with what a script of sed's makes of the first report as the second one.
expect()
{
	sed "$3" "$work/a" >"$work/b"
	check "$1" "$2" "$work/a" "$work/b"
}

# wants LINE...
wants()
{
	: >"$work/wanted"
	[ $# -eq 0 ] || printf '%s\n' "$@" >"$work/wanted"
}

wants
expect 0 'the same' ''
expect 0 'measured anew in each run, and worded anew' 's/khz=1/khz=2/; s/late=3/late=4/; s/sum=3+1/sum=1+3/; s/^# cpu: .*/# cpu: other words/'
expect 0 'a log of a serial line' "1s/^/noise\\n$(printf '\033')[2J/; s/\$/$(printf '\r')/; \$s/\$/\\nnoise/"
wants 'amd.0.edge.bursts: pass -> fail' 'passed: 3 -> 2' 'failed: 1 -> 2'
expect 1 'a result' 's/^ok 3/not ok 3/; s/passed 3, failed 1/passed 2, failed 2/'
wants 'amd.0.edge.bursts (2): pass -> skip: why not' 'passed: 3 -> 2' 'skipped: 1 -> 2'
expect 1 'the second time of a test' 's/^ok 6.*/& # SKIP why not/; s/passed 3, failed 1, skipped 1/passed 2, failed 1, skipped 2/'
wants 'amd.1.edge.bursts: skip: no edges -> skip: no time' 'amd.0.rare.reads: known: 1291 -> known: 1292'
expect 1 'why' 's/no edges/no time/; s/1291/1292/'
wants 'fact cpu.name: "a name of words" -> "a name of others"' 'fact cpu.microcode: 0x1 -> (none)' 'fact amd.0.skid: 3 -> 4'
expect 1 'facts, a skid' 's/of words/of others/; /microcode/d; s/skid=3/skid=4/; s/interrupt 3/interrupt 4/'
wants 'amd.0.count.cycles: - got 5 (5), expected 6 (6)' 'amd.0.count.cycles: + got 4 (4), expected 6 (6)'
expect 1 'a count' 's/got 5 (5)/got 4 (4)/'
wants 'amd.0.edge.bursts (2): pass -> (none)' 'passed: 3 -> 2'
expect 1 'a test that is not there' '/^ok 6/d; s/1\.\.6/1..5/; s/passed 3/passed 2/'
wants 'amd.0.count.cycles: fail -> pass' 'passed: 3 -> 4' 'failed: 1 -> 0' 'verdict: fail -> pass'
expect 1 'the verdict' '/^#   line/d; /^#   got/d; s/^not ok 2/ok 2/; s/passed 3, failed 1/passed 4, failed 0/; s/: fail/: pass/'

wants "'b' has 0 reports; allowed is one"
expect 2 'no report' '1d'
wants "'b' has 2 reports; allowed is one"
expect 2 'two reports' '$s/.*/&\nKTAP version 1/'
wants "'b': report: ends before its verdict"
expect 2 'a report cut short' '$d'
wants "'b': report: the verdict is error"
expect 2 'a run that went wrong' 's/passed 3, failed 1\(.*\)errors 0/passed 3, failed 0\1errors 1/; s/: fail/: error/'
wants "'none' is no file that can be read"
check 2 'no file' "$work/a" "$work/none"
wants 'usage: compare.sh REPORT REPORT'
check 2 'too few words' "$work/a"
check 2 'too many words' "$work/a" "$work/a" "$work/a"

exit $bad
