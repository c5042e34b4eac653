# SPDX-License-Identifier: BSD-2-Clause
# Failures: each test once, in full on the first counter or box on which it failed, and folded on the others.

function test_of(r, i,    part)
{
	place(r, name[r, i])
	split_name(name[r, i], part)
	return label "." part[3] "." part[4]
}

function emphasised(text,    n, j, line, all)
{
	n = split(text, line, "\n")
	for (j = 1; j < n; j++)
		all = all (line[j] ~ /(^|[ :])got / ? "<b>" html(line[j]) "</b>" : html(line[j])) "\n"
	return all
}

function print_details(r, i)
{
	printf "<pre>%s</pre>\n", emphasised(below[r, i])
	if (clause[r, i] != "" && clause[r, i] != "-")
		printf "<p class=\"clause\">%s</p>\n", html(clause[r, i])
}

# others_of(R, TEST, FROM, LIST): the results behind this one in which the same test failed.
function others_of(r, test, from, list,    i, n)
{
	for (i = from + 1; i <= results[r]; i++)
		if (rank[outcome[r, i]] >= rank["fail"] && test_of(r, i) == test)
			list[++n] = i
	return n + 0
}

function print_others(r, list, n,    i, names, part)
{
	if (!n)
		return
	for (i = 1; i <= n; i++) {
		split_name(name[r, list[i]], part)
		names = names (i > 1 ? ", " : "") part[1] "." part[2]
	}
	printf "<details><summary>also on %s</summary>\n", html(names)
	for (i = 1; i <= n; i++) {
		printf "<h4>%s</h4>\n", html(name[r, list[i]])
		print_details(r, list[i])
	}
	print "</details>"
}

function print_failure(r, i, test,    others, n)
{
	printf "<section class=\"failure\"><h3><span class=\"%s\">%s</span> %s</h3>\n", outcome[r, i], sign[outcome[r, i]], html(name[r, i])
	if (claim[r, i] != "")
		printf "<p class=\"claim\">%s</p>\n", html(claim[r, i])
	print_details(r, i)
	n = others_of(r, test, i, others)
	print_others(r, others, n)
	print "</section>"
}

function print_failures(r,    i, test)
{
	if (!(count[r, "fail"] + count[r, "error"]))
		return
	printf "<h2>Failures: %d</h2>\n", count[r, "fail"] + count[r, "error"]
	for (i = 1; i <= results[r]; i++) {
		test = test_of(r, i)
		if (rank[outcome[r, i]] < rank["fail"] || (r, test) in shown)
			continue
		shown[r, test] = 1
		print_failure(r, i, test)
	}
}

# names_of(COUNT, NAMES): folded where they are more than a reader wants to scroll past.
function names_of(n, names)
{
	return n <= 12 ? html(names) : "<details><summary>" n " results</summary>" html(names) "</details>"
}

# Results of one outcome by their reasons.
function print_reasons(r, what, title,    i, j, w, n, names)
{
	if (!count[r, what])
		return
	printf "<h2>%s: %d</h2>\n<dl>\n", title, count[r, what]
	for (i = 1; i <= results[r]; i++) {
		w = why[r, i]
		if (outcome[r, i] != what || (r, what, w) in shown)
			continue
		shown[r, what, w] = 1
		names = ""
		n = 0
		for (j = i; j <= results[r]; j++)
			if (outcome[r, j] == what && why[r, j] == w)
				names = names (n++ ? ", " : "") name[r, j]
		printf "<dt>%s</dt><dd>%s</dd>\n", html(w), names_of(n, names)
	}
	print "</dl>"
}
