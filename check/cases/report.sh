# SPDX-License-Identifier: BSD-2-Clause
# The checks of all.sh that are about what report-page.sh makes of reports: data, and pages, which are looked at in
# Chromium.  They stand on steps.sh.
# shellcheck shell=sh disable=SC2154 # work and the codes come from all.sh and lib.sh

# sample_reports: $work/all.tap, with one result of each kind and text that could be taken for a page's own; the same without
# its error, without its failures, and cut off; and one of a machine without a PMU.
sample_reports()
{
	cat >"$work/all.tap" <<-'TAP'
	KTAP version 1
	# cpu: Vendor family 06h <b>model</b> & "stepping"
	# fact cpu.name="A & B \"C\" \\ </pre><script>alert(1)</script>"
	# fact amd.counters=4
	# fact imc0.box=yes
	# fact imc1.like=imc0
	1..10
	ok 1 -.-.truth.counts
	not ok 2 amd.0.count.cycles
	#   count.c:7: a < b && c
	#   got 5 (5), expected 6 (6)
	#   amd counter 0: CTL[c0010000] = 0000000001850076
	#   claim: clocks are "clocks" <
	#   clause: a manual, 1.2
	not ok 3 amd.1.count.cycles
	#   count.c:7: a < b && c
	#   got 4 (4), expected 6 (6)
	not ok 4 amd.10.count.odd
	#   error: the driver refused it
	ok 5 amd.2.count.cycles # SKIP not run: no time
	not ok 6 amd.2.edge.bursts # TODO known: 1291
	ok 7 amd.2.edge.sum
	# fact amd.2.edge.sum.sum=16+11/38
	# fact amd.2.edge.sum.late=0:4,5:1,31:2
	ok 8 imc0.0.count.lines
	ok 9 imc0.1.count.lines
	ok 10 imc1.-.box.same_battery
	# cause: amd: counter 1, event <b>: in 2 of 2 failures
	# passed 5, failed 2, skipped 1, known 1, errors 1
	# verdict: error
	TAP
	sed '/^#   error/d; s/errors 1/errors 0/; s/failed 2/failed 3/; s/verdict: error/verdict: fail/' "$work/all.tap" >"$work/fail.tap"
	sed 9q "$work/fail.tap" >"$work/cut.tap"
	printf '%s\n' 'KTAP version 1' '1..0 # SKIP no PMU is here' '# passed 0, failed 0, skipped 0, known 0, errors 0' \
		'# verdict: skip' >"$work/skip.tap"
	sed 's/^not ok 4/ok 4/; /refused/d; /count\.c:/d; /#   got/d; s/^not ok \([23]\)/ok \1/; s/passed 5, failed 3/passed 8, failed 0/
		s/verdict: fail/verdict: pass/' "$work/fail.tap" >"$work/pass.tap"
}

# page STATUS NAME ARGUMENT...: into $work/NAME.html, or what the arguments ask for.
page()
{
	want=$1 to=$2
	shift 2
	expect_status "$want" check/report-page.sh "$@"
	cp "$work/out" "$work/$to"
	diff /dev/null "$work/err"
}

# The exit code is the worst of the verdicts, and each is said in the words of its form.
case_report_data()
{
	sample_reports
	page "$BROKEN" all.json --json "$work/all.tap" "$work/cut.tap" "$work/skip.tap"
	perl -MJSON::PP -0777 -ne '
		for my $r (@{decode_json($_)->{reports}}) {
			print join(" ", $r->{verdict}, $r->{said}, $r->{plan}, map { $r->{count}{$_} } qw(pass fail error known skip missing)), "\n";
			print "$r->{trouble}\n" if $r->{trouble};
			print "cause: $_\n" for @{$r->{cause}};
			print "$r->{facts}{\"cpu.name\"}\n" if $r->{facts}{"cpu.name"};
			for (@{$r->{results}}) {
				print join("|", $_->{pmu}, $_->{counter}, $_->{group}, $_->{test}, $_->{outcome}, $_->{reason} // "", $_->{claim} // "",
					$_->{clause} // "", @{$_->{details}}), "\n" if $_->{outcome} ne "pass";
			}
		}' "$work/all.json" >"$work/data"
	diff - "$work/data" <<-'DATA'
	error error 10 5 2 1 1 1 0
	the verdict is error
	cause: amd: counter 1, event <b>: in 2 of 2 failures
	A & B "C" \ </pre><script>alert(1)</script>
	amd|0|count|cycles|fail||clocks are "clocks" <|a manual, 1.2|count.c:7: a < b && c|got 5 (5), expected 6 (6)|amd counter 0: CTL[c0010000] = 0000000001850076
	amd|1|count|cycles|fail||||count.c:7: a < b && c|got 4 (4), expected 6 (6)
	amd|10|count|odd|error||||error: the driver refused it
	amd|2|count|cycles|skip|not run: no time||
	amd|2|edge|bursts|known|1291||
	error none 10 1 1 0 0 0 8
	ends before its verdict
	A & B "C" \ </pre><script>alert(1)</script>
	amd|0|count|cycles|fail|||
	skip skip 0 0 0 0 0 0 0
	DATA
	# The fields are those of the document.
	perl -MJSON::PP -0777 -ne '
		sub fields { my ($at, $v) = @_;
			if (ref $v eq "HASH" && $at !~ /facts$/) { for (keys %$v) { $seen{"$at$_"} = 1; fields("$at$_.", $v->{$_}) } }
			if (ref $v eq "ARRAY") { fields($at =~ s/\.$/[]./r, $_) for @$v } }
		fields("", decode_json($_));
		print "$_\n" for sort keys %seen' "$work/all.json" | grep -v '^reports\[\]\.facts\.' >"$work/fields"
	# shellcheck disable=SC2016 # the quotes are Markdown's
	sed -n '/^### JSON/,/^###* [^J]/s/^| \(`.*`\) |.*|$/\1/p' docs/lab.md | tr -d ' `' | tr , '\n' | LC_ALL=C sort | diff - "$work/fields"

	page "$BROKEN" all.xml --junit "$work/all.tap" "$work/cut.tap" "$work/skip.tap" "$work/pass.tap"
	xmllint --noout --schema check/report/junit.xsd "$work/all.xml"
	xmllint --xpath '//testsuite/@*[name() != "name" and name() != "file"]' "$work/all.xml" | xargs -n 5 >"$work/data"
	diff - "$work/data" <<-'DATA'
	id=0 tests=11 failures=2 errors=2 skipped=2
	id=1 tests=3 failures=1 errors=1 skipped=0
	id=2 tests=1 failures=0 errors=0 skipped=1
	id=3 tests=11 failures=0 errors=0 skipped=2
	DATA
	xmllint --xpath '//testcase/*/@*' "$work/all.xml" | sed 's/^ //' >"$work/data"
	diff - "$work/data" <<-'DATA'
	type="fail"
	message="count.c:7: a &lt; b &amp;&amp; c"
	type="fail"
	message="count.c:7: a &lt; b &amp;&amp; c"
	type="error"
	message="error: the driver refused it"
	type="skip"
	message="not run: no time"
	type="known"
	message="known: 1291"
	type="error"
	message="the verdict is error"
	type="fail"
	message=""
	type="cut-off"
	message="ends before its verdict"
	type="skip"
	message="nothing could be tested"
	type="skip"
	message="not run: no time"
	type="known"
	message="known: 1291"
	DATA
	page "$PASS" pass.xml --junit "$work/pass.tap" "$work/skip.tap"
	page "$FAIL" fail.xml --junit "$work/fail.tap"
	page "$SKIP" skip.xml --junit "$work/skip.tap"
	expect_status "$BROKEN" check/report-page.sh
	expect_status "$BROKEN" check/report-page.sh --yaml "$work/all.tap"
	expect_status "$BROKEN" check/report-page.sh "$work/none.tap"
}

# case_causes: what the failures have in common is named, and nothing where there are none.  Of each fault is said what it breaks.
case_causes()
{
	build/host/list_models | awk -f check/campaign/cause.awk check/campaign/broken.rows -
	run=0 newline='
'
	for fault in edge_counts_levels counter1_slow none; do
		echo "model=k7 fault=$fault -- tests=*.count.*,*.threshold.*,*.invert.*,*.edge.* $unhurried"
	done >"$work/silicon.cfg"
	boot_runs
	for cause in '# cause: amd: edge, all counters: ' '# cause: amd: counter 1: ' ''; do
		run=$((run + 1))
		report_of_run $run
		sed -n 's/^\(# cause: .*: \)in .*/\1/p' "$work/report.tap" >"$work/causes"
		printf '%s' "${cause:+$cause$newline}" | diff - "$work/causes"
	done
}

# look NAME WIDTH HEIGHT: what the cells of that page are in a picture of it.
look()
{
	browser --window-size="$2,$3" --screenshot="$PWD/$work/$1.$2.png" "file://$PWD/$work/$1"
	pngtopnm "$work/$1.$2.png" >"$work/$1.ppm"
	build/host/page_cells "$work/$1.ppm" >"$work/cells"
}

browser()
{
	chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --allow-file-access-from-files --disable-dev-shm-usage \
		--user-data-dir="$PWD/$work/profile" --force-device-scale-factor=1 "$@" 2>"$work/browser.log"
}

# On a wide screen and on a phone: all cells are there, and can be read without colours; and no page is wider than a phone.
case_report_browser()
{
	for tool in chromium pngtopnm; do
		command -v $tool >/dev/null || skip_check "$tool is not here (Debian packages chromium, netpbm)"
	done
	sample_reports
	mkdir "$work/lab"
	for report in all cut skip pass; do cp "$work/$report.tap" "$work/lab"; done
	page "$BROKEN" all.html "$work/all.tap"
	page "$FAIL" pair.html "$work/pass.tap" "$work/fail.tap"
	page "$BROKEN" wall.html "$work/lab"
	# Verdict, matrix, its key, the head of each failure, and the frame of what lacks in the law.
	printf '%s\n' E + XX-E+ k + EXk+- X E X >"$work/wanted"
	for width in 1100 360; do
		look all.html $width 1600
		diff "$work/wanted" "$work/cells"
	done
	look wall.html 1400 900
	printf '%s\n' E+Ek+ E+X +++k+ - EXk+- | diff - "$work/cells"
	cat >"$work/phone.html" <<-'HTML'
	<iframe src="all.html" width="360"></iframe><iframe src="pair.html" width="360"></iframe>
	<iframe src="wall.html" width="360"></iframe><pre></pre>
	<script>onload = function () { for (const f of document.querySelectorAll('iframe')) {
		const d = f.contentDocument;
		for (const fold of d.querySelectorAll('details')) fold.open = true;
		document.querySelector('pre').textContent += f.src.replace(/.*[/]/, '') +
			(d.documentElement.scrollWidth > 360 ? ' too wide\n' : ' fits\n') + (d.querySelector('script') ? 'a script\n' : '');
	} }</script>
	HTML
	browser --dump-dom "file://$PWD/$work/phone.html" | sed -n '/<pre>/,/<\/pre>/{s/.*<pre>//; s/<\/pre>.*//; p;}' | grep . >"$work/data"
	printf '%s fits\n' all.html pair.html wall.html | diff - "$work/data"
}
