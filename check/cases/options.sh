# SPDX-License-Identifier: BSD-2-Clause
# The checks of all.sh of what people tell the program, the model and run-qemu.sh, and get wrong.
# shellcheck shell=sh disable=SC2154 # work, out and the codes come from all.sh and lib.sh

case_bad_script_options()
{
	refuses frobnicate ./run-qemu.sh --frobnicate
	refuses zx81 ./run-qemu.sh --model zx81
	grep -q k7 "$work/err"
	refuses gremlin ./run-qemu.sh --fault gremlin
	refuses gremlin ./run-qemu.sh --lawful gremlin
	refuses kvm_drops_host_guest ./run-qemu.sh --model k7 --lawful kvm_drops_host_guest
	refuses isa ./run-qemu.sh --machine isa
	refuses many ./run-qemu.sh --smp many
	refuses soon ./run-qemu.sh --timeout soon
	refuses --timeout ./run-qemu.sh --timeout
	refuses "no uncore" ./run-qemu.sh --model k7 --sockets 2
	refuses "'3'" ./run-qemu.sh --model sandybridge-ep --sockets 3
	refuses "'8:2'" ./run-qemu.sh --model sandybridge-ep --hide 8:2
	refuses hide=18.0 ./run-qemu.sh --model sandybridge-ep --hide 18.0
	refuses --plain ./run-qemu.sh --model k7 --plain
	refuses "'z80'" ./run-qemu.sh --bios --plain --qemu-cpu z80
	refuses --bios ./run-qemu.sh --plain --qemu-cpu athlon
	refuses --bios ./run-qemu.sh --bios --usb --model k7
}

# The keys that the program takes, in what it says of one that it does not, are those of the file on an image and of the table.
case_option_keys()
{
	refuses frobnicate ./run-qemu.sh --plain --keep "$work" -- frobnicate=1
	sed -n 's/^pmutest86: error .* allowed is //p' "$work/serial.log" | tr -d '\r=' | tr ' ' '\n' | sort >"$work/program"
	[ "$(grep -c '' "$work/program")" -gt 10 ]
	cfg_template | sed -n '2,$s/^#\([a-z-]\{1,\}\).*/\1/p' | sort >"$work/template"
	# shellcheck disable=SC2016 # the quotes are Markdown's
	sed '/^The tests of the runner/q' docs/options.md | grep '^| `' | cut -d'|' -f2 | grep -o '`[a-z-]\{1,\}[=`]' | tr -d '`=' | sort -u >"$work/table"
	diff "$work/program" "$work/template"
	diff "$work/program" "$work/table"
}

case_bad_program_options()
{
	refuses frobnicate ./run-qemu.sh --plain -- frobnicate=1
	refuses sideways ./run-qemu.sh --plain -- takeover=sideways
	refuses gremlin ./run-qemu.sh --model k7 --keep "$work" -- repeat=gremlin
	grep -q '^silicon: run 1 status 0x8000000000000002' "$work/clean.log"
}

# A pattern with a PMU and a counter finds the test that the list names with stars; one that finds none is told so.
case_list()
{
	expect_status 0 ./run-qemu.sh -- list 'tests=amd.0.count.instructions,netburst.17.rare.*'
	sed -n 's/^\(\*\.[^ ]*\): .*/\1/p' "$work/out" >"$work/listed"
	grep -x '\*\.\*\.count\.instructions' "$work/listed"
	has_none '\.count\.cycles' "$work/listed"
	has_none 'matches the option' "$work/out"
	expect_status 0 ./run-qemu.sh -- list 'tests=amd.0.nothing'
	grep -x 'no test of this list matches the option tests=' "$work/out"
}

# The model's own file, with what run-qemu.sh would not let through.
case_bad_model_options()
{
	truncate -s "$usual_disk" "$work/disk.img"
	fat_make "$work/disk.img" 32768
	fat_fill "$work/disk.img" build/gcc/silicon.efi build/gcc/pmutest86.efi
	for line in model=zx81 'model=k7 fault=gremlin' 'modle=k7' 'model=k7 sockets=2' \
		'model=k7 native=maybe' 'model=k8 lawful=gremlin'; do
		echo "$line" >"$work/silicon.cfg"
		fat_put "$work/disk.img" "$work/silicon.cfg" silicon.cfg
		boot_usual "$work/disk.img"
		qemu_wait
		serial_clean "$work/serial.log" | tee "$work/clean.log"
		[ "$qemu_status" -eq 35 ] # 0x11
		grep -q "^silicon: error: .*$(echo "${line##* }" | sed 's/.*=\(zx81\|gremlin\)/\1/')" \
			"$work/clean.log"
		has_none KTAP "$work/clean.log"
	done
}
