/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: programs for Linux on the silicon model, which count and sample by the model's PMU and
 * print their results on the console, one "linux: KEY VALUE..." a line.
 */
#pragma once

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- spin.c ---- */

/* Executes a loop of two instructions, the second of them a branch, count times. */
void spin(uint64_t count);
/* Where its two instructions are, and what follows them. */
extern const char spin_first[], spin_branch[], spin_end[];

/* ---- known.c ---- */

/* How many instructions the program in it executes, its last system call included. */
extern const uint64_t known_instructions;

/* ---- event.c: of this program, in user mode alone ---- */

/* A descriptor; -1: the kernel refuses it, errno says why. */
int event_open(struct perf_event_attr *attr, int pid, int cpu);
void event_enable(int fd, bool on);
uint64_t event_read(int fd);
/* The number in a file of a PMU in sysfs; 0: there is no such file. */
unsigned long event_number(const char *device, const char *name);

/* ---- format.c ---- */

/* Puts the value into a field of the PMU's events; false: there is no such field, or it is too
 * narrow. */
bool event_put(const char *device, const char *field, uint64_t value, uint64_t *config);

/* ---- count.c, exec.c, sample.c, uncore.c, multiplex.c, breakpoint.c ---- */

void count_all(void);
/* Says when a loop of ten million instructions, which are counted, begins and ends. */
void count_long(void);
void exec_all(void);
void sample_all(void);
void uncore_all(void);
void multiplex_all(void);
void breakpoint_all(void);
