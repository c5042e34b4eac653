#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Writes the figures of docs/trust.md as campaigns of this very tree give them.
#
#     trust.sh EVERY    all faults seeded by hand, every EVERY-th of those generated, those that are
#                       listed as unused apart
set -eu
cd "$(dirname "$0")/.."
begin='<!-- from the campaigns: make trust -->' end='<!-- end -->'
figures=build/trust.md

case $* in
'' | *[!0-9]* | 0*)
	echo "trust.sh: '$*'; allowed is one whole number from 1" >&2
	exit 2
	;;
esac

# section TITLE CAMPAIGN-ARGUMENT...: its classes, its last line, and what is missed, if any.
section()
{
	title=$1
	shift
	printf '%s\n\n' "$title"
	check/campaign.sh "$@" >build/trust.log || :
	cat build/check/campaign/classes.md
	# shellcheck disable=SC2016 # the quotes are Markdown's
	printf '\n`%s`\n' "$(tail -n 1 build/trust.log)"
	grep '^  [a-z-]*: ' build/trust.log | sed 's/^  /- /; 1s/^/\nNeither seen nor listed:\n\n/' || :
}

# How many there are.
kinds()
{
	build/host/list_models generated | awk -v every=1 -v unseen=check/unseen.txt -f check/globs.awk \
		-f check/campaign_pairs.awk | awk '
		function grouped(n) { return n < 1000 ? n + 0 : int(n / 1000) sprintf(",%03d", n % 1000) }
		{ n[$5]++ }
		END {
			printf "Of the %s generated faults %s are to be seen, ", grouped(NR), grouped(n["visible"])
			printf "%s are listed as invisible and %s as unused.\n", grouped(n["invisible"]),
				grouped(n["unused"])
		}'
}

{
	kinds
	echo
	section "Seeded by hand, each against the test that claims to see it:"
	echo
	section "Generated, every $1th of each class, each against its own tests, and what those miss against the whole battery:" \
		--generated --every "$1"
	echo
	section "Of those listed as unused, every $1th of each class:" --generated --only unused --every "$1"
	echo
	echo "Those listed as not seen, and why (check/unseen.txt):"
	echo
	# shellcheck disable=SC2016 # here too
	sed -n 's/^\(invisible\|unused\) \([^ ]*\) \([^ ]*\) \(.*\)$/- \1, `\3` on \2: \4/p' check/unseen.txt
} >"$figures"
awk -v begin="$begin" -v end="$end" -v figures="$figures" '
	$0 == end { while ((getline line <figures) > 0) print line; skip = 0 }
	!skip { print }
	$0 == begin { skip = 1 }' docs/trust.md >build/trust.new
mv build/trust.new docs/trust.md
