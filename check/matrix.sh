# SPDX-License-Identifier: BSD-2-Clause
# Shared by machines.sh, legacy.sh and emulators.sh, after lib.sh: many machines without a PMU, each of which must end with the
# verdict "skip", two at once.  $out/list has one a line, its name first; the script that reads this provides
#     start WORD...        starts QEMU as that line says, without the name; the serial line's log is in $out/$name.
#                          silent=yes: nothing comes on it; stopped=yes: QEMU has been stopped after the verdict;
#                          refused=WHY: that is the error that must come, in place of a report
#     judge                prints what is wrong with the report in $out/$name/report.tap, or nothing
# shellcheck shell=sh disable=SC2154 # out comes from the script that reads this

skip_status=5 # of the debug-exit device, for the verdict "skip"

# trouble: prints why the machine's end is not as it should be; nothing when it is.
trouble()
{
	case ${stopped:-$qemu_status} in
	yes | "$skip_status") ;;
	124 | 137) echo "no end within $patience s"; return ;;
	*) echo "QEMU ended with $qemu_status instead of $skip_status"; return ;;
	esac
	[ -z "$silent" ] || return 0
	if [ -n "$refused" ]; then
		serial_clean "$out/$name/serial.log" | grep -q "^pmutest86: error in .*: $refused" || echo "it was not refused"
		return 0
	fi
	serial_clean "$out/$name/serial.log" | report_extract >"$out/$name/report.tap"
	judged=0
	report_judge "$out/$name/report.tap" || judged=$?
	[ "$judged" -eq "$SKIP" ] || echo "the report is judged $judged"
	grep -E '^not ok |^Bail out' "$out/$name/report.tap" || :
	judge
}

# boot N: the machine in line N of the list; one result line.
boot()
{
	trap qemu_stop EXIT
	trap 'exit 2' TERM
	result=$out/result.$(printf %03d "$1")
	# shellcheck disable=SC2046 # words are what it consists of
	set -- $(sed -n "$1p" "$out/list")
	name=$1 silent='' stopped='' refused=''
	shift
	mkdir -p "$out/$name"
	start "$@"
	qemu_wait
	trouble=$(trouble | tr '\n' ' ')
	rm -f "$out/$name/disk.img"
	if [ -z "$trouble" ]; then
		echo "ok $name"
	else
		echo "not ok $name - $trouble"
	fi >"$result"
}

# boot_all: fails when one of them does.
boot_all()
{
	total=$(grep -c '' "$out/list")
	two_at_once "$out" "$total" boot || : # what has no result has failed
	cat "$out"/result.*
	failed=$(cat "$out"/result.* | grep -c '^not ok') || :
	ended=$(cat "$out"/result.* | grep -c '') || :
	echo "$total machines, $((failed + total - ended)) failed"
	[ "$failed" -eq 0 ] && [ "$ended" -eq "$total" ]
}
