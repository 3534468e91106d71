// number.c: numbers as decimal text and back.
//
// A float is scaled by a power of ten in double precision, which has 29 bits to spare, and rounded
// to an integer of 6 digits; if that does not read back as the same float, of 7, 8 and at last 9,
// which always do. This is exact while the power of ten is: up to 10^22. Beyond, and for doubles,
// the C library writes the digits. The point is written here, so no locale turns it into a comma.
//
// Reading goes the same way back: a mantissa below 2^53 times or divided by an exact power of ten
// is rounded once. Other numbers are given to strtod without a point, digits and exponent alone.
#include "number.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS_LEAST 6
#define DIGITS_MOST  9
#define EXACT_POWER  22 // 10^22 is a double, 10^23 is not

static double power_of_ten(int exponent)
{
	static const double exact[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,
	                                              1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
	                                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
	                                              1e18, 1e19, 1e20, 1e21, 1e22};
	return exponent <= EXACT_POWER ? exact[exponent] : pow(10, exponent);
}

static double scale(double value, int exponent)
{
	return exponent >= 0 ? value * power_of_ten(exponent) : value / power_of_ten(-exponent);
}

size_t oz_number_uint(char *out, uint64_t value)
{
	char reversed[20];
	size_t length = 0;
	do {
		reversed[length++] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	for (size_t i = 0; i < length; i++)
		out[i] = reversed[length - 1 - i];
	return length;
}

// The exponent e of 10^e ≤ value < 10^(e+1), for value > 0.
static int exponent_of(double value)
{
	int binary;
	frexp(value, &binary);
	int exponent = (int)floor((binary - 1) * 0.30102999566398120);
	return scale(1, exponent + 1) <= value ? exponent + 1 : exponent;
}

// ---- digits -----------------------------------------------------------------------------------

// A value is d.ddd · 10^exponent; these give the number of its digits, without zeros at the end.

// by the C library, whose text reads back in the same locale: "1.2345e-07"
static size_t library_digits(double value, bool single, char *digits, int *exponent)
{
	char text[48];
	size_t length = 0;
	for (int count = single ? DIGITS_LEAST : 15; count <= 17; count++) {
		snprintf(text, sizeof text, "%.*e", count - 1, value);
		const double back = strtod(text, NULL);
		if (back == value || (single && (float)back == (float)value))
			break;
	}
	const char *mark = strchr(text, 'e');
	for (const char *c = text; c < mark; c++)
		if (*c >= '0' && *c <= '9')
			digits[length++] = *c;
	*exponent = (int)strtol(mark + 1, NULL, 10);
	while (length > 1 && digits[length - 1] == '0')
		length--;
	return length;
}

// by scaling
static size_t float_digits(float value, char *digits, int *exponent)
{
	const int first = exponent_of((double)value);
	if (DIGITS_MOST - 1 - first > EXACT_POWER || first - (DIGITS_LEAST - 1) > EXACT_POWER)
		return library_digits((double)value, true, digits, exponent);
	uint32_t whole = 0;
	int shift = 0;
	for (int count = DIGITS_LEAST; count <= DIGITS_MOST; count++) {
		shift = count - 1 - first;
		whole = (uint32_t)(scale((double)value, shift) + 0.5);
		float back = (float)scale((double)whole, -shift);
		if (memcmp(&back, &value, sizeof back) == 0)
			break;
	}
	size_t length = oz_number_uint(digits, whole);
	// by the digits there are: rounding up may have made one more
	*exponent = (int)length - 1 - shift;
	while (length > 1 && digits[length - 1] == '0')
		length--;
	return length;
}

static size_t put_zeros(char *out, int count)
{
	for (int i = 0; i < count; i++)
		out[i] = '0';
	return count > 0 ? (size_t)count : 0;
}

// 0.00123, 12.3 or 12300
static size_t put_fixed(char *out, const char *digits, size_t length, int exponent)
{
	size_t at = 0, before = exponent >= 0 ? (size_t)exponent + 1 : 0;
	if (before == 0) {
		out[at++] = '0';
		out[at++] = '.';
		at += put_zeros(out + at, -exponent - 1);
	}
	for (size_t i = 0; i < length; i++) {
		if (i == before && before > 0)
			out[at++] = '.';
		out[at++] = digits[i];
	}
	return at + put_zeros(out + at, (int)before - (int)length);
}

// 1.23e-12
static size_t put_scientific(char *out, const char *digits, size_t length, int exponent)
{
	size_t at = put_fixed(out, digits, length, 0);
	out[at++] = 'e';
	if (exponent < 0)
		out[at++] = '-';
	return at + oz_number_uint(out + at, (uint32_t)(exponent < 0 ? -exponent : exponent));
}

// ---- text -------------------------------------------------------------------------------------

static size_t put_digits(char *out, bool minus, const char *digits, size_t length, int exponent)
{
	if (minus)
		*out++ = '-';
	if (exponent < -5 || exponent > 8)
		return minus + put_scientific(out, digits, length, exponent);
	return minus + put_fixed(out, digits, length, exponent);
}

size_t oz_number_float(char *out, float value)
{
	char digits[24];
	int exponent;
	if (!isfinite(value) || fpclassify(value) == FP_ZERO)
		return oz_number_uint(out, 0);
	const size_t length = float_digits(fabsf(value), digits, &exponent);
	return put_digits(out, value < 0, digits, length, exponent);
}

size_t oz_number_double(char *out, double value)
{
	char digits[24];
	int exponent;
	if (!isfinite(value) || fpclassify(value) == FP_ZERO)
		return oz_number_uint(out, 0);
	const size_t length = library_digits(fabs(value), false, digits, &exponent);
	return put_digits(out, value < 0, digits, length, exponent);
}

// ---- reading ----------------------------------------------------------------------------------

// a number taken apart: its value is mantissa · 10^exponent
typedef struct parts {
	uint64_t mantissa; // of the first digits
	uint32_t digits;   // of the mantissa, without zeros at the beginning
	int exponent;
	bool minus;
	char text[OZ_NUMBER_READ_MAX + 16]; // all digits
	size_t length;
} parts;

static void add_digit(parts *p, char digit)
{
	if (p->digits == 0 && digit == '0')
		return;
	if (++p->digits <= 18)
		p->mantissa = 10 * p->mantissa + (uint64_t)(digit - '0');
	p->text[p->length++] = digit;
}

static int read_exponent(const char *at, const char *end)
{
	const bool minus = at < end && *at == '-';
	int value = 0;
	for (at += at < end && (*at == '-' || *at == '+'); at < end; at++)
		value = value < 100000 ? 10 * value + (*at - '0') : value;
	return minus ? -value : value;
}

static void take_apart(parts *p, const char *at, const char *end)
{
	p->minus = *at == '-';
	at += p->minus;
	for (; at < end && *at >= '0' && *at <= '9'; at++)
		add_digit(p, *at);
	if (at < end && *at == '.')
		for (at++; at < end && *at >= '0' && *at <= '9'; at++, p->exponent--)
			add_digit(p, *at);
	if (at < end)
		p->exponent += read_exponent(at + 1, end);
}

double oz_number_read(const char *text, size_t length)
{
	parts p;
	p.mantissa = p.digits = 0;
	p.exponent = 0;
	p.length = 0;
	take_apart(&p, text, text + length);
	double value;
	if (p.digits <= 18 && p.mantissa <= (uint64_t)1 << 53 && abs(p.exponent) <= EXACT_POWER) {
		value = scale((double)p.mantissa, p.exponent);
	} else if (p.digits == 0) {
		value = 0;
	} else {
		snprintf(p.text + p.length, sizeof p.text - p.length, "e%d", p.exponent);
		value = strtod(p.text, NULL);
	}
	return p.minus ? -value : value;
}
