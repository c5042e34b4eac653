#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# libpfm4 gives the opposite of MOVE_ELIMINATION on Ivy Bridge, branches for loads on Ice Lake, and an MSR's value for a unit mask.
#
# A good guess: a name that libpfm4 and Intel's list share is one event in both, and a table that is wrong somewhere is so in its
# rarest names, and tells of an error.
# Seen, of 3,682 names that both have, of 17 processors, without an error:
#   Ivy Bridge: INT_ELIMINATED has the mask of moves that were not eliminated, and the other way round.  Their sisters for SIMD,
#   one line on, are right, and so are all four of Haswell's table.
#   Ice Lake: MEM_LOAD_MISC_RETIRED.UC, loads of what is not cached, is C4H, the event of branches, with a mask that it has not.
#   Sapphire Rapids: two events go through MSR_PEBS_FRONTEND (3F7H), as FRONTEND_RETIRED does; the MSR's value, 7 and 8, is taken
#   for their unit mask, and nothing is said about the MSR, which keeps what the last user wrote.
# Intel's list (github.com/intel/perfmon, commit 6dadedf): IVB, MOVE_ELIMINATION.INT_ELIMINATED 58H mask 01H and INT_NOT_ELIMINATED
# 04H; ICL, MEM_LOAD_MISC_RETIRED.UC D4H mask 04H; SPR, UOPS_RETIRED.MS C2H mask 04H with 3F7H = 8, INT_MISC.UNKNOWN_BRANCH_CYCLES
# ADH mask 40H with 3F7H = 7.
# Version: libpfm4 4.13.0-1.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
# shellcheck source-path=SCRIPTDIR source=lib/pfm.sh
. "$lib/pfm.sh"
expect 'Ivy Bridge, MOVE_ELIMINATION:INT_ELIMINATED' 530458 "$(encoding ivb::MOVE_ELIMINATION:INT_ELIMINATED)"
expect 'Ivy Bridge, MOVE_ELIMINATION:INT_NOT_ELIMINATED' 530158 "$(encoding ivb::MOVE_ELIMINATION:INT_NOT_ELIMINATED)"
expect 'Ivy Bridge, MOVE_ELIMINATION:SIMD_ELIMINATED' 530258 "$(encoding ivb::MOVE_ELIMINATION:SIMD_ELIMINATED)"
expect 'Ivy Bridge, MOVE_ELIMINATION:SIMD_NOT_ELIMINATED' 530858 "$(encoding ivb::MOVE_ELIMINATION:SIMD_NOT_ELIMINATED)"
expect 'Haswell, MOVE_ELIMINATION:INT_ELIMINATED' 530158 "$(encoding hsw::MOVE_ELIMINATION:INT_ELIMINATED)"
expect 'Ice Lake, MEM_LOAD_MISC_RETIRED:UC' 5304c4 "$(encoding icl::MEM_LOAD_MISC_RETIRED:UC)"
expect 'Sapphire Rapids, UOPS_RETIRED:MS' 5308c2 "$(encoding spr::UOPS_RETIRED:MS)"
expect 'Sapphire Rapids, INT_MISC:UNKNOWN_BRANCH_CYCLES' 5307ad "$(encoding spr::INT_MISC:UNKNOWN_BRANCH_CYCLES)"
