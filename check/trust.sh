#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Writes build/trust.md: what campaigns of this very tree give.
#
#     EVERY=40 trust.sh    all faults seeded by hand, every 40th of those generated, the causes of every 40th
set -eu
cd "$(dirname "$0")/.."
campaign=build/host/campaign
log=build/trust.log

# section TITLE CAMPAIGN-ARGUMENT...: its classes, its totals, and what is missed, if any.
section()
{
	printf '\n%s\n\n' "$1"
	shift
	$campaign "$@" >$log || :
	grep '^|' $log
	# shellcheck disable=SC2016 # the quotes are Markdown's
	printf '\n`%s`\n\n' "$(tail -n 1 $log)"
	sed -n 's/^  \([a-z-]*: \)/- \1/p' $log
}

# Says what is wrong with EVERY, if anything, before anything is run.
$campaign --generated --every "${EVERY:=40}" --plan >/dev/null
{
	printf 'How many faults are generated, and why some of them cannot be seen:\n\n'
	$campaign --generated --plan | awk '
		$3 != "none" { $1 = $2 = $3 = $4 = $5 = $6 = ""; n[NF > 6 ? $0 : " to be seen"]++ }
		END { for (why in n) print "- " n[why] ":" why }' | sort -k 2 -rn | tr -s " "
	section "Seeded by hand, each against the test that claims to see it:"
	section "What random programs alone would see of every 10th, each on one model, by the group of the test that claims it:" \
		--alone '*.random.*' --once --every 10
	section "Generated, every ${EVERY}th of each class, each against its own tests, and what those miss against the whole battery:" \
		--generated --every "$EVERY"
	printf '\nWhat the reports of faults seeded by hand name as their cause, of every %sth:\n\n' "$EVERY"
	check/campaign/causes.sh "$EVERY" || :
} >build/trust.md
