# SPDX-License-Identifier: BSD-2-Clause
# Says where a test names an erratum by its number: it is to ask for the effect.  Exit code 1 if any does.
#
#     awk -f errata.awk pmu/FAMILY/errata.c... tests/ROOM/FILE...
#
# The names are those of the drivers' tables.  No string of a test may hold one, and in the rooms for
# every vendor's counters no comment either; elsewhere a comment may say where a thing is published.

function note_names(list,    part, n, i)
{
	n = split(list, part, /, |\//)
	for (i = 1; i <= n; i++)
		is_name[part[i]] = 1
}

function complain_of_names(text,    word, n, i)
{
	n = split(text, word, /[^A-Za-z0-9]+/)
	for (i = 1; i <= n; i++)
		if (word[i] in is_name) {
			print FILENAME ":" FNR ": names erratum " word[i] ": pmu_effect() asks for what it does"
			broken = 1
		}
}

# The strings of a line of code, or with them its comments.  Numbers without a letter are names in strings
# alone.
function said(line,    part, n, i, text)
{
	n = split(line, part, "\"")
	for (i = 1; i <= n; i++)
		if (i % 2 == 0)
			text = text " " part[i]
		else if (for_all && match(part[i], /\/\*.*|^[\t ]*\*.*/)) {
			part[i] = substr(part[i], RSTART)
			gsub(/(^|[^A-Za-z0-9])[0-9]+/, " ", part[i])
			text = text " " part[i]
		}
	return text
}

FNR == 1 { for_all = FILENAME ~ /^tests\/(core|lib)\// }
/^\t\{"/ && FILENAME ~ /^pmu\// {
	split($0, quoted, "\"")
	note_names(quoted[2])
}
FILENAME ~ /^tests\// { complain_of_names(said($0)) }
END { exit broken }
