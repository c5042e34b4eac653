#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The program as a guest of KVM: Linux runs on a model that lends it AMD-V, and in it QEMU with KVM, whose virtual PMU
# then stands on the modelled one.
#
#     kvm.sh                      whole batteries, a row for each; 1: a test fails of which docs/hypervisors.md does not tell
#     kvm.sh --row ROW            one of those rows, such as "zen4 newest bios mediated"
#     kvm.sh --faults [MODEL]     each fifth fault of the core's counters, and what the tests that claim to see it say
#                                 under KVM
#     kvm.sh MODEL [OPTION...] [-- program option...]
#                                 one run and its report; --bios (without it) is SeaBIOS and the 32-bit program, --uefi
#                                 OVMF and the 64-bit one, --mediated the virtual PMU that hands over registers, and the
#                                 other OPTIONs are those of run-qemu.sh
#
# KERNEL=newest is Debian's kernel of testing instead of the stable one.
set -eu
here=$(dirname "$0")
root=$here/..
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=initrd.sh
. "$here/initrd.sh"
made=$root/build/linux
build=${PMUTEST86_BUILD:-$root/build/gcc}
page=$root/docs/hypervisors.md

# Model, kernel, firmware of the guest's guest, virtual PMU.
rows='zen2 stable bios usual
zen4 newest bios mediated
zen2 newest bios usual
zen4 stable bios usual
zen3 newest bios usual
k10 stable bios usual'

# Events in a rare window: where each access to a register leaves the guest, a default's take hours.  And on a busy computer
# a test that is only slow must not be ended.
unhurried='rare=100000 timeout=40'

# ---- one run ----

# make_initrd: with what the guest's guest boots.
make_initrd()
{
	initrd_begin
	put /usr/bin/qemu-system-x86_64
	for file in "$seabios" /usr/share/seabios/vgabios-stdvga.bin /usr/share/qemu/multiboot_dma.bin \
		/usr/share/qemu/kvmvapic.bin "$firmware"; do
		put "$file"
	done
	put_modules virt/lib/irqbypass drivers/crypto/ccp/ccp arch/x86/kvm/kvm arch/x86/kvm/kvm-amd
	mkdir -p "$tree/lib/kvm" "$tree/esp/EFI/BOOT" "$tree/var/tmp"
	mv "$tree"/lib/*.ko "$tree/lib/kvm/"
	cp "$here/linux/kvm.sh" "$tree/bin/under-kvm"
	cp "$build/pmutest86.elf" "$tree/"
	cp "$build/pmutest86.efi" "$tree/esp/EFI/BOOT/BOOTX64.EFI"
	printf '%s\r\n' "$options" >"$tree/esp/pmutest86.cfg"
	printf '%s\n' "$options" >"$tree/options"
	initrd_pack "$work/initrd.img"
}

# boot WORDS MODEL OPTION...: the serial line of the guest's guest is the console of Linux, which itself keeps silent: its words
# would stand within the lines of the report.
boot()
{
	words=$1 model=$2
	shift 2
	"$root/run-qemu.sh" --model "$model" --nested --guest "$kernel" --initrd "$work/initrd.img" --memory 1000 --keep "$kept" \
		--append "console=ttyS0 panic=-1 oops=panic tsc=reliable no_timer_check nmi_watchdog=0 mitigations=off loglevel=2 run=\"$words\"" \
		"$@" >"$work/console" 2>&1
}

# report: of the guest's guest, from the log of Linux.
report()
{
	serial_clean "$kept/serial.log" | sed -n '/^kvm: starts/,/^kvm: ended/p' | report_extract
}

# run MODEL OPTION...: prints the report; the verdict is the exit code.
run()
{
	model=$1 under=bios parameters='' given='' options='' kept=$work/run
	shift
	while [ $# -gt 0 ]; do
		case $1 in
		--bios | --uefi) under=${1#--} ;;
		--keep) kept=$2; shift ;;
		--mediated) parameters=' enable_mediated_pmu=1' ;;
		--) shift; options="$*"; break ;;
		*) given="$given $1" ;;
		esac
		shift
	done
	options="$options end=poweroff"
	find_kernel
	make_initrd
	# A slow computer lets Linux measure no TSC now and then, without which KVM enters no guest.
	for try in 1 2 3 4 5 6 7 8; do
		ended=0
		# shellcheck disable=SC2086 # words
		boot "under-kvm $under$parameters" "$model" $given || ended=$?
		serial_clean "$kept/serial.log" | grep -q '^kvm: no rate of the TSC' || break
		echo "kvm.sh: try $try: Linux has measured no rate of the TSC" >&2
	done
	report >"$work/report.tap"
	cat "$work/report.tap"
	code=0
	report_judge "$work/report.tap" >"$work/judged" || code=$?
	[ "$code" -eq "$BROKEN" ] || [ "$ended" -ne 0 ] || return "$code"
	sed 's/^/kvm.sh: /' "$work/judged" >&2
	tail -n 15 "$work/console" | sed 's/^/  | /' >&2
	return "$BROKEN"
}

# ---- rows ----

# explained RELEASE PMU: globs of tests of which the page says why they fail there.
explained()
{
	sed -n '/^<!-- failures under KVM -->/,/^$/p' "$page" | awk -F '|' -v release="$1" -v pmu="$2" '
		index($2, release) && (index($3, pmu) || index($3, "both")) {
			for (part = split($4, parts, "`"); part > 1; part--)
				if (part % 2 == 0) print parts[part]
		}'
}

# unexplained GLOBS: of the tests in standard input.
unexplained()
{
	while read -r test; do
		found=''
		set -f
		for glob in $1; do
			# shellcheck disable=SC2254 # it is meant as a pattern
			case $test in
			$glob) found=yes ;;
			esac
		done
		set +f
		[ -n "$found" ] || echo "$test"
	done
}

# row MODEL KERNEL FIRMWARE PMU OPTION...
row()
{
	model=$1 release=$2 under=$3 pmu=$4
	shift 4
	[ "$pmu" = usual ] || set -- "--$pmu" "$@"
	code=0
	KERNEL=${release#stable}
	run "$model" "--$under" "$@" -- "$unhurried" >"$work/out" 2>"$work/errors" || code=$?
	release=$(readlink "$kernel" | sed 's/.*\/[^0-9]*\([0-9]*\.[0-9]*\).*/\1/')
	sed -n '/ # TODO /d; s/^not ok [0-9]* \([^ ]*\).*/\1/p' "$work/out" >"$work/failed"
	rest=$(unexplained "$(explained "$release" "$pmu")" <"$work/failed")
	verdict=$(sed -n 's/^# verdict: //p' "$work/out")
	printf '%-6s %-6s %-5s %-9s %s%s\n' "$model" "$release" "$under" "$pmu" "$(sed -n 's/^# passed/passed/p' "$work/out")" \
		"${verdict:+; $verdict}${rest:+; WRONG: $(echo "$rest" | tr '\n' ' ')}"
	[ "$code" -ne "$BROKEN" ] || cat "$work/errors" >&2
	[ "$code" -ne "$BROKEN" ] && [ -z "$rest" ]
}

# ---- faults ----

# outcomes MODEL TESTS OPTION...: of the tests, each with how many, and the verdict.
outcomes()
{
	model=$1 tests=$2
	shift 2
	run "$model" --bios "$@" --timeout 900 -- "tests=$tests timeout=20" >"$work/out" 2>"$work/errors" || :
	awk '
		/^not ok / { n[/# TODO/ ? "known" : "not ok"]++ }
		/^ok / { n[/# SKIP/ ? "skipped" : "ok"]++ }
		/^# verdict: / { verdict = $3 }
		END { for (what in n) printf "%s %d, ", what, n[what]; print verdict == "" ? "no report" : verdict }
	' "$work/out"
}

# faults MODEL: a row for each. KVM does not offer IBS, boxes outside of the core and the pair of branch records: faults of
# theirs are out of sight.
faults()
{
	"$root/build/host/list_models" | awk -v model="$1" '
		$1 == "fault" && index("," substr($3, 8) ",", "," model ",") && $4 ~ /^test=(\*|amd)\./ && $4 !~ /\.pair\./ && ++n % 5 == 1 {
			print $2, substr($4, 6)
		}
	' >"$work/faults"
	printf '%-24s %-44s %-34s %s\n' fault tests healthy broken
	while read -r fault tests; do
		healthy=$(outcomes "$1" "$tests" </dev/null)
		broken=$(outcomes "$1" "$tests" --fault "$fault" </dev/null)
		printf '%-24s %-44s %-34s %s\n' "$fault" "$tests" "$healthy" "$broken"
	done <"$work/faults"
}

clean_up()
{
	rm -rf "$work"
}

main()
{
	work=$(mktemp -d)
	at_end clean_up
	case ${1:-} in
	'')
		wrong=0
		while read -r words; do
			# shellcheck disable=SC2086 # words
			row $words --timeout 3600 || wrong=1
		done <<-ROWS
			$rows
		ROWS
		return $wrong
		;;
	--row)
		shift
		words=${1:-}
		[ $# -eq 0 ] || shift
		echo "$rows" | grep -qx "$words" || die "--row: '$words'; allowed are: $(echo "$rows" | tr '\n' ';')"
		# shellcheck disable=SC2086 # words
		row $words "$@"
		;;
	--faults) faults "${2:-zen2}" ;;
	--help) sed -n 's/^#     //p' "$0" ;;
	-*) die "unknown option '$1'; see --help" ;;
	*) run "$@" ;;
	esac
}

main "$@"
