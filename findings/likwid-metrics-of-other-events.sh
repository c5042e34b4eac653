#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# LIKWID's CPI is remote over local cache lines in one group of Zen's, and the energy of Goldmont's DRAM is that of its cores.
#
# A good guess: a metric is the same in each group and on each processor that has its name, CPI above all, which nearly each group
# begins with; and the formula is the one that the group's own text tells.
# Seen, of the groups of 34 x86 processors:
#   Zen, Zen 2, Zen 3, NUMA: CPI is PMC1/PMC0, as in their other groups, and these two count data cache fills of other nodes and
#   of the own one.  No counter has instructions.
#   Goldmont, ENERGY: "Energy DRAM" is that of PP0, the cores; the counter of the DRAM's (MSR 619H) is read and not used.
#   K10, MEM: writes count 8 bytes each.  The group's text says that the event is of 16 bytes (and AMD's BKDG 31116, event
#   6DH: octwords; K8's were quadwords): half of what was written.
#   Zen 3, TLB: the L1 ITLB miss ratio is per access to the data cache.
#   Core 2, FLOPS: the vectorization ratio is packed over scalar, everywhere else packed over all.  300 % are three quarters.
# A mean of CPI over groups, or a table of several machines, mixes these in; each looks plausible.
# Version: likwid 5.2.2+dfsg1-1.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
# shellcheck source-path=SCRIPTDIR source=lib/likwid.sh
. "$lib/likwid.sh"

# Zen's PMC0 to PMC5 are at C0010201H, ...03H to ...0BH.
for zen in '23 1' '23 49' '25 1'; do
	# shellcheck disable=SC2086 # two words
	processor $zen 0
	measure BRANCH c0010201 1000 c0010203 3000
	expect "family $zen, BRANCH, 3000 clocks for 1000 instructions, CPI" 3 "$(metric CPI)"
	measure NUMA c0010201 1000 c0010203 250
	expect "family $zen, NUMA, 1000 local fills and 250 remote ones, CPI" 0.25 "$(metric CPI)"
done
measure TLB c0010201 100000 c0010203 50000 c0010209 400 c001020b 100
expect 'Zen 3, 500 ITLB misses and 50000 accesses to the data cache, L1 ITLB miss ratio' 0.01 "$(metric 'L1 ITLB miss ratio')"
processor 6 92 1
measure ENERGY 611 30 639 20 619 7
expect 'Goldmont, 30 J, of the cores 20 J and of the DRAM 7 J, Energy DRAM [J]' 20 "$(metric 'Energy DRAM \[J\]')"
processor 16 4 0
measure MEM c0010005 1000000000
expect 'K10, 10^9 octwords written, GBytes' 8 "$(metric 'Memory write data volume \[GBytes\]')"
processor 6 23 1
measure FLOPS_DP c1 300 c2 100
expect 'Core 2, 300 packed and 100 scalar, Vectorization ratio' 300 "$(metric 'Vectorization ratio')"
processor 6 42 1
measure FLOPS_DP c1 300 c2 100
expect 'Sandy Bridge, 300 packed and 100 scalar, Vectorization ratio' 75 "$(metric 'Vectorization ratio')"
