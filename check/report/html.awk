# SPDX-License-Identifier: BSD-2-Clause
# What all parts of the page use.

BEGIN {
	sign["pass"] = "+"
	sign["skip"] = "-"
	sign["known"] = "k"
	sign["fail"] = "X"
	sign["error"] = "E"
	split("skip pass known fail error", rank_of, " ")
	for (n = 1; n <= 5; n++)
		rank[rank_of[n]] = n
}

# html(TEXT): with nothing in it that a browser could take for a tag.
function html(text)
{
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	gsub(/"/, "\\&quot;", text)
	return text
}

# lines(TEXT): each ended, one below the other.
function lines(text)
{
	text = html(text)
	sub(/\n$/, "", text)
	gsub(/\n/, "<br>", text)
	return text
}

# The worse of two outcomes; "": none yet.
function worse(a, b)
{
	return rank[b] > rank[a] + 0 ? b : a
}

function row(name, value)
{
	if (value != "")
		printf "<tr><th>%s</th><td>%s</td></tr>\n", name, html(value)
}

function fold(title, text)
{
	printf "<details><summary>%s</summary><pre>%s</pre></details>\n", title, html(text)
}

function print_style(    line)
{
	print "<style>"
	while ((getline line <style) > 0)
		print line
	print "</style>"
}

function open_page(title)
{
	print "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
	print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
	printf "<title>%s</title>\n", html(title)
	print_style()
	print "</head><body>"
}
