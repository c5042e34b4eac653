# SPDX-License-Identifier: BSD-2-Clause
# Reads reports, for json.awk, junit.awk and page.awk.  The input is what report-page.sh makes: each report between a line
# "@report FILE" and a line "@judged CODE WORDS", WORDS being what is wrong with it.  Report r has then
#
#     file[r], raw[r]               its file, and all of its lines
#     said[r]                       its own verdict, or "none"
#     verdict[r], trouble[r]        pass, fail, skip, or error, for the reason in trouble
#     plan[r], results[r]           how many results were planned ("": nobody said), and how many came
#     count[r, OUTCOME]             of them: pass, fail, error, known, skip
#     name[r, i], outcome[r, i]     of result i, from 1 on
#     why[r, i]                     the reason of a skip, the erratum of what is known
#     claim[r, i], clause[r, i]     if they stand below it
#     below[r, i]                   the other lines there, each ended
#     cause[r]                      what the failures have in common, in lines, each ended
#     keys[r], key[r, k], fact[r, KEY]    facts, in their order; the last value of a key stands
#     head[r]                       the other lines, without their "# ", each ended

function name_result(text,    at)
{
	i = ++results[r]
	outcome[r, i] = text ~ /^ok/ ? "pass" : "fail"
	sub(/^(not )?ok [0-9]* ?/, "", text)
	at = index(text, " # ")
	if (at) {
		why[r, i] = substr(text, at + 3)
		sub(/^(SKIP|TODO known:) */, "", why[r, i])
		outcome[r, i] = outcome[r, i] == "pass" ? "skip" : "known"
		text = substr(text, 1, at - 1)
	}
	name[r, i] = text
	count[r, outcome[r, i]]++
}

function is_error()
{
	count[r, outcome[r, i]]--
	count[r, outcome[r, i] = "error"]++
}

function read_below(text)
{
	if (outcome[r, i] == "fail" && below[r, i] == "" && text ~ /^error: /)
		is_error()
	if (text ~ /^claim: /)
		claim[r, i] = substr(text, 8)
	else if (text ~ /^clause: /)
		clause[r, i] = substr(text, 9)
	else
		below[r, i] = below[r, i] text "\n"
}

function read_fact(text,    at, k, value)
{
	at = index(text, "=")
	k = substr(text, 1, at - 1)
	value = substr(text, at + 1)
	if (value ~ /^".*"$/) {
		value = substr(value, 2, length(value) - 2)
		gsub(/\\\\/, "\001", value)
		gsub(/\\/, "", value)
		gsub(/\001/, "\\", value)
	}
	if (!((r, k) in fact))
		key[r, ++keys[r]] = k
	fact[r, k] = value
}

function judge(code, words)
{
	verdict[r] = code == 2 ? "error" : code == 1 ? "fail" : code == 77 ? "skip" : "pass"
	trouble[r] = words
}

/^@report / {
	r = ++reports
	file[r] = substr($0, 9)
	said[r] = "none"
	results[r] = keys[r] = i = 0
	next
}
/^@judged / { judge($2, substr($0, 10 + length($2))); next }
/^@changed / { change[++changes] = substr($0, 10); next }
{ raw[r] = raw[r] $0 "\n" }
/^KTAP version/ { next }
/^(not )?ok / { name_result($0); next }
/^1\.\.[0-9]/ { plan[r] = substr($1, 4) + 0; if (!plan[r]) head[r] = head[r] $0 "\n"; next }
/^#   / && i { read_below(substr($0, 5)); next }
/^# fact / { read_fact(substr($0, 8)); next }
/^# cause: / { cause[r] = cause[r] substr($0, 10) "\n"; next }
/^# verdict: / { said[r] = $3; next }
{ sub(/^# /, ""); head[r] = head[r] $0 "\n" }

# head_line(R, BEGINNING): what stands behind it in such a line of the header.
function head_line(r, begins,    n, j, line)
{
	n = split(head[r], line, "\n")
	for (j = 1; j < n; j++)
		if (index(line[j], begins) == 1)
			return substr(line[j], length(begins) + 1)
	return ""
}

# Results that the plan tells of and that never came.
function missing(r)
{
	return plan[r] + 0 > results[r] ? plan[r] - results[r] : 0
}

# machine(R): a name for it.
function machine(r)
{
	return fact[r, "cpu.name"] != "" ? fact[r, "cpu.name"] : head_line(r, "cpu: ") != "" ? head_line(r, "cpu: ") : file[r]
}

# split_name(NAME, PART): its PMU, counter, group and test.
function split_name(text, part,    n, j)
{
	n = split(text, part, ".")
	for (j = 5; j <= n; j++)
		part[4] = part[4] "." part[j]
	for (j = n + 1; j <= 4; j++)
		part[j] = ""
}
