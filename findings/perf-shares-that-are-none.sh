#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# perf's share of a core's slots is always 2, Skylake SP's memory latency always one clock, and Haswell's share of cycles can be
# 25,000,000,000 %.
#
# A good guess: perf's metrics are Intel's formulas, taken over by a program, so that a share is between 0 and 1, and whatever is
# told has been measured.
# Seen:
#   Slots_Utilization, Ice Lake to Sapphire Rapids: TOPDOWN.SLOTS over the half of it.  Intel's divides by those of the whole core
#   (TOPDOWN.SLOTS:percore).  With SMT it is 2, without it 1.
#   tma_ports_utilized_0 to _2, Ivy Bridge to Broadwell: "X / 2 if #SMT_on else Y / CORE_CLKS".  In perf, as in C, a quotient binds
#   stronger than a condition, so that with SMT half of the clocks are told, in per cent.  Intel's divides both.
#   tma_mixing_vectors, Skylake to Tiger Lake: Intel's ratio, multiplied by the clocks.
#   MEM_Read_Latency, Skylake SP and Cascade Lake: the filter of opcodes, 40433H, is given as "config", the select register, and
#   perf sets the event's and the mask's bits on top of it.  35H (inserts) and 36H (occupancy) both become 37H, lines victimized, so
#   that the ratio is 1, and the latency one clock of the uncore.
#   MEM_Parallel_Requests, Sandy Bridge to Skylake: the same formula as MEM_Request_Latency, occupancy over requests.  Over cycles
#   (UNC_ARB_TRK_OCCUPANCY.CYCLES_WITH_ANY_REQUEST) it would be a number of requests.
#   L3_Cache_Access_BW_1T, Ivy Bridge to Broadwell: 0, of nothing.
# Intel's: github.com/intel/perfmon, commit 6dadedf, metrics and events of ICX, HSW, SKL, SKX.
# Version: linux-perf 6.1.176-1.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
# shellcheck source-path=SCRIPTDIR source=lib/perf.sh
. "$lib/perf.sh"
sandy_bridge=GenuineIntel-6-2A-7
haswell=GenuineIntel-6-3C-3
skylake=GenuineIntel-6-5E-3
skylake_sp=GenuineIntel-6-55-4
ice_lake_sp=GenuineIntel-6-6A-6
pmu cpu 4 event=config:0-7 umask=config:8-15 cmask=config:24-31
for box in arb cha_0; do
	pmu uncore_$box 5 event=config:0-7 umask=config:8-15
	echo 0 >"$device/cpumask"
done

# Half of these clocks have one micro-operation: the first two counts have at least one, and at least two.
printf '%s\n' '4 10002b1 800000000' '4 20002b1 300000000' '4 3c 1000000000' '4 13c 100' '4 23c 100' >counts
expect 'Haswell with SMT, per cent of cycles with one port' 25000000000.0 "$(measured $haswell tma_ports_utilized_1)"
echo 0 >"$SYSFS_PATH/devices/system/cpu/smt/active"
expect 'Haswell without' 50.0 "$(measured $haswell tma_ports_utilized_1)"
expect 'Haswell, L3_Cache_Access_BW_1T' 0.00 "$(measured $haswell L3_Cache_Access_BW_1T)"
expect 'Haswell, its formula' 0 "$(resolved $haswell L3_Cache_Access_BW_1T metric)"

printf '%s\n' '4 20e 1' '4 10e 1000' '4 3c 1000000000' >counts
expect 'Skylake, one blend of a thousand micro-operations, per cent' 100000000.0 "$(measured $skylake tma_mixing_vectors)"

echo '4 400 123456' >counts
expect 'Ice Lake SP without SMT, Slots_Utilization' 1.00 "$(measured $ice_lake_sp Slots_Utilization)"
echo 1 >"$SYSFS_PATH/devices/system/cpu/smt/active"
expect 'Ice Lake SP with SMT' 2.00 "$(measured $ice_lake_sp Slots_Utilization)"

# The clock of the uncore is 2 GHz.
for misses in 1000 7; do
	printf '%s\n' '5 0 2000000000' "5 42537 $misses" >counts
	expect "Skylake SP, $misses events, MEM_Read_Latency" 0.50 "$(measured $skylake_sp MEM_Read_Latency -a)"
done
expect 'Skylake SP, what is counted for it' '42537 0; 42537 0' \
	"$(awk '$1 == 5 && $2 != "0" { printf "%s%s %s", n++ ? "; " : "", $2, $3 }' opened)"

printf '%s\n' '5 180 4000' '5 181 100' >counts
expect 'Sandy Bridge, requests that are under way for 40 clocks each, MEM_Parallel_Requests' 40.00 \
	"$(measured $sandy_bridge MEM_Parallel_Requests -a)"
expect 'MEM_Request_Latency' 40.00 "$(measured $sandy_bridge MEM_Request_Latency -a)"
