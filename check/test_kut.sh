#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Tests peers/kut.awk: each log of kvm-unit-tests below must be judged as said, or a failure could pass for a known one.
set -eu
here=$(dirname "$0")

file=$(mktemp)
trap 'rm -f "$file" "$file.known"' EXIT
bad=0

cat >"$file.known" <<-'KNOWN'
	# program | models | expression | reason
	pmu | k7 k8 | ^SKIP: fast-[0-9]$ | none has it
	pmu | k8 | ^FAIL: clocks, below$ | it does not count them
	pmu | * | ^FAIL: clocks, above 50 times | may be: the machine was busy
	lbr | k7 | #GP.* rcx=1c8$ | it has no such register
KNOWN

# expect RESULT NAME PROGRAM MODEL CUT LINE...
expect()
{
	want=$1 name=$2 program=$3 model=$4 cut=$5
	shift 5
	: >"$file"
	[ $# -eq 0 ] || printf '%s\n' "$@" >"$file"
	got=$(awk -v test="$program" -v model="$model" -v cut="$cut" -f "$here/peers/kut.awk" "$file.known" "$file")
	case $got in
	"$want  "*) echo "ok $name" ;;
	*)
		echo "not ok $name: $got"
		bad=1
		;;
	esac
}

fast='SKIP: fast-0'
gp='Unhandled exception 13 #GP(0) at ip 19f811fa'
dump='error_code=0000      rflags=00000046'

expect right 'all that is known came' pmu k7 '' 'PASS: a' "$fast" 'SUMMARY: 2 tests, 1 skipped'
expect right 'the same known line twice' pmu k7 '' 'PASS: a' "$fast" 'SKIP: fast-1' 'SUMMARY: 3 tests, 2 skipped'
expect right 'nothing is known, all passed' pebs k7 '' 'PASS: a' 'SUMMARY: 1 tests'
expect right 'an exception that is known' lbr k7 '' "$gp" "$dump" 'rax=0 rcx=1c8 rdx=0' "$gp" 'rax=1 rcx=2 rdx=0'
expect right 'a bound that is known, and one that may be' pmu k8 '' "$fast" 'FAIL: 1 <= 0 <= 50' 'FAIL: clocks' \
	'FAIL: 1 <= 60 <= 50' 'FAIL: clocks' 'SUMMARY: 3 tests, 2 unexpected failures, 1 skipped'
expect 'right so far' 'ended before what is known' pmu k8 60 'PASS: a'
expect wrong 'ended before anything' pmu k7 60 'enabling apic'
expect wrong 'a failure' pmu k7 '' "$fast" 'FAIL: a' 'SUMMARY: 2 tests, 1 unexpected failures, 1 skipped'
expect wrong 'a failure before it was ended' pmu k7 60 'PASS: a' 'FAIL: b'
expect wrong 'what another model is known for' pmu k7 '' "$fast" 'FAIL: 1 <= 0 <= 50' 'FAIL: clocks' 'SUMMARY: 2 tests'
expect wrong 'what another program is known for' pebs k7 '' 'PASS: a' "$fast" 'SUMMARY: 2 tests, 1 skipped'
expect wrong 'too many, where clocks may be' pmu k7 '' "$fast" 'FAIL: 5 <= 60 <= 50' 'FAIL: clocks' 'SUMMARY: 2 tests'
expect wrong 'what is known did not come' pmu k7 '' 'PASS: a' 'SUMMARY: 1 tests'
expect wrong 'a known exception did not come' lbr k7 '' 'PASS: a' 'SUMMARY: 1 tests'
expect wrong 'an exception of another register' lbr k7 '' "$gp" "$dump" 'rax=0 rcx=1c9 rdx=0'
expect wrong 'a test that the summary does not have' pmu k7 '' 'PASS: a' 'PASS: b' "$fast" 'SUMMARY: 2 tests, 1 skipped'
expect wrong 'no summary' pmu k7 '' 'PASS: a' "$fast"
expect wrong 'nothing at all' pebs k7 ''
exit $bad
