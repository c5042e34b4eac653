#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Tests rooms.awk and calls.awk on a small tree: what is planted there must be named, and nothing else.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
bad=0

# house: two rooms, hall above cellar, without a defect.
house()
{
	rm -rf "${tree:?}"/*
	mkdir -p "$tree/hall" "$tree/cellar"
	main_header hall 'cellar' '"cellar/cellar.h"'
	main_header cellar '' '"wine.h"'
	echo >"$tree/cellar/wine.h"
	echo >"$tree/cellar/coal.h"
	echo '#include "hall.h"' >"$tree/hall/door.c"
}

# main_header ROOM USES INCLUDE
main_header()
{
	{
		echo "/*"
		echo " * Room: $1"
		[ -z "$2" ] || echo " * Uses: $2"
		echo " */"
		echo "#include $3"
	} >"$tree/$1/${1##*/}.h"
}

# expect NAME SENTENCE: what rooms.awk says of the tree; "" for a sound one.
expect()
{
	said=$(cd "$tree" && find . -name '*.[ch]' | sed 's,^\./,,' | sort |
		xargs awk -f "$here/rooms.awk") || :
	if [ "$said" = "$2" ]; then
		echo "ok $1"
	else
		echo "not ok $1: $said"
		bad=1
	fi
}

house
expect 'a sound house' ''

house
echo '#include "cellar/wine.h"' >>"$tree/hall/door.c"
expect 'a header that the main header names' ''

house
echo '#include "cellar/coal.h"' >>"$tree/hall/door.c"
expect 'past the main header' \
	'hall/door.c:2: cellar/coal.h is private to its room: include cellar/cellar.h'

house
mkdir "$tree/cellar/safe"
main_header cellar/safe 'cellar' '"cellar/coal.h"'
expect 'a private header of the room around' ''

house
main_header hall '' '"cellar/cellar.h"'
expect 'a use that is not declared' \
	'hall/hall.h:4: room hall does not say that it uses cellar'

house
main_header hall 'cellar, attic' '"cellar/cellar.h"'
expect 'a use of nothing' 'hall/hall.h: there is no room attic'

house
main_header hall 'cellar' '<stdint.h>'
expect 'a use that is none' 'hall/hall.h: hall does not use cellar'

house
mkdir "$tree/attic"
echo >"$tree/attic/box.c"
expect 'a room without a main header' 'attic: no header says "Room: what lives here"'

house
sed 's/Room: hall/Room: two/' "$tree/hall/hall.h" >"$tree/hall/second.h"
expect 'a room with two' 'hall/second.h: hall/hall.h says already what lives in hall'

house
main_header cellar 'hall' '"hall/hall.h"'
case $(expect 'an arrow that points back' '') in
*'closes a circle: room '*) echo 'ok an arrow that points back' ;;
*) echo 'not ok an arrow that points back'; bad=1 ;;
esac

house
echo '#include "window.h"' >"$tree/hall/stairs.h"
echo '#include "stairs.h"' >"$tree/hall/window.c"
: >"$tree/hall/window.h"
case $(expect 'two modules that need each other' '') in
*'closes a circle: module hall/'*) echo 'ok two modules that need each other' ;;
*) echo 'not ok two modules that need each other'; bad=1 ;;
esac

house
mkdir -p "$tree/cellar/safe"
printf '/*\n * Room: a part of each\n * Uses: %s\n */\n#include "%s"\n' hall hall/hall.h >"$tree/cellar/safe/safe.h"
case $(expect 'parts that need each other' '') in
*'closes a circle: part '*) echo 'ok parts that need each other' ;;
*) echo 'not ok parts that need each other'; bad=1 ;;
esac

# ---- calls ----

# needs FILE SYMBOL, has FILE SYMBOL: what nm says of the file's object.
needs()
{
	echo "$1.o:                 U $2" >>"$tree/symbols"
}

has()
{
	echo "$1.o:0000000000000000 T $2" >>"$tree/symbols"
}

# expect_calls NAME SENTENCE: what calls.awk says of the tree.
expect_calls()
{
	said=$(cd "$tree" && { grep -rH '^ [*] [US]' --include '*.h' hall cellar; cat symbols; } |
		awk -f "$here/calls.awk" | sort) || :
	if [ "$said" = "$2" ]; then
		echo "ok $1"
	else
		echo "not ok $1: $said"
		bad=1
	fi
}

# a_call: from hall/door.c down to cellar/wine.c, whose room the hall uses; a second file of the hall, and a pair of files.
a_call()
{
	house
	needs hall/door.c pour
	needs hall/door.c memcpy
	has hall/door.c knock
	needs cellar/wine.c cork
	has cellar/wine.c pour
	needs cellar/coal.c pour
	has cellar/coal.c cork
}

a_call
expect_calls 'a call down, and two files that need each other' ''

a_call
needs cellar/coal.c knock
expect_calls 'a call back' "\
cellar/coal.c calls back: hall/door.c is in hall, which uses cellar
need each other: cellar/coal.c cellar/wine.c hall/door.c"

a_call
needs cellar/rat.c knock
expect_calls 'a call back without a circle' 'cellar/rat.c calls back: hall/door.c is in hall, which uses cellar'

a_call
needs cellar/rat.c knock
sed -i 's/ \* Uses: cellar/&\n * Serves: cellar/' "$tree/hall/hall.h"
expect_calls 'a room that serves' ''

a_call
sed -i 's/ \* Uses: cellar/&\n * Serves: cellar/' "$tree/hall/hall.h"
expect_calls 'a room that serves nobody' 'hall does not serve cellar'

a_call
needs cellar/coal.c shovel
has cellar/dust.c shovel
needs cellar/dust.c pour
expect_calls 'three files that need each other' 'need each other: cellar/coal.c cellar/dust.c cellar/wine.c'

exit $bad
