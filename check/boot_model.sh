# SPDX-License-Identifier: BSD-2-Clause
# Shared by bench.sh and speed.sh, after lib.sh: boots of a silicon model that are measured, in the directory $work.
# shellcheck shell=sh disable=SC2154 # work and silicon come from the script that reads this

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

# start_model PROGRAM LINE...: on the model $silicon, from the firmware on, one run a line; $more are more words for QEMU.
start_model()
{
	booted=$1
	shift
	printf "%s\n" "$@" >"$work/silicon.cfg"
	rm -f "$work/disk.img"
	truncate -s "$usual_disk" "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_fill "$work/disk.img" "$silicon" "$booted"
	fat_put "$work/disk.img" "$work/silicon.cfg" silicon.cfg
	# shellcheck disable=SC2046,SC2086 # words
	qemu_start "$work" "$patience" $(PMUTEST86_BOOTED='' usual_machine) ${more:-} \
		-drive "format=raw,file=$work/disk.img"
}

end_model()
{
	qemu_wait
	[ "$qemu_status" -eq 33 ] || {
		cat "$work/qemu.log" >&2
		die "the silicon model ended with QEMU status $qemu_status"
	}
	serial_clean "$work/serial.log" >"$work/clean.log"
}
