# SPDX-License-Identifier: BSD-2-Clause
# A part of run-qemu.sh: another program than pmutest86 on the silicon model, such as a kernel.
# shellcheck shell=sh disable=SC2034,SC2154 # the words come from run-qemu.sh, and go there

# Names of the guest's files at the root of its volume.
guest_name=guest.efi
initrd_name=initrd.img

check_guest()
{
	if [ -z "$guest" ]; then
		[ -z "$initrd$append$memory$hide_hypervisor$nested" ] ||
			die "--initrd, --append, --memory, --hide-hypervisor and --nested go with --guest FILE alone"
		return 0
	fi
	[ -z "$options" ] || die "--guest: it has its words by --append; allowed behind -- is nothing"
	[ -z "$bios$uefi$usb$cpus$stage" ] ||
		die "--guest goes with none of --bios, --uefi, --usb, --cpus, --cpu, --stage"
	for file in "$guest" ${initrd:+"$initrd"}; do
		[ -r "$file" ] || die "--guest, --initrd: '$file' cannot be read"
	done
	[ "$(head -c 2 "$guest")" = MZ ] ||
		die "--guest: '$guest' is no EFI program; allowed are those, and kernels with an EFI stub"
	case $append in
	*'#'* | *'
'*) die "--append: '$append' has a '#' or an end of line; allowed is anything else" ;;
	esac
	memory=${memory:-512}
	if [ "$memory" -lt 128 ] || [ "$memory" -gt 2048 ]; then
		die "--memory: '$memory'; allowed are 128 to 2048 MiB"
	fi
}

# The volume has room for its files.
make_guest_disk()
{
	disk=$work/disk.img
	bytes=$(cat "$silicon" "$guest" ${initrd:+"$initrd"} | wc -c)
	mib=$((bytes / 1048576 + 40))
	need_room "$work" $((mib - 36))
	truncate -s "${mib}M" "$disk"
	fat_make "$disk" $((mib * 2048))
	words="${initrd:+initrd=\\$initrd_name }$append"
	printf "%s\n" "$(model_line) guest=$guest_name${hide_hypervisor:+ hypervisor=no}${nested:+ nested=yes}${words:+ -- $words}" >"$work/silicon.cfg"
	fat_put "$disk" "$silicon" EFI/BOOT/BOOTX64.EFI
	fat_put "$disk" "$guest" $guest_name
	[ -z "$initrd" ] || fat_put "$disk" "$initrd" $initrd_name
	fat_put "$disk" "$work/silicon.cfg" silicon.cfg
}

# Its serial line is this terminal's.  It has one processor, page tables of four levels, in which the model executes
# code fastest, and no timer that the model does not keep in step with the rest.
run_guest()
{
	make_guest_disk
	qemu_limit="timeout --foreground -k 5 $timeout" qemu_serial=chardev:line
	status=0
	(qemu_exec "$work" -m "$memory" -machine "$machine,accel=tcg,hpet=off" -cpu max,la57=off \
		-drive "format=raw,werror=report,file=$disk" \
		-chardev "stdio,id=line,signal=on,logfile=$work/serial.log") 2>"$work/qemu.log" || status=$?
	error=$(serial_clean "$work/serial.log" | grep '^silicon: error') || :
	[ -z "$error" ] || die "${error#silicon: error: }"
	case $status in
	0 | 33) ;; # the guest has turned the power off, or returned
	124 | 137) die "the guest has not ended within $timeout s" ;;
	*)
		sed 's/^/  | /' "$work/qemu.log" >&2
		die "QEMU ended with status $status"
		;;
	esac
}
