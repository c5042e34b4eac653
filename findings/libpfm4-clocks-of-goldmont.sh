#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# libpfm4's CPU_CLK_UNHALTED of Goldmont is event 00H, which counts nothing.
#
# A good guess: the name of Intel's list, CPU_CLK_UNHALTED.CORE_P, is Intel's code, 3CH, on Goldmont as on its sisters.
# Seen: CORE_P, which is what CPU_CLK_UNHALTED means where no unit mask is named, encodes as 530000H: event 00H, unit mask 00H.
# UNHALTED_CORE_CYCLES of the same table is 3CH, and so is CORE_P of Silvermont and Tremont.  No error is told: a general
# counter that is programmed so stays at what it was.
# Intel's list (perfmon, GLM): CPU_CLK_UNHALTED.CORE_P, EventCode 0x3C, UMask 0x00.
# Version: libpfm4 4.13.0-1.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
# shellcheck source-path=SCRIPTDIR source=lib/pfm.sh
. "$lib/pfm.sh"
expect 'Goldmont, CPU_CLK_UNHALTED' 530000 "$(encoding glm::CPU_CLK_UNHALTED)"
expect 'Goldmont, CPU_CLK_UNHALTED:CORE_P' 530000 "$(encoding glm::CPU_CLK_UNHALTED:CORE_P)"
expect 'Goldmont, UNHALTED_CORE_CYCLES' 53003c "$(encoding glm::UNHALTED_CORE_CYCLES)"
expect 'Silvermont, CPU_CLK_UNHALTED:CORE_P' 53003c "$(encoding slm::CPU_CLK_UNHALTED:CORE_P)"
expect 'Tremont, CPU_CLK_UNHALTED:CORE_P' 53003c "$(encoding tmt::CPU_CLK_UNHALTED:CORE_P)"
