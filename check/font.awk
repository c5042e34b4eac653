# SPDX-License-Identifier: BSD-2-Clause
# The bytes of an X11 bitmap font (PCF), as `od -An -v -tu1` prints them, in; nasm source of its glyphs of printable
# ASCII out: 16 bytes each, a byte for each row from the top, bit 7 leftmost.
{
	for (i = 1; i <= NF; i++)
		byte[size++] = $i
}

function fail(why)
{
	print "font.awk: " why >"/dev/stderr"
	failed = 1
	exit 1
}

# The table of contents has the other byte order.
function little(at)
{
	return byte[at] + 256 * (byte[at + 1] + 256 * (byte[at + 2] + 256 * byte[at + 3]))
}
function big2(at)
{
	return byte[at] * 256 + byte[at + 1]
}
function big4(at)
{
	return big2(at) * 65536 + big2(at + 2)
}

# Where the table of that type begins: its bytes and bits in network order, rows padded to 32 bits.
function table(type,    i)
{
	for (i = 0; i < little(4); i++)
		if (little(8 + 16 * i) == type) {
			if (little(12 + 16 * i) % 16 != 14)
				fail("a table has another format")
			return little(20 + 16 * i) + 4
		}
	fail("a table is missing")
}

END {
	if (failed)
		exit 1
	if (little(0) != 1885562369)
		fail("this is no PCF font")
	bitmaps = table(8)
	encodings = table(32)
	glyphs = big4(bitmaps)
	rows = bitmaps + 4 + 4 * glyphs + 16
	print "section .rodata"
	print "global font:data hidden"
	print "font:"
	for (c = 32; c < 127; c++) {
		glyph = big2(encodings + 10 + 2 * c)
		from = big4(bitmaps + 4 + 4 * glyph)
		if (glyph >= glyphs || (glyph + 1 < glyphs && big4(bitmaps + 8 + 4 * glyph) != from + 64))
			fail("a glyph is not there, or not of 16 rows")
		for (y = 0; y < 16; y++)
			printf "%s%d", y ? ", " : "db ", byte[rows + from + 4 * y]
		print ""
	}
	# The notice that its licence asks for.
	print "db 'Terminus Font, (c) Dimitar Toshkov Zhekov, SIL Open Font License 1.1', 0"
	print "section .note.GNU-stack noalloc noexec nowrite progbits"
}
