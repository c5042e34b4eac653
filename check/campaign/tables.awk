# SPDX-License-Identifier: BSD-2-Clause
# Tables of a campaign, from its runs, "MODEL FAULT ENDING [!]TEST..." each: the matrix, missed faults, the classes, false
# alarms and totals; exit code 1 if anything was missed or a false alarm.  Without a fault, FAULT is
# seed=N or lawful=NAME.
#
#     results=FILE awk [-v generated=1|survey=1|alone=1] -f tables.awk
#
# survey: generated ones, of which some may be missed: exit code 1 only for false alarms, runs without a verdict and
# faults that are seen but should not be.  alone: the same of faults seeded by hand, whose lines end with by-hand=TEST, the
# test that claims to see them: its group is their class.
#
# FILE, if any, gets one line "ok fault.NAME" or "not ok fault.NAME - why" each.  "!" is before a test that claims
# to see the fault.

function test_of(id)
{
	sub(/^!?[^.]*\.[^.]*\./, "", id)
	return id
}

# Of by-hand=PMU.COUNTER.GROUP.TEST, where "*" may stand for the first two.
function group_of(test,    part)
{
	sub(/^by-hand=/, "", test)
	sub(/\.[^.]*$/, "", test)
	sub(/.*\./, "", test)
	return test
}

# One row per fault and model, one column per test that failed anywhere.
function print_matrix(    line, c, k, r)
{
	print "fault x test (# failed as claimed, x failed too):"
	for (c = 1; c <= columns; c++) {
		line = sprintf("%47s", "")
		for (k = 1; k < c; k++)
			line = line "|"
		print line "+-- " test[c]
	}
	for (r = 1; r <= pairs; r++) {
		line = sprintf("%-10s %-36s", model[r], fault[r])
		for (c = 1; c <= columns; c++)
			line = line ((r, c) in cell ? cell[r, c] : ".")
		print line " " ending[r]
	}
}

# By class and model: how many of the faults were seen, of those that can be.  Marked as in Markdown.
function print_classes(    line, rule, m, c, k)
{
	line = "| class |"
	rule = "|---|"
	for (m = 1; m <= models; m++) {
		line = line " " name_of[m] " |"
		rule = rule "---|"
	}
	print line " invisible |"
	print rule "---|"
	for (c = 1; c <= classes; c++) {
		line = "| " class[c] " |"
		for (m = 1; m <= models; m++) {
			k = class[c] SUBSEP name_of[m]
			line = line " " (seeded[k] ? caught[k] + 0 "/" seeded[k] : "-") " |"
		}
		print line " " hidden[class[c]] + 0 " |"
	}
}

# A fault is caught when it is on every model that can have it; a generated one has one model.
function print_totals(    f, name, bad, good)
{
	for (f = 1; f <= faults; f++) {
		name = fault_name[f]
		bad += why[name] != ""
		good += why[name] == "" && seen[name]
		if (ENVIRON["results"] != "")
			print (why[name] == "" ? "ok fault." name : "not ok fault." name " -" why[name]) >ENVIRON["results"]
	}
	printf "%d fault%s, %d caught, %d missed, %d false alarms", faults, faults == 1 ? "" : "s", good, bad, alarms
	print (generated || invisible ? ", " invisible + 0 " invisible" : "") (away ? ", " away " not judged" : "")
}

function note_tests(    i, id)
{
	for (i = 4; i <= NF; i++) {
		if ($i ~ /^by-hand=/)
			continue
		id = test_of($i)
		if (!(id in column)) {
			column[id] = ++columns
			test[columns] = id
		}
		if (cell[pairs, column[id]] != "#")
			cell[pairs, column[id]] = $i ~ /^!/ ? "#" : "x"
	}
}

$2 ~ /^(seed|lawful)=/ {
	healthy++
	skipped += $3 == "skipped"
	if ($3 !~ /^(passed|skipped)$/)
		alarm[++alarms] = $0
	next
}

{
	model[++pairs] = $1
	fault[pairs] = $2
	ending[pairs] = $3
	note_tests()
	name = generated ? $1 "." $2 : $2
	row = generated ? $2 : "by hand"
	sub(/-.*/, "", row)
	if (alone)
		row = group_of($NF)
	if (!met_name[name]++)
		fault_name[++faults] = name
	if (!met_row[row]++)
		class[++classes] = row
	if (!met_model[$1]++)
		name_of[++models] = $1
	if ($3 == "not-judged") {
		away++
		next
	}
	if ($3 == "invisible") {
		invisible++
		hidden[row]++
		next
	}
	seeded[row, $1]++
	caught[row, $1] += $3 == "caught"
	seen[name] += $3 == "caught"
	if ($3 != "caught") {
		missed[++misses] = $3 ": " $1 " " $2
		unexpected += !(survey || alone) || $3 != "missed"
		why[name] = why[name] " " $3 " on " $1
	}
}

BEGIN {
	generated = generated || survey
}

END {
	if (pairs && !generated && !alone)
		print_matrix()
	for (i = 1; i <= misses; i++)
		print "  " missed[i]
	if (pairs)
		print_classes()
	for (i = 1; i <= alarms; i++)
		print "false alarm: " alarm[i]
	if (pairs)
		print_totals()
	else
		printf "%d runs, %d without a failed test, %d false alarms, %d skipped\n", healthy, healthy - alarms,
			alarms, skipped
	exit unexpected || alarms || skipped == healthy
}
