# SPDX-License-Identifier: BSD-2-Clause
# Reads sources and says which include breaks the order of the rooms; exit code 1 if any does.
#
#     awk -f rooms.awk FILE...      paths from the root of the tree
#
# A folder is a room.  Its main header has a comment with the lines
#
#     Room: what lives here
#     Uses: ROOM, ROOM              what its files may include; as many lines as it takes
#
# An include names a header of the same room by its bare name, one of another room by its path.  Of
# another room only the main header may be included, and what that includes of its own room; but a room
# within another one, as kernel/x86_64, may include every header of the room around it.

function room_of(path)
{
	sub(/\/[^\/]*$/, "", path)
	return path
}

# A source and its header are one module.  A main header is none: it names what is in its room.
function module_of(path)
{
	sub(/\.[a-z]+$/, "", path)
	return path
}

function complain(where, what)
{
	print where ": " what
	broken = 1
}

function note_uses(list,    part, n, i)
{
	n = split(list, part, /, */)
	for (i = 1; i <= n; i++)
		uses[room, part[i]] = FILENAME
}

function note_include(header)
{
	if (header !~ /\//)
		header = room "/" header
	includes++
	from[includes] = FILENAME
	to[includes] = header
	place[includes] = FILENAME ":" FNR
	included[FILENAME, header] = 1
}

# May others include this header?
function is_public(header,    main_header)
{
	main_header = main_of[room_of(header)]
	return header == main_header || (main_header, header) in included
}

function check_include(i,    a, b)
{
	a = room_of(from[i])
	b = room_of(to[i])
	if (a != b) {
		used[a, b] = 1
		arrow["part", part_of(a), part_of(b)] = place[i]
		if (!((a, b) in uses))
			complain(place[i], "room " a " does not say that it uses " b)
		else if (index(a, b "/") != 1 && !is_public(to[i]))
			complain(place[i], to[i] " is private to its room: include " main_of[b])
	}
	if (from[i] != main_of[a] && module_of(from[i]) != module_of(to[i]))
		arrow["module", module_of(from[i]), module_of(to[i])] = place[i]
}

function part_of(room)
{
	sub(/\/.*/, "", room)
	return room
}

function check_room(room)
{
	if (!(room in main_of))
		complain(room, "no header says \"Room: what lives here\"")
}

function check_use(a, b)
{
	if (!(b in rooms))
		complain(uses[a, b], "there is no room " b)
	else if (!((a, b) in used))
		complain(uses[a, b], a " does not use " b)
	if (part_of(a) == "model" && part_of(b) != "model" && b != "kernel/lib")
		complain(uses[a, b], "the model shares kernel/lib with the program, nothing else")
	arrow["room", a, b] = uses[a, b]
}

# Follows the arrows of one kind from node; those on the way are "open".
function visit(kind, node,    a, p)
{
	state[kind, node] = "open"
	for (a in arrow) {
		split(a, p, SUBSEP)
		if (p[1] != kind || p[2] != node || p[3] == node)
			continue
		if (state[kind, p[3]] == "open")
			complain(arrow[a], "closes a circle: " kind " " node " needs " p[3] ", which needs it")
		else if (state[kind, p[3]] == "")
			visit(kind, p[3])
	}
	state[kind, node] = "done"
}

function check_circles(    a, p)
{
	for (a in arrow) {
		split(a, p, SUBSEP)
		if (state[p[1], p[2]] == "")
			visit(p[1], p[2])
	}
}

FNR == 1 {
	room = room_of(FILENAME)
	rooms[room] = 1
}
/^ \* Room: / {
	if (room in main_of)
		complain(FILENAME, main_of[room] " says already what lives in " room)
	main_of[room] = FILENAME
}
/^ \* Uses: / { note_uses(substr($0, 10)) }
/^#include "/ {
	split($0, quoted, "\"")
	note_include(quoted[2])
}

END {
	for (r in rooms)
		check_room(r)
	for (i = 1; i <= includes; i++)
		check_include(i)
	for (u in uses) {
		split(u, pair, SUBSEP)
		check_use(pair[1], pair[2])
	}
	check_circles()
	exit broken
}
