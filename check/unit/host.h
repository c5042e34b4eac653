/* SPDX-License-Identifier: BSD-2-Clause */
/* The host, for unit tests: stands in for the bare machine. */
#pragma once

#include <stdbool.h>

/* True when body(arg) called panic(); the message is then in host_panic. */
bool host_panics(void (*body)(void *arg), void *arg);

extern char host_panic[256];
