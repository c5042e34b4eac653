# SPDX-License-Identifier: BSD-2-Clause
# The checks of all.sh that are about labs: what scripts make of a report, and the ways in which a program that is
# handed on gets to a machine.  They stand on steps.sh.
# shellcheck shell=sh disable=SC2154,SC2034 # work and the codes come from all.sh and lib.sh, which reads firmware.

# Facts of a hybrid part and of a machine with a box that its firmware has hidden: each is written as the documents have
# it, once a report, and the keys are those of the table of keys.
case_lab_facts()
{
	cat >"$work/silicon.cfg" <<-'CFG'
	model=goldencove cpus=2 cpu1=gracemont -- other-thread=no cpus=kinds facts=all tests=*.1.overflow.skid,*.1.privilege.sum_law
	model=sandybridge-ep hide=8.2 -- tests=*.1.overflow.skid,*.0.access.control_holds
	CFG
	boot_runs
	report_extract <"$work/clean.log" >"$work/report.tap"
	sed -n 's/^KTAP.*/---/p; s/^# fact //p' "$work/report.tap" >"$work/facts"
	[ "$(grep -c '^---$' "$work/facts")" -eq 2 ]
	value='\([A-Za-z0-9._+:,/-]\{1,\}\|"\([^"\\]\|\\.\)*"\)'
	grep -v "^---$\|^[a-z0-9._-]*\.[a-z0-9]*=$value$" "$work/facts" >"$work/wrong" || :
	awk -F= '/^---/ { n++ } seen[n, $1]++ { print "again: " $1 }' "$work/facts" >>"$work/wrong"
	diff /dev/null "$work/wrong"
	grep '^cpu1-intel.counters=9$' "$work/facts"
	sed 's/=.*//; /^---$/d; s/^cpu[0-9]*\./cpu./; s/^cpu[0-9]*-//; /^\(cpu\|program\|tsc\)\./!s/^[a-z0-9]*\./PMU./
		s/^PMU\.[0-9]*\./PMU.N./; s/^PMU\.N\..*\.\(late\|sum\)$/PMU.N.TEST.\1/; s/^PMU\.msr\..*/PMU.msr.ADDRESS/
		s/^cpu\.cpuid\.[^.]*/cpu.cpuid.LEAF/; s/LEAF\..*/LEAF.SUBLEAF/' "$work/facts" | sort -u >"$work/keys"
	# shellcheck disable=SC2016 # the quotes are Markdown's
	sed -n '/^## Facts/,/^## A failure/s/^| \(`.*`\) |.*|$/\1/p' docs/reading-a-report.md |
		tr -d ' `' | tr , '\n' | sort >"$work/documented"
	diff "$work/documented" "$work/keys"
}

# setting KEY FILE: the value, in single or double quotes, of a line of an example.
setting()
{
	sed -n "s/^ *$1\\( =\\|:\\) r\\{0,1\\}\\([\"']\\)\\(.*\\)\\2\$/\\3/p" "$2"
}

# A run with one result of each kind, read by what its documents offer: TAP's formatters, and the patterns of the
# examples, which get the log of the serial line as firmware and program have left it.
case_lab_results()
{
	tests='*.selftest.failing_check,*.selftest.reset,*.0.count.cycles,*.0.count.wraps'
	echo "model=zen2 fault=overcounts_always -- tests=$tests" >"$work/silicon.cfg"
	boot_runs
	report_extract <"$work/clean.log" >"$work/report.tap"
	results_of "$work/report.tap" | sed 1d >"$work/results"
	diff - "$work/results" <<-'TAP'
	not ok 1 -.-.selftest.failing_check
	ok 2 -.-.selftest.reset # SKIP it resets the machine: only with resume=auto
	ok 3 amd.0.count.cycles
	not ok 4 amd.0.count.wraps # TODO known: 1291
	TAP

	expect_status 1 prove --formatter TAP::Formatter::JUnit -e cat "$work/report.tap"
	cp "$work/out" "$work/report.xml"
	xmllint --xpath 'concat(//testsuite/@tests, " ", count(//testcase), " ", //testcase[failure]/@name)' "$work/report.xml" |
		grep -x '4 4 1 -\.-\.selftest\.failing_check'
	expect_status 1 prove -m -Q --formatter TAP::Formatter::HTML -e cat "$work/report.tap"
	# Failed, skipped, passed and known, in the classes of its style sheet.
	sed -n 's/.*class="tst \([a-z]\)">\([a-z ]* [0-9]*\) .*/\1 \2/p' "$work/out" >"$work/html"
	printf '%s\n' 'n not ok 1' 's ok 2' 'k ok 3' 't not ok 4' | diff - "$work/html"

	pattern=$(setting pattern docs/lab/lava.yaml) perl -0777 -ne 'print "$+{result} $+{test_case_id}\n" while /$ENV{pattern}/gs' \
		"$work/serial.log" >"$work/lava"
	diff - "$work/lava" <<-'LAVA'
	not ok -.-.selftest.failing_check
	SKIP -.-.selftest.reset
	ok amd.0.count.cycles
	TODO amd.0.count.wraps
	LAVA
	for result in 'not ok' SKIP ok TODO; do
		grep "^ *$result: \(pass\|fail\|skip\|unknown\)$" docs/lab/lava.yaml
	done
	for key in start end; do
		[ "$(grep -cE "$(setting $key docs/lab/lava.yaml)" "$work/serial.log")" -eq 1 ]
	done
	pattern=$(setting FAILED docs/lab/test_labgrid.py) perl -0777 -ne 'print "$1\n" while /$ENV{pattern}/g' \
		"$work/serial.log" >"$work/labgrid"
	diff - "$work/labgrid" <<-'LABGRID'
	-.-.selftest.failing_check
	LABGRID
	pattern=$(setting VERDICT docs/lab/test_labgrid.py) perl -0777 -ne 'print "$1\n" while /$ENV{pattern}/g' \
		"$work/serial.log" | grep -x fail
}

# OVMF has its console on COM1 as well as on the screen.  The program's lines are there once, whether it or the user
# chooses that port, and on a port that is the program's alone; and nothing in them controls a screen.
case_lab_console()
{
	shell_disk "$work/disk.img" <<-'NSH'
	fs0:
	pmutest86.efi gremlin=1
	pmutest86.efi serial=3f8 gremlin=2
	pmutest86.efi serial=3e8 gremlin=3
	pmutest86.efi
	reset -s
	NSH
	fat_put "$work/disk.img" build/gcc/pmutest86.efi pmutest86.efi
	boot_disk "$work/disk.img" -chardev "file,id=com3,path=$work/com3.log" \
		-device isa-serial,iobase=0x3e8,irq=4,index=2,chardev=com3
	qemu_wait
	for n in 1 2 3; do
		[ "$(grep -c "^pmutest86: error in .*gremlin=$n" "$work/serial.log")" -eq 1 ]
	done
	grep '^pmutest86: error in .*gremlin=3' "$work/com3.log"
	[ "$(grep -c . "$work/com3.log")" -eq 1 ]
	tr -d '\r' <"$work/serial.log" | sed -n '/^pmutest86 [0-9]/,/^pmutest86: report in/p' >"$work/lines"
	head -n 2 "$work/lines" | tail -n 1 | grep -x 'KTAP version 1'
	grep '^pmutest86: report in' "$work/lines"
	has_none "$(printf '\033')" "$work/lines"
	sort "$work/lines" | uniq -d | diff /dev/null -
}

# grub_disk ROOT: $work/disk.img with ROOT in an ext4 partition, which no firmware reads, and in front of it a GRUB for
# a BIOS and one for 64-bit UEFI, whose menu is that of $work/grub.cfg alone.
grub_disk()
{
	truncate -s 64M "$work/disk.img"
	sgdisk --clear --set-alignment=1 --new=1:2048:22527 --typecode=1:EF00 --new=2:34:2047 --typecode=2:EF02 \
		--new=3:22528:0 "$work/disk.img"
	mke2fs -q -t ext4 -d "$1" -E offset=$((22528 * 512)) "$work/disk.img" 40M
	fat_make "$work/disk.img@@1M" 20480
	mmd -i "$work/disk.img@@1M" ::/grub
	fat_put "$work/disk.img@@1M" "$work/grub.cfg" grub/grub.cfg
	grub_image x86_64-efi /grub "$work/grub.efi" ext2 chain
	fat_put "$work/disk.img@@1M" "$work/grub.efi" EFI/BOOT/BOOTX64.EFI
	grub_image i386-pc "(,gpt1)/grub" "$work/core.img" biosdisk ext2
	grub_embed "$work/disk.img" "$work/core.img"
}

# by_menu FIRMWARE BITS: boots that disk up to the verdict.
by_menu()
{
	firmware=$1
	qemu_start "$work" "$patience" -machine q35,accel=tcg -cpu max -drive "format=raw,file=$work/disk.img"
	qemu_wait
	serial_clean "$work/serial.log" | report_extract | tee "$work/report.tap"
	expect_status "$FAIL" report_judge "$work/report.tap"
	grep -x "# fact program.bits=$2" "$work/report.tap"
	grep '^# options: tests=\*\.selftest\.failing_check .*timeout=77' "$work/report.tap"
}

# The installed program boots from the menu with the options of its file, which were there before, and is gone after it is removed.
# GRUB's own functions would ask for the disk of the machine that checks.
case_lab_install()
{
	mkdir -p "$work/root/boot/pmutest86" "$work/functions"
	cfg=$work/root/boot/pmutest86/pmutest86.cfg
	printf 'end=poweroff # not halt\r\n#report=none\ntests=*.selftest.failing_check\ttimeout=77\n' >"$cfg"
	make install DESTDIR="$PWD/$work/root" prefix=/usr
	for file in boot/pmutest86/pmutest86.efi boot/pmutest86/pmutest86.elf etc/grub.d/20_pmutest86 \
		usr/share/pmutest86/pmutest86.img usr/share/pmutest86/pmutest86.iso usr/share/doc/pmutest86/LICENSE; do
		[ -s "$work/root/$file" ]
	done
	cat >"$work/functions/grub-mkconfig_lib" <<-'LIB'
	grub_quote() { sed "s/'/'\\\\''/g"; }
	make_system_path_relative_to_its_root() { echo "$1"; }
	prepare_grub_to_access_device() { echo "set root='hd0,gpt3' # $1"; }
	LIB
	sed "s|^here=|&$PWD/$work/root|" "$work/root/etc/grub.d/20_pmutest86" >"$work/script"
	pkgdatadir=$PWD/$work/functions GRUB_DEVICE_BOOT=/dev/sda3 sh "$work/script" |
		sed "s|$PWD/$work/root||" >"$work/grub.cfg"
	cat "$work/grub.cfg"
	grub-script-check "$work/grub.cfg"
	grep "set root='hd0,gpt3' # /dev/sda3" "$work/grub.cfg"
	echo 'set timeout=0' >>"$work/grub.cfg"
	grub_disk "$work/root"
	by_menu "$firmware" 64
	by_menu "$seabios" 32

	make uninstall DESTDIR="$PWD/$work/root" prefix=/usr
	find "$work/root" ! -type d | diff /dev/null -
	find "$work/root" -name '*pmutest86*' | diff /dev/null -
	expect_status "$BROKEN" env prefix=usr check/install.sh install
	grep "prefix 'usr' is no absolute path" "$work/err"
	expect_status "$BROKEN" check/install.sh remove
	grep "unknown 'remove'; allowed are install, uninstall" "$work/err"
}

# Another time, in another environment: the same bytes, with sums and versions that are right.
case_lab_dist()
{
	check/dist.sh "$work/one"
	(umask 077 && TZ=Asia/Tokyo LANG=C.UTF-8 check/dist.sh "$PWD/$work/another")
	diff -r "$work/one" "$work/another"
	version=$(sed 's/ .*//' build/version)
	for kind in efi elf img.xz iso spdx licences.txt; do
		[ -s "$work/one/pmutest86-$version.$kind" ]
	done
	[ "$(find "$work/one" -type f | wc -l)" -eq 7 ]
	(cd "$work/one" && sha256sum --check --strict SHA256SUMS)
	[ "$(wc -l <"$work/one/SHA256SUMS")" -eq 6 ]
	cmp "$work/one/pmutest86-$version.efi" build/gcc/pmutest86.efi
	xz --decompress --stdout "$work/one/pmutest86-$version.img.xz" >"$work/stick.img"
	mcopy -i "$work/stick.img@@1M" ::/pmutest86.elf "$work/pmutest86.elf"
	cmp "$work/pmutest86.elf" build/gcc/pmutest86.elf
	spdx=$work/one/pmutest86-$version.spdx
	sed -n 's/^FileChecksum: SHA256: //p' "$spdx" | sort >"$work/said"
	grep -v 'spdx$\|txt$' "$work/one/SHA256SUMS" | cut -d ' ' -f 1 | sort | diff - "$work/said"
	for package in gnu-efi grub-pc-bin grub-efi-ia32-bin; do
		grep "^PackageVersion: $(dpkg-query -f '${Version}' -W $package)$" "$spdx"
	done
	# All that is spoken of is there.
	sed -n 's/^SPDXID: //p' "$spdx" | sort >"$work/ids"
	uniq -d "$work/ids" | diff /dev/null -
	sed -n 's/^Relationship: \([^ ]*\) [A-Z_]* /\1\n/p' "$spdx" | sort -u | diff - "$work/ids"
	expect_status "$BROKEN" check/dist.sh "$work/one"
	grep "'$work/one' is there already; allowed is a new directory" "$work/err"
}

# secure_disk FILE PROGRAM SECONDS: a disk that boots the program, and tells by its options which it is.
secure_disk()
{
	truncate -s 16M "$1"
	fat_make "$1" 32768
	fat_fill "$1" "$2" "$2"
	echo "end=poweroff timeout=$3" | mcopy -i "$1" - ::/pmutest86.cfg
}

# With Secure Boot on the firmware refuses the program, and starts the one that is signed with its key.
case_lab_secure_boot()
{
	openssl rsa -in /usr/share/ovmf/PkKek-1-snakeoil.key -passin pass:snakeoil -out "$work/key.pem"
	KEY=$work/key.pem CERT=/usr/share/ovmf/PkKek-1-snakeoil.pem check/sign.sh "$work/signed"
	mcopy -i "$work/signed/pmutest86.img@@1M" ::/EFI/BOOT/BOOTX64.EFI "$work/stick.efi"
	cmp "$work/stick.efi" "$work/signed/pmutest86.efi"
	secure_disk "$work/plain.img" build/gcc/pmutest86.efi 11
	secure_disk "$work/signed.img" "$work/stick.efi" 12
	firmware=$firmware_secure
	qemu_start "$work" "$patience" -machine q35,accel=tcg -cpu max \
		-drive "if=none,id=plain,format=raw,file=$work/plain.img" -device ide-hd,drive=plain,bus=ide.0,bootindex=0 \
		-drive "if=none,id=signed,format=raw,file=$work/signed.img" -device ide-hd,drive=signed,bus=ide.1,bootindex=1
	# Refused both, the firmware would start its shell.
	qemu_wait_for '^# verdict: \|EFI Internal Shell'
	qemu_stop
	serial_clean "$work/serial.log" | tee "$work/clean.log"
	grep 'Sata(0x0,.*: Access Denied' "$work/clean.log"
	report_extract <"$work/clean.log" >"$work/report.tap"
	expect_status "$SKIP" report_judge "$work/report.tap"
	[ "$(grep -c '^# options: .*timeout=12' "$work/report.tap")" -eq 1 ]
	has_none 'timeout=11' "$work/report.tap"

	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$work/other.key" \
		-out "$work/other.pem" -subj /CN=other
	while read -r key cert reason; do
		expect_status "$BROKEN" env KEY="$work/$key" CERT="$work/$cert" check/sign.sh "$work/bad"
		grep "^sign.sh: $reason" "$work/err"
		[ ! -e "$work/bad/pmutest86.efi" ]
	done <<-'REFUSED'
	none other.pem KEY: '.*/none' is no file that can be read
	key.pem none CERT: '.*/none' is no file that can be read
	key.pem other.pem nothing is signed: allowed are a private key and its certificate
	other.pem other.pem nothing is signed: allowed are a private key and its certificate
	REFUSED
	expect_status "$BROKEN" make sign KEY="$work/key.pem"
	grep 'sign.sh: key or certificate is missing: make sign KEY=FILE CERT=FILE' "$work/err"
}

# network_files: into $work/net, what a server has; sets net, QEMU's words for one of TFTP and, at 10.0.2.100, HTTP.
network_files()
{
	mkdir "$work/net"
	cp build/gcc/pmutest86.efi build/gcc/pmutest86.elf "$work/net"
	cp build/gcc/pmutest86.efi "$work/net/pmutest86"
	echo 'timeout=76 verbose' >"$work/net/pmutest86.cfg"
	net="user,id=net,tftp=$work/net,guestfwd=tcp:10.0.2.100:80-cmd:busybox httpd -i -h $PWD/$work/net"
}

# network_report PATTERN: the report of the serial log is whole, of a processor without a PMU, and says that it is in no
# file, for this reason.
network_report()
{
	serial_clean "$work/serial.log" | tee "$work/clean.log" | report_extract >"$work/report.tap"
	expect_status "$SKIP" report_judge "$work/report.tap"
	grep "^# report file: none: $1; the report is on serial line and screen alone$" "$work/report.tap"
	grep "^pmutest86: no report file: $1$" "$work/clean.log"
}

# ipxe_files PROGRAM: network_files, and a script for iPXE, which gets it by TFTP, and the program by HTTP, under a name of
# any ending; iPXE leaves quotes as they are.
ipxe_files()
{
	network_files
	net="$net,bootfile=pmutest86.ipxe"
	cat >"$work/net/pmutest86.ipxe" <<-IPXE
	#!ipxe
	kernel http://10.0.2.100/$1 "timeout=77" end=poweroff
	$(case $1 in *.elf) echo module http://10.0.2.100/pmutest86.cfg pmutest86.cfg ;; esac)
	boot
	IPXE
}

# ipxe_report REASON: network_report, by the script's options.
ipxe_report()
{
	qemu_wait
	[ "$qemu_status" -eq 5 ]
	network_report "$1"
	grep '^# options: .*timeout=77' "$work/report.tap"
}

# By iPXE on the card.
case_lab_ipxe_bios()
{
	ipxe_files pmutest86.elf
	firmware=$seabios
	qemu_start "$work" "$patience" -machine q35,accel=tcg -cpu max \
		-netdev "$net" -device virtio-net-pci,netdev=net,bootindex=0
	ipxe_report 'the loader does not tell which drive it came from'
	grep '^# options: .* verbose' "$work/report.tap"
}

# By iPXE on a disk: from iPXE 1.21 on QEMU's cards have only its driver for UEFI.
case_lab_ipxe_uefi()
{
	ipxe_files pmutest86
	truncate -s 16M "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_put "$work/disk.img" /usr/lib/ipxe/ipxe.efi EFI/BOOT/BOOTX64.EFI
	boot_disk "$work/disk.img" -netdev "$net" -device virtio-net-pci,netdev=net,romfile=
	ipxe_report 'the image came from the network'
}

# By OVMF's own PXE, without iPXE on the card.
case_lab_pxe()
{
	network_files
	qemu_start "$work" "$patience" -machine q35,accel=tcg -cpu max \
		-netdev "$net,bootfile=pmutest86.efi" -device virtio-net-pci,netdev=net,bootindex=0,romfile=
	qemu_wait_for '^pmutest86: no report file: '
	qemu_stop
	network_report 'the image came from the network'
	grep 'NBP filename is pmutest86.efi' "$work/clean.log"
}

# boot_option URI WORDS: a variable Boot#### that loads from there, with these options, in hexadecimal: UEFI
# specification 2.10, 3.1.3 and 10.3.4.23.
boot_option()
{
	size=$(printf '%04x' $((${#1} + 4)) | sed 's/\(..\)\(..\)/\2\1/')
	all=$(printf '%04x' $((${#1} + 8)) | sed 's/\(..\)\(..\)/\2\1/')
	echo "01000000$all$(ucs2 pmutest86)0318$size$(printf %s "$1" | od -An -v -tx1 | tr -d ' \n')7fff0400$(ucs2 "$2")"
}

# ucs2 TEXT: with its end, in hexadecimal.
ucs2()
{
	printf '%s\0' "$1" | od -An -v -tx1 | sed 's/ \(..\)/\100/g' | tr -d '\n'
}

# HTTP boot of OVMF, from where a variable of the firmware says, which has the options, too.  The variable is made in
# the firmware's shell; only flash chips keep it over the reset.
case_lab_http()
{
	network_files
	global='-guid 8BE4DF61-93CA-11D2-AA0D-00E098032B8C -nv -bs -rt'
	shell_disk "$work/disk.img" <<-NSH
	setvar Boot00F0 $global =$(boot_option http://10.0.2.100/pmutest86.efi 'end=poweroff timeout=77')
	setvar BootNext $global =F000
	reset
	NSH
	firmware=$firmware_flash
	qemu_start "$work" "$patience" -machine q35,accel=tcg -cpu max -action reboot=reset \
		-netdev "$net" -device virtio-net-pci,netdev=net,romfile= \
		-drive "if=none,id=disk,format=raw,file=$work/disk.img" -device ide-hd,drive=disk,bootindex=0
	qemu_wait
	[ "$qemu_status" -eq 5 ]
	network_report 'the image came from the network'
	grep 'starting Boot00F0 "pmutest86" from Uri(http://10.0.2.100/pmutest86.efi)' "$work/clean.log"
	grep '^# options: .*timeout=77' "$work/report.tap"
}

# An entry of the boot menu with options, made in the firmware's shell as the documents say; the reset boots from it.
case_lab_boot_entry()
{
	{
		sed -n 's/^    Shell> //p' docs/lab.md
		echo reset
	} | shell_disk "$work/disk.img"
	fat_put "$work/disk.img" build/gcc/pmutest86.efi pmutest86.efi
	# It ends in any case.
	echo end=poweroff | fat_put "$work/disk.img" - pmutest86.cfg
	firmware=$firmware_flash
	boot_disk "$work/disk.img" -action reboot=reset
	qemu_wait
	serial_clean "$work/serial.log" | tee "$work/clean.log" | report_extract >"$work/report.tap"
	[ "$qemu_status" -eq 5 ]
	grep 'BdsDxe: starting Boot.* "pmutest86" from ' "$work/clean.log"
	grep '^# options: tests=\*\.overflow\.\* ' "$work/report.tap"
}
