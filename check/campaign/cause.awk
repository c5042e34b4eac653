# SPDX-License-Identifier: BSD-2-Clause
# Judges the causes that reports name, against the faults that were seeded.
#
#     list_models | awk -f cause.awk - LOG...     logs of a campaign --full
#
# A fault's row names its broken thing by the group of the test that claims it, and by the words of its sentence.  A cause
# is right if each thing that it names is one of those, and wrong if one is not.

# thing NAME GROUPS WORDS: two patterns; a row that either of them fits breaks the thing.
function thing(name, groups, words)
{
	of_groups[name] = "^(" groups ")$"
	of_words[name] = words
}

BEGIN {
	rings = "(ring |[Ll]evel|USR|OS|privilege|CPL)"
	interrupts = "overflow|interrupt|ovf|lvt|force_ovf|status|freeze|pebs|cascade|xcascade|reload|thread"
	thing("edge", "edge", "[Ee]dge|EDGE|with E|^E |E of")
	thing("threshold", "threshold", "[Tt]hresh|CMASK|CNT_MASK|THRESH|compar|COMPARE")
	thing("inversion", "invert", "[Ii]nver|INV|COMPLEMENT|complement")
	thing("USR alone", "privilege", rings)
	thing("OS", "privilege", rings)
	thing("OS alone", "privilege", rings)
	thing("USR and OS", "privilege", rings)
	thing("neither USR nor OS", "privilege", rings)
	thing("unit mask", "sub_event", "unit mask|umask|UMASK|sub-event")
	thing("fixed counter", "fixed", "fixed")
	thing("overflow", interrupts, "overflow|interrupt|wrap|carry")
	thing("preset by the handler", interrupts, "overflow|interrupt")
	thing("interrupt", interrupts, "overflow|interrupt")
	thing("NMI", "lvt", "NMI")
	thing("interrupts held", "lvt", "IF ")
	thing("ring 0", "privilege", "ring 0")
	thing("ring 1", "privilege", "ring 1")
	thing("ring 2", "privilege", "ring 2")
	thing("other thread", "thread|any", "[Tt]hread|logical|T1")
	thing("cascade", "cascade|xcascade", "[Cc]ascade|CASC")
	thing("FORCE_OVF", "force_ovf", "FORCE_OVF")
	thing("tag", "tag|bogus", "tag")
}

# The groups of the tests that claim a fault, each once.
function take_fault(    n, i, id, part)
{
	says[$2] = $0
	n = split(substr($4, 6), id, ",")
	for (i = 1; i <= n; i++) {
		split(id[i], part, ".")
		groups[$2] = groups[$2] " " group_of(id[i])
		if (part[2] ~ /^[0-9]+$/)
			says[$2] = says[$2] " counter " part[2]
	}
}

# "intel.*.edge.bursts", or "*.edge.bursts"
function group_of(id,    n, part)
{
	n = split(id, part, ".")
	return part[n - 1]
}

function is_of_groups(name, pattern,    n, i, group)
{
	n = split(groups[name], group, " ")
	for (i = 1; i <= n; i++)
		if (group[i] ~ pattern)
			return 1
	return 0
}

# Is it broken?
function is_broken(name, word)
{
	if (word ~ /^group /)
		return is_of_groups(name, "^" substr(word, 7) "$")
	if (word ~ /^counter /)
		return says[name] ~ word "([^0-9]|$)"
	if (word == "all counters")
		return says[name] !~ / counter [0-9]+ (is|never|count|lose|write|learn|stay)/
	if (word ~ /^event /)
		return is_of_groups(name, "^(count|event|sub_event|branch|bus|tag|bogus|alive|traffic)$") || says[name] ~ / event|clock|branch|instruction/
	return is_of_groups(name, of_groups[word]) || says[name] ~ of_words[word]
}

function judge(    n, i, word)
{
	n = split(named, word, ", ")
	for (i = 1; i <= n; i++)
		if (!is_broken(fault, word[i]))
			return "wrong"
	return n ? "named" : "silent"
}

function finish(    what)
{
	if (fault == "" || fault == "none" || !failures)
		return
	what = judge()
	total[what]++
	if (what != "named")
		print "  " what ": " model " " fault (named == "" ? "" : " -> " named)
}

/^fault / { take_fault(); next }
/silicon: run [0-9]+ model=/ {
	for (i = 1; i <= NF; i++) {
		if ($i ~ /^model=/)
			model = substr($i, 7)
		if ($i ~ /^fault=/)
			fault = substr($i, 7)
	}
	named = ""
	failures = 0
}
/^# passed [0-9]+, failed [0-9]+/ { failures = $5 + 0 }
/^# cause: / {
	sub(/^# cause: [^:]*: /, "")
	sub(/: in [0-9]+ of [0-9]+ failures.*/, "")
	named = named (named == "" ? "" : ", ") $0
}
/silicon: run [0-9]+ status/ { finish() }

END {
	all = total["named"] + total["silent"] + total["wrong"]
	printf "causes: %d of %d named (%d %%), %d wrong, %d silent\n", total["named"], all, all ? 100 * total["named"] / all : 0,
		total["wrong"], total["silent"]
	exit total["wrong"] || total["named"] * 10 < all * 8
}
