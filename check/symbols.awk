# SPDX-License-Identifier: BSD-2-Clause
# `nm -n` in, nasm source of the symbol table for backtraces out: functions only, by address.
BEGIN {
	count = 0
	print "section .symbols progbits alloc noexec nowrite align=4"
	print "global symbol_first:data hidden, symbol_count:data hidden"
	print "global symbol_sizes:data hidden, symbol_names:data hidden"
}
$3 == "image_start" {
	start = "0x" $1
}
$2 ~ /^[tT]$/ && $3 !~ /\./ && $3 !~ /_(start|end)$/ {
	address[count] = "0x" $1
	name[count++] = $3
}
END {
	printf "symbol_first: dd %s\n", count ? address[0] " - " start : 0
	printf "symbol_count: dd %d\n", count
	print "symbol_sizes:"
	# Each up to the next symbol; there is none behind the last.
	for (i = 0; i < count; i++)
		printf "dw %s\n", i + 1 < count ? address[i + 1] " - " address[i] : "0xffff"
	print "symbol_names:"
	for (i = 0; i < count; i++)
		printf "db '%s', 0\n", name[i]
	print "db 0"
	print "section .note.GNU-stack noalloc noexec nowrite progbits"
}
