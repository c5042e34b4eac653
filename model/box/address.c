/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a line of memory lies: in which slice, channel and socket. */
#include "box.h"

/* Neighbouring lines lie in different slices, whatever their distance. */
uint64_t uncore_slice_of(uint64_t address)
{
	uint64_t line = address / UNCORE_LINE;

	for (unsigned shift = 24; shift; shift /= 2)
		line ^= line >> shift;
	return line;
}

unsigned uncore_in_use(const struct uncore *u, enum uncore_role role)
{
	const unsigned count = u->role[role].count;
	const bool halved =
		uncore_varies(u, UNCORE_CLUSTERS) && (role == ROLE_SLICE || role == ROLE_CHANNEL);

	return halved ? (count + 1) / 2 : count;
}

/* Channels of a box of that role, which has some of all of them; 0: they have no such boxes. */
static unsigned channels_of(const struct uncore *u, enum uncore_role role)
{
	return u->role[role].count ? u->role[ROLE_CHANNEL].count / u->role[role].count : 0;
}

/* Channels take turns by lines. */
static uint64_t channel_of(const struct uncore *u, uint64_t address)
{
	return address / UNCORE_LINE % uncore_in_use(u, ROLE_CHANNEL);
}

uint64_t uncore_stop_of(const struct uncore *u, enum uncore_role role, uint64_t address)
{
	const unsigned channels = channels_of(u, role);

	return channels ? channel_of(u, address) / channels : address / UNCORE_LINE;
}

static unsigned home_of(const struct uncore *u, uint64_t address)
{
	return u->sockets > 1 && address / UNCORE_REGION % 2 == 0;
}

/* Slices of AMD's caches, and channels of its memory, take turns, too; others' channels are numbers
 * of those of a stop of the mesh. */
void uncore_place(const struct uncore *u, struct uncore_request *request)
{
	const struct uncore_kind *cache = u->box[u->home][u->role[ROLE_CACHE].first].kind;
	const unsigned channels = channels_of(u, ROLE_MESH_MEMORY);

	request->nid = (uint8_t)home_of(u, request->address);
	request->remote = request->nid != u->home;
	if (u->role[ROLE_CACHE].count)
		request->slice = (uint8_t)(uncore_slice_of(request->address) % cache->slices);
	if (u->part->channels)
		request->channel = (uint8_t)(request->address / UNCORE_LINE % u->part->channels);
	else if (channels)
		request->channel = (uint8_t)(channel_of(u, request->address) % channels);
}
