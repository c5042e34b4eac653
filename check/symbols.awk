# SPDX-License-Identifier: BSD-2-Clause
# `nm -n` in, nasm source of the symbol table for backtraces out: functions only, by address.  The most frequent pair of
# bytes in their names is a byte that no name has, so is the most frequent one of what that leaves, and so on: half of them is
# left.
BEGIN {
	count = bytes = 0
	for (i = 32; i < 127; i++)
		byte_of[sprintf("%c", i)] = i
	print "section .symbols progbits alloc noexec nowrite align=4"
	print "global symbol_first:data hidden, symbol_count:data hidden"
	print "global symbol_sizes:data hidden, symbol_pairs:data hidden, symbol_names:data hidden"
}
$3 == "image_start" {
	start = "0x" $1
}
# What link-time optimisation adds to a name.
{
	sub(/\.(lto_priv|isra|constprop|part|cold).*/, "", $3)
}
$2 ~ /^[tT]$/ && $3 !~ /\./ && $3 !~ /_(start|end)$/ {
	# No address is in a function but the last one of those that begin at the same, where equal ones were folded.
	if (!count || address[count - 1] != "0x" $1)
		count++
	address[count - 1] = "0x" $1
	name[count - 1] = $3
}

# A pair as a number; none reaches over the end of a name.
function count_pair(first, second, n) {
	if (first && second)
		times[256 * first + second] += n
}

# The smallest of those that come as often.
function most_frequent(    pair, most) {
	for (pair in times)
		if (times[pair] > times[most] || (times[pair] == times[most] && pair + 0 < most))
			most = pair + 0
	return most
}

# One byte for each of this pair.
function replace(first, second, byte,    from, to, before, after) {
	for (from = to = 0; from < bytes; from++) {
		if (names[from] == first && names[from + 1] == second) {
			before = to ? names[to - 1] : 0
			after = names[from + 2]
			count_pair(before, first, -1)
			count_pair(second, after, -1)
			count_pair(before, byte, 1)
			count_pair(byte, after, 1)
			names[++from] = byte
		}
		names[to++] = names[from]
	}
	bytes = to
	delete times[256 * first + second]
}
END {
	for (n = 0; n < count; n++) {
		for (i = 1; i <= length(name[n]); i++)
			names[bytes++] = byte_of[substr(name[n], i, 1)]
		names[bytes++] = 0
	}
	printf "symbol_first: dd %s\n", count ? address[0] " - " start : 0
	printf "symbol_count: dd %d\n", count
	# A byte; or 255, and two.
	print "%macro size 1"
	print "%if (%1) < 255"
	print "db %1"
	print "%else"
	print "db 255"
	print "dw %1"
	print "%endif"
	print "%endmacro"
	print "symbol_sizes:"
	# Each up to the next symbol; there is none behind the last.
	for (i = 0; i < count; i++)
		printf "size %s\n", i + 1 < count ? address[i + 1] " - " address[i] : "0xffff"
	for (i = 0; i + 1 < bytes; i++)
		count_pair(names[i], names[i + 1], 1)
	for (i = 0; i < bytes; i++)
		is_character[names[i]] = 1
	print "symbol_pairs:"
	for (byte = 0; byte < 256; byte++) {
		pair = byte in is_character ? 0 : most_frequent()
		printf "db %d, %d\n", pair / 256, pair % 256
		if (pair)
			replace(int(pair / 256), pair % 256, byte)
	}
	print "symbol_names:"
	for (i = 0; i < bytes; i++)
		printf "%s%d%s", i % 32 ? ", " : "db ", names[i], i % 32 == 31 || i + 1 == bytes ? "\n" : ""
	print "db 0"
	print "section .note.GNU-stack noalloc noexec nowrite progbits"
}
