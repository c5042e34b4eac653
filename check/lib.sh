# SPDX-License-Identifier: BSD-2-Clause
# Shared by run-qemu.sh and the checks: FAT images, QEMU, and judging a report.
# shellcheck shell=sh disable=SC2034 # what is set here is used by the scripts that read this

PATH=$PATH:/usr/sbin:/sbin
# The same input makes the same image: mtools and xorriso take their times from here.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1700000000}
TZ=UTC0
LC_ALL=C
export PATH SOURCE_DATE_EPOCH TZ LC_ALL

# Exit codes of a judged run.
PASS=0 FAIL=1 BROKEN=2 SKIP=77

# die MESSAGE: ends with exit code 2, "anything else".
die()
{
	echo "${0##*/}: $1" >&2
	exit 2
}

# need_file FILE: ends when the build has not made it.
need_file()
{
	[ -e "$1" ] || die "$1 is not there; run make first"
}

# need_qemu: ends when it is not installed.
need_qemu()
{
	command -v qemu-system-x86_64 >/dev/null ||
		die "qemu-system-x86_64 is not there (Debian package qemu-system-x86); run check/setup.sh"
}

# need_room DIRECTORY MIB: ends, with the system's reason, when a file of this size cannot be written there.
need_room()
{
	reason=$(dd if=/dev/zero of="$1/room" bs=1M count="$2" status=none 2>&1) || {
		rm -f "$1/room"
		die "$reason"
	}
	rm "$1/room"
}

# at_end FUNCTION: called when the script ends, be it by a signal, as which the script then ends, too: dash does nothing
# then of what EXIT is to do.
at_end()
{
	# shellcheck disable=SC2064 # the function is what is meant
	trap "$1" EXIT
	for signal in HUP INT TERM; do
		# shellcheck disable=SC2064
		trap "trap - EXIT $signal; $1; kill -$signal \$\$" $signal
	done
}

# as_root COMMAND...
as_root()
{
	if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# releases: of Debian, by their names, that the first table of docs/building.md says were tried.
releases()
{
	# shellcheck disable=SC2154 # "here" is this directory: set by the script that reads this file
	sed -n '/^| release/,/^$/ { /^$/q; s/^| \([a-z]*\) | [0-9].*/\1/p; }' "$here/../docs/building.md"
}

# ---- FAT volumes (VOLUME is what mtools takes after -i: FILE or FILE@@OFFSET) ----

# fat_make VOLUME SECTORS: FAT32 from 40 MiB, else what mtools finds best.
fat_make()
{
	fat32=
	[ "$2" -lt 81920 ] || fat32=-F
	mformat -i "$1" ${fat32:+"$fat32"} -T "$2" -h 64 -s 32 -N 70747438 -v PMUTEST86 ::
	mmd -i "$1" ::/EFI ::/EFI/BOOT
}

# fat_put VOLUME FILE NAME: NAME may have directories and is overwritten.
fat_put()
{
	mcopy -o -i "$1" "$2" "::/$3"
}

# fat_fill VOLUME BOOTED PROGRAM: BOOTED is what 64-bit UEFI starts; PROGRAM may be the 32-bit one.
fat_fill()
{
	fat_put "$1" "$2" EFI/BOOT/BOOTX64.EFI
	fat_put "$1" "$3" "pmutest86.${3##*.}"
	# The firmware under the model knows of one processor: no other one is taken from it.
	if [ "$2" != "$3" ]; then
		echo other-thread=yes | mcopy -o -i "$1" - ::/pmutest86.cfg
	fi
}

# The configuration file that an image carries: every option, none of them set.
cfg_template()
{
	sed 's/$/\r/' <<-'CFG'
	# pmutest86.cfg: options for the next boot.  Remove the first "#" of a line to use it.
	#
	#tests=*            # which tests: globs over their names, separated by commas
	#list               # only list the tests
	#serial=auto        # or none, or PORT[,BAUD], such as 2f8,9600; mmio32:fedc9000, pci:0:16.3
	#takeover=return    # or exit: leave the firmware for good
	#end=return         # or poweroff, reset, halt
	#screen=matrix      # or scroll, none: what the screen shows
	#repeat=1           # how often, or forever: a burn-in, ended by the keys q q
	#on-fail=continue   # or stop: run nothing after the first failure
	#resume=none        # or auto: go on after a test that resets the machine
	#report=auto        # or none: write no file
	#facts=few          # or all: what a report to send in should have
	#timeout=10         # seconds that one test may take
	#rare=3000000       # events in a window that looks for rare defects; 0: none
	#random=300         # programs that are drawn, single-stepped and counted; 0: none
	#seed=86            # which ones
	#cpus=boot          # or kinds, cores, all, or a list as 0,2-5: which processors
	#cpu-timeout=600    # seconds that each other processor may take
	#other-thread=no    # or yes: start the other thread of the core; reset the machine afterwards
	#apic=leave         # or enable: a local APIC that the firmware has disabled, during the run
	#verbose            # claim and clause below every result
	CFG
}

# ---- QEMU ----

# Seconds until a machine has hung for certain, however busy the host is.
patience=900

# With its variables in RAM: as flash chips they would take a second of each boot.
firmware=/usr/share/ovmf/OVMF.fd
seabios=/usr/share/seabios/bios-256k.bin
# Debian's for 32 bits has Secure Boot, and so needs flash chips that system management mode protects: q35 alone.
# Its keys are not there, so it boots what is not signed.
firmware_32=/usr/share/OVMF/OVMF32_CODE_4M.secboot.fd
no_firmware_32="no 32-bit UEFI is here: $firmware_32 of the package ovmf-ia32"
variables_32=/usr/share/OVMF/OVMF32_VARS_4M.fd
# The 64-bit one with Secure Boot on, and Debian's snakeoil keys in its variables.
firmware_secure=/usr/share/OVMF/OVMF_CODE_4M.secboot.fd
variables_secure=/usr/share/OVMF/OVMF_VARS_4M.snakeoil.fd
# Without keys it boots what is not signed.
variables_keyless=/usr/share/OVMF/OVMF_VARS_4M.fd
# Without Secure Boot, whose firmware has no shell from Debian 13 on, and with flash chips, which alone keep variables
# over a reset.
firmware_flash=/usr/share/OVMF/OVMF_CODE_4M.fd

# Where the firmware has no shell, a package has: in Debian's releases after 13.
shell_64=/usr/share/efi-shell-x64/shellx64.efi

# The size of the usual machine's disk.
usual_disk=16M

# usual_machine: QEMU's words for the model's machine, unless it is told otherwise.  With PMUTEST86_BOOTED=FILE, which is
# an absolute path, its firmware has got as far as the disk already: booted.sh.
usual_machine()
{
	echo "-machine q35,accel=tcg -cpu max -smp 1,maxcpus=2${PMUTEST86_BOOTED:+ -incoming exec:cat<$PMUTEST86_BOOTED}"
}

# qemu_exec DIR ARGUMENT...: becomes QEMU, under the words $qemu_limit if they are set.  Its serial
# line goes to DIR/serial.log, unless qemu_serial names another place or "none".
qemu_exec()
{
	dir=$1
	shift
	variables='' smm=on
	case $firmware in
	"$firmware_32") variables=$variables_32 ;;
	"$firmware_secure") variables=$variables_secure ;;
	"$firmware_flash") variables=$variables_keyless smm=off ;;
	esac
	if [ -n "$variables" ]; then
		set -- -global "driver=cfi.pflash01,property=secure,value=$smm" \
			-drive "if=pflash,unit=0,format=raw,readonly=on,file=$firmware" \
			-drive "if=pflash,unit=1,format=raw,snapshot=on,file=$variables" "$@"
	else
		set -- -bios "$firmware" "$@"
	fi
	# A screen that nobody sees costs time, on a model even more than it takes to draw; and the program would stay
	# in front of it.
	[ "$firmware" = "$seabios" ] || set -- -vga none "$@"
	# shellcheck disable=SC2086 # words
	exec ${qemu_limit:-} qemu-system-x86_64 -m 256 -display none -monitor none \
		-no-reboot -nic none -serial "${qemu_serial:-file:$dir/serial.log}" \
		-device isa-debug-exit,iobase=0xf4,iosize=4 "$@"
}

# qemu_start DIR SECONDS ARGUMENT...: the same in the background, sets qemu_pid.
qemu_start()
{
	dir=$1
	qemu_limit="timeout --foreground -k 5 $2"
	shift 2
	[ -e "$firmware" ] ||
		die "no firmware $firmware (Debian packages ovmf, ovmf-ia32, seabios); run check/setup.sh"
	: >"$dir/serial.log"
	qemu_exec "$dir" "$@" </dev/null >"$dir/qemu.log" 2>&1 &
	qemu_pid=$!
}

# qemu_wait: sets qemu_status: QEMU's own, or 124 after the time-out.
qemu_wait()
{
	qemu_status=0
	wait "$qemu_pid" || qemu_status=$?
	qemu_pid=
}

# qemu_processors: the names of those that QEMU has, which it wrote with "x86" before them up to version 7.
qemu_processors()
{
	qemu-system-x86_64 -cpu help |
		awk '/:$/ { on = $0 == "Available CPUs:"; next } on { sub(/^x86 /, ""); if (NF) print $1 }'
}

# qemu_stop: ends a QEMU that is still there.
qemu_stop()
{
	[ -z "${qemu_pid:-}" ] || kill "$qemu_pid" 2>/dev/null || :
}

# qemu_wait_until COMMAND...: until it succeeds; not 0 when QEMU has ended and it still fails.
qemu_wait_until()
{
	while kill -0 "$qemu_pid" 2>/dev/null; do
		if "$@"; then return 0; fi
		sleep 0.3
	done
	"$@"
}

# has_line FILE PATTERN: the log has such a line, and that line is complete.
has_line()
{
	head -n "$(wc -l <"$1")" "$1" >"$1.whole"
	serial_clean "$1.whole" | grep -q "$2"
}

# qemu_wait_for PATTERN: until the serial log has a line with it, or QEMU has ended.
qemu_wait_for()
{
	qemu_wait_until has_line "$dir/serial.log" "$1"
}

# ---- two machines at once ----

# take_turns DIRECTORY COUNT FUNCTION: calls FUNCTION with each number that the other has not taken.
take_turns()
{
	turn=0
	while [ $turn -lt "$2" ]; do
		turn=$((turn + 1))
		if mkdir "$1/taken.$turn" 2>/dev/null; then "$3" $turn; fi
	done
}

# two_at_once DIRECTORY COUNT FUNCTION: FUNCTION 1 to FUNCTION COUNT, in this order, in two processes.  Fails when one of them
# ends early.  A signal ends both, with exit code 2.  DIRECTORY is empty of "taken.*".
two_at_once()
{
	take_turns "$@" &
	one=$!
	take_turns "$@" &
	other=$!
	trap 'kill $one $other 2>/dev/null' EXIT
	trap 'echo "${0##*/}: ended by a signal" >&2; exit 2' INT TERM HUP
	ended=0
	wait $one || ended=$?
	wait $other || ended=$?
	trap - EXIT INT TERM HUP
	return $ended
}

# ---- reports ----

# serial_clean FILE: without carriage returns and the firmware's screen control.
serial_clean()
{
	escape=$(printf '\033')
	tr -d '\r\000' <"$1" | sed "s/${escape}\[[0-9;?=]*[A-Za-z]//g; s/${escape}[()=>78cM]//g"
}

# report_extract: of a clean log on standard input, the reports.
report_extract()
{
	sed 's/^.*KTAP version/KTAP version/' |
		awk '/^KTAP version/ { on = 1 } on { print } /^# verdict: / { on = 0 }'
}

# report_judge FILE: prints what is wrong with the reports in it, and returns PASS, FAIL, SKIP, or
# BROKEN when it has none, or a report that is incomplete or contradicts itself.
report_judge()
{
	# shellcheck disable=SC2154 # "here" is this directory: set by the script that reads this file
	awk -f "$here/judge.awk" "$1"
}

