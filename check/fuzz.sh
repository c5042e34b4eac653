#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs one fuzz target; `make fuzzers` builds them.
#
#     fuzz.sh TARGET [OPTION...]    options of libFuzzer, such as -runs=1000; without any $FUZZ_SECONDS, or 60
#
# Begins with the seeds in check/fuzz/corpus/TARGET and with what earlier runs found, in
# build/fuzz/corpus/TARGET (or $FUZZ_FOUND), where new inputs go, too.  An input that breaks
# something is left in build/fuzz/broken, and the exit code is not 0.
set -eu
cd "$(dirname "$0")/.."

target=${1:-}
[ -e "check/fuzz/fuzz_$target.c" ] || {
	echo "fuzz.sh: unknown target '$target'; allowed are $(echo check/fuzz/fuzz_*.c | sed 's,check/fuzz/fuzz_\([a-z_]*\)\.c,\1,g')" >&2
	exit 2
}
shift
[ $# -gt 0 ] || set -- -max_total_time="${FUZZ_SECONDS:-60}"
build=build/fuzz
seeds=$build/seeds/$target
found=${FUZZ_FOUND:-$build/corpus/$target}
rm -rf "$seeds"
mkdir -p "$seeds" "$found" "$build/broken"

# Seeds that people can read are text for "seed"; all others are taken as they are.
for file in check/fuzz/corpus/"$target"/*; do
	name=${file##*/}
	case $name in
	*.seed) build/host/fuzz/seed <"$file" >"$seeds/${name%.seed}" ;;
	*) cp "$file" "$seeds/$name" ;;
	esac
done

"$build/fuzz_$target" -artifact_prefix="$build/broken/$target-" -max_len=10000 -timeout=100 \
	-print_final_stats=1 "$@" "$found" "$seeds" >"$found.log" 2>&1 || {
	tail -n 60 "$found.log" | cut -c 1-200
	echo "fuzz $target: broken; all of the log is in $found.log"
	grep -E "does not hold|ERROR: |panic: |runtime error: |Test unit " "$found.log"
	exit 1
}
awk -v target="$target" '
	/^INFO: seed corpus: / { seeds = $5 }
	/number_of_executed_units:/ { inputs = $2 }
	/^Done [0-9]+ runs/ { seconds = $5 }
	END { printf "fuzz %s: %d inputs, from %d seeds, in %d s\n", target, inputs, seeds, seconds }
' "$found.log"
