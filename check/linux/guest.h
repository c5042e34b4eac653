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

/* The same of three instructions, the first of which loads the word. */
void spin_loads(uint64_t count, const uint64_t *word);
extern const char spin_load[], spin_load_end[];

/* ---- known.c ---- */

/* How many instructions the program in it executes, its last system call included. */
extern const uint64_t known_instructions;

/* ---- event.c: of this program, in user mode alone ---- */

/* A descriptor; -1: the kernel refuses it, errno says why. */
int event_open(struct perf_event_attr *attr, int pid, int cpu);
/* The same of this program, on the counters of a PMU together with the event of that descriptor. */
int event_open_beside(struct perf_event_attr *attr, int leader);
void event_enable(int fd, bool on);
uint64_t event_read(int fd);
/* The PMU of the cores at hand; where Linux knows two kinds of them, of the first that there is. */
const char *event_core(void);
/* Has a PMU that file in sysfs? */
bool event_is_known(const char *device, const char *name);
/* The number in it, decimal; 0: there is none. */
unsigned long event_number(const char *device, const char *name);

/* ---- format.c ---- */

/* Puts the value into a field of the PMU's events; false: there is no such field, or it is too
 * narrow. */
bool event_put(const char *device, const char *field, uint64_t value, uint64_t *config);

/* ---- count.c, exec.c, sample.c, topdown.c, uncore.c, multiplex.c, breakpoint.c ---- */

void count_all(void);
/* Says when a loop of ten million instructions, which are counted, begins and ends. */
void count_long(void);
void exec_all(void);
void sample_all(void);
void topdown_all(void);
void uncore_all(void);
void multiplex_all(void);
void breakpoint_all(void);
