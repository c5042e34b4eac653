/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of options as files, shells, boot managers and loaders hand it over: what of it is
 * options. */
#include "boot/options.h"

#include <string.h>

#include "check/unit/tap.h"
#include "kernel/lib/bits.h"

static struct options options;
static char error[OPTIONS_ERROR_MAX];

static bool parse(const char *text)
{
	options_default(&options);
	return options_parse(&options, text, error);
}

static void test_decode(void)
{
	static char out[OPTIONS_TEXT_MAX], big[2 * OPTIONS_TEXT_MAX + 2];

	OK(options_decode(out, "list\0junk", 9, false));
	SAME(out, "list");
	OK(options_decode(out, "l\0i\0s\0t\0\0\0x\0", 12, true));
	SAME(out, "list");
	OK(options_decode(out, "\xff\xfel\0i\0", 6, false));
	SAME(out, "li");
	OK(options_decode(out, "\xef\xbb\xbfli", 5, false));
	SAME(out, "li");
	OK(options_decode(out, "l\0i", 3, true));
	SAME(out, "l");
	OK(options_decode(out, "\xe4\0\x61\x01", 4, true));
	SAME(out, "\x7f\x7f");
	OK(options_decode(out, "", 0, true) && !out[0]);
	memset(big, 'a', sizeof(big));
	OK(options_decode(out, big, OPTIONS_TEXT_MAX - 1, false));
	OK(strlen(out) == OPTIONS_TEXT_MAX - 1);
	OK(!options_decode(out, big, OPTIONS_TEXT_MAX, false));
	OK(!options_decode(out, big, sizeof(big), true));
}

static const char *of_caller(char *out, const void *data, size_t size, bool from_shell,
			     bool *binary)
{
	const struct options_caller caller = {data, size, from_shell, "pmutest86.efi"};

	return options_of_caller(out, &caller, binary);
}

/* Text of 100 KB is no option that anybody gave; data of the firmware's own is left alone. */
static void test_absurd_sizes(void)
{
	static char out[OPTIONS_TEXT_MAX], big[100 * 1024];
	bool binary;

	memset(big, '#', sizeof(big));
	SAME(options_of_file(out, big, sizeof(big)),
	     "the file is too long: allowed are 4095 characters");
	OK(!options_of_file(out, big, OPTIONS_TEXT_MAX - 1) && parse(out));
	for (size_t i = 0; i < sizeof(big); i++)
		big[i] = i % 2 ? '\0' : ' ';
	SAME(of_caller(out, big, sizeof(big), true, &binary),
	     "they are too long: allowed are 4095 characters");
	OK(!binary);
	SAME(of_caller(out, big, sizeof(big), false, &binary),
	     "they are too long: allowed are 4095 characters");
	OK(!binary);
	OK(!of_caller(out, big, 2 * (OPTIONS_TEXT_MAX - 1), false, &binary));
	OK(!binary && !out[strspn(out, " ")]);
	big[4000] = '\x01';
	OK(!of_caller(out, big, sizeof(big), false, &binary) && binary && !out[0]);
	OK(of_caller(out, big, sizeof(big), true, &binary) && !binary);
	memset(big, 0xee, sizeof(big));
	OK(!of_caller(out, big, sizeof(big), false, &binary) && binary && !out[0]);
}

/* Load options as shells and boot managers hand them over, of an image of that name; what is left
 * when the image's name is gone, and is understood. */
static const struct {
	const char *options;
	bool from_shell;
	const char *image, *left;
} callers[] = {
	{"pmutest86.efi list", false, "", " list"},
	{"FS0:\\pmutest86.EFI", false, "", ""},
	{"fs0:\\x list", false, "", " list"},
	{"\"fs0:\\my dir\\p.efi\" list", false, "", " list"},
	{"pmutest86 list", true, "pmutest86.efi", " list"},
	{"alias list", true, "pmutest86.efi", " list"},
	{"\"my alias\" list", true, "pmutest86.efi", " list"},
	{"", true, "pmutest86.efi", ""},
	/* The first shells do not say that they are one; nor does iPXE. */
	{"pmutest86 list", false, "pmutest86.efi", " list"},
	{"PMUTEST86.EFI list", false, "pmutest86.efi", " list"},
	{"pmutest86.bin list", false, "pmutest86.bin", " list"},
	{"http://10.0.2.100/dir/Pmutest86.signed list", false, "pmutest86.signed", " list"},
	{"fs0:p list", false, "p", " list"},
	{"\"p\" list", false, "p.efi", " list"},
	/* The UEFI shell, systemd-boot and iPXE leave quotes as they are typed. */
	{"\"list\"", false, "pmutest86.efi", "\"list\""},
	{"\"tests=a.*\" list", false, "pmutest86.efi", "\"tests=a.*\" list"},
	{"\"tests=a list\"", false, "pmutest86.efi", "\"tests=a list\""},
	{"pmutest86.efi \"tests=a list\"", false, "pmutest86.efi", " \"tests=a list\""},
	{"pmutest86.efi \"tests=a\" list", true, "pmutest86.efi", " \"tests=a\" list"},
	{" list", false, "list.efi.efi", "list"},
};

static void test_callers(void)
{
	static char out[OPTIONS_TEXT_MAX];
	char wide[256];
	bool binary;

	for (size_t i = 0; i < ARRAY_SIZE(callers); i++) {
		size_t length = strlen(callers[i].options);

		for (size_t c = 0; c < length; c++)
			wide[2 * c] = callers[i].options[c], wide[2 * c + 1] = '\0';
		OK(!options_of_caller(out,
				      &(struct options_caller){wide, 2 * length,
							       callers[i].from_shell,
							       callers[i].image},
				      &binary));
		SAME(out, callers[i].left);
		OK(!binary && parse(out));
		OK(options.list == !!strstr(callers[i].options, "list"));
	}
}

/* The words that tell where an option came from. */
static void test_from(void)
{
	char from[OPTIONS_FROM_MAX];

	options_from(from, " \tlist  end=off\n");
	SAME(from, "load options \"list  end=off\"");
	options_from(from, "root=/dev/sdb3 init=/sbin/init rootwait ro quiet");
	SAME(from, "load options \"root=/dev/sdb3 init=/sbin/init rootwait ...\"");
	options_from(from, " \n");
	SAME(from, "load options");
	options_from(from, "list \x7f");
	SAME(from, "load options");
}

/* Command lines of Multiboot loaders: GRUB has the file in front, QEMU may have none. */
static void test_loaders(void)
{
	static const struct {
		const char *line, *left;
	} lines[] = {
		{"", ""},
		{"list", "list"},
		{" list end=halt", "list end=halt"},
		{"/boot/pmutest86.elf list", " list"},
		{"pmutest86.elf", ""},
		{"(hd0)/p tests=a.elf", " tests=a.elf"},
		{"tests=*.count.* /x", "tests=*.count.* /x"},
	};
	static char out[OPTIONS_TEXT_MAX], big[OPTIONS_TEXT_MAX + 1];

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		OK(options_of_loader(out, lines[i].line));
		SAME(out, lines[i].left);
	}
	memset(big, 'a', OPTIONS_TEXT_MAX);
	OK(!options_of_loader(out, big) && strlen(out) == OPTIONS_TEXT_MAX - 1);
}

int main(void)
{
	test_decode();
	test_absurd_sizes();
	test_callers();
	test_loaders();
	test_from();
	return tap_end();
}
