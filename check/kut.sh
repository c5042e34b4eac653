# SPDX-License-Identifier: BSD-2-Clause
# A part of peers.sh: the PMU's programs of kvm-unit-tests on the models, without Linux, from KUT, a checkout built for UEFI.
# shellcheck shell=sh disable=SC2154 # root, here, work, fetched, tool, model, fault: of peers.sh

kut_programs='pmu pmu_lbr pmu_pebs'

# kut_plan: a row for each model.
kut_plan()
{
	"$root/build/host/list_models" | sed -n 's/^model \([^ ]*\).*/kut:\1/p'
}

kut_check()
{
	[ -n "${KUT:-}" ] || die "kut: say by KUT=DIRECTORY where a checkout of kvm-unit-tests is"
	for program in $kut_programs; do
		[ -r "$KUT/x86/$program.efi" ] ||
			die "KUT: no $KUT/x86/$program.efi; there, run ./configure --enable-efi && make x86/$program.efi"
	done
}

# kut_seconds PROGRAM: pmu executes tens of loops of 10 million instructions each, or hundreds.  The one loop of pmu_lbr
# has thousands of millions, and behind it a single verdict.
kut_seconds()
{
	if [ "$1" = pmu_lbr ]; then echo 60; else echo "${KUT_SECONDS:-600}"; fi
}

# kut_run PROGRAM: its result, and what was wrong.
kut_run()
{
	log=$kept/$1 seconds=$(kut_seconds "$1") cut=''
	rm -rf "$log"
	mkdir -p "$log"
	"$root/run-qemu.sh" --model "$model" ${fault:+--fault "$fault"} --guest "$KUT/x86/$1.efi" \
		--timeout "$seconds" --keep "$log" >"$log/said" 2>&1 || :
	[ -e "$log/serial.log" ] || { echo "broken  $(cat "$log/said")"; return; }
	if grep -q '^run-qemu.sh: the guest has not ended' "$log/said"; then cut=$seconds; fi
	serial_clean "$log/serial.log" >"$log/clean.log"
	awk -v test="$1" -v model="$model" -v cut="$cut" -f "$here/peers/kut.awk" "$here/peers/kut.known" "$log/clean.log"
}

# kut_rows: one for each program; sets result to the worst.
# shellcheck disable=SC2034 # of peers.sh
kut_rows()
{
	result=right
	for program in $kut_programs; do
		kut_run "$program" >"$kept/seen"
		read -r said <"$kept/seen"
		case $said in
		right*) ;;
		*) result=${said%% *} ;;
		esac
		print_row "$program" "$said"
		sed '1d; s/^/  | /' "$kept/seen"
	done
}
