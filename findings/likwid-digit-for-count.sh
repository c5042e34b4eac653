#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# LIKWID computes a metric of a counter that it does not know from the digit in the counter's name.
#
# A good guess: where a formula of a group names a counter that the group has not, the group is refused, or the metric is NaN or
# missing.
# Seen: LIKWID replaces the names of the group's counters by what they counted, and reads what is left as numbers: PMC1 is 1, and
# PMC0 is 0.  Three groups of the package meet that.  Their counters have options, PMC1:MATCH0=...:MATCH1=..., which belong to the
# name (haswell/UOPS_EXEC.txt has them in its formula, and is right), and their formulas say PMC1.  So Sandy Bridge's L3 request
# rate is 1 over the instructions and its L3 misses are 0, and Knights Landing has read one line of 64 bytes, whatever they count.
# These stand beside right ones, in their form, and there is no warning.  In a group of one's own a mistyped name does the same.
# Version: likwid 5.2.2+dfsg1-1.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
# shellcheck source-path=SCRIPTDIR source=lib/likwid.sh
. "$lib/likwid.sh"

# C1H to C4H are PMC0 to PMC3, and 309H is the fixed counter of instructions.
processor 6 60 1
measure UOPS_EXEC c1 1000 c2 6000 c3 7000 c4 1500
expect 'Haswell, 6000 cycles of 1500 stalls, average duration' 4 "$(metric 'Avg stall duration \[cycles\]')"
processor 6 42 1
for requests in 5000 50; do
	measure L3CACHE 309 10000 c1 40 c2 $requests c3 100
	what="Sandy Bridge, $requests requests and 40 misses in 10000 instructions"
	expect "$what, request rate" 0.0001 "$(metric 'L3 request rate')"
	expect "$what, miss rate" 0 "$(metric 'L3 miss rate')"
	expect "$what, miss ratio" 0 "$(metric 'L3 miss ratio')"
done
processor 6 87 1
measure HBM_OFFCORE c1 4000000 c2 5000000
expect 'Knights Landing, 5000000 lines read, gigabytes' 6.4e-08 "$(metric 'Memory read data volume \[GBytes\]')"
expect 'Knights Landing, 4000000 lines written, gigabytes' 0 "$(metric 'Memory writeback data volume \[GBytes\]')"
measure L2 c1 1000000 c2 5000000
expect 'Knights Landing, 5000000 lines read for ownership, gigabytes' 6.4e-08 "$(metric 'L2 RFO data volume \[GByte\]')"
