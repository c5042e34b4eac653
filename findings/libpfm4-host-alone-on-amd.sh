#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# libpfm4's modifier "h" (count hosts) on AMD's processors takes both rings away, where "g" (guests) takes none.
#
# A good guess: "h" sets HostOnly, bit 41, beside OS and USR, which the caller's default privilege levels set, as "g" sets
# GuestOnly, bit 40, and as "e" and "i" leave the rings alone.
# Seen: to libpfm4 "h" is a privilege level, as "u" and "k" are, and one that is named ends the default.  So RETIRED_INSTRUCTIONS:h
# has bits 16 and 17 clear: with neither of both a counter counts nothing (AMD64 APM vol. 2, 13.2.1), and no error is told.
# With "u" and "k" named as well it is as guessed.
# Version: libpfm4 4.13.0-1.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
# shellcheck source-path=SCRIPTDIR source=lib/pfm.sh
. "$lib/pfm.sh"
event=amd64_fam17h_zen2::RETIRED_INSTRUCTIONS
expect 'without a modifier' 5300c0 "$(encoding $event)"
expect 'g: GuestOnly, rings as they were' 100005300c0 "$(encoding $event:g)"
expect 'h: HostOnly, and no ring' 200005000c0 "$(encoding $event:h)"
expect 'h:u:k: HostOnly, both rings' 200005300c0 "$(encoding $event:h:u:k)"
