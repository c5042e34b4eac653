# SPDX-License-Identifier: BSD-2-Clause
# Reports as JSON: docs/lab.md has its fields.

function string(text)
{
	gsub(/["\\]/, "\\\\&", text)
	return "\"" text "\""
}

# Lines, each ended, as an array.
function array(text,    n, j, line, all)
{
	n = split(text, line, "\n")
	for (j = 1; j < n; j++)
		all = all (j > 1 ? "," : "") string(line[j])
	return "[" all "]"
}

function optional(field, text)
{
	return text == "" ? "" : "," string(field) ":" string(text)
}

function result(r, i,    part)
{
	split_name(name[r, i], part)
	return "{\"name\":" string(name[r, i]) ",\"pmu\":" string(part[1]) ",\"counter\":" string(part[2]) \
		",\"group\":" string(part[3]) ",\"test\":" string(part[4]) ",\"outcome\":" string(outcome[r, i]) \
		optional("reason", why[r, i]) optional("claim", claim[r, i]) optional("clause", clause[r, i]) \
		",\"details\":" array(below[r, i]) "}"
}

function counts(r,    all, j, word)
{
	split("pass fail error known skip", word, " ")
	for (j = 1; j <= 5; j++)
		all = all string(word[j]) ":" count[r, word[j]] + 0 ","
	return "{" all "\"missing\":" missing(r) "}"
}

function print_report(r,    i, k)
{
	printf "{\"file\":%s,\"machine\":%s,\"verdict\":%s,\"said\":%s%s,\"plan\":%s,\"count\":%s,\n\"facts\":{", string(file[r]),
		string(machine(r)), string(verdict[r]), string(said[r]), optional("trouble", trouble[r]),
		(plan[r] == "" ? "null" : plan[r] + 0), counts(r)
	for (k = 1; k <= keys[r]; k++)
		printf "%s\n%s:%s", (k > 1 ? "," : ""), string(key[r, k]), string(fact[r, key[r, k]])
	printf "},\n\"header\":%s,\n\"cause\":%s,\n\"results\":[", array(head[r]), array(cause[r])
	for (i = 1; i <= results[r]; i++)
		printf "%s\n%s", (i > 1 ? "," : ""), result(r, i)
	printf "]}"
}

END {
	printf "{\"format\":1,\"reports\":["
	for (r = 1; r <= reports; r++) {
		printf "%s\n", (r > 1 ? "," : "")
		print_report(r)
	}
	print "]}"
}
