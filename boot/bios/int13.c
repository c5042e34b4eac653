/* SPDX-License-Identifier: BSD-2-Clause */
/* Disks by INT 13h and its extensions.  Phoenix, "BIOS Enhanced Disk Drive Specification", 3.0. */
#include "int13.h"

#include "real_mode.h"

#define INT_DISK 0x13u

/* In AH. */
enum { EXTENSIONS = 0x41, READ, WRITE, PARAMETERS = 0x48 };

#define EXTENSIONS_ASK    0x55aau /* in BX */
#define EXTENSIONS_ANSWER 0xaa55u
#define HAS_PACKETS       1u /* in CX: functions 42h to 44h, 47h and 48h */

/* In AH, with carry set. */
#define STATUS_PROTECTED 0x03u

struct packet {
	uint8_t size, reserved;
	uint16_t count, offset, segment;
	uint64_t first;
} __attribute__((packed));

struct parameters {
	uint16_t size, flags;
	uint32_t cylinders, heads, track_sectors;
	uint64_t sectors;
	uint16_t sector_size;
} __attribute__((packed));

_Static_assert(sizeof(struct packet) == 16, "known to the BIOS");
_Static_assert(sizeof(struct parameters) == 26, "known to the BIOS");

/* Memory in the segment of real mode that the BIOS reads and writes. */
struct room {
	uint8_t sectors[SLOT_CHUNK * SECTOR_SIZE];
	union {
		struct packet packet;
		struct parameters parameters;
	};
};

_Static_assert(sizeof(struct room) <= REAL_MODE_ROOM, "in front of the code there");

static struct room *room(void)
{
	return (struct room *)(uintptr_t)REAL_MODE_FROM;
}

/* SI points at packet or parameters.  False: carry is set, and AH has the status. */
static bool call(uint8_t drive, uint8_t function, struct real_mode_registers *registers)
{
	registers->eax = (uint32_t)function << 8;
	registers->edx = drive;
	registers->esi = offsetof(struct room, packet);
	real_mode_interrupt(INT_DISK, registers);
	return !(registers->flags & FLAGS_CARRY);
}

/* ---- reading and writing ---- */

static const char *describe(uint8_t function, uint8_t status)
{
	static char sentence[96];

	if (status == STATUS_PROTECTED)
		return "the disk is write-protected";
	/* Not every BIOS finds that out: some tell no more than of a failure. */
	fmt_print(sentence, sizeof(sentence), "the BIOS cannot %s: status %02xh",
		  function == READ ? "read the disk" : "write the disk, which may be protected",
		  status);
	return sentence;
}

static const char *transfer(const struct disk *disk, uint8_t function, uint64_t first,
			    unsigned count)
{
	const struct bios_drive *drive = (const struct bios_drive *)disk;
	struct real_mode_registers registers = {0};

	room()->packet = (struct packet){
		.size = sizeof(struct packet),
		.count = (uint16_t)count,
		.offset = offsetof(struct room, sectors),
		.segment = REAL_MODE_SEGMENT,
		.first = first,
	};
	if (!call(drive->number, function, &registers))
		return describe(function, registers.eax >> 8 & 0xffu);
	return room()->packet.count == count ? NULL : "the BIOS has not done all sectors";
}

static const char *read_sectors(const struct disk *disk, uint64_t first, unsigned count,
				void *bytes)
{
	const char *error = transfer(disk, READ, first, count);

	if (!error)
		memcpy(bytes, room()->sectors, (size_t)count * SECTOR_SIZE);
	return error;
}

static const char *write_sectors(const struct disk *disk, uint64_t first, unsigned count,
				 const void *bytes)
{
	memcpy(room()->sectors, bytes, (size_t)count * SECTOR_SIZE);
	return transfer(disk, WRITE, first, count);
}

/* ---- the drive ---- */

/* Its vector, offset and segment, lies in the table at address 0. */
bool bios_has_disks(void)
{
	uintptr_t vector = INT_DISK * sizeof(uint32_t);

	__asm__("" : "+r"(vector)); /* for the compiler it is no object of any size */
	return *(const uint32_t *)vector != 0;
}

static bool has_extensions(uint8_t number)
{
	struct real_mode_registers registers = {.ebx = EXTENSIONS_ASK};

	return call(number, EXTENSIONS, &registers) &&
	       (registers.ebx & 0xffffu) == EXTENSIONS_ANSWER && registers.ecx & HAS_PACKETS;
}

const char *bios_drive_open(struct bios_drive *drive, uint8_t number)
{
	struct parameters *parameters = &room()->parameters;
	struct real_mode_registers registers = {0};

	if (!has_extensions(number))
		return "the BIOS has no such drive as the loader names, or no extensions of INT "
		       "13h for it";
	*parameters = (struct parameters){.size = sizeof(*parameters)};
	if (!call(number, PARAMETERS, &registers))
		return "the BIOS does not say how large the disk is";
	if (parameters->sector_size != SECTOR_SIZE)
		return "the loader came from a medium with sectors of other than 512 bytes, as a "
		       "CD has";
	*drive = (struct bios_drive){{parameters->sectors, read_sectors, write_sectors}, number};
	return NULL;
}
