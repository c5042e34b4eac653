# SPDX-License-Identifier: BSD-2-Clause
# Prints the facts of each processor that a report made with facts=all has, as the rows have them.
#
#     awk -v name=NAME -f from_report.awk REPORT

# Registers of a leaf that are recorded; of leaves that are not here, none is.
BEGIN {
	kept["0"] = "abcd"; kept["1"] = "abcd"; kept["4"] = "a"; kept["7"] = kept["7.1"] = "abd"
	kept["a"] = "abcd"; kept["1a"] = "a"; kept["1c"] = "abc"
	kept["b"] = kept["b.1"] = kept["1f"] = kept["1f.1"] = kept["1f.2"] = kept["1f.3"] = "abc"
	kept["23"] = kept["23.1"] = kept["23.2"] = kept["23.3"] = kept["23.4"] = kept["23.5"] = "abcd"
	kept["80000000"] = "a"; kept["80000001"] = "c"; kept["8000001b"] = "a"
	kept["8000001e"] = "b"; kept["80000022"] = "abc"
}

# The digits of a number from one to another, counted from the last, which is 0.
function digits(hex, last, first,    n) {
	n = length(hex)
	if (n <= first)
		return ""
	last = n - last < 1 ? 1 : n - last
	return substr(hex, last, n - first - last + 1)
}

# Numbers of the APIC are not a processor's kind.
# The same digits and as many zeros behind as were cut; nothing if all are 0.
function part_of(hex, last, first,    cut) {
	cut = digits(hex, last, first)
	return cut ~ /^0*$/ ? "" : cut substr("00000000", 1, first)
}

# Numbers of the APIC and the caches are not a processor's kind.
function mask(leaf, register, hex) {
	if (leaf == "1" && register == 2)
		return part_of(hex, 5, 4)
	if (leaf == "4")
		return part_of(hex, 7, 5)
	if (leaf ~ /^(b|1f)/ && register == 3)
		return part_of(hex, 3, 0)
	return leaf == "8000001e" ? part_of(hex, 3, 2) : hex
}

function values(leaf, text,    value, i, all) {
	split(text, value, ":")
	for (i = 1; i <= 4; i++) {
		value[i] = index(kept[leaf], substr("abcd", i, 1)) ? mask(leaf, i, value[i]) : ""
		sub(/^0+/, "", value[i])
		all = all (i > 1 ? ":" : "") value[i]
	}
	sub(/:+$/, "", all)
	return all
}

/^# fact cpu[0-9]*\.cpuid\./ {
	split($3, fact, "=")
	who = leaf = fact[1]
	sub(/\..*/, "", who)
	sub(/^[^.]*\.cpuid\./, "", leaf)
	value = leaf in kept ? values(leaf, fact[2]) : ""
	if (!(who in facts))
		order[++processors] = who
	if (value != "")
		facts[who] = facts[who] " " leaf "=" value
}

# Facts of the processor that the report begins with have no name of a processor in front.
/^# fact [^ ]*\.msr\.1a0=/ {
	who = $3 ~ /^cpu[0-9]*-/ ? substr($3, 1, index($3, "-") - 1) : "cpu"
	sub(/.*=/, "")
	facts[who] = facts[who] " m1a0=" $0
}

END {
	for (i = 1; i <= processors; i++)
		print name facts[order[i]]
}
