#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs pmutest86 in QEMU and says by its exit code how that ended: 0 pass, 1 fail, 77 nothing to
# test (no PMU), 2 anything else (hang, crash, no verdict, plan not met, bad options, no QEMU, a full disk).
set -eu
root=$(dirname "$0")
here=$root/check
# shellcheck source-path=SCRIPTDIR source=check/lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=check/model_words.sh
. "$here/model_words.sh"
# shellcheck source-path=SCRIPTDIR source=check/guest_words.sh
. "$here/guest_words.sh"
# shellcheck source-path=SCRIPTDIR source=check/outcome.sh
. "$here/outcome.sh"
# shellcheck source-path=SCRIPTDIR source=check/progress.sh
. "$here/progress.sh"

# The checks set PMUTEST86_BUILD to run what another compiler made.
build=${PMUTEST86_BUILD:-$root/build/gcc}
silicon=$build/silicon.efi
stick=$root/build/pmutest86.img
lister=$root/build/host/list_models

usage()
{
	cat <<-TEXT
	usage: run-qemu.sh [option...] [-- program option...]
	  --model NAME        on the silicon model NAME, in software emulation
	  --fault NAME        with this seeded fault in the model
	  --lawful NAME[,...] with these lawful variations of the processor: docs/hardware.md
	  --seed N            another lawful processor of the model: widths, stalls, latencies
	  --sockets 1|2       sockets of a model with an uncore (1)
	  --hide D.F[,D.F...] PCI functions of its uncore that the firmware has hidden
	  --cpus N            the modelled machine has N processors, all like the first but healthy (1)
	  --cpu N=[MODEL][:[FAULT][:SEED]]  its processor N, from 1: another model, broken, or another seed
	  --stage NAME[,...]  what firmware left behind, or what comes from outside: docs/options.md
	  --guest FILE        an EFI program or a kernel with an EFI stub instead of pmutest86: docs/model.md
  --initrd FILE       its initial RAM disk
  --append WORDS      its command line
  --memory MIB        its memory (512)
  --hide-hypervisor   CPUID tells it of none
  --nested            it may run guests of its own: AMD-V is lent to it
  --no-memo           the model remembers nothing of what it has executed: slower, and the same
  --list              list models, faults and lawful variations
	  --kvm               on this machine's own PMU, through KVM
	  --plain             in software emulation without a model: QEMU has no PMU
	  --under-kvm         under KVM in Linux on the model, which lends it AMD-V: docs/hypervisors.md
	  --smp N             with N processors (1)
	  --machine q35|pc    QEMU's machine (q35)
	  --usb               boot the stick image (make image) as a USB disk
	  --bios              the 32-bit program; with --plain or --kvm under a BIOS, and --usb by its boot loader
	  --uefi              the 64-bit program, as without this but on models of processors without 64-bit mode
	  --qemu-cpu NAME     with --bios --plain: QEMU's processor NAME, such as athlon (max)
	  --timeout SECONDS   of the whole run ($patience)
	  --keep DIRECTORY    keep disk, serial log and report there
	  --quiet             no line about the progress; without a terminal on standard error there is none
	  --help              print this
	With none of --model, --fault, --kvm, --plain: --kvm where it works, else --model k7.
	TEXT
}

# set_mode MODE OPTION: two different modes cannot both be had.
set_mode()
{
	[ -z "$mode" ] || [ "$mode" = "$1" ] ||
		die "$2 and --$mode exclude each other; allowed is one of --model, --kvm, --plain"
	mode=$1
}

# check_number OPTION VALUE
check_number()
{
	case $2 in
	'' | *[!0-9]* | 0*) die "$1: '$2' is no number; allowed is a whole number from 1" ;;
	esac
}

parse()
{
	mode='' model='' fault='' lawful='' seed='' sockets='' hide='' cpus='' stage='' list='' guest='' initrd='' append='' memory='' hide_hypervisor='' nested='' under_kvm='' memo='' smp=1 machine=q35 usb='' bios='' uefi='' qemu_cpu='' timeout=$patience keep='' quiet=''
	while [ $# -gt 0 ]; do
		case $1 in
		--model | --fault | --lawful | --seed | --sockets | --hide | --cpus | --cpu | --stage | --guest | --initrd | --append | --memory | --smp | --machine | --qemu-cpu | --timeout | --keep)
			[ $# -ge 2 ] || die "$1 needs a value; see --help"
			parse_valued "$1" "$2"
			shift
			;;
		--list) list=yes ;;
		--hide-hypervisor) hide_hypervisor=yes ;;
		--nested) nested=yes ;;
		--under-kvm) set_mode model "$1"; under_kvm=yes ;;
		--no-memo) set_mode model "$1"; memo=no ;;
		--kvm | --plain) set_mode "${1#--}" "$1" ;;
		--usb) usb=yes ;;
		--bios) bios=yes ;;
		--uefi) uefi=yes ;;
		--quiet) quiet=yes ;;
		--help) usage; exit 0 ;;
		--) shift; break ;;
		*)
			echo "run-qemu.sh: unknown option '$1'; allowed are:" >&2
			usage >&2
			exit 2
			;;
		esac
		shift
	done
	options=$*
}

parse_valued()
{
	case $1 in
	--model) set_mode model "$1"; model=$2 ;;
	--fault) set_mode model "$1"; fault=$2 ;;
	--lawful) set_mode model "$1"; lawful=$2 ;;
	--seed) check_number "$1" "$2"; set_mode model "$1"; seed=$2 ;;
	--sockets) set_mode model "$1"; sockets=$2 ;;
	--hide) set_mode model "$1"; hide=$2 ;;
	--cpus) check_number "$1" "$2"; set_mode model "$1"; cpus="$cpus cpus=$2" ;;
	--cpu) set_mode model "$1"; cpus="$cpus cpu$2" ;;
	--stage) set_mode model "$1"; stage=$2 ;;
	--guest) set_mode model "$1"; guest=$2 ;;
	--initrd) initrd=$2 ;;
	--append) append=$2 ;;
	--memory) check_number "$1" "$2"; memory=$2 ;;
	--smp) check_number "$1" "$2"; smp=$2 ;;
	--timeout) check_number "$1" "$2"; timeout=$2 ;;
	--keep) keep=$2 ;;
	--qemu-cpu) qemu_cpu=$2 ;;
	--machine)
		case $2 in
		q35 | pc) machine=$2 ;;
		*) die "--machine: unknown machine '$2'; allowed are q35, pc" ;;
		esac
		;;
	esac
}

# A processor of QEMU's, whose flags are QEMU's to check.
check_qemu_cpu()
{
	[ -n "$qemu_cpu" ] || return 0
	known=$(qemu_processors | awk '$1 != "host" { printf "%s%s", comma, $1; comma = ", " }')
	case " $known," in
	*" ${qemu_cpu%%,*},"*) ;;
	*) die "--qemu-cpu: unknown processor '${qemu_cpu%%,*}'; allowed are $known" ;;
	esac
}

# KVM may be there and QEMU still abort on it, on an MSR that an outer hypervisor refuses.  In a
# subshell of its own, whose words about the abort go where its output goes.
kvm_starts()
{
	(
		echo quit | timeout 10 qemu-system-x86_64 -accel kvm -cpu host -machine q35 \
			-m 64 -nodefaults -display none -monitor stdio
		exit $?
	)
}

# Sets no_kvm to the reason why the host's PMU cannot be had; empty: it can.
probe_kvm()
{
	no_kvm=
	module_has_pmu=/sys/module/kvm/parameters/enable_pmu
	if [ ! -r /dev/kvm ] || [ ! -w /dev/kvm ]; then
		no_kvm="/dev/kvm cannot be used"
	elif ! kvm_starts >/dev/null 2>&1; then
		no_kvm="KVM does not start here"
	elif [ "$mode" = kvm ]; then
		return # asked for by name: a missing PMU is for the program to report
	elif [ -r $module_has_pmu ] && [ "$(cat $module_has_pmu)" != Y ]; then
		no_kvm="KVM has no PMU here"
	elif ! ls -d /sys/bus/event_source/devices/cpu* >/dev/null 2>&1; then
		no_kvm="this machine has no PMU"
	fi
}

choose_mode()
{
	case " $options " in
	*" list "*) set_mode model "-- list" ;; # it ends QEMU by itself
	esac
	if [ -z "$mode" ]; then
		probe_kvm
		mode=${no_kvm:+model}
		mode=${mode:-kvm}
		because=${no_kvm:+" ($no_kvm)"}
	elif [ "$mode" = kvm ]; then
		probe_kvm
		[ -z "$no_kvm" ] || die "--kvm: $no_kvm"
	fi
	case $mode in
	kvm) where="KVM with the PMU of this machine" ;;
	plain) where="plain software emulation, which has no PMU" ;;
	model)
		check_model
		check_uncore
		where="silicon model $model${fault:+ with fault $fault}${lawful:+, lawful $lawful,} in software emulation"
		;;
	esac
	choose_program
}

# Which of the two programs, and what it is booted by: the BIOS from a stick, QEMU itself (direct), or UEFI, which
# the model needs in any case.  Unless it is told, the model takes the one of the processor's own word size.
choose_program()
{
	direct=''
	program=$build/pmutest86.efi legacy=$build/pmutest86.elf
	[ -z "$qemu_cpu" ] || [ "$bios$mode" = yesplain ] || die "--qemu-cpu goes with --bios --plain alone"
	[ -z "$bios$uefi" ] || [ "$bios$uefi" = yes ] || die "--bios and --uefi exclude each other; allowed is one of them"
	[ -n "$bios" ] || return 0
	where="$where, the 32-bit program"
	if [ "$mode" != model ]; then
		firmware=$seabios
		[ -n "$usb" ] || direct=yes
	elif [ -n "$usb" ]; then
		die "--bios --usb boots no model; allowed are --bios --usb with --plain or --kvm, --bios --model"
	fi
}

# Without a model the program's end is made visible here, unless the user asked for another one.
complete_options()
{
	case "$mode $options" in
	model* | *" end="*) ;;
	*) options="$options end=poweroff" ;;
	esac
}

# What the model is to be: the begin of a line of \silicon.cfg.
model_line()
{
	echo "model=$model${fault:+ fault=$fault}${lawful:+ lawful=$lawful}${seed:+ seed=$seed}${sockets:+ sockets=$sockets}${hide:+ hide=$hide}${memo:+ memo=$memo}"
}

# Sets volume and makes the disk that is booted.
make_disk()
{
	disk=$work/disk.img
	volume=$disk
	if [ -n "$usb" ]; then
		[ -e "$stick" ] || die "build/pmutest86.img is not there; run make image first"
		cp --sparse=always "$stick" "$disk"
		volume=$disk@@1M
	else
		truncate -s "$usual_disk" "$disk"
		fat_make "$volume" 32768
	fi
	if [ "$mode" = model ]; then
		# The disk's \pmutest86.cfg lets tests start the other thread of the core.
		[ -z "$cpus" ] || options="other-thread=no $options"
		echo "$(model_line)$cpus${stage:+ stage=$stage}${bios:+ bits=32}${uefi:+ bits=64}${options:+ -- $options}" >"$work/silicon.cfg"
		fat_fill "$volume" "$silicon" "$program"
		fat_put "$volume" "$legacy" pmutest86.elf
		fat_put "$volume" "$work/silicon.cfg" silicon.cfg
	else
		echo "$options" | sed 's/$/\r/' >"$work/pmutest86.cfg"
		if [ -n "$bios" ]; then
			fat_put "$volume" "$legacy" pmutest86.elf
		else
			fat_fill "$volume" "$program" "$program"
		fi
		fat_put "$volume" "$work/pmutest86.cfg" pmutest86.cfg
	fi
}

# watched: draws the line, and succeeds when the program has refused its options and returned to the firmware, which
# would wait for a user.
# shellcheck disable=SC2317,SC2329 # called by watch_machine
watched()
{
	progress_draw
	[ "$mode" != model ] && has_line "$work/serial.log" '^pmutest86: error'
}

# A model on which nobody looks needs no watching.
watch_machine()
{
	progress_start
	[ "$mode$progress" != model ] || return 0
	if qemu_wait_until watched; then qemu_stop; fi
	progress_clear
}

boot()
{
	# shellcheck disable=SC2046 # words are what the usual machine consists of
	case "$mode $machine $smp $usb" in
	'model q35 1 ') set -- $(usual_machine) ;;
	# Room for another processor, too: the second thread of a modelled core.
	'model pc 1 '*) set -- -machine pc,accel=tcg -cpu max -smp 1,maxcpus=2 ;;
	kvm*) set -- -machine "$machine,accel=kvm" -cpu host -smp "$smp" ;;
	*) set -- -machine "$machine,accel=tcg" -cpu "${qemu_cpu:-max}" -smp "$smp" ;;
	esac
	# On a full disk QEMU would halt the machine until there is room; the program can do without.
	if [ -n "$direct" ]; then
		set -- "$@" -kernel "$legacy" -append "$options"
	elif [ -n "$usb" ]; then
		set -- "$@" -device qemu-xhci -drive "if=none,id=stick,format=raw,werror=report,file=$disk" \
			-device usb-storage,drive=stick
	else
		set -- "$@" -drive "format=raw,werror=report,file=$disk"
	fi
	qemu_start "$work" "$timeout" "$@"
	watch_machine
	qemu_wait
	# Without room the log is not whole.
	need_room "$work" 1
}

# What ends by anything else than a verdict has none, whatever the exit code of the command that failed.
# shellcheck disable=SC2317,SC2329 # called by trap
finish()
{
	status=$?
	progress_clear
	qemu_stop
	[ -n "$keep" ] || [ -z "$work" ] || rm -rf "$work"
	[ "$status" -eq 0 ] || exit "${verdict:-$BROKEN}"
}

# The same run once more, with this script as what boots the Linux between.
run_under_kvm()
{
	[ -z "$guest$cpus$stage$usb$hide$hide_hypervisor" ] ||
		die "--under-kvm goes with none of --guest, --cpus, --cpu, --stage, --usb, --hide, --hide-hypervisor"
	[ -n "$model" ] || die "--under-kvm: of which --model? Allowed are those with AMD-V"
	check_model
	trap - EXIT
	exec "$here/kvm.sh" "$model" ${uefi:+--uefi} ${fault:+--fault "$fault"} ${lawful:+--lawful "$lawful"} ${seed:+--seed "$seed"} \
		${memo:+--no-memo} --timeout "$timeout" ${keep:+--keep "$keep"} -- "$options"
}

main()
{
	verdict='' work='' keep='' progress=''
	trap finish EXIT
	trap 'exit 2' INT TERM HUP
	parse "$@"
	if [ -n "$list" ]; then
		[ -x "$lister" ] || die "build/host/list_models is not there; run make first"
		exec "$lister"
	fi
	need_qemu
	check_qemu_cpu
	because='' code=0
	[ -z "$under_kvm" ] || run_under_kvm
	check_guest
	choose_mode
	need_file "$program"
	need_file "$legacy"
	[ "$mode" != model ] || need_file "$silicon"
	if [ -n "$keep" ]; then
		mkdir -p "$keep"
		work=$keep
	else
		work=$(mktemp -d)
	fi
	need_room "$work" 4
	echo "# run-qemu: ${guest:+$guest on }$where$because"
	if [ -n "$guest" ]; then
		run_guest
		exit 0
	fi
	complete_options
	[ -n "$direct" ] || make_disk
	boot
	serial_clean "$work/serial.log" >"$work/clean.log"
	case "$mode  $options " in
	"model "*" list "*) show_list ;;
	*) show_report ;;
	esac
	verdict=$code
	exit "$code"
}

main "$@"
