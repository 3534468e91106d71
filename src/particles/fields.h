// fields.h: one registry of fields: arrays that lie on the device, one record for each item.
//
// An array with a record for each particle or each slot is listed once, in a table of rows; the
// registry takes its memory, keeps it in the order of the items, saves, checks, hashes and counts
// it. A table belongs to a holder, a struct with a typed pointer for each row:
//
//   #define HEAT_FIELDS(X)                                                    type, name, kind, …
//           X(float, temperature, STATE, 1e7f, OZ_FIRST_20, 4)
//   typedef struct heat { HEAT_FIELDS(OZ_FIELD_MEMBER) } heat;
//   #define ROW(...) OZ_FIELD_ROW(heat, "", __VA_ARGS__)
//   static const oz_field_row rows[] = {HEAT_FIELDS(ROW)};
//
// STATE decides how a world goes on: it is kept in order, saved and hashed. ANCHOR is saved and
// hashed too, but set anew whenever items are put into another order. RESULT is written anew before
// it is read; between steps it is there to look at.
#ifndef OZ_FIELDS_H
#define OZ_FIELDS_H

#include "device/device.h"

typedef enum oz_items { OZ_ITEMS_PARTICLES, OZ_ITEMS_SLOTS, OZ_ITEMS_COUNT } oz_items;
typedef enum oz_field_kind { OZ_KIND_STATE, OZ_KIND_ANCHOR, OZ_KIND_RESULT } oz_field_kind;
typedef enum oz_field_type { OZ_TYPE_FLOAT, OZ_TYPE_UINT, OZ_TYPE_FLOAT4 } oz_field_type;

typedef struct oz_field_row {
	const char *name; // in snapshots
	oz_field_type type;
	oz_field_kind kind;
	uint32_t size;  // bytes of a record
	size_t offset;  // of the pointer in the holder
	float most;     // no number of a loaded record is larger; of float4, x, y and z
	uint32_t first; // bits of each word of the record that an item has before it is written
	uint32_t since; // version of the first snapshot that has it
} oz_field_row;

#define OZ_FIELD_MEMBER(type, name, kind, most, first, since) type *name;
#define OZ_FIELD_TYPE(type)                                                                        \
	_Generic((type *)0, float *: OZ_TYPE_FLOAT, uint *: OZ_TYPE_UINT, oz_float4 *: OZ_TYPE_FLOAT4)
#define OZ_FIELD_ROW(holder, prefix, type, name, kind, most, first, since)                         \
	{prefix #name,                                                                             \
	 OZ_FIELD_TYPE(type),                                                                      \
	 OZ_KIND_##kind,                                                                           \
	 sizeof(type),                                                                             \
	 offsetof(holder, name),                                                                   \
	 most,                                                                                     \
	 first,                                                                                    \
	 since},

#define OZ_ANY_FLOAT 3e38f       // `most`: finite
#define OZ_FIRST_20  0x41a00000u // `first`: bits of 20.0f

// rows and the struct that holds their pointers
typedef struct oz_field_set {
	const oz_field_row *rows;
	uint32_t count;
	oz_items items;
	void *holder;
} oz_field_set;

#define OZ_FIELD_SETS 24u
#define OZ_FIELD_ROWS 32u // of a set, at most

typedef struct oz_fields {
	oz_device *device;
	oz_field_set sets[OZ_FIELD_SETS];
	uint32_t set_count;
	uint32_t capacity[OZ_ITEMS_COUNT]; // items that there is memory for
} oz_fields;

// a row of a set, for loops over all of them
typedef struct oz_field_at {
	const oz_field_row *row;
	oz_items items;
	void **buffer;
} oz_field_at;

// Adds a set and takes memory for the items that there is room for; `count` of them exist, and get
// the rows' first values. On failure nothing changes.
oz_result oz_fields_add(oz_fields *fields, const oz_field_set *set, uint32_t count,
                        oz_error *error);
// Removes the set that was added last.
void oz_fields_drop_last(oz_fields *fields);
// Makes room for `capacity` items; the `count` that are there stay. On failure nothing changes.
oz_result oz_fields_reserve(oz_fields *fields, oz_items items, uint32_t count, uint32_t capacity,
                            oz_error *error);
// Writes the first values of the items [begin, end), in the sets from a number on.
void oz_fields_begin(oz_fields *fields, uint32_t set, oz_items items, uint32_t begin, uint32_t end);
void oz_fields_free(oz_fields *fields);

// The field of a number, from 0 on; false behind the last.
bool oz_fields_next(oz_fields *fields, uint32_t number, oz_field_at *at);
// The field of a name; its buffer is NULL where there is none.
void *oz_fields_find(oz_fields *fields, const char *name);

// Puts item index[i] at place i. `wide` and `narrow` are spare buffers of 16 and 4 bytes for each
// item of the capacity; they trade places with fields, and hold others when this returns.
void oz_fields_reorder(oz_fields *fields, oz_items items, const uint *index, uint32_t count,
                       void **wide, void **narrow);
// Sets all RESULT fields to zero.
void oz_fields_clear_results(oz_fields *fields, oz_items items, uint32_t count);
// Goes on with a hash over all that is not RESULT.
uint64_t oz_fields_hash(oz_fields *fields, oz_items items, uint32_t count, uint64_t hash);
// The name of the first field that holds a number beyond its row's limits, NULL if none does;
// *looked is false if there was no memory to look at one.
const char *oz_fields_check(oz_fields *fields, oz_items items, uint32_t count, bool *looked);
// Bytes of an item in rows.
size_t oz_rows_bytes(const oz_field_row *rows, uint32_t count);

#endif
