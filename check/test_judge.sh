#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Tests judge.awk: each report below must be judged as said, or a broken run could pass.
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

file=$(mktemp)
trap 'rm -f "$file"' EXIT
bad=0

# expect CODE NAME LINE...
expect()
{
	want=$1
	name=$2
	shift 2
	: >"$file"
	[ $# -eq 0 ] || printf '%s\n' "$@" >"$file"
	got=0
	why=$(report_judge "$file") || got=$?
	if [ "$got" -eq "$want" ]; then
		echo "ok $name"
	else
		echo "not ok $name: $got instead of $want $why"
		bad=1
	fi
}

k='KTAP version 1'

expect $PASS 'all passed' "$k" '1..2' 'ok 1 a' 'ok 2 b' \
	'# passed 2, failed 0, skipped 0, known 0, errors 0' '# verdict: pass'
expect $PASS 'a known erratum is no failure' "$k" '1..2' 'ok 1 a' 'not ok 2 b # TODO known: e1' \
	'# passed 1, failed 0, skipped 0, known 1, errors 0' '# verdict: pass'
expect $FAIL 'one failed' "$k" '1..2' 'ok 1 a' 'not ok 2 b' '#   got 1' \
	'# passed 1, failed 1, skipped 0, known 0, errors 0' '# verdict: fail'
expect $SKIP 'no PMU' "$k" '1..0 # SKIP no PMU' \
	'# passed 0, failed 0, skipped 0, known 0, errors 0' '# verdict: skip'
expect $FAIL 'the worse of two reports' "$k" '1..1' 'not ok 1 a' \
	'# passed 0, failed 1, skipped 0, known 0, errors 0' '# verdict: fail' "$k" '1..1' 'ok 1 a' \
	'# passed 1, failed 0, skipped 0, known 0, errors 0' '# verdict: pass'
expect $BROKEN 'nothing at all'
expect $BROKEN 'no verdict' "$k" '1..1' 'ok 1 a' \
	'# passed 1, failed 0, skipped 0, known 0, errors 0'
expect $BROKEN 'no plan' "$k" 'ok 1 a' \
	'# passed 1, failed 0, skipped 0, known 0, errors 0' '# verdict: pass'
expect $BROKEN 'plan not met' "$k" '1..2' 'ok 1 a' \
	'# passed 1, failed 0, skipped 0, known 0, errors 0' '# verdict: pass'
expect $BROKEN 'a lost number' "$k" '1..2' 'ok 1 a' 'ok 3 c' \
	'# passed 2, failed 0, skipped 0, known 0, errors 0' '# verdict: pass'
expect $BROKEN 'pass in spite of a failure' "$k" '1..1' 'not ok 1 a' \
	'# passed 0, failed 1, skipped 0, known 0, errors 0' '# verdict: pass'
expect $BROKEN 'fail without a failure' "$k" '1..1' 'ok 1 a' \
	'# passed 1, failed 0, skipped 0, known 0, errors 0' '# verdict: fail'
expect $BROKEN 'a summary that hides a failure' "$k" '1..2' 'ok 1 a' 'not ok 2 b' \
	'# passed 2, failed 0, skipped 0, known 0, errors 0' '# verdict: pass'
expect $BROKEN 'no summary' "$k" '1..1' 'ok 1 a' '# verdict: pass'
expect $BROKEN 'pass with everything skipped' "$k" '1..1' 'ok 1 a # SKIP x' \
	'# passed 0, failed 0, skipped 1, known 0, errors 0' '# verdict: pass'
expect $BROKEN 'the program'\''s own error' "$k" '1..1' 'not ok 1 a' \
	'# passed 0, failed 0, skipped 0, known 0, errors 1' '# verdict: error'
expect $BROKEN 'bailed out' "$k" '1..2' 'ok 1 a' 'Bail out! x' \
	'# passed 1, failed 0, skipped 0, known 0, errors 0' '# verdict: error'
expect $BROKEN 'a second report cut short' "$k" '1..1' 'ok 1 a' \
	'# passed 1, failed 0, skipped 0, known 0, errors 0' '# verdict: pass' "$k" '1..1'

exit $bad
