# SPDX-License-Identifier: BSD-2-Clause
# A part of run-qemu.sh: what the log of the machine says, and the exit code that follows from it.
# shellcheck shell=sh disable=SC2034,SC2154 # the words come from run-qemu.sh, and go there

# The status that follows from the verdict: QEMU's exit status (plain, KVM) or the EFI status (model).
expected_status()
{
	case $mode$1 in
	model"$PASS" | model"$SKIP") echo 0x0 ;;
	model"$FAIL") echo 0x8000000000000015 ;;
	*"$PASS") echo 1 ;;
	*"$FAIL") echo 3 ;;
	*"$SKIP") echo 5 ;;
	esac
}

# Sets code from what the machine itself said, once the report has been judged.
compare_status()
{
	if [ "$qemu_status" -eq 124 ] || [ "$qemu_status" -eq 137 ]; then
		trouble "no end within $timeout s"
		return
	elif [ "$mode" = model ] && [ "$qemu_status" -ne 33 ]; then
		trouble "the silicon model ended with QEMU status $qemu_status instead of 33"
		return
	elif [ "$code" -eq "$BROKEN" ]; then
		return
	elif [ "$mode" = model ]; then
		status=$(sed -n 's/^silicon: run 1 status \(0x[0-9a-fA-F]*\).*/\1/p' "$work/clean.log" |
			tr 'A-F' 'a-f')
	else
		status=$qemu_status
		case " $options" in
		*" end=reset"*) return ;; # no status comes out of a reset
		esac
	fi
	[ "$status" = "$(expected_status "$code")" ] ||
		trouble "the verdict does not agree with the end status ${status:-(none)}"
}

trouble()
{
	echo "run-qemu.sh: $1" >&2
	code=$BROKEN
}

# "list" makes no report: what is printed between start and end is all there is.
show_list()
{
	sed -e '1,/^silicon: run 1 model=/d' -e '/^silicon: run 1 program /d' -e '/^silicon: run 1 status/,$d' "$work/clean.log"
	grep -q '^silicon: run 1 status 0x0*$' "$work/clean.log" ||
		trouble "the list did not end well"
}

show_report()
{
	report_extract <"$work/clean.log" >"$work/report.tap"
	cat "$work/report.tap"
	report_judge "$work/report.tap" >"$work/judged" || code=$?
	compare_status
	[ "$code" -eq "$BROKEN" ] || return 0
	sed 's/^/run-qemu.sh: /' "$work/judged" >&2
	if grep -m 1 -E '^(pmutest86|silicon): error' "$work/clean.log" >&2; then
		return
	fi
	echo "run-qemu.sh: end of the serial line:" >&2
	tail -n 15 "$work/clean.log" | sed 's/^/  | /' >&2
	cat "$work/qemu.log" >&2
}
