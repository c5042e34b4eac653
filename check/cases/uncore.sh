# SPDX-License-Identifier: BSD-2-Clause
# The checks of all.sh of boxes: hidden ones, those of two sockets and of several packages.
# shellcheck shell=sh disable=SC2154 # work, out and the codes come from all.sh and lib.sh

uncore_tests='tests=imc*,ha*,qpi*,r2pcie*,r3qpi*,cbo*,ubox*,pcu*'

# The firmware hides the QPI boxes: each is skipped, with the reason, and nothing else is.
case_uncore_hidden()
{
	expect_status "$PASS" ./run-qemu.sh --model sandybridge-ep --hide 8.2,9.2,8.6,9.6 \
		--keep "$work" -- "$uncore_tests" "$unhurried"
	for box in qpi0 qpi1; do
		grep -q "^# pmu $box: PCI function .* is hidden by the firmware" "$work/report.tap"
		grep -q "^ok [0-9]* $box\..* # SKIP PCI function .* is hidden" "$work/report.tap"
		grep "^ok [0-9]* $box\." "$work/report.tap" >"$work/results"
		[ "$(grep -c '' "$work/results")" -eq "$(grep -c 'hidden by the firmware' "$work/results")" ]
	done
	grep "hidden by the firmware" "$work/report.tap" | grep '^ok' >"$work/hidden"
	has_none '^ok [0-9]* [^q]' "$work/hidden"
}

# The boxes of the second socket have results of their own, and its memory is found.
case_uncore_two_sockets()
{
	expect_status "$PASS" ./run-qemu.sh --model sandybridge-ep --sockets 2 --keep "$work" \
		-- "$uncore_tests" "$unhurried"
	grep -q '^ok [0-9]* imc3-s1\.[^#]*$' "$work/report.tap"
	grep -q '^ok [0-9]* qpi0.-.traffic.remote_reads$' "$work/report.tap"
	grep -q '^ok [0-9]* qpi0.-.traffic.packets$' "$work/report.tap"
	grep -q '^ok [0-9]* cbo0.-.traffic.remote_node$' "$work/report.tap"
}

# With a port hidden, packets that it carried are out of sight.
case_uncore_one_port_hidden()
{
	expect_status "$PASS" ./run-qemu.sh --model sandybridge-ep --sockets 2 --hide 9.2 --keep "$work" \
		-- 'tests=*.traffic.remote_*,*.traffic.packets'
	[ "$(grep -c '^ok .* # SKIP a port is hidden' "$work/report.tap")" -eq 2 ]
}

# Without ECAM there is no way to the registers beyond 100h, and the report says so.
case_uncore_pc()
{
	expect_status "$PASS" ./run-qemu.sh --model sandybridge-ep --machine pc --keep "$work" \
		-- "$uncore_tests" "$unhurried"
}

# Boxes that only their own package reaches are tested from its first processor; those that all reach,
# once.  A fault of that package's fails its boxes, and no others.
case_packages()
{
	tests='tests=*.access.control_holds,*.traffic.nid_filter,*.traffic.remote_node'
	model_processors --model sandybridge-ep --sockets 2 --cpus 4 --cpu 2=:uncore_nid_ignored -- \
		cpus=all "$tests"
	for name in cbo0 cbo0-s1 ubox ubox-s1 pcu pcu-s1 imc0 ha; do
		[ "$(grep -c "^ok [0-9]* $name\.0\.access\.control_holds\$" "$work/report.tap")" -eq 1 ]
	done
	for name in cbo1 cbo7 cbo1-s1 cbo7-s1 imc1 imc0-s1 imc3-s1 ha-s1; do
		[ "$(grep -c "^ok [0-9]* $name\.-\.box\.same_battery\$" "$work/report.tap")" -eq 1 ]
	done
	for n in 1 2 3; do
		[ "$(grep -c "cpu$n\." "$work/report.tap")" -eq 1 ]
		grep -q "^ok [0-9]* cpu$n\.-\.cpu\.same_battery\$" "$work/report.tap"
	done
	grep -q '^# uncore of package 1: from cpu2$' "$work/report.tap"
	grep -q '^ok [0-9]* cbo0\.-\.traffic\.remote_node$' "$work/report.tap"
	grep '^not ok' "$work/report.tap" | sed 's/^not ok [0-9]* //' >"$work/failed"
	printf '%s\n' cbo0-s1.-.traffic.nid_filter cbo0-s1.-.traffic.remote_node | cmp - "$work/failed"
}
