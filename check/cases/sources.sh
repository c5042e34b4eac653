# SPDX-License-Identifier: BSD-2-Clause
# The checks of all.sh that need no machine: of the sources, of documents, and of what is built of them.
# shellcheck shell=sh disable=SC2154 # work, out and the codes come from all.sh and lib.sh

# case_lint WHAT
case_lint()
{
	expect_status 0 check/lint.sh "$1"
	reason=$(sed -n 's/^lint.sh: skipped: //p' "$work/out")
	[ -z "$reason" ] || skip_check "$reason"
}

case_unit()
{
	prove -e '' -v "$1"
}

# The same inputs each time, some seconds of them.
case_fuzz()
{
	case $1 in
	probe) inputs=12000 ;; # hundreds of registers each
	*) inputs=30000 ;;
	esac
	FUZZ_FOUND=$work/found check/fuzz.sh "$1" -runs="$inputs" -seed=1
}

# The table of groups has every group of tests with the group that it leans on, and nothing else.
case_groups()
{
	find tests -name '*.c' -exec sed -n 's/^#define GROUP *"\([a-z_]*\)", *"\([a-z_]*\)".*/\1 \2/p' {} + |
		sort -u | grep -v '^selftest ' >"$work/sources"
	# shellcheck disable=SC2016 # the quotes are Markdown's
	sed -n 's/^| `\([a-z_]*\)` | *`\{0,1\}\([a-z_]*\)`\{0,1\} *|.*/\1 \2/p' docs/reading-a-report.md |
		sort >"$work/docs"
	diff "$work/sources" "$work/docs"
}

# The table of lawful variations has each of them, and nothing else.
case_lawful_docs()
{
	build/host/list_models | awk '$1 == "lawful" { print $2 }' | sort >"$work/listed"
	# shellcheck disable=SC2016 # the quotes are Markdown's
	sed -n '/^## 5. Lawful/,/^## 6/s/^| `\([a-z0-9_]*\)` |.*/\1/p' docs/hardware.md | sort >"$work/docs"
	diff "$work/listed" "$work/docs"
}

# Another directory, the same bytes.
case_reproducible()
{
	check/repro.sh "$work"
}

case_image_size()
{
	size=$(wc -c <build/gcc/pmutest86.efi)
	echo "$size bytes"
	[ "$size" -le 655360 ]
}

# The table of PMUs in the README is what the program lists.
case_readme()
{
	check/readme.sh --check
}
