/* SPDX-License-Identifier: BSD-2-Clause */
/* Ranges of memory: merged, looked up, and cut into pages. */
#include "kernel/lib/ranges.h"

#include "check/unit/tap.h"

#define GIB  (UINT64_C(1) << 30)
#define MIB  (UINT64_C(1) << 20)
#define SIZE 8u

static struct memory_range kept[SIZE];
static unsigned count;

static void merge(const struct memory_range *ranges, unsigned n)
{
	memcpy(kept, ranges, n * sizeof(*ranges));
	count = ranges_merge(kept, n);
}

static bool is(unsigned i, uint64_t from, uint64_t to)
{
	return i < count && kept[i].from == from && kept[i].to == to;
}

static void test_merge_sorts(void)
{
	static const struct memory_range unsorted[] = {
		{5 * MIB, 6 * MIB}, {1 * MIB, 2 * MIB}, {3 * MIB, 4 * MIB}};

	merge(unsorted, 3);
	OK(count == 3);
	OK(is(0, 1 * MIB, 2 * MIB));
	OK(is(1, 3 * MIB, 4 * MIB));
	OK(is(2, 5 * MIB, 6 * MIB));
}

static void test_merge_joins(void)
{
	static const struct memory_range touching[] = {{2 * MIB, 3 * MIB}, {1 * MIB, 2 * MIB}};
	static const struct memory_range overlapping[] = {
		{1 * MIB, 4 * MIB}, {2 * MIB, 3 * MIB}, {3 * MIB, 5 * MIB}, {1 * MIB, 2 * MIB}};
	static const struct memory_range inner[] = {{1 * MIB, 4 * MIB}, {2 * MIB, 3 * MIB}};

	merge(touching, 2);
	OK(count == 1 && is(0, 1 * MIB, 3 * MIB));
	merge(overlapping, 4);
	OK(count == 1 && is(0, 1 * MIB, 5 * MIB));
	merge(inner, 2);
	OK(count == 1 && is(0, 1 * MIB, 4 * MIB));
	merge(touching, 0);
	OK(count == 0);
}

/* Empty ones, backward ones, and what holds no whole page. */
static void test_merge_drops(void)
{
	static const struct memory_range none[] = {
		{0x1234, 0x1234}, {0x5000, 0x5000}, {0x9000, 0x8000}, {0x6001, 0x7fff}};
	static const struct memory_range beside[] = {{0x3000, 0x3000}, {0x1000, 0x2000}};
	static const struct memory_range last = {UINT64_MAX - 5, UINT64_MAX};

	merge(none, 4);
	OK(count == 0);
	merge(beside, 2);
	OK(count == 1 && is(0, 0x1000, 0x2000));
	merge(&last, 1);
	OK(count == 0);
}

static void test_merge_keeps_whole_pages(void)
{
	static const struct memory_range odd[] = {{0x1001, 0x3fff}};
	static const struct memory_range halves[] = {{0x1000, 0x1800}, {0x1800, 0x2000}};

	merge(odd, 1);
	OK(count == 1 && is(0, 0x2000, 0x3000));
	merge(halves, 2);
	OK(count == 1 && is(0, 0x1000, 0x2000));
}

static void test_of_pages(void)
{
	struct memory_range range = range_of_pages(MIB, 256);

	OK(range.from == MIB && range.to == 2 * MIB);
	range = range_of_pages(MIB, 0);
	OK(range.from == MIB && range.to == MIB);
	/* Never wraps. */
	range = range_of_pages(MIB, UINT64_MAX);
	OK(range.from == MIB && range.to > UINT64_MAX - 0x1000);
	range = range_of_pages(MIB, UINT64_C(1) << 52);
	OK(range.to > UINT64_MAX - 0x1000);
}

static void test_hold(void)
{
	static const struct memory_range ranges[] = {{0x1000, 0x3000}, {0x5000, 0x6000}};

	OK(!ranges_hold(ranges, 2, 0xfff));
	OK(ranges_hold(ranges, 2, 0x1000));
	OK(ranges_hold(ranges, 2, 0x2fff));
	OK(!ranges_hold(ranges, 2, 0x3000));
	OK(ranges_hold(ranges, 2, 0x5fff));
	OK(!ranges_hold(ranges, 2, 0x6000));
}

static bool hole_is(unsigned i, uint64_t from, uint64_t to)
{
	static const struct memory_range ranges[] = {
		{0x1000, 0x3000}, {0x5000, 0x6000}, {0xa000, 0xb000}};
	struct memory_range hole = ranges_hole(ranges, 3, i, 0x8000);

	return to == 0 ? hole.from >= hole.to : hole.from == from && hole.to == to;
}

static void test_hole(void)
{
	struct memory_range all = ranges_hole(NULL, 0, 0, GIB);

	OK(hole_is(0, 0, 0x1000));
	OK(hole_is(1, 0x3000, 0x5000));
	OK(hole_is(2, 0x6000, 0x8000));
	OK(hole_is(3, 0, 0));
	OK(all.from == 0 && all.to == GIB);
}

static const struct page_format four_levels = {.bits = 9, .levels = 4, .largest = 3};

static unsigned level(uint64_t address, uint64_t to, unsigned largest)
{
	return page_level(&four_levels, address, to, largest);
}

static void test_level(void)
{
	OK(level(0, GIB, 3) == 3);
	OK(level(0, GIB, 2) == 2);
	OK(level(0, GIB, 1) == 1);
	OK(level(0, GIB - 1, 3) == 2);
	OK(level(2 * MIB, 2 * GIB, 3) == 2);
	OK(level(2 * MIB, 4 * MIB, 3) == 2);
	OK(level(2 * MIB, 4 * MIB - 1, 3) == 1);
	OK(level(0x1000, 4 * MIB, 3) == 1);
	OK(level(0x1000, 0x1001, 3) == 1);
}

static uint64_t tables(uint64_t from, uint64_t to, unsigned largest)
{
	struct table_count all = {0};

	page_tables_count(&four_levels, &all, (struct memory_range){from, to}, largest);
	return all.tables;
}

static void test_tables(void)
{
	struct table_count two = {0};

	OK(tables(0, 0, 3) == 0);
	OK(tables(0, 512 * GIB, 3) == 2);
	OK(tables(0, 512 * GIB, 2) == 2 + 512);
	OK(tables(0, 513 * GIB, 3) == 3);
	OK(tables(0, 2 * MIB, 3) == 3);
	OK(tables(0, 0x1000, 3) == 4);
	OK(tables(0, 2 * GIB + 2 * MIB + 0x1000, 3) == 4);
	/* The second uses the tables of the first. */
	page_tables_count(&four_levels, &two, (struct memory_range){0, 0x1000}, 3);
	page_tables_count(&four_levels, &two, (struct memory_range){0x5000, 0x6000}, 3);
	OK(two.tables == 4);
	page_tables_count(&four_levels, &two, (struct memory_range){2 * MIB, 4 * MIB}, 3);
	OK(two.tables == 4);
	page_tables_count(&four_levels, &two, (struct memory_range){4 * MIB, 4 * MIB + 0x1000}, 3);
	OK(two.tables == 5);
}

/* Three levels of the same tables, and two of tables of 1,024 entries. */
static void test_other_formats(void)
{
	static const struct page_format three = {.bits = 9, .levels = 3, .largest = 2};
	static const struct page_format two = {.bits = 10, .levels = 2, .largest = 2};
	struct table_count of_three = {0}, of_two = {0}, half = {0}, small = {0};

	page_tables_count(&three, &of_three, (struct memory_range){0, 4 * GIB}, 2);
	OK(of_three.tables == 1 + 4);
	page_tables_count(&two, &of_two, (struct memory_range){0, 4 * GIB}, 2);
	OK(of_two.tables == 1);
	page_tables_count(&two, &half, (struct memory_range){2 * MIB, 4 * MIB}, 2);
	OK(half.tables == 1 + 1);
	page_tables_count(&two, &small, (struct memory_range){0, 4 * GIB}, 1);
	OK(small.tables == 1 + 1024);
	OK(page_level(&two, 4 * MIB, 8 * MIB, 2) == 2);
	OK(page_level(&two, 2 * MIB, 8 * MIB, 2) == 1);
}

int main(void)
{
	test_merge_sorts();
	test_merge_joins();
	test_merge_drops();
	test_merge_keeps_whole_pages();
	test_of_pages();
	test_hold();
	test_hole();
	test_level();
	test_tables();
	test_other_formats();
	return tap_end();
}
