# SPDX-License-Identifier: BSD-2-Clause
# Judges the causes that reports name, against the faults that were seeded.
#
#     awk -f cause.awk broken.rows LOG...     logs of a campaign --full
#     list_models | awk -f cause.awk broken.rows -     only: has each fault a row, and each row a fault?
#
# A cause is right if the row of its fault has each thing that it names, and wrong if one is missing there.  That all counters
# fail is right of what breaks no counter in particular, and names nothing unless the row has it.

# A glob, of "*" alone, as a regular expression.
function expression(glob)
{
	gsub(/[][.+?(){}|^$\\]/, "\\\\&", glob)
	gsub(/\*/, ".*", glob)
	return "^" glob "$"
}

# The number of its row; 0: none.
function row_of(fault,    i)
{
	for (i = 1; i <= rows && fault !~ fits[i]; i++)
		;
	return i <= rows ? i : 0
}

function is_listed(row, word,    n, i, broken)
{
	n = split(things[row], broken, ", ")
	for (i = 1; i <= n; i++)
		if (word ~ expression(broken[i]))
			return 1
	return 0
}

function is_broken(row, word)
{
	if (word == "all counters")
		return things[row] !~ /(^|, )counter [0-9]/
	return is_listed(row, word)
}

# A cause names its PMU, if that is not the core's, and things, or that the PMU is alone.
function add_words(line,    n, i, part, word, alone)
{
	split(line, part, ": ")
	alone = sub(/ alone$/, "", part[1])
	if (part[1] !~ /^(all|amd|intel|netburst|zhaoxin)$/)
		named[++words] = "box " part[1]
	if (alone)
		return
	n = split(part[2], word, ", ")
	for (i = 1; i <= n; i++)
		named[++words] = word[i]
}

function judge(row,    i, tells)
{
	for (i = 1; i <= words; i++) {
		if (!is_broken(row, named[i]))
			return "wrong"
		tells += is_listed(row, named[i])
	}
	return tells ? "named" : "silent"
}

function finish(    row, what, i, line)
{
	if (fault == "" || fault == "none" || !failures)
		return
	row = row_of(fault)
	what = judge(row)
	total[what]++
	for (i = 1; i <= words; i++)
		line = line (i > 1 ? ", " : "") named[i]
	if (what != "named" || all)
		print "  " what ": " model " " fault " (" things[row] ")" (line == "" ? "" : " -> " line)
}

FILENAME ~ /broken\.rows$/ {
	if (/^[^#]/) {
		fits[++rows] = expression($1)
		glob[rows] = $1
		$1 = ""
		things[rows] = substr($0, 2)
	}
	next
}
/^fault / && !/ test=- / {
	listed = 1
	used[row = row_of($2)] = 1
	if (!row) {
		print "no row in broken.rows: " $2
		lacks = 1
	}
}
/silicon: run [0-9]+ model=/ {
	for (i = 1; i <= NF; i++) {
		if ($i ~ /^model=/)
			model = substr($i, 7)
		if ($i ~ /^fault=/)
			fault = substr($i, 7)
	}
	words = failures = 0
}
/^# passed [0-9]+, failed [0-9]+/ { failures = $5 + 0 }
/^# cause: / { add_words(substr($0, 10)) }
/silicon: run [0-9]+ status/ { finish() }

END {
	if (listed) {
		for (i = 1; i <= rows; i++)
			if (!used[i]) {
				print "no fault for the row " glob[i]
				lacks = 1
			}
		exit lacks
	}
	sum = total["named"] + total["silent"] + total["wrong"]
	printf "causes: %d of %d named (%d %%), %d wrong, %d silent\n", total["named"], sum, sum ? 100 * total["named"] / sum : 0,
		total["wrong"], total["silent"]
	exit total["wrong"] || total["named"] * 10 < sum * 8
}
