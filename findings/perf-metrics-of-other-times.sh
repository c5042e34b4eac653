#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# perf's clock rates, latencies and shares of idle states hang on how many processors are measured, for how long, and who sleeps.
#
# A good guess: what is told in GHz, nanoseconds or per cent is that, with -a a mean of all processors, and ten seconds of a steady
# load show what one second shows.
# Seen: with -a perf adds up each event first, and msr/tsc/ counts on every processor, the time once, and a C-state's counter once
# for a package or a core.  Eight processors at 1.5 GHz have an Average_Frequency of 12, and a package that was in C6 all the time
# has 12.5 %.  tma_contested_accesses, tma_data_sharing and others are multiplied by Average_Frequency.  With -A they are right.
# Of a task msr/tsc/ counts only while it runs: asleep for half of the time, it has half of its clock rate.
#   Elkhart Lake's Average_Frequency is divided by no time, and so is thousands of millions of clocks.
#   Skylake SP's MEM_DRAM_Read_Latency is clocks of a read over all clocks of the memory, not over those of a second: 100 ns are
#   10 ns after ten seconds.  Intel's list has it so, too; of their sister MEM_Read_Latency both have the time.
#   cpu_operating_frequency of servers is a rate, and is divided by the time once more.  Intel's list has it without.
# Intel's list: github.com/intel/perfmon, commit 6dadedf, SKX.
# Version: linux-perf 6.1.176-1.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
# shellcheck source-path=SCRIPTDIR source=lib/perf.sh
. "$lib/perf.sh"
skylake=GenuineIntel-6-5E-3
skylake_sp=GenuineIntel-6-55-4
elkhart_lake=GenuineIntel-6-96-1

# As Linux has them: a PMU without "cpumask" is opened on every processor.
pmu cpu 4 event=config:0-7 umask=config:8-15
pmu msr 6 event=config:0-63
echo event=0 >"$device/events/tsc"
for part in pkg core; do
	pmu cstate_$part 7 event=config:0-63
	echo event=2 >"$device/events/c6-residency"
	echo 0 >"$device/cpumask"
done
echo 0,2,4,6 >"$device/cpumask"
pmu uncore_imc_0 8 event=config:0-7 umask=config:8-15
echo 0 >"$device/cpumask"

# run SECONDS: lasts so long, at 1.5 GHz, of which the time-stamp counter has 1 GHz, in C6; the memory's clock is 1.2 GHz.
run()
{
	SECONDS_RUN=$1
	printf '%s %s\n' '0 0' "$(($1 * 1500000000))" '4 3c' "$(($1 * 1500000000))" '4 300' "$(($1 * 1000000000))" \
		'6 0' "$(($1 * 1000000000))" '7 2' "$(($1 * 1000000000))" '8 0' "$(($1 * 1200000000))" \
		'8 80' "$(($1 * 120000000))" '8 10' "$(($1 * 1000000))" >counts
}
run 1
expect 'Skylake, a task, Average_Frequency' 1.50 "$(measured $skylake Average_Frequency)"
expect 'eight processors' 12.00 "$(measured $skylake Average_Frequency -a)"
expect 'eight processors, each' '1.50 1.50 1.50 1.50 1.50 1.50 1.50 1.50' \
	"$(measured $skylake Average_Frequency -a -A | tr '\n' ' ' | sed 's/ $//')"
expect 'eight processors, always in C6, C6_Pkg_Residency' 12.50 "$(measured $skylake C6_Pkg_Residency -a)"
expect 'that processor of the package which counts' 100.00 "$(measured $skylake C6_Pkg_Residency -a -A)"
expect 'four cores of two, always in C6, C6_Core_Residency' 50.00 "$(measured $skylake C6_Core_Residency -a)"
SECONDS_RUN=2
expect 'Skylake, a task that runs for one second of two' 0.75 "$(measured $skylake Average_Frequency)"
expect 'Elkhart Lake, a second' 1.50 "$(measured $elkhart_lake Average_Frequency)"
expect 'Skylake SP, 120 clocks of 1.2 GHz, a second, MEM_DRAM_Read_Latency' 100.00 \
	"$(measured $skylake_sp MEM_DRAM_Read_Latency -a)"
run 10
expect 'Elkhart Lake, ten seconds' 15.00 "$(measured $elkhart_lake Average_Frequency)"
expect 'Skylake, ten seconds' 1.50 "$(measured $skylake Average_Frequency)"
expect 'Skylake SP, the same, ten seconds' 10.00 "$(measured $skylake_sp MEM_DRAM_Read_Latency -a)"
expect 'Skylake SP, cpu_operating_frequency' \
	'(( CPU_CLK_UNHALTED.THREAD / CPU_CLK_UNHALTED.REF_TSC * #SYSTEM_TSC_FREQ ) / 1000000000) / duration_time' \
	"$(resolved $skylake_sp cpu_operating_frequency metric)"
