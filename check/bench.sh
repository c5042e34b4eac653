#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Prints sizes and times: of the image, and per silicon model of the report and the battery.
set -eu
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
build=$here/../build

work=$(mktemp -d)
trap 'qemu_stop; rm -rf "$work"' EXIT
trap 'exit 2' INT TERM HUP

echo "image: $(wc -c <"$build/gcc/pmutest86.efi") bytes (limit 131072)"

# Seconds and hundredths since boot of the host.
now()
{
	cut -d ' ' -f 1 /proc/uptime
}

# wait_line PATTERN: returns the time at which the serial line first had it.
wait_line()
{
	until grep -aq "$1" "$work/serial.log"; do
		kill -0 "$qemu_pid" || die "QEMU ended before '$1'; see run-qemu.sh"
		sleep 0.05
	done
	now
}

# From the first line of the report, which follows the takeover, to its last.
bench_model()
{
	echo "model=$1" >"$work/silicon.cfg"
	rm -f "$work/disk.img"
	truncate -s 16M "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_fill "$work/disk.img" "$build/gcc/silicon.efi" "$build/gcc/pmutest86.efi"
	fat_put "$work/disk.img" "$work/silicon.cfg" silicon.cfg
	qemu_start "$work" 300 -machine q35,accel=tcg -cpu max \
		-drive "format=raw,file=$work/disk.img"
	begin=$(wait_line 'KTAP version')
	end=$(wait_line '^# verdict:')
	qemu_wait
	serial_clean "$work/serial.log" | report_extract >"$work/report.tap"
	# 115,200 baud with start and stop bit carry 11,520 bytes a second.
	awk -v model="$1" -v begin="$begin" -v end="$end" -v bytes="$(wc -c <"$work/report.tap")" \
		-v tests="$(grep -c '^\(not \)\?ok ' "$work/report.tap")" 'BEGIN {
		printf "model %-6s %4d results, report %6d bytes (%.1f s at 115200 baud), ",
			model, tests, bytes, bytes / 11520
		printf "%.1f s from report start to verdict (limit 10)\n", end - begin }'
}

for model in $("$build/host/list_models" | awk '$1 == "model" { print $2 }'); do
	bench_model "$model"
done
