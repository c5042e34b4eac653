# SPDX-License-Identifier: BSD-2-Clause
# `nm -n` in, nasm source of the symbol table for backtraces out: functions only, by address.
BEGIN {
	print "section .symbols progbits alloc noexec nowrite align=4"
	print "global symbol_table:data hidden, symbol_count:data hidden, symbol_names:data hidden"
	print "symbol_table:"
}
$2 ~ /^[tT]$/ && $3 !~ /\./ && $3 !~ /_(start|end)$/ {
	printf "dd 0x%s, %d\n", $1, length(names)
	names = names $3 "\001"
	count++
}
END {
	printf "symbol_count: dd %d\n", count
	print "symbol_names:"
	n = split(names, name, "\001")
	for (i = 1; i < n; i++)
		printf "db '%s', 0\n", name[i]
	print "db 0"
	print "section .note.GNU-stack noalloc noexec nowrite progbits"
}
