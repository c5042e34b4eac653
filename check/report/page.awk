# SPDX-License-Identifier: BSD-2-Clause
# A page of reports.  kind: "report", each in full; "pair", two side by side with what changed; "wall", a table of machines.

function print_verdict(r,    n, text)
{
	for (n = 5; n; n--)
		if (count[r, rank_of[n]])
			text = text count[r, rank_of[n]] " " rank_of[n] ", "
	printf "<p class=\"verdict %s\"><strong>%s</strong> <span>%s%s</span></p>\n", verdict[r], toupper(verdict[r]), text,
		(plan[r] == "" ? "no plan" : "of " plan[r] " planned")
	if (trouble[r] != "")
		printf "<p class=\"trouble\">Not to be believed: %s%s</p>\n", html(trouble[r]),
			(missing(r) ? "; cut off behind " html(name[r, results[r]]) : "")
}

# What the failures have in common, as the program has found it.
function print_cause(r)
{
	if (cause[r] != "")
		printf "<p class=\"cause\">Failures have in common: %s</p>\n", lines(cause[r])
}

function print_machine(r)
{
	print "<table class=\"machine\">"
	row("processor", head_line(r, "cpu: "))
	row("microcode", fact[r, "cpu.microcode"])
	row("hypervisor", fact[r, "cpu.hypervisor"])
	print_pmus(r)
	row("errata", errata(r))
	row("program", fact[r, "program.version"] (fact[r, "program.bits"] == "" ? "" : ", " fact[r, "program.bits"] " bits"))
	row("SMIs", head_line(r, "SMIs during the run: "))
	row("nothing to test", plan[r] == "0" ? head_line(r, "1..0 # SKIP ") : "")
	row("ended early", head_line(r, "Bail out! "))
	row("file", file[r])
	print "</table>"
}

# The first line of each; boxes of a kind are many.
function print_pmus(r,    n, j, line, all, pmu, seen)
{
	n = split(head[r], line, "\n")
	for (j = 1; j < n; j++)
		if (line[j] ~ /^pmu [^ ]*: .* bits/) {
			pmu = substr(line[j], 5, index(line[j], ":") - 5)
			sub(/[0-9]*(-s[0-9]+)?$/, "", pmu)
			if (!seen[pmu]++)
				row("PMU", substr(line[j], 5))
		}
}

function errata(r,    k, all)
{
	for (k = 1; k <= keys[r]; k++)
		if (key[r, k] ~ /\.errata$/)
			all = all (all == "" ? "" : ", ") fact[r, key[r, k]]
	return all
}

function print_facts(r,    k, all)
{
	for (k = 1; k <= keys[r]; k++)
		all = all key[r, k] " = " fact[r, key[r, k]] "\n"
	fold("Facts", all)
	fold("Header", head[r])
}

function print_report(r)
{
	printf "<article id=\"r%d\"><h1>%s</h1>\n", r, html(machine(r))
	print_verdict(r)
	print_cause(r)
	print_machine(r)
	print_matrix(r)
	print_failures(r)
	print_reasons(r, "known", "Failed by published errata")
	print_reasons(r, "skip", "Not tested")
	print_plots(r)
	print_facts(r)
	if (kind != "wall")
		fold("The report as it is", raw[r])
	print "</article>"
}

# ---- two side by side ----

# Of "WHAT: BEFORE -> AFTER", or a line that one of them has below a failed test, sets what, before and after; false: it
# is neither.
function read_change(text,    at)
{
	before = after = ""
	what = substr(text, 1, index(text, ": ") - 1)
	text = substr(text, length(what) + 3)
	if (text ~ /^- /)
		before = substr(text, 3)
	else if (text ~ /^\+ /)
		after = substr(text, 3)
	else if (at = index(text, " -> ")) {
		before = substr(text, 1, at - 1)
		after = substr(text, at + 4)
	}
	return before after != ""
}

# The same change of one test on several counters is one row.
function take_change(n,    part, id)
{
	if (!read_change(change[n])) {
		printf "<p>%s</p>\n", html(change[n])
		return
	}
	id = what
	if (what !~ /^fact / && split(what, part, ".") == 4)
		id = part[3] "." part[4]
	id = id SUBSEP before SUBSEP after
	if (!(id in change_of))
		change_id[++change_rows] = id
	change_of[id] = change_of[id] (change_of[id] == "" ? html(what) : ", " html(part[1] "." part[2]))
}

# failed: those that fail now, or else all others.
function print_change_rows(failed,    n, part)
{
	for (n = 1; n <= change_rows; n++) {
		split(change_id[n], part, SUBSEP)
		if ((part[3] == "fail") == failed)
			printf "<tr><th>%s</th><td>%s</td><td>%s</td></tr>\n", change_of[change_id[n]], html(part[2]), html(part[3])
	}
}

function print_changes(    n)
{
	if (!changes)
		print "<p>Nothing changed.</p>"
	for (n = 1; n <= changes; n++)
		take_change(n)
	if (!change_rows)
		return
	print "<div class=\"wide\"><table class=\"changes\"><thead><tr><th></th><th>before</th><th>after</th></tr></thead>"
	print_change_rows(1)
	print_change_rows(0)
	print "</table></div>"
}

function print_pair()
{
	printf "<h1>%s, %s</h1>\n<h2>What changed</h2>\n", html(file[1]), html(file[2])
	print_changes()
	print "<div class=\"pair\">"
	print_report(1)
	print_report(2)
	print "</div>"
}

# ---- a table of machines ----

function all_groups(    r, g)
{
	for (r = 1; r <= reports; r++)
		for (g = 1; g <= groups[r]; g++)
			if (!((group_of[r, g]) in wall_seen)) {
				wall[++walls] = group_of[r, g]
				wall_seen[group_of[r, g]] = 1
			}
}

function print_wall_row(r,    g)
{
	printf "<tr><td class=\"%s\">%s</td><th><a href=\"#r%d\">%s</a><br><small>%s</small></th>", verdict[r], verdict[r], r, html(machine(r)),
		html(file[r])
	printf "<td>%s</td><td>%s</td><td>%d of %s</td><td>%d</td>", html(fact[r, "cpu.microcode"]), html(fact[r, "cpu.hypervisor"]),
		count[r, "pass"], (plan[r] == "" ? "?" : plan[r]), count[r, "fail"] + count[r, "error"]
	for (g = 1; g <= walls; g++)
		printf "%s", cell(group_mark[r, wall[g]], wall[g])
	print "</tr>"
}

function print_wall(    r, g, n, tally_of)
{
	all_groups()
	for (r = 1; r <= reports; r++)
		tally_of[verdict[r]]++
	printf "<h1>%d reports: %d fail, %d error, %d pass, %d skip</h1>\n", reports, tally_of["fail"], tally_of["error"], tally_of["pass"],
		tally_of["skip"]
	print "<div class=\"wide\"><table class=\"matrix wall\"><thead><tr><th>verdict</th><th>machine</th><th>microcode</th><th>hypervisor</th>"
	printf "<th>passed</th><th>failed</th>"
	for (g = 1; g <= walls; g++)
		printf "<th class=\"up\"><span>%s</span></th>", html(wall[g])
	print "</tr></thead>"
	for (r = 1; r <= reports; r++)
		print_wall_row(r)
	print "</table></div>"
	print_key()
	for (r = 1; r <= reports; r++) {
		printf "<details class=\"machine-of-wall\"><summary>%s: %s</summary>\n", html(verdict[r]), html(machine(r) ", " file[r])
		print_report(r)
		print "</details>"
	}
}

END {
	open_page(kind == "wall" ? "pmutest86: " reports " reports" : "pmutest86: " verdict[1] ", " machine(1))
	print_fills()
	for (r = 1; r <= reports; r++)
		take_results(r)
	if (kind == "wall")
		print_wall()
	else if (kind == "pair" && reports == 2)
		print_pair()
	else
		for (r = 1; r <= reports; r++)
			print_report(r)
	print "</body></html>"
}
