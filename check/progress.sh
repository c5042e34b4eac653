# SPDX-License-Identifier: BSD-2-Clause
# A part of run-qemu.sh: the line on a terminal that says how far the run is, drawn again and again until the report comes.
# shellcheck shell=sh disable=SC2154 # the words come from run-qemu.sh

# progress_start: sets progress, when standard error is a terminal and nobody has asked for quiet.
progress_start()
{
	if [ -n "$quiet" ] || [ ! -t 2 ]; then return 0; fi
	progress=yes came='' pace='' now=$(date +%s)
	started=$now
	width=$(stty size <&2 | cut -d ' ' -f 2)
	[ "${width:-0}" -gt 1 ] || width=80
	width=$((width - 1))
}

# progress_clear: nothing stays of the line, which is not drawn again.
progress_clear()
{
	[ -z "$progress" ] || printf "\r%${width}s\r" '' >&2
	progress=
}

# progress_draw: at most once a second.
progress_draw()
{
	[ -n "$progress" ] || return 0
	last=$now now=$(date +%s)
	[ "$now" -ne "$last" ] || return 0
	progress_look
	printf "\r%-${width}.${width}s" "$(progress_text)" >&2
}

# progress_look: sets what progress.awk says of the whole lines so far, and pace: when which number of the results of this
# report was first seen.
progress_look()
{
	whole=$(wc -l <"$work/serial.log")
	read -r reports plan results failed test <<-LOOK
	$(head -n "$whole" "$work/serial.log" | awk -f "$here/progress.awk")
	LOOK
	[ "$came" != "$reports $results" ] || return 0
	[ "${came% *}" = "$reports" ] || pace=
	came="$reports $results"
	pace="$pace$now $results
"
}

progress_text()
{
	if [ "$results" -gt 0 ]; then
		left=$(printf %s "$pace" | progress_left "$plan" "$now")
		told="$results of $plan, $failed failed${left:+, $(clock "$left") left at this pace}; last $test"
	fi
	echo "$(clock $((now - started)))  ${told:-no results yet}"
}

# clock SECONDS
clock()
{
	printf '%d:%02d' $(($1 / 60)) $(($1 % 60))
}

# progress_left PLAN NOW: the seconds that are left, if the rest of the plan takes as long as the same number of results
# last did; standard input is the pace.  Nothing while too little is known, which is a tenth of the plan and 3 seconds, nor
# when the next result has taken as long alone.
progress_left()
{
	awk -v plan="$1" -v now="$2" '
		{ time[NR] = $1; results[NR] = $2 }
		END {
			rest = plan - results[NR]
			if (!rest || results[NR] < plan / 10 || time[NR] - time[1] < 3)
				exit
			for (i = NR; i > 1 && results[NR] - results[i] < rest;)
				i--
			left = (time[NR] - time[i]) * rest / (results[NR] - results[i]) - (now - time[NR])
			if (left >= 0.5)
				printf "%d\n", left + 0.5
		}'
}
