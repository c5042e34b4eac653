# SPDX-License-Identifier: BSD-2-Clause
# Pictures of what was measured: how late interrupts came, and counts that had to add up.  All sizes are SVG's units.

BEGIN {
	WIDTH = 420
	ROW = 22
	FROM = 96 # where bars begin,
	BAR = 190 # and how long the longest is
	PLACES = 32
}

function open_svg(rows, title)
{
	printf "<svg viewBox=\"0 0 %d %d\" role=\"img\"><title>%s</title>\n", WIDTH, rows * ROW + 8, html(title)
}

function text_at(x, y, text, class)
{
	printf "<text x=\"%g\" y=\"%g\"%s>%s</text>\n", x, y, (class == "" ? "" : " class=\"" class "\""), html(text)
}

# facts_ending(R, END, LIST): the keys with this end, without it.
function facts_ending(r, end, list,    k, n, at)
{
	for (k = 1; k <= keys[r]; k++) {
		at = length(key[r, k]) - length(end) + 1
		if (at > 1 && substr(key[r, k], at) == end)
			list[++n] = substr(key[r, k], 1, at - 1)
	}
	return n + 0
}

function counter_of(test,    part)
{
	split_name(test, part)
	return part[2] == "-" ? part[1] : part[1] "." part[2]
}

# ---- how many instructions after an overflow its interrupt came ----

# Adds up all tests of each counter: late[COUNTER, N], all_late[COUNTER], and the counters in counter[1..].
function add_late(r, counter,    list, n, i, j, m, pair, part, c, counters)
{
	n = facts_ending(r, ".late", list)
	for (i = 1; i <= n; i++) {
		c = counter_of(list[i])
		if (!(c in all_late))
			counter[++counters] = c
		m = split(fact[r, list[i] ".late"], pair, ",")
		for (j = 1; j <= m; j++) {
			split(pair[j], part, ":")
			late[c, part[1] + 0] += part[2]
			all_late[c] += part[2]
		}
	}
	return counters + 0
}

function draw_late(c, y,    j, most, high)
{
	for (j = 0; j < PLACES; j++)
		most = late[c, j] > most ? late[c, j] : most
	text_at(0, y, c)
	printf "<line x1=\"%d\" y1=\"%g\" x2=\"%g\" y2=\"%g\" class=\"base\"/>\n", FROM, y + 1, FROM + BAR, y + 1
	for (j = 0; j < PLACES; j++)
		if (late[c, j]) {
			high = 2 + (ROW - 8) * late[c, j] / most
			printf "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" class=\"part1\"><title>%d came %d%s late</title></rect>\n",
				FROM + j * BAR / PLACES, y + 1 - high, BAR / PLACES - 1, high, late[c, j], j, (j == PLACES - 1 ? " or more" : "")
		}
	text_at(FROM + BAR + 8, y, all_late[c] " interrupts")
}

function print_late(r,    counter, n, i, j)
{
	split("", late)
	split("", all_late)
	n = add_late(r, counter)
	if (!n)
		return
	print "<figure><figcaption>Interrupts: instructions from the overflow to the interrupt</figcaption>"
	open_svg(n + 1, "how late interrupts came")
	for (i = 1; i <= n; i++)
		draw_late(counter[i], i * ROW - 6)
	for (j = 0; j <= 30; j += 10)
		text_at(FROM + j * BAR / PLACES, (n + 1) * ROW - 6, j)
	text_at(FROM + BAR + 8, (n + 1) * ROW - 6, "or more")
	print "</svg></figure>"
}

# ---- counts that had to add up ----

# read_sum(VALUE): sets parts, part_of[1..], total, least, most ("": any more) and divider.
function read_sum(value,    at, i)
{
	divider = most = ""
	if (at = index(value, ":")) {
		divider = substr(value, at + 1)
		value = substr(value, 1, at - 1)
	}
	at = index(value, "/")
	parts = split(substr(value, 1, at - 1), part_of, "+")
	least = most = substr(value, at + 1)
	if (at = index(least, "..")) {
		most = substr(least, at + 2)
		least = substr(least, 1, at - 1)
	}
	total = 0
	for (i = 1; i <= parts; i++)
		total += part_of[i]
}

function sum_holds()
{
	return total >= least + 0 && (most == "" || total <= most + 0)
}

function bounds()
{
	return most == "" ? least " or more" : least == most ? least : least + 0 == 0 ? "up to " most : least ".." most
}

function draw_sum(r, test, y,    scale, x, i)
{
	read_sum(fact[r, test ".sum"])
	scale = most == "" ? least + 0 : most + 0
	scale = BAR / (total > scale ? total : scale ? scale : 1)
	text_at(0, y, counter_of(test) (divider == "" ? "" : " at " divider))
	x = FROM
	for (i = 1; i <= parts; i++) {
		printf "<rect x=\"%.1f\" y=\"%g\" width=\"%.1f\" height=\"%g\" class=\"part%d\"><title>%s</title></rect>\n", x, y - 12,
			part_of[i] * scale, ROW - 8, (i - 1) % 4 + 1, part_of[i]
		x += part_of[i] * scale
	}
	if (total < least + 0 || total > most + 0 && most != "")
		draw_wrong(scale, y)
	text_at(FROM + BAR + 8, y, total (sum_holds() ? " of " : ", not ") bounds(), (sum_holds() ? "" : "wrong"))
}

# What lacks, or is too much.
function draw_wrong(scale, y,    from, to)
{
	from = total < least + 0 ? total : most + 0
	to = total < least + 0 ? least + 0 : total
	printf "<rect x=\"%.1f\" y=\"%g\" width=\"%.1f\" height=\"%g\" class=\"wrong\"/>\n", FROM + from * scale, y - 13,
		((to - from) * scale > 3 ? (to - from) * scale : 3), ROW - 6
}

function law_of(test,    part)
{
	split_name(test, part)
	return part[3] "." part[4]
}

function print_law(r, law, list, n,    i, rows, said)
{
	for (i = 1; i <= n; i++)
		rows += law_of(list[i]) == law
	printf "<figure><figcaption>%s: counts that must add up</figcaption>\n", html(law)
	open_svg(rows, law)
	rows = 0
	for (i = 1; i <= n; i++)
		if (law_of(list[i]) == law)
			draw_sum(r, list[i], ++rows * ROW - 6)
	print "</svg></figure>"
}

function print_sums(r,    list, n, i, law)
{
	n = facts_ending(r, ".sum", list)
	for (i = 1; i <= n; i++) {
		law = law_of(list[i])
		if (!((r, "law", law) in shown))
			print_law(r, law, list, n)
		shown[r, "law", law] = 1
	}
}

# Fills that differ without colours, too.
function print_fills()
{
	print "<svg width=\"0\" height=\"0\" class=\"fills\"><defs><pattern id=\"lines\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><rect width=\"5\" height=\"5\" fill=\"#fff\"/><rect width=\"2\" height=\"5\" fill=\"#27415c\"/></pattern></defs></svg>"
}

function print_plots(r,    list)
{
	if (!facts_ending(r, ".late", list) && !facts_ending(r, ".sum", list))
		return
	print "<h2>Measured</h2>\n<div class=\"plots\">"
	print_late(r)
	print_sums(r)
	print "</div>"
}
