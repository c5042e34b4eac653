/* SPDX-License-Identifier: BSD-2-Clause */
/* The guest's memory through page tables of every kind. */
#include "model/vmm/guest/guest.h"

#include <sys/mman.h>

#include "check/unit/tap.h"

/* Bits of an entry of a page table that was used before, as most are. */
enum {
	ACCESSED = 32,
	DIRTY = 64,
	PRESENT = 1 | ACCESSED,
	WRITABLE = 2 | DIRTY,
	USER = 4,
	WRITE_THROUGH = 8,
	UNCACHEABLE = 16,
	LARGE_PAGE = 128
};
#define NO_EXECUTE BIT(63)
#define KEY_1      BIT(59)

#define CR0_PAGING BIT(31)
#define EFER_LONG  BIT(10)

enum { PAGE = 4096, TABLES = 4 };

static struct vmcb vmcb;
static struct guest guest = {.vmcb = &vmcb};

/* Below 4 GiB, as are the page tables of 32-bit programs. */
static uint8_t *pool;

uint64_t vmm_gpr[GPRS];

int msr_read(uint32_t msr, uint64_t *value)
{
	*value = UINT64_C(0x0007040600070406); /* as after a reset */
	return msr == 0x277 ? -1 : 13;
}

static unsigned flushes;

void vmm_flush_translations(void)
{
	flushes++;
}

static uint64_t table(unsigned n)
{
	return (uint64_t)(uintptr_t)pool + n * PAGE;
}

static void put_64(unsigned n, unsigned index, uint64_t entry)
{
	memcpy(pool + n * PAGE + 8 * index, &entry, sizeof(entry));
}

static void put_32(unsigned n, unsigned index, uint64_t entry)
{
	uint32_t low = (uint32_t)entry;

	memcpy(pool + n * PAGE + 4 * index, &low, sizeof(low));
}

static void begin(uint64_t cr4, uint64_t efer)
{
	memset(pool, 0, TABLES * PAGE);
	memset(&vmcb, 0, sizeof(vmcb));
	vmcb.cr0 = CR0_PAGING;
	vmcb.cr3 = table(0);
	vmcb.cr4 = cr4;
	vmcb.efer = efer;
	guest_forget_pages();
}

/* Where it is now, whatever has been kept. */
static uint64_t located(uint64_t linear)
{
	struct memory_access access = {0};

	guest_forget_pages();
	return guest_locate(&guest, linear, &access) ? access.physical : 0;
}

static enum memory_type type_at(uint64_t linear)
{
	struct memory_access access = {0};

	guest_forget_pages();
	guest_locate(&guest, linear, &access);
	return access.type;
}

static void test_without_paging(void)
{
	begin(0, 0);
	vmcb.cr0 = 0;
	OK(located(0x12345678) == 0x12345678);
	OK(guest_same_address(&guest, 0x12345000, true));
}

static void test_two_levels(void)
{
	const uint64_t linear = 0x08049abc; /* entries 32 and 73 */

	begin(0, 0);
	OK(!located(linear));
	put_32(0, 32, table(1) | PRESENT | WRITABLE | USER);
	OK(!located(linear));
	put_32(1, 73, 0x00345000 | PRESENT);
	OK(located(linear) == 0x00345abc && type_at(linear) == MEMORY_WRITE_BACK);
	put_32(1, 73, 0x00345000 | PRESENT | UNCACHEABLE);
	OK(type_at(linear) == MEMORY_UNCACHEABLE);
	put_32(1, 73, 0x00345000 | PRESENT | WRITE_THROUGH);
	OK(type_at(linear) == MEMORY_WRITE_THROUGH);
	put_32(0, 33,
	       table(1) | PRESENT | LARGE_PAGE); /* a table: nothing has allowed large pages */
	OK(located((33u << 22) + (73 << 12)) == 0x00345000);
}

static void test_pages_of_4_mib(void)
{
	begin(BIT(4), 0);
	put_32(0, 32, 0x00c00000 | PRESENT | WRITABLE | LARGE_PAGE);
	OK(located(0x08049abc) == 0x00c49abc);
	put_32(0, 32, 0x00c00000 | 5u << 13 | PRESENT | LARGE_PAGE); /* address bits 39:32 */
	OK(located(0x08049abc) == UINT64_C(0x500c49abc));
	put_32(0, 32, table(1) | PRESENT);
	put_32(1, 73, 0x00345000 | PRESENT);
	OK(located(0x08049abc) == 0x00345abc);
}

static bool may_write(uint64_t linear)
{
	guest_forget_pages();
	return guest_same_address(&guest, linear, true);
}

static bool may_execute(uint64_t linear)
{
	unsigned available;

	guest_forget_pages();
	guest_code(&guest, linear, &available);
	return available && guest_code_allowed(&guest);
}

static void test_rights_of_two_levels(void)
{
	begin(0, 0);
	put_32(0, 32, table(1) | PRESENT | WRITABLE | USER);
	put_32(1, 73, 0x08049000 | PRESENT | WRITABLE);
	OK(may_write(0x08049000));
	vmcb.cpl = 3;
	OK(!may_write(0x08049000) && !may_execute(0x08049000));
	put_32(1, 73, 0x08049000 | PRESENT | WRITABLE | USER);
	OK(may_write(0x08049000) && may_execute(0x08049000));
	put_32(0, 32, table(1) | PRESENT | USER);
	OK(!may_write(0x08049000));
}

/* The last word of a page is 4 bytes in 32-bit code. */
static void test_end_of_page(void)
{
	begin(0, 0);
	vmcb.cr0 = 0;
	guest.size = CODE_32;
	OK(may_write(0x12345ffc) && !may_write(0x12345ffd));
	guest.size = CODE_64;
	OK(may_write(0x12345ff8) && !may_write(0x12345ffc));
}

/* PAE: the first table has four entries, at any multiple of 32. */
static void test_three_levels(void)
{
	const uint64_t linear = 0x48049abc; /* entries 1, 64 and 73 */

	begin(BIT(5), 0);
	vmcb.cr3 += 0x20;
	put_64(0, 4 + 1, table(1) | PRESENT); /* no rights are told there */
	put_64(1, 64, table(2) | PRESENT | WRITABLE | USER);
	put_64(2, 73, 0x48049000 | PRESENT | WRITABLE | USER);
	OK(located(linear) == 0x48049abc && may_write(0x48049000) && may_execute(0x48049000));
	put_64(2, 73, 0x48049000 | PRESENT | WRITABLE | NO_EXECUTE);
	OK(may_write(0x48049000) && !may_execute(0x48049000));
	put_64(1, 64, 0x48200000 | PRESENT | LARGE_PAGE);
	OK(located(linear) == 0x48249abc);
	put_64(0, 4 + 1, 0);
	OK(!located(linear));
}

static void test_four_levels(void)
{
	const uint64_t linear = UINT64_C(0x8048049abc); /* entries 1, 1, 64 and 73 */

	begin(BIT(5), EFER_LONG);
	put_64(0, 1, table(1) | PRESENT | WRITABLE);
	put_64(1, 1, table(2) | PRESENT | WRITABLE);
	put_64(2, 64, table(3) | PRESENT | WRITABLE);
	put_64(3, 73, 0x00345000 | PRESENT);
	OK(located(linear) == 0x00345abc);
	put_64(2, 64, 0x48200000 | PRESENT | LARGE_PAGE);
	OK(located(linear) == 0x48249abc);
	put_64(1, 1, 0x40000000 | PRESENT | LARGE_PAGE);
	OK(located(linear) == 0x48049abc);
}

static void map_high(uint64_t rights)
{
	begin(BIT(5), EFER_LONG);
	put_64(0, 1, table(1) | PRESENT | WRITABLE | USER);
	put_64(1, 1, table(2) | PRESENT | WRITABLE | USER);
	put_64(2, 64, table(3) | PRESENT | WRITABLE | USER);
	put_64(3, 73, 0x00345000 | PRESENT | WRITABLE | rights);
}

/* Memory that is elsewhere than its address says is at that address for the VMM, too. */
static void test_shared(void)
{
	static uint64_t top[512];
	const uint64_t linear = UINT64_C(0x8048049000);

	map_high(0);
	OK(!may_write(linear));
	guest_share(top);
	OK(may_write(linear) && top[1] == (table(1) | PRESENT | WRITABLE | USER) && flushes == 1);
	OK(may_write(linear) && flushes == 1);
	put_64(3, 73, 0x80000000 | PRESENT | WRITABLE); /* no RAM */
	OK(!may_write(linear) && guest_same_device(&guest, linear, 0x80000000, true));
	vmcb.cr4 |= BIT(12); /* LA57 */
	OK(!may_write(linear));
	begin(BIT(5), EFER_LONG);
	put_64(0, 0, table(1) | PRESENT | WRITABLE); /* where the VMM has physical memory */
	put_64(1, 1, 0x40000000 | PRESENT | WRITABLE | LARGE_PAGE);
	OK(may_write(0x40000000));
	put_64(1, 1, 0x00000000 | PRESENT | WRITABLE | LARGE_PAGE);
	OK(!may_write(0x40000000) && !top[0]);
}

/* SMEP and SMAP keep the kernel from what is its program's. */
static void test_prevention(void)
{
	const uint64_t linear = UINT64_C(0x8048049000);

	map_high(USER);
	OK(may_write(linear) && may_execute(linear));
	vmcb.cr4 |= BIT(20);
	OK(may_write(linear) && !may_execute(linear));
	vmcb.cr4 |= BIT(21);
	OK(!may_write(linear));
	vmcb.rflags = BIT(18);
	OK(may_write(linear));
	vmcb.rflags = 0;
	vmcb.cpl = 3;
	OK(may_write(linear) && may_execute(linear));
}

/* Marks that an access must still set in the tables are set in guest mode, and seen afterwards. */
static void test_marks(void)
{
	const uint64_t linear = UINT64_C(0x8048049000);
	unsigned available;

	map_high(0);
	put_64(3, 73, 0x00345000 | 1 | WRITABLE);
	OK(!guest_same_address(&guest, linear, false) && !may_execute(linear));
	put_64(3, 73, 0x00345000 | PRESENT | 2);
	guest_code(&guest, linear, &available);
	OK(available && guest_code_allowed(&guest));
	OK(guest_same_address(&guest, linear, false) && !guest_same_address(&guest, linear, true));
	put_64(3, 73, 0x00345000 | PRESENT | WRITABLE);
	OK(guest_same_address(&guest, linear, true));
	put_64(2, 64, table(3) | 1 | WRITABLE | USER);
	OK(!may_write(linear));
	put_64(2, 64, table(3) | PRESENT | 2 | USER); /* only of a last one is it noted */
	OK(may_write(linear));
}

static void test_protection_keys(void)
{
	const uint64_t linear = UINT64_C(0x8048049000);

	map_high(KEY_1);
	OK(may_write(linear));
	vmcb.cr4 |= BIT(22);
	OK(!may_write(linear));
	map_high(0);
	vmcb.cr4 |= BIT(22);
	OK(may_write(linear));
}

/* Its lower bits alone would lead to a page. */
static void test_not_canonical(void)
{
	map_high(0);
	OK(located(UINT64_C(0x8048049000)) && !located(UINT64_C(0x1008048049000)));
	OK(!may_write(UINT64_C(0x1008048049000)) && !may_execute(UINT64_C(0x1008048049000)));
}

static uint64_t get_64(unsigned n, unsigned index)
{
	uint64_t entry;

	memcpy(&entry, pool + n * PAGE + 8 * index, sizeof(entry));
	return entry;
}

/* The processor's own writes heed write protection, and leave their marks in the tables. */
static void test_writes_of_its_own(void)
{
	const uint64_t linear = UINT64_C(0x8048049ff8);
	const uint8_t bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

	map_high(0);
	put_64(3, 73, (uint64_t)(uintptr_t)(pool + (TABLES + 1) * PAGE) | 1 | 2);
	put_64(3, 74, (uint64_t)(uintptr_t)(pool + TABLES * PAGE) | 1);
	vmcb.cr0 |= BIT(16);
	OK(!guest_write(&guest, linear, bytes, sizeof(bytes)));
	OK(get_64(3, 73) & DIRTY && get_64(3, 73) & ACCESSED && !(get_64(3, 74) & DIRTY));
	vmcb.cr0 &= ~BIT(16);
	OK(guest_write(&guest, linear, bytes, sizeof(bytes)) && get_64(3, 74) & DIRTY);
	OK(!memcmp(pool + (TABLES + 2) * PAGE - 8, bytes, 8));
	OK(!memcmp(pool + TABLES * PAGE, bytes + 8, 8));
}

/* Only the begin is there of an instruction that ends in a page which is not executable. */
static void test_code_at_end_of_page(void)
{
	const uint64_t linear = UINT64_C(0x8048049ffc);
	unsigned available;

	map_high(0);
	put_64(3, 73, (uint64_t)(uintptr_t)(pool + TABLES * PAGE) | PRESENT);
	put_64(3, 74, (uint64_t)(uintptr_t)(pool + (TABLES + 1) * PAGE) | PRESENT);
	guest_code(&guest, linear, &available);
	OK(available == 15);
	put_64(3, 74, (uint64_t)(uintptr_t)(pool + (TABLES + 1) * PAGE) | PRESENT | NO_EXECUTE);
	guest_forget_pages();
	guest_code(&guest, linear, &available);
	OK(available == 4 && guest_code_allowed(&guest));
	put_64(3, 73, 0);
	guest_forget_pages();
	guest_code(&guest, linear, &available);
	OK(!available && !guest_code_allowed(&guest));
}

int main(void)
{
	pool = mmap(NULL, (TABLES + 2) * PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (pool == MAP_FAILED)
		return 1;
	test_without_paging();
	test_two_levels();
	test_pages_of_4_mib();
	test_rights_of_two_levels();
	test_end_of_page();
	test_three_levels();
	test_four_levels();
	test_shared();
	test_prevention();
	test_marks();
	test_protection_keys();
	test_not_canonical();
	test_writes_of_its_own();
	test_code_at_end_of_page();
	return tap_end();
}
