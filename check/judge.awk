# SPDX-License-Identifier: BSD-2-Clause
# Judges the reports in its input: exit code 0 pass, 1 fail, 77 skip, 2 not to be believed.
# The verdict line alone is not trusted: plan, numbering, counts and verdict must agree.

function broken(why)
{
	print "report: " why
	code = 2
}

function check_end(    not_ok)
{
	not_ok = count["failed"] + count["errors"]
	if (plan == "")
		broken("no plan line")
	else if (plan + 0 != results)
		broken("plan not met: " plan " planned, " results " reported")
	if (passed != count["passed"] || skipped != count["skipped"] || known != count["known"] ||
	    failed != not_ok)
		broken("the summary does not agree with the result lines: " summary)
	if (verdict == "error")
		broken("the verdict is error")
	else if (verdict == "fail" ? !not_ok : not_ok)
		broken("verdict " verdict " with " not_ok " failed")
	else if (verdict == "skip" ? passed + known : verdict == "pass" && !(passed + known))
		broken("verdict " verdict " with " passed + known " passed")
	else if (verdict !~ /^(pass|fail|skip)$/)
		broken("unknown verdict " verdict)
	else if (verdict == "fail" && code != 2)
		code = 1
	else if (verdict == "skip" && code == 0 && !good)
		code = 77
	else if (verdict == "pass") {
		good = 1
		if (code == 77)
			code = 0
	}
}

/^KTAP version / {
	if (open)
		broken("ends before its verdict")
	open = 1
	reports++
	plan = summary = ""
	results = passed = failed = skipped = known = 0
	delete count
}
/^1\.\.[0-9]+/ { plan = substr($1, 4) }
/^Bail out!/ { broken($0) }
/^(not )?ok / {
	number = $1 == "ok" ? $2 : $3
	if (number != ++results)
		broken("result " number " where " results " was due")
	if ($1 == "not" && /# TODO /)
		known++
	else if ($1 == "not")
		failed++
	else if (/# SKIP /)
		skipped++
	else
		passed++
}
/^# passed [0-9]+, failed / {
	summary = $0
	line = $0
	gsub(/,/, "", line)
	n = split(line, word, " ")
	for (i = 2; i < n; i += 2)
		count[word[i]] = word[i + 1] + 0
}
/^# verdict: / {
	verdict = $3
	check_end()
	open = 0
}
END {
	if (!reports)
		broken("there is none")
	else if (open)
		broken("ends before its verdict")
	exit code
}
