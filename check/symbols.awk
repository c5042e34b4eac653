# SPDX-License-Identifier: BSD-2-Clause
# `nm -n` in, nasm source of the symbol table for backtraces out: functions only, by address.  The most frequent pairs of
# characters in their names are a byte each, from 80h on: that takes a third off.
BEGIN {
	count = 0
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
	address[count] = "0x" $1
	name[count++] = $3
	for (i = 1; i < length($3); i++)
		times[substr($3, i, 2)]++
}

# Of those that are left; the first by the alphabet of those that come as often.
function take_most_frequent(pair,    most) {
	for (pair in times)
		if (times[pair] > times[most] || (times[pair] == times[most] && pair < most))
			most = pair
	delete times[most]
	return most
}

function encoded(name,    i, pair, bytes) {
	for (i = 1; i <= length(name); i++) {
		pair = substr(name, i, 2)
		bytes = bytes (pair in code ? code[pair] : "'" substr(name, i, 1) "'") ", "
		i += pair in code
	}
	return bytes "0"
}
END {
	printf "symbol_first: dd %s\n", count ? address[0] " - " start : 0
	printf "symbol_count: dd %d\n", count
	print "symbol_sizes:"
	# Each up to the next symbol; there is none behind the last.
	for (i = 0; i < count; i++)
		printf "dw %s\n", i + 1 < count ? address[i + 1] " - " address[i] : "0xffff"
	print "symbol_pairs:"
	for (i = 0; i < 128; i++) {
		pair = count ? take_most_frequent() : "__"
		code[pair] = 128 + i
		printf "db '%s'\n", pair
	}
	print "symbol_names:"
	for (i = 0; i < count; i++)
		print "db " encoded(name[i])
	print "db 0"
	print "section .note.GNU-stack noalloc noexec nowrite progbits"
}
