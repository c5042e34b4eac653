/* SPDX-License-Identifier: BSD-2-Clause */
/* Sockets, and on which buses of them boxes are. */
#pragma once

#include "box.h"

#define BOX_SOCKETS_MAX 4u

struct box_socket {
	uint8_t bus, number, node; /* of its system box */
	uint8_t io_bus, last_bus;
};

/* Sockets by number, and which of them this processor is in. */
unsigned box_find_sockets(const struct box_part *part, struct box_socket *sockets, unsigned *own);

/* The package of this processor; 0 where CPUID does not tell. */
unsigned box_own_package(void);

/* The bus of the socket that the place is on, or would be. */
unsigned box_bus(const struct box_place *place, const struct box_socket *socket);
bool box_is_there(const struct box_place *place, unsigned bus);
bool box_has_id(uint16_t function, uint16_t id);
