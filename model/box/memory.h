/* SPDX-License-Identifier: BSD-2-Clause */
/* Transactions between core and memory, and where the lines of memory are. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A transaction between core, LLC slice, home agent and memory. */
enum uncore_type {
	TRANSACTION_DRD,
	TRANSACTION_RFO,
	TRANSACTION_WBMTOI,
	TRANSACTION_WCILF,
	TRANSACTION_WCILF_HIT_M,
	TRANSACTION_WCIL,
	/* Between core and LLC alone. */
	TRANSACTION_DRD_HIT, /* clean */
	TRANSACTION_DRD_HIT_M,
	TRANSACTION_RFO_HIT,
	TRANSACTION_RFO_HIT_M,
	TRANSACTION_EVICTION,
};
struct uncore_request {
	uint64_t address; /* physical */
	uint16_t opc; /* in the TOR */
	uint8_t ha_opcode; /* as OPCODEMATCH */
	uint8_t lookup; /* unit-mask bit of LLC_LOOKUP: 02h data read, 04h write */
	uint8_t state; /* LINE_*: what the lookup finds */
	uint8_t tid, nid;
	bool remote; /* the memory is another socket's than the core that asks */
	bool write; /* to memory, else a read */
	bool partial; /* a write of less than a line */
	bool miss; /* needs a home agent tracker */
	bool wb; /* write-back */
	bool cached; /* goes no further than the LLC */
	bool alias; /* past the caches, of which one has the line dirty */
	uint8_t slice, channel; /* AMD */
};
enum { UNCORE_BURST = 4 };

/* Each 64 MiB are the next region, and with two sockets the other socket's. */
enum { UNCORE_REGION = 64 << 20 };
enum { UNCORE_LINE = 64, UNCORE_SETS = 4096, UNCORE_WAYS = 8, UNCORE_WC_BUFFERS = 4 };
/* 256 KiB of L2 and 32 KiB of L1, which need not hold the same lines. */
enum { UNCORE_CORE_SETS = 512, UNCORE_CORE_WAYS = 9 };
enum { UNCORE_SETTLED = 256 };

/* The requests that wait to be sent to one box. */
struct uncore_queue {
	struct uncore_request pending[UNCORE_BURST];
	unsigned count, bursts;
};

struct uncore_wc_buffer {
	uint64_t line; /* 0: empty */
	uint64_t bytes; /* bit n: byte n was written */
};

struct uncore_memory {
	/* Lines whose state matters: address, and state in its low bits; 0: none. */
	uint64_t lines[UNCORE_SETS][UNCORE_WAYS];
	uint8_t oldest[UNCORE_SETS];
	/* The lines that the core's own caches hold, with LINE_MODIFIED; 0: none. */
	uint64_t core[UNCORE_CORE_SETS][UNCORE_CORE_WAYS];
	unsigned core_ways; /* of those, as many as the part has */
	uint8_t core_oldest[UNCORE_CORE_SETS];
	struct uncore_wc_buffer wc[UNCORE_WC_BUFFERS];
	unsigned next_wc;
	/* Lines that loads leave as they are, or stores, too. */
	uint64_t settled[UNCORE_SETTLED];
	uint64_t busy_until; /* TSC */
};
