/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The bare machine: taken over from the firmware and given back, with its traps, guarded calls,
 * ring 3, local APIC and PCI configuration space.
 *
 * Room: all that drives the machine except PMUs, whatever the size of a word.
 * Uses: kernel/console, kernel/lib
 */
#ifndef KERNEL_H
#define KERNEL_H

#include "apic.h"
#include "control.h"
#include "cpu.h"
#include "fault.h"
#include "identify.h"
#include "image.h"
#include "kernel/console/console.h"
#include "kernel/lib/lib.h"
#include "machine.h"
#include "panic.h"
#include "pci.h"
#include "sibling.h"
#include "threads.h"
#include "trap.h"
#include "user.h"

#endif
