# SPDX-License-Identifier: BSD-2-Clause
# Prints what two whole reports differ in; exit code 1 if in anything.

function outcome(    reason)
{
	reason = $0
	if (!sub(/^.* # (SKIP|TODO known:) /, "", reason))
		return $1 == "ok" ? "pass" : "fail"
	return ($1 == "ok" ? "skip: " : "known: ") reason
}

# note KIND NAME VALUE: of the report that is being read; the last value of a name stands.
function note(kind, name, value)
{
	if (!((kind, name) in place)) {
		place[kind, name] = ++places
		kinds[places] = kind
		names[places] = name
	}
	values[report, place[kind, name]] = value
}

function differ(text)
{
	print text
	differs = 1
}

function value_of(which, i)
{
	return (which, i) in values ? values[which, i] : "(none)"
}

# Compares the lines below a result that failed twice.
function compare_details(name, from, to, sign,    i, n, line)
{
	n = split(details[from, name], line, "\n")
	for (i = 1; i < n; i++)
		if (index("\n" details[to, name], "\n" line[i] "\n") == 0)
			differ(name ": " sign " " line[i])
}

FNR == 1 {
	report++
	test = ""
	delete times
}
# Measured anew each time.
/^# fact (tsc\.khz|[^=]*\.(late|sum))=/ { next }
/^# fact / {
	key = substr($3, 1, index($3, "=") - 1)
	note("fact ", key, substr($0, index($0, "=") + 1))
}
/^(not )?ok / {
	test = $1 == "ok" ? $3 : $4
	if (times[test]++)
		test = test " (" times[test] ")"
	note("", test, outcome())
}
/^#   / && test != "" { details[report, test] = details[report, test] substr($0, 5) "\n" }
/^# passed [0-9]+, / {
	gsub(/,/, "")
	for (i = 2; i < NF; i += 2)
		note("", $i, $(i + 1))
}
/^# verdict: / { note("", "verdict", $3) }

END {
	for (i = 1; i <= places; i++) {
		a = value_of(1, i)
		b = value_of(2, i)
		if (a != b)
			differ(kinds[i] names[i] ": " a " -> " b)
		else if (a == "fail") {
			compare_details(names[i], 1, 2, "-")
			compare_details(names[i], 2, 1, "+")
		}
	}
	exit differs
}
