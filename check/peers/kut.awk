# SPDX-License-Identifier: BSD-2-Clause
# Judges the log of one of kvm-unit-tests' programs, "test", on "model": awk -v test= -v model= -v cut= -f kut.awk KNOWN LOG.
# With "cut" it was ended by that many seconds.  The first line is the result, lines that are wrong stand below.

FNR == NR && /^[^#]/ {
	split($0, field, / +\| +/)
	if (test == field[1] && (field[2] == "*" || index(" " field[2] " ", " " model " "))) {
		known++
		pattern[known] = field[3]
		met[known] = field[4] ~ /^may be: /
	}
	next
}
FNR == NR { next }

# Notes a line as wrong, unless the table knows it.
function tell(line, i) {
	for (i = 1; i <= known; i++)
		if (line ~ pattern[i]) {
			met[i]++
			expected++
			return
		}
	wrong[++wrongs] = line
}

# The least, the count and the most stand ahead of a failure.
/^FAIL: -?[0-9]+ <= / {
	where = $4 < $2 ? ", below" : sprintf(", above %.0f times the least", $2 ? $6 / $2 : 0)
	next
}
/^PASS: / { passed++ }
/^FAIL: / || /^SKIP: / { told++; tell($0 where); where = "" }
# A program that has gone wrong goes wrong again where it walks its stack.
/^Unhandled exception/ && !fault { fault = $0 }
fault && /^rax=/ && !registers { registers = $1 " " $2; tell(fault ": " registers) }
/^SUMMARY: / { ended = 1; tests = $2 }

END {
	if (ended && tests != passed + told)
		tell("the summary has " tests " tests, " passed + told " were seen")
	if (!ended && !fault && !cut)
		tell("it did not end")
	if (!passed && !told && !fault)
		tell("nothing was seen")
	for (i = 1; i <= known; i++)
		if (!met[i] && !cut)
			wrong[++wrongs] = "known, and not there: " pattern[i]
	printf "%s  %d passed, %d known", wrongs ? "wrong" : cut ? "right so far" : "right", passed, expected
	print cut ? ", and not at its end after " cut " s" : ""
	for (i = 1; i <= wrongs; i++)
		print wrong[i]
}
