/* SPDX-License-Identifier: BSD-2-Clause */
/* The program's version, in a file of its own so that a commit recompiles nothing else. */
#ifndef VERSION_H
#define VERSION_H

extern const char version[];

#endif
