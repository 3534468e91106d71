// number.h: numbers as decimal text and back, in every locale.
#ifndef OZ_NUMBER_H
#define OZ_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#define OZ_NUMBER_SIZE     32   // bytes that hold every number that is written
#define OZ_NUMBER_READ_MAX 1000 // bytes of the longest number that is read

// Write a number with the fewest digits that read back as the same float or double, and a point in
// every locale; what is not finite becomes 0, and -0 too. No zero byte follows; give the length.
size_t oz_number_float(char *out, float value);
size_t oz_number_double(char *out, double value);
size_t oz_number_uint(char *out, uint64_t value);

// Reads a number that JSON allows, at most OZ_NUMBER_READ_MAX bytes, to the nearest double;
// infinity where it is too large.
double oz_number_read(const char *text, size_t length);

#endif
