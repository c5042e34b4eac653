/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests that unit masks of slices name by codes, from Ice Lake-SP on: Intel's lists of events.
 */
#pragma once

/* Unit masks as lists of events have them, and what extends them, from bit 32 of a control on. */
#define EXTENDED_BY(extension, mask) ((mask) | (uint32_t)(extension) << 8)

/* Loads have a code of their own. */
#define CODED_REQUESTS_OF(loads_, code_)                                                           \
	EVENT(SLICE_LOADS, "TOR_INSERTS.IA_" loads_, 0x35, EXTENDED_BY((code_) << 8 | 0xff, 0x01), \
	      AGREES, LINE(LOADED, 1), LINE(STORED, NONE)),                                        \
		EVENT(SLICE_LOADS_MISSED, "TOR_INSERTS.IA_MISS_" loads_, 0x35,                     \
		      EXTENDED_BY((code_) << 8 | 0xfe, 0x01), LINE(LOADED, 1),                     \
		      LINE(STORED, NONE)),                                                         \
		EVENT(SLICE_STORES, "TOR_INSERTS.IA_RFO", 0x35, EXTENDED_BY(0xc807ff, 0x01),       \
		      LINE(LOADED, NONE), LINE(STORED, 1)),                                        \
		EVENT(SLICE_MISSES, "TOR_INSERTS.IA_MISS", 0x35, EXTENDED_BY(0xc001fe, 0x01),      \
		      BY(MEMORY))
#define CODED_REQUESTS CODED_REQUESTS_OF("DRD", 0xc817)
