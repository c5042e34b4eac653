/* SPDX-License-Identifier: BSD-2-Clause */
/* Formatted text without a C library. */
#include "fmt.h"

#include <stdbool.h>
#include <stdint.h>

struct output {
	char *text;
	size_t size, length;
};

/* One conversion: %[0-][width][l[l]]letter. */
struct spec {
	bool zero, left;
	unsigned width, longs;
	char letter;
};

static void put(struct output *o, char c)
{
	if (o->length + 1 < o->size)
		o->text[o->length] = c;
	o->length++;
}

static void put_repeated(struct output *o, char c, unsigned count)
{
	for (; count; count--)
		put(o, c);
}

static void put_field(struct output *o, const struct spec *s, const char *sign, const char *text)
{
	unsigned length = 0, pad;

	while (text[length])
		length++;
	pad = length + (*sign != '\0');
	pad = s->width > pad ? s->width - pad : 0;

	if (!s->left && !s->zero)
		put_repeated(o, ' ', pad);
	if (*sign)
		put(o, *sign);
	if (!s->left && s->zero)
		put_repeated(o, '0', pad);
	for (; *text; text++)
		put(o, *text);
	if (s->left)
		put_repeated(o, ' ', pad);
}

static void put_number(struct output *o, const struct spec *s, bool negative, uint64_t value)
{
	unsigned base = s->letter == 'x' ? 16 : 10;
	char digits[21], *p = digits + sizeof(digits) - 1;

	*p = '\0';
	do
		*--p = "0123456789abcdef"[value % base];
	while (value /= base);
	put_field(o, s, negative ? "-" : "", p);
}

static uint64_t take_unsigned(const struct spec *s, va_list *args)
{
	if (s->longs == 2)
		return va_arg(*args, unsigned long long);
	if (s->longs == 1)
		return va_arg(*args, unsigned long);
	return va_arg(*args, unsigned);
}

static int64_t take_signed(const struct spec *s, va_list *args)
{
	if (s->longs == 2)
		return va_arg(*args, long long);
	if (s->longs == 1)
		return va_arg(*args, long);
	return va_arg(*args, int);
}

static const char *parse_spec(struct spec *s, const char *format)
{
	*s = (struct spec){0};
	for (; *format == '0' || *format == '-'; format++) {
		s->zero |= *format == '0';
		s->left |= *format == '-';
	}
	for (; *format >= '0' && *format <= '9'; format++)
		s->width = s->width * 10 + (unsigned)(*format - '0');
	for (; *format == 'l' && s->longs < 2; format++)
		s->longs++;
	s->letter = *format;
	return format;
}

static bool convert(struct output *o, const struct spec *s, va_list *args)
{
	int64_t number;
	const char *text;
	char one[2] = {0};

	switch (s->letter) {
	case 's':
		text = va_arg(*args, const char *);
		put_field(o, s, "", text ? text : "(null)");
		return true;
	case 'c':
		one[0] = (char)va_arg(*args, int);
		put_field(o, s, "", one);
		return true;
	case 'u':
	case 'x':
		put_number(o, s, false, take_unsigned(s, args));
		return true;
	case 'd':
		number = take_signed(s, args);
		put_number(o, s, number < 0, number < 0 ? -(uint64_t)number : (uint64_t)number);
		return true;
	case '%':
		put(o, '%');
		return true;
	default:
		return false;
	}
}

size_t fmt_vprint(char *out, size_t size, const char *format, va_list args)
{
	struct output o = {.text = out, .size = size};
	struct spec s;
	va_list rest;

	va_copy(rest, args);
	for (; *format; format++) {
		if (*format != '%') {
			put(&o, *format);
			continue;
		}
		format = parse_spec(&s, format + 1);
		/* After an unknown letter the types of the arguments are unknown too: stop. */
		if (!convert(&o, &s, &rest)) {
			put_field(&o, &(struct spec){0}, "", "(bad format)");
			break;
		}
	}
	va_end(rest);
	if (size)
		out[o.length < size ? o.length : size - 1] = '\0';
	return o.length;
}

size_t fmt_print(char *out, size_t size, const char *format, ...)
{
	va_list args;
	size_t length;

	va_start(args, format);
	length = fmt_vprint(out, size, format, args);
	va_end(args);
	return length;
}
