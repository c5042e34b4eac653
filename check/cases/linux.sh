# SPDX-License-Identifier: BSD-2-Clause
# The checks of all.sh that run other people's programs on the model.  They stand on steps.sh.
# shellcheck shell=sh disable=SC2154 # work comes from all.sh

# The NMI watchdog, which counts clocks from early in the boot, interrupts a busy system once a second, and no more often;
# but Linux makes no period of a counter longer than 2^31 - 1 (intel_pmu.max_period), so that of a faster processor takes
# several.
case_linux_watchdog()
{
	look='grep MHz /proc/cpuinfo; cat /proc/uptime; grep NMI: /proc/interrupts'
	busy='timeout 4 dd if=/dev/zero of=/dev/null'
	check/linux.sh --run "echo 1 >/proc/sys/kernel/watchdog_thresh; $look; $busy; $look" "$1" >"$work/out" 2>&1
	awk '
		$1 == "NMI:" && $3 == "Non-maskable" { nmis = $2 - began; began = $2 }
		/^[0-9.]+ [0-9.]+\r?$/ { seconds = $1 - start; start = $1 }
		/^cpu MHz/ { each = 1 + int($4 * 1e6 / 2147483647) }
		END {
			print nmis " in " seconds " s, " each " each"
			exit !(each && nmis >= 1 && nmis <= each * (seconds + 1))
		}
	' "$work/out"
}

# KVM's virtual PMU on a healthy processor: at most counts that are off by its VMRUNs, which are known.  What it shows of broken
# ones is for kvm.sh --faults.
case_kvm()
{
	check/kvm.sh zen2 --bios -- 'tests=amd.0.count.*,amd.0.privilege.user_only,amd.0.privilege.kernel_only,amd.0.overflow.exact_period' >"$work/out"
	grep '^not ok .*amd.0.count.absolute # TODO known: KVM counts its VMRUN' "$work/out"
	[ "$(grep -c '^ok ' "$work/out")" -ge 5 ]
}

# The words of a guest, and what is wrong with them.
case_linux_words()
{
	printf 'MZ and no more' >"$work/guest.efi"
	echo text >"$work/text"
	guest="--guest $work/guest.efi"
	while IFS='|' read -r words error; do
		# shellcheck disable=SC2086 # words
		if ./run-qemu.sh $words >"$work/out" 2>&1; then return 1; fi
		grep -F -- "$error" "$work/out"
	done <<-WORDS
	--guest $work/none.efi|cannot be read
	--guest $work/text|is no EFI program
	$guest --initrd $work/none|cannot be read
	$guest --append #|allowed is anything else
	$guest --memory 64|allowed are 128 to 2048
	$guest --memory few|'few' is no number
	$guest --stage x2apic|goes with none of
	$guest --kvm|exclude each other
	$guest -- tests=*|allowed behind -- is nothing
	$guest --model k9|unknown model 'k9'
	--model k7 --hide-hypervisor|go with --guest FILE alone
	--model zen2 --nested|go with --guest FILE alone
	$guest --model k8 --nested|model k8 has no AMD-V; allowed are zen2
	--model zen2 --under-kvm --cpus 2|goes with none of
	--under-kvm|of which --model?
	WORDS
	# A guest that the firmware cannot start is an error of the model, and no hang.
	# shellcheck disable=SC2086 # words
	if ./run-qemu.sh $guest --model k7 --keep "$work" >"$work/out" 2>&1; then return 1; fi
	grep '^run-qemu.sh: \\guest.efi: it cannot be started' "$work/out"
}
