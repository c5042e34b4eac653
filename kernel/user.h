/* SPDX-License-Identifier: BSD-2-Clause */
/* Ring 3: a window of user pages holds the payload code (section .user.text of the image, mapped
 * read-only and executable for ring 3), one data buffer and one stack. */
#ifndef USER_H
#define USER_H

#include <stdbool.h>
#include <stdint.h>

#define USER_BUFFER_SIZE (64u * 1024u + 4096u) /* so there are addresses 64 KiB apart */

/* The buffer that payloads may write, 64-byte aligned, accessible from ring 0 and ring 3. */
void *user_buffer(void);

/* The memory types of this buffer and of the payloads' code: write-back at first. */
enum user_memory {
	USER_WRITE_BACK,
	USER_BUFFER_WRITE_THROUGH,
	USER_BUFFER_WRITE_PROTECTED,
	USER_BUFFER_UNCACHEABLE,
	USER_TEXT_UNCACHEABLE,
};

/* From now on; all caches are emptied.  False, and nothing changed: the page attribute table is not
 * as after a reset.  Intel SDM vol. 3A, 11.12. */
bool user_memory_use(enum user_memory memory);

/*
 * Calls entry(rdi, rsi) in ring 3 (entry lies in .user.text) and returns the RAX it left.
 * The way in is one IRETQ; the way out, after entry's RET to the return stub in .user.text, is
 * that stub's single INT VECTOR_USER.  Interrupts are enabled in ring 3 when they are here.
 * extra_rflags is ORed into the RFLAGS loaded by the IRETQ (0, or RFLAGS_TF).
 * A fault in ring 3 that no handler takes is an unexpected trap and ends the guard.
 */
uint64_t user_call(uint64_t (*entry)(uint64_t rdi, void *rsi), uint64_t rdi, void *rsi,
		   uint64_t extra_rflags);

/* The return stub: single-stepping code uses it to tell payload from gate. */
extern const char user_return[];

/* Plain RDPMC in ring 3, for user_call(). */
extern uint64_t user_rdpmc(uint64_t index, void *unused);

#endif
