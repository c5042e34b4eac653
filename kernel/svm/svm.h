/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This processor as the host of a guest, by AMD-V.  The guest executes code of ours on the pages,
 * tables and stack that the host has: what tells them apart is the processor's mode alone.
 *
 * Room: a guest of our own
 * Uses: kernel, kernel/lib
 */
#pragma once

#include "kernel/kernel.h"

/*
 * Begins: EFER.SVME is set until svm_end(), which the runner calls after each test.  NULL, or why
 * this processor can be no host.  AMD64 APM vol. 2, 15.4.
 */
const char *svm_begin(void);
void svm_end(void);

/* In between: entry is called in a guest, in ring 0, with interrupts off.  False: the guest did not
 * run, or did not end as it should.  AMD64 APM vol. 2, 15.5. */
bool svm_call(asm_code *entry, uint64_t di, void *si);
