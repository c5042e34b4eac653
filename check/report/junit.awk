# SPDX-License-Identifier: BSD-2-Clause
# Reports as JUnit XML, in the form of Jenkins' xUnit plugin.  Nobody measured how long a test took, so no time is told.

function xml(text)
{
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	gsub(/"/, "\\&quot;", text)
	return text
}

# element NAME TYPE MESSAGE TEXT
function element(tag, type, message, text)
{
	printf "<%s type=\"%s\" message=\"%s\">%s</%s>", tag, type, xml(message), xml(text), tag
}

function first_line(text)
{
	return substr(text, 1, index(text, "\n") - 1)
}

function print_case(r, i,    part, all)
{
	split_name(name[r, i], part)
	printf "<testcase classname=\"%s\" name=\"%s\">", xml(part[1] "." part[2] "." part[3]), xml(part[4])
	all = below[r, i] (claim[r, i] == "" ? "" : "claim: " claim[r, i] "\nclause: " clause[r, i] "\n")
	if (outcome[r, i] == "skip")
		element("skipped", "skip", why[r, i], all)
	else if (outcome[r, i] == "known")
		element("skipped", "known", "known: " why[r, i], all)
	else if (outcome[r, i] == "fail")
		element("failure", "fail", first_line(below[r, i]), all)
	else if (outcome[r, i] == "error")
		element("error", "error", first_line(below[r, i]), all)
	print "</testcase>"
}

# The report itself: is it whole, and was anything tested?  It has the name in every report, so that its history is one.
function print_whole(r)
{
	printf "<testcase classname=\"report\" name=\"verdict\">"
	if (verdict[r] == "error")
		element("error", missing(r) || said[r] == "none" ? "cut-off" : "error", trouble[r], missing(r) " results did not come\n")
	else if (verdict[r] == "skip")
		element("skipped", "skip", "nothing could be tested", head[r])
	print "</testcase>"
}

function print_suite(r,    i, k)
{
	printf "<testsuite name=\"%s\" id=\"%d\" file=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\">\n",
		xml(machine(r)), r - 1, xml(file[r]), results[r] + 1, count[r, "fail"], count[r, "error"] + (verdict[r] == "error"),
		count[r, "skip"] + count[r, "known"] + (verdict[r] == "skip")
	print "<properties>"
	for (k = 1; k <= keys[r]; k++)
		printf "<property name=\"%s\" value=\"%s\"/>\n", xml(key[r, k]), xml(fact[r, key[r, k]])
	print "</properties>"
	for (i = 1; i <= results[r]; i++)
		print_case(r, i)
	print_whole(r)
	printf "<system-out>%s</system-out>\n</testsuite>\n", xml(raw[r])
}

END {
	print "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pmutest86\">"
	for (r = 1; r <= reports; r++)
		print_suite(r)
	print "</testsuites>"
}
