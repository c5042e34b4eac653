/* SPDX-License-Identifier: BSD-2-Clause */
/* What the user types while the machine is taken over. */
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>

/* Was "q" typed since the last call, on the serial console or a PS/2 keyboard? */
bool input_quit(void);

#endif
