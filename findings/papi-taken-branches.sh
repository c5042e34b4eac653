#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# PAPI_BR_TKN, "Conditional branch instructions taken", has calls and returns in it on AMD, and none on Intel since Sandy Bridge.
#
# A good guess: a preset of PAPI is there so that one name is one count wherever it is available, and taken and not taken ones of a
# loop with one conditional branch add up to its turns.
# Seen: that is so from Sandy Bridge on alone.  On AMD, K7 to Zen 3, the preset is PMCx0C4: calls, returns and jumps are among what
# it counts, and interrupts, so that a loop with a call has three an iteration.  On Core 2 and Atom it is
# BR_INST_RETIRED.TAKEN, of which the same is true.  On Nehalem it is BR_INST_EXEC.TAKEN, of what was executed, retired or not.
# PAPI_BR_MSP, "Conditional branch instructions mispredicted", has returns and indirect branches on Sandy Bridge, and none from
# Haswell on.  So shares of taken and of mispredicted branches cannot be compared between these.
# What the events count: Intel SDM vol. 3 and perfmon-events.intel.com, AMD PPRs 54945 and 55898, PMCx0C2 to PMCx0C4.
# LIBPFM_FORCE_PMU has PAPI take a machine for another one: no counter is needed, but perf_event_open() must not be forbidden.
# Versions: papi-tools and libpapi7.0 7.0.0-2, libpfm4 4.13.0-1.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
packages papi-tools=7.0.0-2 libpapi7.0=7.0.0-2 libpfm4=4.13.0-1

# preset PMU NAME: its long description, how it is made of events, and these.
preset()
{
	LIBPFM_FORCE_PMU=$1 tool usr/bin/papi_avail -d >presets 2>errors || {
		cat presets errors >&2
		exit 2
	}
	awk -v name="$2" '
		/^PAPI_/ { on = $1 == name; at = 0 }
		on { at++; gsub(/^ *(Native Code\[[0-9]\]: 0x[0-9a-f]*)? *\|/, ""); sub(/\|$/, "") }
		on && (at == 2 || at == 4 || (at > 5 && $0 != "")) { printf "%s%s", (at > 2 ? "; " : ""), $0 }
	' presets
}

taken='Conditional branch instructions taken'
for pmu in amd64_k7 amd64_k8_revf amd64_fam10h_barcelona amd64_fam15h_interlagos amd64_fam17h_zen2 amd64_fam19h_zen3; do
	expect "PAPI_BR_TKN, $pmu" "$taken; NOT_DERIVED; RETIRED_TAKEN_BRANCH_INSTRUCTIONS" "$(preset $pmu PAPI_BR_TKN)"
done
for pmu in core atom; do
	expect "PAPI_BR_TKN, $pmu" "$taken; NOT_DERIVED; BR_INST_RETIRED:TAKEN" "$(preset $pmu PAPI_BR_TKN)"
done
expect 'PAPI_BR_TKN, nhm' "$taken; NOT_DERIVED; BR_INST_EXEC:TAKEN" "$(preset nhm PAPI_BR_TKN)"
for pmu in snb hsw skl; do
	expect "PAPI_BR_TKN, $pmu" "$taken; DERIVED_SUB; BR_INST_RETIRED:CONDITIONAL; BR_INST_RETIRED:NOT_TAKEN" \
		"$(preset $pmu PAPI_BR_TKN)"
done
mispredicted='Conditional branch instructions mispredicted'
expect 'PAPI_BR_MSP, snb' "$mispredicted; NOT_DERIVED; BR_MISP_RETIRED:ALL_BRANCHES" "$(preset snb PAPI_BR_MSP)"
expect 'PAPI_BR_MSP, hsw' "$mispredicted; NOT_DERIVED; BR_MISP_RETIRED:CONDITIONAL" "$(preset hsw PAPI_BR_MSP)"
