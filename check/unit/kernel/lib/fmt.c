/* SPDX-License-Identifier: BSD-2-Clause */
/* Formatting against the C library's own, and where it must differ. */
#include "kernel/lib/fmt.h"

#include <limits.h>
#include <stdint.h>

#include "check/unit/host.h"
#include "check/unit/tap.h"
#include "kernel/lib/bits.h"

/* Both formatters on the same arguments: same text, same length. */
#define AS_LIBC(...)                                                                               \
	do {                                                                                       \
		char ours[128], libc[128];                                                         \
		size_t length = fmt_print(ours, sizeof(ours), __VA_ARGS__);                        \
		int want = snprintf(libc, sizeof(libc), __VA_ARGS__);                              \
		SAME(ours, libc);                                                                  \
		OK(length == (size_t)want);                                                        \
	} while (0)

static void test_numbers(void)
{
	AS_LIBC("%u %u", 0u, UINT_MAX);
	AS_LIBC("%d %d %d", 0, INT_MAX, INT_MIN);
	AS_LIBC("%x %x", 0u, 0xdeadbeefu);
	AS_LIBC("%llu %lld %llx", ULLONG_MAX, LLONG_MIN, ULLONG_MAX);
	AS_LIBC("%lu %ld %lx", ULONG_MAX, LONG_MIN, ULONG_MAX);
	AS_LIBC("%08x|%8x|%-8x|", 0xabcu, 0xabcu, 0xabcu);
	AS_LIBC("%05d|%5d|%-5d|%2d", -42, -42, -42, -12345);
	AS_LIBC("%016llx", 1ull << 63);
	AS_LIBC("%030llu", 7ull);
}

static void test_text(void)
{
	AS_LIBC("plain");
	AS_LIBC("%s|%10s|%-10s|%s", "abc", "abc", "abc", "");
	AS_LIBC("%c%c%3c", 'x', '%', 'y');
	AS_LIBC("100%% %s", "sure");
}

static void test_truncation(void)
{
	char out[8] = "#######";

	OK(fmt_print(out, 4, "%s", "abcdef") == 6);
	SAME(out, "abc");
	OK(out[4] == '#');
	OK(fmt_print(out, 1, "%u", 12345u) == 5);
	SAME(out, "");
	out[0] = 'z';
	OK(fmt_print(out, 0, "%u", 12345u) == 5);
	OK(out[0] == 'z');
	OK(fmt_print(NULL, 0, "%s", "abc") == 3);
	OK(fmt_print(out, sizeof(out), "1234567") == 7);
	SAME(out, "1234567");
}

/* Formats that the compiler cannot see, as the warnings would not let them pass. */
static void print_unchecked(char *out, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fmt_vprint(out, size, format, args);
	va_end(args);
}

static void test_bad_formats(void)
{
	char out[64];

	print_unchecked(out, sizeof(out), "a %q %u", 1u);
	SAME(out, "a (bad format)");
	print_unchecked(out, sizeof(out), "50%");
	SAME(out, "50(bad format)");
	print_unchecked(out, sizeof(out), "%s", (const char *)NULL);
	SAME(out, "(null)");
}

static void put_too_wide(void *unused)
{
	(void)unused;
	field_put(FIELD(15, 8), 0x100);
}

static void test_fields(void)
{
	OK(FIELD(63, 0) == UINT64_MAX);
	OK(FIELD(15, 8) == 0xff00);
	OK(field_max(FIELD(35, 32)) == 15);
	OK(field_get(FIELD(15, 8), 0x123456) == 0x34);
	OK(field_put(FIELD(15, 8), 0xff) == 0xff00);
	OK(field_put(FIELD(63, 63), 1) == BIT(63));
	OK(host_panics(put_too_wide, NULL));
	SAME(host_panic, "value 100 too wide for field ff00");
}

int main(void)
{
	test_numbers();
	test_text();
	test_truncation();
	test_bad_formats();
	test_fields();
	return tap_end();
}
