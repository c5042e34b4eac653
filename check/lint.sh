#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Style and static analysis.
#
#     lint.sh [format|shell|cppcheck|rooms|errata]
set -eu
cd "$(dirname "$0")/.."

# made_for TOOL VERSION: another version of it finds other things, and its lint is skipped, in one line.
made_for()
{
	has=$("$1" --version | sed -n 's/.*[^0-9.]\([0-9][0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
	case $has. in
	"$2".*) return 0 ;;
	esac
	echo "lint.sh: skipped: made for $1 $2, and this is $has"
	return 1
}

lint_format()
{
	made_for clang-format 14 || return 0
	check/format.sh --dry-run -Werror
}

lint_shell()
{
	# shellcheck disable=SC2046 # words
	shellcheck -x .ci/run check/grub.d/* $(find . -path ./build -prune -o -name '*.sh' -print)
}

# Warnings that a freestanding program earns by design are off, each for its reason:
# - comparePointers, and the like: section boundaries from the linker script are distinct objects;
# - sizeofDereferencedVoidPointer: it takes an array of function pointers for one of void;
# - unmatched includes: the firmware's and the compiler's own headers are not looked at.
lint_cppcheck()
{
	made_for cppcheck 2.10 || return 0
	cppcheck --quiet --error-exitcode=1 --std=c11 --platform=unix64 --inline-suppr \
		--enable=warning,performance,portability --suppress=comparePointers \
		--suppress=missingInclude --suppress=missingIncludeSystem \
		--suppress=sizeofDereferencedVoidPointer --library=check/cppcheck.cfg \
		-I. -Ikernel/x86_64 boot kernel pmu tests model
}

# calls BUILD ROOM...: which files need each other and must not, of a program that is linked of these rooms, as far as
# they are built there: see calls.awk.
calls()
{
	build=$1
	shift
	{
		grep -rH '^ [*] [US]' --include '*.h' "$@"
		find "$@" -name '*.c' -o -name '*.asm' | sort | sed 's/$/.o/' | (cd "$build" && xargs ls -d 2>/dev/null | xargs nm -A --quiet)
	} | awk -f check/calls.awk
}

# Which room may include what is written in the rooms themselves, and which may call which: see rooms.awk, calls.awk.
lint_rooms()
{
	find boot kernel pmu tests model -name '*.[ch]' | sort | xargs awk -f check/rooms.awk
	[ -e build/gcc/silicon.so ] || { echo "lint.sh: build/gcc is not there; run make first" >&2; return 2; }
	calls build/gcc boot kernel pmu tests
	calls build/gcc/32 boot kernel pmu tests
	calls build/gcc model kernel/lib
}

# Tests ask for errata by what they do: see errata.awk.
lint_errata()
{
	find tests -name '*.[ch]' | sort | xargs awk -f check/errata.awk pmu/*/errata.c
}

case ${1:-all} in
format | shell | cppcheck | rooms | errata) "lint_$1" ;;
all)
	lint_format
	lint_shell
	lint_cppcheck
	lint_rooms
	lint_errata
	;;
*)
	echo "lint.sh: unknown '$1'; allowed are format, shell, cppcheck, rooms, errata" >&2
	exit 2
	;;
esac
