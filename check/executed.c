/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions executed inside QEMU: a plugin of its translator, for check/speed.sh.  Its numbers
 * do not depend on what else the computer does.
 *
 *     qemu-system-x86_64 -plugin build/host/executed.so,out=FILE
 *
 * When QEMU ends, FILE has a line "ADDRESS INSTRUCTIONS TIMES" for each translated block.  A block
 * counts from its begin on: one that is left in its middle, by a fault or an exit, counts whole,
 * and a repeated string instruction counts once for each time.  One processor alone is counted.
 *
 * QEMU's header for plugins is in no package of Debian's.  What is used of it is declared here, and
 * all versions have it: they are told apart by the number below, which executed.sh asks QEMU for.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* ---- of QEMU's include/qemu/qemu-plugin.h, version 1 (7.2) to 7 (11.1) ---- */

struct qemu_plugin_tb;
struct qemu_info;
typedef void tb_callback(uint64_t id, struct qemu_plugin_tb *tb);
typedef void exec_callback(unsigned processor, void *data);
enum { NO_REGISTERS };

extern EXPORT const int qemu_plugin_version;
EXPORT int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv);
/* From version 7 on with a last argument that the callback gets behind the block, and without the
 * number in front of it. */
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void *callback, void *data);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, exec_callback *callback,
					  int flags, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);

const int qemu_plugin_version = PLUGIN_VERSION;
enum { VERSION_WITH_DATA = 7 };

/* ---- blocks ---- */

struct block {
	struct block *next; /* of the same hash */
	uint64_t address, instructions, times;
};

enum { HASHES = 65536 };
static struct block *blocks[HASHES];
static FILE *out;

/* A block that is translated again, as for another mode of the processor, is the same one. */
static struct block *block_of(uint64_t address, uint64_t instructions)
{
	struct block **list = &blocks[(address ^ instructions << 8) % HASHES], *block = *list;

	while (block && (block->address != address || block->instructions != instructions))
		block = block->next;
	if (block)
		return block;
	block = malloc(sizeof(*block));
	if (!block)
		abort();
	*block = (struct block){*list, address, instructions, 0};
	return *list = block;
}

static void executed(unsigned processor, void *data)
{
	(void)processor;
	((struct block *)data)->times++;
}

static void translated(struct qemu_plugin_tb *tb)
{
	struct block *block = block_of(qemu_plugin_tb_vaddr(tb), qemu_plugin_tb_n_insns(tb));

	qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, NO_REGISTERS, block);
}

static void translated_with_id(uint64_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	translated(tb);
}

static void translated_with_data(struct qemu_plugin_tb *tb, void *data)
{
	(void)data;
	translated(tb);
}

/* Whatever QEMU ends by, but for a signal that kills. */
__attribute__((destructor)) static void print_blocks(void)
{
	for (unsigned i = 0; out && i < HASHES; i++)
		for (const struct block *b = blocks[i]; b; b = b->next)
			fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", b->address,
				b->instructions, b->times);
}

int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
	(void)info;
	if (argc != 1 || strncmp(argv[0], "out=", 4) || !(out = fopen(argv[0] + 4, "w"))) {
		fprintf(stderr, "executed.so: allowed is out=FILE, which can be written\n");
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id,
					      PLUGIN_VERSION < VERSION_WITH_DATA
						      ? (void *)translated_with_id
						      : (void *)translated_with_data,
					      NULL);
	return 0;
}
