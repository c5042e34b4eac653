/* SPDX-License-Identifier: BSD-2-Clause */
/* I/O ports. */
#pragma once

#include <stdint.h>

#define PORT_ACCESS(type, suffix)                                                                  \
	static inline type in##suffix(uint16_t port)                                               \
	{                                                                                          \
		type v;                                                                            \
                                                                                                   \
		__asm__ volatile("in" #suffix " %1, %0" : "=a"(v) : "Nd"(port));                   \
		return v;                                                                          \
	}                                                                                          \
	static inline void out##suffix(uint16_t port, type v)                                      \
	{                                                                                          \
		__asm__ volatile("out" #suffix " %0, %1" : : "a"(v), "Nd"(port));                  \
	}
PORT_ACCESS(uint8_t, b)
PORT_ACCESS(uint16_t, w)
PORT_ACCESS(uint32_t, l)
