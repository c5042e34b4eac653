/* Options: what is understood, what is refused and in which words. */
#include "boot/options.h"

#include <stdint.h>
#include <stdlib.h>

#include "check/unit/tap.h"
#include "kernel/lib/bits.h"

static struct options options;
static char error[OPTIONS_ERROR_MAX];

static bool parse(const char *text)
{
	options_default(&options);
	error[0] = '\0';
	return options_parse(&options, text, error);
}

static bool defaults(void)
{
	return !options.tests[0] && options.serial.mode == SERIAL_AUTO &&
	       options.ending == ENDING_RETURN && options.screen == SCREEN_MATRIX &&
	       options.repeat == 1 && options.timeout == 10 && options.rare == 3000000 &&
	       options.random == 300 && options.seed == 86 && !options.list && !options.verbose &&
	       !options.exit_boot_services && options.report_file && !options.stop_on_fail &&
	       !options.resume && !options.other_thread && !options.enable_apic &&
	       !strcmp(options.cpus, "boot") && options.cpu_timeout == 600;
}

static void test_accepted(void)
{
	OK(parse("") && defaults());
	OK(parse(" \t\r\n") && defaults());
	OK(parse("# tests=x\n#") && defaults());
	OK(parse("tests=amd.*.count.*,!amd.1.*,-.* list verbose") && options.list &&
	   options.verbose);
	SAME(options.tests, "amd.*.count.*,!amd.1.*,-.*");
	OK(parse("repeat=3\r\ntimeout=3600#comment\nreport=none\n"));
	OK(options.repeat == 3 && options.timeout == 3600 && !options.report_file);
	OK(parse("takeover=exit end=halt") && options.exit_boot_services);
	OK(options.ending == ENDING_HALT);
	OK(parse("end=poweroff end=reset") && options.ending == ENDING_RESET);
	OK(parse("screen=scroll") && options.screen == SCREEN_SCROLL);
	OK(parse("screen=none") && options.screen == SCREEN_NONE);
	OK(parse("screen=none screen=matrix") && defaults());
	OK(parse("repeat=1000000") && options.repeat == 1000000);
	OK(parse("rare=0") && options.rare == 0);
	OK(parse("rare=0 rare=10000") && options.rare == 10000);
	OK(parse("rare=100000000") && options.rare == 100000000);
	OK(parse("random=0") && options.random == 0 && options.seed == 86);
	OK(parse("random=1000000 seed=999999999") && options.random == 1000000);
	OK(options.seed == 999999999);
	OK(!parse("random=1000001") && !parse("random=") && !parse("seed=0"));
	OK(parse("resume=auto") && options.resume);
	OK(parse("resume=auto resume=none") && defaults());
	OK(parse("repeat=forever") && options.repeat == 0);
	OK(parse("apic=enable") && options.enable_apic);
	OK(parse("apic=enable apic=leave") && defaults());
	OK(parse("other-thread=yes") && options.other_thread);
	OK(parse("other-thread=yes other-thread=no") && defaults());
	OK(parse("on-fail=stop") && options.stop_on_fail);
	OK(parse("on-fail=stop on-fail=continue") && defaults());
	OK(parse("facts=all") && options.all_facts);
	OK(parse("facts=all facts=few") && defaults());
}

static void test_cpus(void)
{
	static const char *const words[] = {"boot", "kinds", "cores", "all", "0", "0,2-5", "9999"};
	static const char *const wrong[] = {"",      ",",  "1,",    "2-1",  "-1", "1-",   "1--2",
					    "all,0", "1 ", "10000", "1,,2", "x",  "1-2-3"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		OK(cpus_is_valid(words[i]) && cpus_is_list(words[i]) == (i > 3));
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		OK(!cpus_is_valid(wrong[i]));
	OK(cpus_has("0,2-5", 0) && !cpus_has("0,2-5", 1) && cpus_has("0,2-5", 2));
	OK(cpus_has("0,2-5", 5) && !cpus_has("0,2-5", 6) && !cpus_has("12", 1));
	OK(cpus_last("0,2-5") == 5 && cpus_last("7,1") == 7 && cpus_last("0") == 0);
	OK(parse("cpus=1,3 cpu-timeout=86400") && options.cpu_timeout == 86400);
	SAME(options.cpus, "1,3");
	OK(!parse("cpus=10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"));
	OK(options_check(&options, error));
	OK(parse("cpus=all takeover=exit end=halt") && !options_check(&options, error));
	OK(strstr(error, "takeover=return"));
	OK(parse("cpus=kinds other-thread=yes") && !options_check(&options, error));
	OK(strstr(error, "other-thread=no"));
}

static void test_overriding(void)
{
	OK(parse("tests=a repeat=2 end=poweroff"));
	OK(options_parse(&options, "repeat=5 end=return", error));
	SAME(options.tests, "a");
	OK(options.repeat == 5 && options.ending == ENDING_RETURN);
}

static void test_serial(void)
{
	OK(parse("serial=none") && options.serial.mode == SERIAL_NONE);
	OK(parse("serial=0x2f8 serial=auto") && options.serial.mode == SERIAL_AUTO);
	OK(parse("serial=2F8") && options.serial.mode == SERIAL_UART);
	OK(options.serial.uart.address == 0x2f8 && options.serial.uart.baud == 115200);
	OK(!options.serial.uart.memory && options.serial.uart.stride == 1);
	OK(parse("serial=0X3e8,9600") && options.serial.uart.address == 0x3e8);
	OK(options.serial.uart.baud == 9600);
	OK(parse("serial=fff8,115200") && options.serial.uart.address == 0xfff8);
	OK(parse("serial=mmio32:fedc9000") && options.serial.mode == SERIAL_UART);
	OK(options.serial.uart.memory && options.serial.uart.address == 0xfedc9000);
	OK(options.serial.uart.stride == 4 && options.serial.uart.width == 4);
	OK(parse("serial=mmio:0x380000000001") && options.serial.uart.stride == 1);
	OK(options.serial.uart.address == UINT64_C(0x380000000001));
	OK(parse("serial=pci:a0:1f.7") && options.serial.mode == SERIAL_PCI);
	OK(options.serial.function == 0xa0ff);
}

/* The last word of each line is refused. */
static const char *const refused[] = {
	"foo",
	"foo=1",
	"tests",
	"tests=",
	"tests=,",
	"tests=a,,b",
	"tests=a,",
	"tests=!",
	"tests=!,a",
	"tests=a,!",
	"list=1",
	"list=",
	"=",
	"=x",
	"verbose=yes",
	"serial=",
	"serial=com1",
	"serial=0",
	"serial=0x",
	"serial=10000",
	"serial=fff9",
	"serial=3f8,",
	"serial=3f8,0",
	"serial=3f8,9601",
	"serial=3f8,230400",
	"serial=3f8,1",
	"serial=3f8 ,9600",
	"serial=3f8:9600",
	"serial=mmio:0",
	"serial=mmio32:fedc9002",
	"serial=mmio:10000000000000",
	"serial=mmio:fedc9000,9600",
	"serial=mmio8:fedc9000",
	"serial=pci:",
	"serial=pci:3.0",
	"serial=pci:0:20.0",
	"serial=pci:0:1f.8",
	"serial=pci:100:1f.0",
	"serial=pci:0:3.0,9600",
	"takeover=no",
	"end=",
	"end=off",
	"END=halt",
	"screen",
	"screen=",
	"screen=text",
	"repeat=0",
	"repeat=",
	"repeat=1000001",
	"repeat=forever1",
	"repeat=-1",
	"repeat=1x",
	"repeat=99999999999999999999999999",
	"timeout=0",
	"timeout=3601",
	"rare",
	"rare=",
	"rare=00",
	"rare=9999",
	"rare=100000001",
	"rare=1e6",
	"rare=10000x",
	"resume=yes",
	"resume",
	"cpus",
	"cpus=some",
	"cpus=1,",
	"cpu-timeout=0",
	"cpu-timeout=86401",
	"other-thread=both",
	"apic=on",
	"other-thread",
	"on-fail=",
	"on-fail",
	"on-fail=exit",
	"report=yes",
	"facts=none",
	"report=",
	"tests=a=b repeat=2b",
};

static void test_refused(void)
{
	char quoted[64];
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		const char *last = strrchr(refused[i], ' ');

		if (!tap_ok(!parse(refused[i]), refused[i], __LINE__))
			continue;
		snprintf(quoted, sizeof(quoted), "option \"%s\"", last ? last + 1 : refused[i]);
		OK(strstr(error, quoted) == error && strstr(error, "allowed is"));
	}
	parse("end=off");
	SAME(error, "option \"end=off\" is not understood: allowed is end=return, end=poweroff, "
		    "end=reset or end=halt");
	parse("cpu-timeout=0");
	SAME(error,
	     "option \"cpu-timeout=0\" is not understood: allowed is cpu-timeout=SECONDS with "
	     "SECONDS from 1 to 86400");
	parse("rare=9999");
	SAME(error,
	     "option \"rare=9999\" is not understood: allowed is rare=0, or rare=EVENTS with "
	     "EVENTS from 10000 to 100000000");
	parse("repeat=0");
	SAME(error, "option \"repeat=0\" is not understood: allowed is repeat=forever, or "
		    "repeat=TIMES with TIMES from 1 to 1000000");
}

static void test_long_and_binary(void)
{
	static char text[OPTIONS_TEXT_MAX];

	memset(text, 'a', sizeof(text) - 1);
	OK(!parse(text));
	SAME(error, "option \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...\" is too long: "
		    "allowed are 527 characters");
	memcpy(text, "tests=", 6);
	text[6 + OPTIONS_TESTS_MAX - 1] = '\0';
	OK(parse(text) && strlen(options.tests) == OPTIONS_TESTS_MAX - 1);
	text[6 + OPTIONS_TESTS_MAX - 1] = 'a';
	text[6 + OPTIONS_TESTS_MAX] = '\0';
	OK(!parse(text));
	SAME(error, "option \"tests=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...\" is not understood: "
		    "allowed is tests=GLOB[,GLOB]..., such as tests=*.count.*,!amd.0.*");
	OK(!parse("tests=a\x7f") && strstr(error, "ASCII"));
	OK(!parse("tests=\xc3\xa4"));
	OK(!options_is_text("a\x01") && options_is_text("a b\tc\r\n"));
}

/* The longest of all sentences about the longest of words: said to its end. */
static void test_longest_sentence(void)
{
	char text[520] = "serial=";

	memset(text + 7, 'f', sizeof(text) - 8);
	OK(!parse(text));
	SAME(error, "option \"serial=fffffffffffffffffffffffffffffffff...\" is not understood: "
		    "allowed is serial=auto, none, PORT[,BAUD], mmio:ADDRESS, mmio32:ADDRESS or "
		    "pci:BUS:DEVICE.FUNCTION, in hexadecimal, and BAUD a divisor of 115200");
	text[40] = '\0';
	OK(!parse(text) && !strstr(error, "..."));
}

static void test_check(void)
{
	OK(parse("takeover=exit") && !options_check(&options, error));
	OK(strstr(error, "takeover=exit") && strstr(error, "end=poweroff"));
	OK(parse("takeover=exit end=poweroff") && options_check(&options, error));
	OK(parse("takeover=exit end=halt resume=auto") && !options_check(&options, error));
	OK(strstr(error, "resume=auto") && strstr(error, "takeover=return"));
	OK(parse("repeat=forever resume=auto") && !options_check(&options, error));
	OK(parse("repeat=2 resume=auto") && options_check(&options, error));
	OK(parse("repeat=forever") && options_check(&options, error));
	OK(parse("") && options_check(&options, error));
}

/* The parser itself has no limit but that of a word. */
static void test_long_text(void)
{
	static char text[100 * 1024];

	memset(text, ' ', sizeof(text) - 1);
	memcpy(text, "repeat=7", 8);
	memcpy(text + sizeof(text) - 10, "timeout=9", 9);
	OK(parse(text) && options.repeat == 7 && options.timeout == 9);
	memset(text + 9, '#', sizeof(text) - 10);
	OK(parse(text) && options.repeat == 7 && options.timeout == 10);
	memset(text, 'a', sizeof(text) - 1);
	OK(!parse(text) && strstr(error, "is too long"));
	for (size_t i = 0; i + 5 < sizeof(text); i += 5)
		memcpy(text + i, "list ", 5);
	text[sizeof(text) - 5] = '\0';
	OK(parse(text) && options.list);
}

/* They are no part of a word, wherever they are. */
static void test_quotes(void)
{
	OK(parse("\"list\" \"tests=a,b\"") && options.list);
	SAME(options.tests, "a,b");
	OK(parse("tests=\"amd.0.*\" end=\"halt\"") && options.ending == ENDING_HALT);
	SAME(options.tests, "amd.0.*");
	OK(parse("\"tests=*.count.* end=reset\"") && options.ending == ENDING_RESET);
	SAME(options.tests, "*.count.*");
	OK(parse("\"\"") && defaults());
	OK(parse("\"") && defaults());
	OK(!parse("\"nonsense\""));
	OK(strstr(error, "option \"nonsense\" is not understood") == error);
	OK(!parse("tests=\"\""));
}

/* Random words of the alphabet that the parser looks at: the sanitizers judge. */
static void test_random(void)
{
	static const char *const pieces[] = {
		"tests=", "serial=", "3f8", ",",    "=",         "repeat=",  "99",       "0x",
		"#",      "\n",      " ",   "end=", "halt",      "timeout=", "list",     "\"",
		"\\",     ".efi",    "a",   "\x7f", "takeover=", "exit",     "on-fail=",
	};
	static char decoded[OPTIONS_TEXT_MAX];
	char text[256];
	unsigned round, i;
	bool ended = true;

	srand(1);
	for (round = 0; round < 20000; round++) {
		text[0] = '\0';
		for (i = (unsigned)rand() % 12; i; i--)
			strcat(text, pieces[(unsigned)rand() % ARRAY_SIZE(pieces)]);
		ended &= parse(options_skip_image(text, rand() & 1, "a")) || error[0];
		ended &= options_decode(decoded, text, strlen(text), rand() & 1);
	}
	OK(ended);
}

int main(void)
{
	test_accepted();
	test_cpus();
	test_overriding();
	test_serial();
	test_refused();
	test_long_and_binary();
	test_longest_sentence();
	test_check();
	test_long_text();
	test_quotes();
	test_random();
	return tap_end();
}
