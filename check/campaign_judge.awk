# The pairs of campaign_pairs.awk, then the cleaned logs of all boots: prints for each pair one line
# "MODEL FAULT caught|missed|... FAILED-TEST...", with "!" before a test that claims the fault.
# Runs without a fault that have a failed test or no verdict go to the file alarms, a line each.

# The run at hand is over.
function finish(    complete)
{
	if (!under_way)
		return
	under_way = 0
	complete = ended && verdict && plan > 0 && plan == results
	if (fault == "none") {
		if (!complete || failures != "")
			print model ": " (complete ? "" : "no verdict: ") failures >>alarms
		return
	}
	is_complete[model, fault] = complete
	failed[model, fault] = failures
}

# Of a pair that was run.
function judge(p,    outcome, marked, test, n, i)
{
	outcome = is_complete[p] ? "missed" : "no-verdict"
	n = split(failed[p], test, " ")
	for (i = 1; i <= n; i++) {
		if (matches(test[i], globs[p])) {
			if (outcome == "missed")
				outcome = "caught"
			test[i] = "!" test[i]
		}
		marked = marked " " test[i]
	}
	if (kind[p] != "visible" && outcome == "missed")
		outcome = kind[p]
	if (kind[p] == "invisible" && outcome == "caught")
		outcome = "seen-but-listed"
	return outcome marked
}

FNR == NR {
	order[++pairs] = $1 SUBSEP $2
	globs[$1, $2] = $3
	kind[$1, $2] = $5
	next
}

/^silicon: run [0-9]+ model=/ {
	finish()
	under_way = 1
	model = $4
	fault = $5
	sub(/^model=/, "", model)
	sub(/^fault=/, "", fault)
	plan = results = verdict = ended = 0
	failures = ""
}
/^1\.\.[0-9]+/ { plan = substr($1, 4) + 0 }
/^(not )?ok / { results++ }
/^not ok / && !/# TODO / { failures = failures " " $4 }
/^# verdict: / { verdict = 1 }
/^silicon: run [0-9]+ status/ {
	ended = 1
	finish()
}

END {
	finish()
	for (i = 1; i <= pairs; i++) {
		p = order[i]
		split(p, part, SUBSEP)
		print part[1], part[2], p in is_complete ? judge(p) : "not-run"
	}
}
