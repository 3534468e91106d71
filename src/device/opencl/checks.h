// checks.h: kernels that check the index of each access to a buffer.
//
// A checked device (OOZE_CHECK_DEVICE=1) builds its kernels from a text in which
//
//   each buffer argument x has an argument oz_size_x with the number of its elements,
//   a->x[k] reads a->x[oz_checked(…, a->oz_size_x, k, site)], and the lists of pairs likewise.
//
// oz_checked gives k, or 0 where k is not below the size; the first such access of a launch goes to
// the buffer oz_report, which the host reads after each launch. A site is the place of an access in
// the text. Not checked are accesses through a pointer that a kernel hands to a function.
#ifndef OZ_CL_CHECKS_H
#define OZ_CL_CHECKS_H

#include "base/base.h"

// one access in the text of a pack: the name of the buffer, the index
typedef struct oz_cl_site {
	uint32_t name, name_size; // offset and number of characters
	uint32_t index, index_size;
} oz_cl_site;

typedef struct oz_cl_checks {
	char *text; // what the driver builds; NULL: not made
	size_t size;
	oz_array sites; // of oz_cl_site
} oz_cl_checks;

// The words of oz_report. The first is 0 as long as all accesses were right.
enum {
	OZ_REPORT_SITE, // + 1
	OZ_REPORT_ITEM,
	OZ_REPORT_INDEX, // 64 bits, low word first
	OZ_REPORT_SIZE = OZ_REPORT_INDEX + 2,
	OZ_REPORT_WORDS = OZ_REPORT_SIZE + 2
};

// Makes the checked text of the flattened text of kernels. False when out of memory.
bool oz_cl_checks_make(oz_heap *heap, const char *text, oz_cl_checks *checks);
// Writes a sentence about the access in a report: "item 7: position[j] has index 12 of 10".
void oz_cl_checks_describe(const oz_cl_checks *checks, const char *text,
                           const uint32_t report[OZ_REPORT_WORDS], char *sentence, size_t size);
void oz_cl_checks_free(oz_heap *heap, oz_cl_checks *checks);

#endif
