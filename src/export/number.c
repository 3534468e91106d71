// number.c: fast conversion of floats to decimal text.
//
// A float is scaled by a power of ten in double precision, which has 29 more bits, and rounded to
// an integer of 6 digits. If that does not read back as the same float, 7, 8 and then 9 digits are
// tried; 9 are always enough. The decimal point does not depend on the locale.
#include <math.h>
#include <string.h>

#include "pack.h"

#define DIGITS_LEAST 6
#define DIGITS_MOST  9

static double power_of_ten(int exponent)
{
	static const double small[] = {1e0, 1e1, 1e2, 1e3, 1e4,  1e5,
	                               1e6, 1e7, 1e8, 1e9, 1e10, 1e11};
	if (exponent >= 0 && exponent < (int)(sizeof small / sizeof small[0]))
		return small[exponent];
	return pow(10, exponent);
}

static double scale(double value, int exponent)
{
	return exponent >= 0 ? value * power_of_ten(exponent) : value / power_of_ten(-exponent);
}

size_t oz_number_uint(char *out, uint32_t value)
{
	char reversed[10];
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

// The fewest digits that read back as the same float, without zeros at the end; gives how many. The
// value is d.ddd · 10^exponent.
static size_t find_digits(float value, char *digits, int *exponent)
{
	const int first = exponent_of((double)value);
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
	// from the actual length: rounding up may have added a digit
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

size_t oz_number_float(char *out, float value)
{
	char digits[10];
	int exponent;
	size_t sign = value < 0;
	if (!isfinite(value) || fpclassify(value) == FP_ZERO) {
		out[0] = '0';
		return 1;
	}
	if (sign)
		*out++ = '-';
	size_t length = find_digits(fabsf(value), digits, &exponent);
	if (exponent < -5 || exponent > 8)
		return sign + put_scientific(out, digits, length, exponent);
	return sign + put_fixed(out, digits, length, exponent);
}
