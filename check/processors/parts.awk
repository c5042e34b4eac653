# SPDX-License-Identifier: BSD-2-Clause
# Reads parts.txt, the first file, for the other scripts of this folder, and finds a processor's row of it.

function digit(c) { return index("0123456789abcdef", c) - 1 }

function number(hex,    i, n) {
	for (i = 1; i <= length(hex); i++)
		n = n * 16 + digit(substr(hex, i, 1))
	return n + 0
}

# Is the number in the list of numbers and ranges, all hexadecimal?
function listed(n, list,    items, ends, i, count) {
	count = split(list, items, " ")
	for (i = 1; i <= count; i++) {
		if (items[i] == "*")
			return 1
		if (split(items[i], ends, "-") == 1)
			ends[2] = ends[1]
		if (n >= number(ends[1]) && n <= number(ends[2]))
			return 1
	}
	return 0
}

# Row of parts.txt; 0: none.
function find_part(maker, family, model,    i) {
	for (i = 1; i <= parts; i++)
		if ((vendor[i] == maker || vendor[i] == "*") && listed(family, families[i]) && listed(model, models[i]))
			return i
	return 0
}

/^#/ || /^$/ {
	if (FILENAME != ARGV[1] && !quiet)
		print
	next
}

FILENAME == ARGV[1] {
	split($0, f, / *\| */)
	parts++
	vendor[parts] = f[1]
	families[parts] = f[2]
	models[parts] = f[3]
	driver[parts] = f[4]
	part[parts] = f[5]
	name[parts] = f[6]
	remark[parts] = f[7]
	next
}
