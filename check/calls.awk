# SPDX-License-Identifier: BSD-2-Clause
# Reads which object needs what of which, and says which files need each other that must not; exit code 1 if any do.
#
#     (grep -rH '^ [*] [US]' --include '*.h' ROOM...; nm -A FILE.o...) | awk -f calls.awk
#
# All paths are from the root of the tree, those of objects, too, as hall/door.c.o.  A folder is a room, whose main header
# has the lines that rooms.awk reads, and this one:
#
#     Serves: ROOM              it has functions that the other room, which it uses, declares and calls
#
# Two files of a room may need each other; more in one circle must not, nor may files of two rooms.  A call may go back to
# a room that uses the caller's only where that one serves.  In kernel/ all of this is allowed: traps, panics and pages do
# need each other.

function room_of(path)
{
	sub(/\/[^\/]*$/, "", path)
	return path
}

function is_free(file)
{
	return file ~ /^kernel\//
}

function note_list(kind, path, list,    part, n, i)
{
	n = split(list, part, /, */)
	for (i = 1; i <= n; i++)
		said[kind, room_of(path), part[i]] = 1
}

# The name of an object is that of its source.
function note_symbol(object, text,    word)
{
	sub(/\.o$/, "", object)
	has_room[room_of(object)] = 1
	split(text, word, " ")
	if (word[1] == "U")
		needs[object, word[2]] = 1
	else if (word[2] ~ /^[TDBRVW]$/)
		of[word[3]] = object
}

# Does room a use b, or a room that does?
function uses(a, b, seen,    u, p)
{
	if (("Uses", a, b) in said)
		return 1
	seen[a] = 1
	for (u in said) {
		split(u, p, SUBSEP)
		if (p[1] == "Uses" && p[2] == a && !(p[3] in seen) && uses(p[3], b, seen))
			return 1
	}
	return 0
}

function check_call(a, b,    from, to, seen)
{
	from = room_of(a)
	to = room_of(b)
	if (from == to || is_free(a))
		return
	if (("Serves", to, from) in said)
		serves[to, from] = 1
	else if (uses(to, from, seen))
		complain(a " calls back: " b " is in " to ", which uses " from)
}

function complain(what)
{
	print what
	broken = 1
}

function note_calls(    n, p, to)
{
	for (n in needs) {
		split(n, p, SUBSEP)
		to = of[p[2]]
		if (to == "" || to == p[1])
			continue
		call[p[1], to] = 1
		next_of[p[1]] = next_of[p[1]] " " to
		previous_of[to] = previous_of[to] " " p[1]
	}
}

# Marks all that can be reached from a file.
function reach(file, list, mark,    n, part, i)
{
	mark[file] = 1
	n = split(list[file], part, " ")
	for (i = 1; i <= n; i++)
		if (!(part[i] in mark))
			reach(part[i], list, mark)
}

# The files that file needs and that need it, it among them, are a circle.
function check_circle(file,    after, before, f, names, members, rooms, room)
{
	if (file in settled || is_free(file))
		return
	reach(file, next_of, after)
	reach(file, previous_of, before)
	for (f in after)
		if (f in before) {
			settled[f] = 1
			names = names " " f
			members++
			if (!(room_of(f) in room))
				rooms++
			room[room_of(f)] = 1
		}
	if (rooms > 1 || members > 2)
		complain("need each other:" sorted(names))
}

function sorted(names,    part, n, i, k, swap)
{
	n = split(names, part, " ")
	for (i = 2; i <= n; i++)
		for (k = i; k > 1 && part[k] < part[k - 1]; k--) {
			swap = part[k]
			part[k] = part[k - 1]
			part[k - 1] = swap
		}
	names = ""
	for (i = 1; i <= n; i++)
		names = names " " part[i]
	return names
}

{
	path = text = $0
	sub(/:.*/, "", path)
	sub(/^[^:]*:/, "", text)
}
text ~ /^ \* Uses: / { note_list("Uses", path, substr(text, 10)) }
text ~ /^ \* Serves: / { note_list("Serves", path, substr(text, 12)) }
path ~ /\.o$/ { note_symbol(path, text) }

END {
	note_calls()
	for (c in call) {
		split(c, pair, SUBSEP)
		check_call(pair[1], pair[2])
		check_circle(pair[1])
	}
	for (s in said) {
		split(s, pair, SUBSEP)
		if (pair[1] == "Serves" && pair[2] in has_room && pair[3] in has_room && !((pair[2], pair[3]) in serves))
			complain(pair[2] " does not serve " pair[3])
	}
	exit broken
}
