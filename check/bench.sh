#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Prints the model's speed (speed.sh), then sizes and times: of the image, of a long counted loop with the model's native
# execution and without, per silicon model of the battery, its report and its screen, of each processor more, and of two
# sockets of boxes.  Ends with 1 when the native loop was stepped, or when drawing or boxes take too long.
#
#     bench.sh               all of it; with AGAINST=DIR the speed alone, beside that of another built tree, and of more
#                            with MORE='--linux --campaign'
#     bench.sh MODEL...      sizes and times, only of these
#     bench.sh --loop        only the loop
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=boot_model.sh
. "$here/boot_model.sh"
build=$here/../build
silicon=$build/gcc/silicon.efi
# Native execution must be worth its code: for each instruction that is stepped it must execute this many.
# (Its speed is for a reader to judge: how fast a machine is, depends on what else it does.)
least_ratio=500
# Its best run counts: a short one may meet with what else the machine does.
native_runs=5
more_processors=8
# The most that drawing may take of the time of a run, in per cent.
most_drawing=5

# shellcheck disable=SC2317,SC2329 # called by trap
clean_up()
{
	qemu_stop
	rm -rf "$work"
}

work=$(mktemp -d)
at_end clean_up
missed=0

bench_image()
{
	echo "image: $(wc -c <"$build/gcc/pmutest86.efi") bytes (limit 655360)"
}

bench_loop()
{
	set --
	while [ $# -lt "$native_runs" ]; do set -- "$@" "model=k7 native=yes"; done
	start_model "$build/gcc/bench_loop.efi" "$@" "model=k7 native=no"
	end_model
	[ "$(grep -c '^silicon: run [0-9]* status 0x0*$' "$work/clean.log")" -eq $((native_runs + 1)) ] ||
		die "the loop was not counted"
	awk -v least="$least_ratio" -v native_runs="$native_runs" '
		/^silicon: run [0-9]+ instructions / {
			way = $3 <= native_runs ? "native" : "single-stepped"
			n[way] = $5
			stepped[way] = $7
			if (rate[way] < $5 / $9)
				rate[way] = $5 / $9
		}
		END {
			for (way in n)
				printf "counted loop, %s: %d instructions, %d stepped, %d a second\n",
					way, n[way], stepped[way], rate[way]
			printf "native execution is %.1f times as fast\n", rate["native"] / rate["single-stepped"]
			if (n["native"] >= least * stepped["native"])
				exit 0
			printf "too many stepped: limit is 1 of %d\n", least
			exit 1
		}' "$work/clean.log" || missed=1
}

# time_model MODEL OPTION...: the seconds from the first line of the report, which follows the takeover, to
# its last.
time_model()
{
	model=$1
	shift
	start_model "$build/gcc/pmutest86.efi" "model=$model -- $*"
	begin=$(wait_line 'KTAP version')
	end=$(wait_line '^# verdict:')
	end_model
	echo "$begin $end" | awk '{ print $2 - $1 }'
}

# Without its rare and random parts and with them.
bench_model()
{
	short=$(time_model "$1" rare=0 random=0)
	whole=$(time_model "$1")
	report_extract <"$work/clean.log" >"$work/report.tap"
	# 115,200 baud with start and stop bit carry 11,520 bytes a second.
	awk -v model="$1" -v short="$short" -v whole="$whole" -v bytes="$(wc -c <"$work/report.tap")" \
		-v tests="$(grep -c '^\(not \)\?ok ' "$work/report.tap")" '
		/^silicon: run 1 instructions / { n = $5; stepped = $7; rate = $5 / $9 }
		END {
			printf "model %-14s %4d results, report %6d bytes (%.1f s at 115200 baud), ",
				model, tests, bytes, bytes / 11520
			printf "%.1f s from takeover to verdict without rare and random (limit 10), ", short
			printf "%.1f s more with it (limit 10); ", whole - short
			printf "counting: %d instructions, %d stepped, %d a second\n", n, stepped, rate
		}' "$work/clean.log"
}

# The time to draw the screen, by the program's own clock.  Once it has told that, the program stays in front of the screen.
bench_drawing()
{
	more='-device VGA,edid=on,xres=1920,yres=1080'
	start_model "$build/gcc/pmutest86.efi" "model=$1 -- rare=0 random=0"
	more=
	wait_line '^pmutest86: drawing took .* ms' >"$work/time"
	qemu_stop
	serial_clean "$work/serial.log" | awk -v model="$1" -v most="$most_drawing" '
		/^pmutest86: drawing took / {
			printf "model %-14s drawing %d of %d ms, %.1f %% (limit %d)\n", model, $4, $6, 100 * $4 / $6, most
			exit 100 * $4 > most * $6
		}' || missed=1
}

# report_bytes: of the last boot.
report_bytes()
{
	report_extract <"$work/clean.log" | wc -c
}

# The cost of one more processor that is like the first.
bench_processors()
{
	one=$(time_model k7 rare=0 random=0 other-thread=no cpus=all)
	bytes=$(report_bytes)
	all=$(time_model "k7 cpus=$((1 + more_processors))" rare=0 random=0 other-thread=no cpus=all)
	echo "$one $all $bytes $(report_bytes) $more_processors" | awk '{
		printf "each processor more: %.1f s, %d bytes of report (limit 128)\n",
			($2 - $1) / $5, ($4 - $3) / $5
		exit ($4 - $3) / $5 > 128
	}' || missed=1
}

# What a machine full of boxes takes on silicon: an access to a register outside of the core a microsecond; and its report.
bench_boxes()
{
	time_model "sapphirerapids sockets=2" rare=0 random=0 >"$work/seconds"
	awk -v bytes="$(report_bytes)" '
		/^silicon: run 1 boxes accessed / { n = $6 }
		END {
			printf "two sockets of boxes, sapphirerapids: %d accesses, %.1f s on silicon (limit 60), ", n, n / 1e6
			printf "report %d bytes (limit 65536)\n", bytes
			exit !n || n > 60e6 || bytes > 65536
		}' "$work/clean.log" || missed=1
}

if [ "${1:-}" = --loop ]; then
	bench_loop
	exit $missed
fi
if [ $# -eq 0 ]; then
	# shellcheck disable=SC2086 # words
	"$here/speed.sh" ${AGAINST:+--against "$AGAINST"} ${MORE:-}
	[ -z "${AGAINST:-}" ] || exit 0
fi
models=$("$build/host/list_models" | awk '$1 == "model" { print $2 }')
for model; do
	echo "$models" | grep -qxF -e "$model" ||
		die "there is no model '$model'; allowed are --loop and $(echo "$models" | tr '\n' ' ')"
done
bench_image
bench_loop
bench_processors
bench_boxes
# shellcheck disable=SC2086 # one word a model
[ $# -gt 0 ] || set -- $models
for model; do
	bench_model "$model"
	bench_drawing "$model"
done
exit $missed
