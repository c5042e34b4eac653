# What list_models prints, as pairs for a campaign: one "MODEL FAULT GLOBS FILTER KIND" a line, faults of
# the same model together.  A test among GLOBS claims to see the fault, FILTER is what to run.
# KIND: visible, or as the file unseen says.
#
# Variables: only_model, only_fault, full, tests, every: as the options of campaign.sh; unseen: a file or "".

# Every so many of a class, whose name ends at the first "-", through all models.
function chosen(fault,    class)
{
	class = fault
	sub(/-.*/, "", class)
	return met[class]++ % every == 0
}

function read_unseen(    line, word)
{
	while ((getline line <unseen) > 0) {
		split(line, word, " ")
		if (word[1] != "invisible" && word[1] != "unused")
			continue
		rules++
		kind[rules] = word[1]
		of_models[rules] = word[2]
		of_faults[rules] = word[3]
	}
	if (!rules) {
		print unseen ": no line of it names faults" >"/dev/stderr"
		exit 2
	}
}

function kind_of(model, fault,    r)
{
	for (r = 1; r <= rules; r++)
		if (matches(model, of_models[r]) && matches(fault, of_faults[r]))
			return kind[r]
	return "visible"
}

# One that no test is said to see may be seen by any.
function print_pair(model, fault, globs, kind)
{
	if (kind != "visible")
		globs = "*"
	print model, fault, globs, tests != "" ? tests : full ? "*" : globs, kind
}

BEGIN {
	if (unseen != "")
		read_unseen()
}

$1 == "model" && (only_model == "" || $2 == only_model) { model[++models] = $2 }

$1 == "fault" && $4 != "test=-" && (only_fault == "" || matches($2, only_fault)) && chosen($2) {
	name[++faults] = $2
	sub(/^models=/, "", $3)
	sub(/^test=/, "", $4)
	at[faults] = "," $3 ","
	globs[faults] = $4
}

END {
	for (m = 1; m <= models; m++)
		for (f = 1; f <= faults; f++)
			if (index(at[f], "," model[m] ","))
				print_pair(model[m], name[f], globs[f], kind_of(model[m], name[f]))
}
