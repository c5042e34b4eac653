#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# perf list --details shows the lower half of what perf writes for an event, and 260 events of Skylake as 132.
#
# A good guess: it shows how names are resolved into events (perf-list(1)), in perf's own syntax, and so what it shows for a name
# counts what the name counts.
# Seen: terms are printed in 32 bits.  MSR_OFFCORE_RSP_0 has 38, with what the other cores' caches had in the upper ones.  So a line
# that was modified and one that was not are the same text on Skylake, offcore_rsp=0x1c0001; by the name perf opens 10001C0001H
# and 4001C0001H, as Intel's list has them.  The text, given back to perf, opens 1C0001H, of which no snoop bit is set.  That is no
# valid response type (Intel SDM vol. 3, "Off-core Response Performance Monitoring"), and no error is told.
# A test that takes its events from there compares counters of other events, or of none.
# Intel's list: github.com/intel/perfmon, commit 6dadedf, SKL and BDW, MSRValue; no two of these events have the same there.
# Version: linux-perf 6.1.176-1.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
# shellcheck source-path=SCRIPTDIR source=lib/perf.sh
. "$lib/perf.sh"
skylake=GenuineIntel-6-5E-3
broadwell=GenuineIntel-6-3D-4
pmu cpu 4 event=config:0-7 umask=config:8-15 offcore_rsp=config1:0-63
: >counts

# offcore PROCESSOR EVENT: what perf opens for it: the number of the offcore response.
offcore()
{
	perf_on "$1" stat -e "$2" true
	awk '$1 == 4 { print $3 }' opened
}
for snoop in 'm 10001c0001' '_no_fwd 4001c0001'; do
	name=offcore_response.demand_data_rd.l3_hit.snoop_hit${snoop% *}
	shown=$(resolved $skylake "$name")
	expect "Skylake, $name, shown" 'cpu/event=0xb7,period=0x186a3,umask=0x1,offcore_rsp=0x1c0001/' "$shown"
	expect 'opened by the name' "${snoop#* }" "$(offcore $skylake "$name")"
	expect 'opened by what is shown' 1c0001 "$(offcore $skylake "$shown")"
done

# offcore_events PROCESSOR: how many have a number for it, and how many texts these have.
offcore_events()
{
	perf_on "$1" list --details | sed -n 's/^ *\(cpu\/.*offcore_rsp=.*\/\).*/\1/p' >events
	echo "$(wc -l <events) as $(sort -u events | wc -l)"
}
expect 'Skylake, events with an offcore response' '260 as 132' "$(offcore_events $skylake)"
expect 'Broadwell' '403 as 141' "$(offcore_events $broadwell)"
