#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Tests how a fault campaign chooses its pairs and judges their runs, or a missed fault could pass.
set -eu
here=$(dirname "$0")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# expect NAME WANT GOT
expect()
{
	if [ "$2" = "$3" ]; then
		echo "ok $1"
	else
		printf 'not ok %s: got\n%s\ninstead of\n%s\n' "$1" "$3" "$2"
		bad=1
	fi
}

# ---- pairs ----

cat >"$work/unseen" <<'END'
# a comment
invisible m1,m2 stuck-0[01]-*,aliased-? no
unused * aliased-10 not yet
END
cat >"$work/list" <<'END'
model m1 a
model m2 b
fault stuck-00-1 models=m1 test=*.access.* s
fault stuck-02-1 models=m1,m2 test=*.access.* s
fault aliased-9 models=m2 test=*.a,*.b s
fault aliased-10 models=m2 test=*.a s
fault quiet models=m1 test=- s
END

# pairs VARIABLE=VALUE...
pairs()
{
	for setting; do
		set -- "$@" -v "$setting"
		shift
	done
	awk -v every=1 "$@" -f "$here/globs.awk" -f "$here/campaign_pairs.awk" <"$work/list"
}

expect 'all pairs' 'm1 stuck-00-1 * * invisible
m1 stuck-02-1 *.access.* *.access.* visible
m2 stuck-02-1 *.access.* *.access.* visible
m2 aliased-9 * * invisible
m2 aliased-10 * * unused' "$(pairs "unseen=$work/unseen")"
expect 'the whole battery' 'm2 aliased-9 *.a,*.b * visible' "$(pairs 'only_fault=aliased-9,x*' full=yes)"
expect 'a filter' 'm1 stuck-00-1 * x invisible
m1 stuck-02-1 *.access.* x visible' "$(pairs only_model=m1 'tests=x' "unseen=$work/unseen")"
expect 'every second of a class' 'm1 stuck-00-1 *.access.* *.access.* visible
m2 aliased-9 *.a,*.b *.a,*.b visible' "$(pairs every=2)"

# ---- the second round ----

cat >"$work/first-pairs" <<'END'
m1 stuck *.a *.a visible
m1 lost *.a *.a visible
m2 lost *.a *.a visible
m2 whole * * visible
m2 hung *.b *.b visible
END
cat >"$work/first" <<'END'
m1 stuck caught !x.a
m1 lost missed
m2 lost missed x.c
m2 whole missed
m2 hung no-verdict
END
expect 'pairs of the second round' 'm1 lost * * visible
m2 lost * * visible' "$(awk -f "$here/campaign_again.awk" "$work/first" "$work/first-pairs")"
cat >"$work/second" <<'END'
m1 lost missed
m2 lost caught !x.c
END
expect 'verdicts of both rounds' 'm1 stuck caught !x.a
m1 lost missed
m2 lost caught !x.c
m2 whole missed
m2 hung no-verdict' "$(awk -v merge=1 -f "$here/campaign_again.awk" "$work/second" "$work/first")"

# ---- verdicts ----

# run MODEL FAULT LINE...: a run that ends.
run()
{
	echo "silicon: run 1 model=$1 fault=$2 seed=0"
	shift 2
	printf '%s\n' "$@" 'silicon: run 1 status 0x0'
}

for outcome in caught other known passed invisible seen plan verdict hung not_run; do
	kind=visible
	case $outcome in
	invisible | seen) kind=invisible ;;
	esac
	echo "m $outcome *.a.one,*.b.* * $kind"
done >"$work/pairs"
{
	run m caught 1..3 'ok 1 x.a.two' 'not ok 2 x.c.one' 'not ok 3 x.b.one' '# verdict: fail'
	run m other 1..1 'not ok 1 x.a.two' '# verdict: fail'
	run m known 1..1 'not ok 1 x.a.one # TODO known: e' '# verdict: pass'
	run m passed 1..1 'ok 1 x.a.one' '# verdict: pass'
	run m invisible 1..1 'ok 1 x.a.one' '# verdict: pass'
	run m seen 1..1 'not ok 1 x.a.one' '# verdict: fail'
	run m plan 1..2 'not ok 1 x.a.one' '# verdict: fail'
	run m verdict 1..1 'not ok 1 x.a.one'
	run m none 1..1 'ok 1 x.a.one' '# verdict: pass'
	run m none 1..1 'not ok 1 x.a.one' '# verdict: fail'
	echo 'silicon: run 1 model=m fault=hung seed=0'
	printf '%s\n' 1..1 'not ok 1 x.a.one' '# verdict: fail'
	run m none 1..1 'ok 1 x.a.one'
} >"$work/log"
judged=$(awk -v alarms="$work/alarms" -f "$here/globs.awk" -f "$here/campaign_judge.awk" \
	"$work/pairs" "$work/log")
expect 'verdicts' 'm caught caught x.c.one !x.b.one
m other missed x.a.two
m known missed
m passed missed
m invisible invisible
m seen seen-but-listed !x.a.one
m plan no-verdict !x.a.one
m verdict no-verdict !x.a.one
m hung no-verdict !x.a.one
m not_run not-run' "$judged"
expect 'false alarms' 'm:  x.a.one
m: no verdict: ' "$(cat "$work/alarms")"
exit $bad
