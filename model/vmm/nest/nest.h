/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: AMD-V for the guest: it may be the host of a guest of its own (AMD64 APM volume 2, chapter
 * 15).  There is no nested paging, so page tables of the inner guest, which its host makes, lead to
 * physical memory as the host's own do.
 * Uses: kernel/lib
 * Uses: model/vmm/guest, model/vmm/step
 */
#pragma once

#include "model/vmm/guest/guest.h"

/* ---- host.c ---- */

/* The guest begins anew, with EFER.SVME clear. */
void nest_reset(struct guest *g);
/* EFER.SVME as its host has it, which only a processor with AMD-V can set. */
bool nest_is_on(void);
void nest_turn(struct guest *g, bool on);
/* Of these, VM_HSAVE_PA is read, and VM_CR written to; false: #GP. */
bool nest_rdmsr(uint32_t msr, uint64_t *value);
bool nest_wrmsr(uint32_t msr, uint64_t value);

/* The rest is for while it is on. */

/* VMLOAD, VMSAVE, STGI, CLGI and INVLPGA, as the exit code says; false: #GP. */
bool nest_execute(struct guest *g);

/* ---- run.c ---- */

/* VMRUN of so many bytes at RIP, with the address of the VMCB in RAX; false: #GP. */
bool nest_run(struct guest *g, const struct insn *insn);

/* ---- entry.c ---- */

/* Around each entry: the controls of the host are added to those of the VMM.  True: interrupts of
 * the machine make the guest exit, whatever its own RFLAGS.IF is. */
bool nest_prepare(struct guest *g);
void nest_entered(struct guest *g);

/* ---- exit.c ---- */

/* At each exit, before anybody else: true: it was the host's, which goes on, or is done. */
bool nest_exit(struct guest *g);
/* Where g->nest.due: an event by hand that could not be delivered, or an NMI that was kept. */
void nest_settle(struct guest *g);

/* ---- merge.c ---- */

/* Tables by which AMD-V asks whether an access exits: AMD64 APM volume 2, 15.10 and 15.11. */
enum { MSR_MAP = 2 * 4096, PORT_MAP = 3 * 4096 };

/* Adds to the VMM's intercepts in v those of the host. */
void merge_intercepts(struct vmcb *v, const struct vmcb *host);
/* Makes a map of size bytes in which a bit is set that is set in either. */
void merge_map(uint8_t *map, const uint8_t *ours, const uint8_t *hosts, size_t size);

/* ---- wants.c ---- */

/* Does the exit that v tells of reach the host whose VMCB this is?  Its maps are where its
 * physical memory is; msr: ECX. */
bool wants_exit(const struct vmcb *host, const struct vmcb *v, uint32_t msr);
/* Has it asked for instructions that the VMM else executes in runs, such as PUSHF? */
bool wants_plain_instructions(const struct vmcb *host);

/* ---- extra.c: VMLOAD and VMSAVE ---- */

void extra_load(uint64_t physical);
void extra_save(uint64_t physical);
