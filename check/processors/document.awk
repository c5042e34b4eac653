# SPDX-License-Identifier: BSD-2-Clause
# Prints the table of all processors of docs/hardware.md: what each is, what recorded ones of it have,
# and whether it is driven.
#
#     awk -v quiet=1 -f parts.awk -f document.awk parts.txt ROWS...

# The word behind "KEY=".
function word(key,    i) {
	for (i = NF; i > 0; i--)
		if (index($i, key "=") == 1)
			return substr($i, length(key) + 2)
	return ""
}

function ones(hex,    n, count) {
	for (n = number(hex); n; n = int(n / 2))
		count += n % 2
	return count + 0
}

# The PMU of this row, in words.
function pmu(    core, version, fixed, text) {
	core = word("core")
	version = word("version")
	fixed = ones(word("fixed"))
	text = core == "-" ? "" : core ": "
	if (version)
		text = text "version " version ", "
	return text word("counters") (fixed ? " + " fixed : "") " of " word("width") " bits"
}

function signature(i) {
	return vendor[i] " | " families[i] " | " models[i]
}

{
	i = find_part(word("vendor"), number(word("family")), number(word("model")))
	recorded[i]++
	if (word("driver") == "none")
		next
	text = pmu()
	if (index("; " has[i] "; ", "; " text "; "))
		next
	has[i] = has[i] (has[i] ? "; " : "") text
}

END {
	print "| vendor | family | models | processor | recorded | PMU as recorded | driven |"
	print "|---|---|---|---|---|---|---|"
	for (i = 1; i <= parts; i++)
		printf "| %s | %s | %s | %s | %s |\n", signature(i), name[i], \
			recorded[i] ? recorded[i] : "none", has[i] ? has[i] : "-", \
			(driver[i] == "none" ? "no: " : "yes" (remark[i] ? ": " : "")) remark[i]
}
