/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code that needs no machine of ours around it, so that the model and the host's unit tests use it
 * too.
 *
 * Room: pure computation (bit fields, text, patterns, ACPI tables, ranges of memory, kinds of
 *       guests, watchdogs, timers), and access to I/O ports
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acpi.h"
#include "bits.h"
#include "encryption.h"
#include "fmt.h"
#include "glob.h"
#include "pm_timer.h"
#include "ports.h"
#include "ranges.h"
#include "string.h"
#include "tco.h"
