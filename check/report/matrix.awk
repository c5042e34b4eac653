# SPDX-License-Identifier: BSD-2-Clause
# The matrix of a report, as on the program's screen: groups by counters, where all counters of a box are one column.

# place(R, NAME): sets label and below_label, the two heads of its column.
function place(r, text,    part)
{
	split_name(text, part)
	label = part[1]
	below_label = part[2]
	if (label ~ /^cpu[0-9]+$/) {
		label = "cpus"
		below_label = ""
	} else if ((r, label ".box") in fact || (r, label ".like") in fact) {
		match(label, /[0-9]*(-s[0-9]+)?$/)
		below_label = substr(label, RSTART)
		label = substr(label, 1, RSTART - 1)
		if (match(below_label, /-s[0-9]+$/)) {
			label = label substr(below_label, RSTART)
			below_label = substr(below_label, 1, RSTART - 1)
		}
	}
	return part[3]
}

function take_result(r, i,    group, c)
{
	group = place(r, name[r, i])
	if (!((r, group) in group_seen))
		group_of[r, ++groups[r]] = group
	group_seen[r, group] = 1
	if (!((r, label) in label_seen))
		label_of[r, ++labels[r]] = label
	label_seen[r, label] = 1
	if (!((r, label, below_label) in column_seen))
		column_of[r, label, ++columns[r, label]] = below_label
	column_seen[r, label, below_label] = 1
	c = r SUBSEP group SUBSEP label SUBSEP below_label
	mark[c] = worse(mark[c], outcome[r, i])
	group_mark[r, group] = worse(group_mark[r, group], outcome[r, i])
	tally[c, outcome[r, i]]++
}

# "-" is in front of all numbers.
function order_columns(r, label,    i, j, c)
{
	for (i = 2; i <= columns[r, label]; i++) {
		c = column_of[r, label, i]
		for (j = i; j > 1 && column_number(column_of[r, label, j - 1]) > column_number(c); j--)
			column_of[r, label, j] = column_of[r, label, j - 1]
		column_of[r, label, j] = c
	}
}

function column_number(text)
{
	return text == "-" ? -1 : text + 0
}

function take_results(r,    i, l)
{
	for (i = 1; i <= results[r]; i++)
		take_result(r, i)
	for (l = 1; l <= labels[r]; l++)
		order_columns(r, label_of[r, l])
}

function told(c,    n, text)
{
	for (n = 5; n; n--)
		if (tally[c, rank_of[n]])
			text = text (text == "" ? "" : ", ") tally[c, rank_of[n]] " " rank_of[n]
	return text
}

# cell(MARK, WHAT): what it is of, when one looks closer.
function cell(m, what)
{
	if (m == "")
		return "<td></td>"
	return sprintf("<td class=\"%s\" title=\"%s\">%s</td>", m, html(what), sign[m])
}

function print_heads(r,    l, c)
{
	printf "<thead><tr><th></th>"
	for (l = 1; l <= labels[r]; l++)
		printf "<th colspan=\"%d\">%s</th>", columns[r, label_of[r, l]], html(label_of[r, l])
	printf "</tr>\n<tr><th></th>"
	for (l = 1; l <= labels[r]; l++)
		for (c = 1; c <= columns[r, label_of[r, l]]; c++)
			printf "<th>%s</th>", html(column_of[r, label_of[r, l], c])
	print "</tr></thead>"
}

function print_row(r, group,    l, c, name, at)
{
	printf "<tr><th class=\"of-%s\">%s</th>", group_mark[r, group], html(group)
	for (l = 1; l <= labels[r]; l++)
		for (c = 1; c <= columns[r, label_of[r, l]]; c++) {
			name = label_of[r, l]
			at = r SUBSEP group SUBSEP name SUBSEP column_of[r, name, c]
			printf "%s", cell(mark[at], name " " column_of[r, name, c] " " group ": " told(at))
		}
	print "</tr>"
}

function print_key(    n)
{
	printf "<p class=\"key\">"
	for (n = 5; n; n--)
		printf "<span class=\"%s\">%s</span> %s ", rank_of[n], sign[rank_of[n]], rank_of[n]
	print "</p>"
}

function print_matrix(r,    g)
{
	if (!groups[r])
		return
	print "<h2>Groups of tests, and counters</h2>\n<div class=\"wide\"><table class=\"matrix\">"
	print_heads(r)
	for (g = 1; g <= groups[r]; g++)
		print_row(r, group_of[r, g])
	print "</table></div>"
	print_key()
}
