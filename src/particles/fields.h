// fields.h: the registry of fields. A field is an array on the device with one record for each
// item; an item is a particle or a slot.
//
// A field is listed once, as a row of a table. The registry allocates it, sorts it with the items,
// saves, checks, hashes and counts it. A table belongs to a holder, a struct with a typed pointer
// for each row:
//
//   #define HEAT_FIELDS(X)                                                    type, name, kind, …
//           X(float, temperature, STATE, 1e7f, OZ_FIRST_20, 4)
//   typedef struct heat { HEAT_FIELDS(OZ_FIELD_MEMBER) } heat;
//   #define ROW(...) OZ_FIELD_ROW(heat, "", __VA_ARGS__)
//   static const oz_field_row rows[] = {HEAT_FIELDS(ROW)};
//
// STATE fields determine the next steps: they are sorted with the items, saved and hashed. ANCHOR
// fields are saved and hashed, but not sorted: they are written again after each sort. RESULT
// fields are written in each step before they are read; between steps the user can read them.
#ifndef OZ_FIELDS_H
#define OZ_FIELDS_H

#include "device/device.h"

typedef enum oz_items { OZ_ITEMS_PARTICLES, OZ_ITEMS_SLOTS, OZ_ITEMS_COUNT } oz_items;
typedef enum oz_field_kind { OZ_KIND_STATE, OZ_KIND_ANCHOR, OZ_KIND_RESULT } oz_field_kind;
typedef enum oz_field_type { OZ_TYPE_FLOAT, OZ_TYPE_UINT, OZ_TYPE_FLOAT4 } oz_field_type;

typedef struct oz_field_row {
	const char *name; // its name in snapshots
	oz_field_type type;
	oz_field_kind kind;
	uint32_t size;  // bytes of a record
	size_t offset;  // of the pointer in the holder
	float most;     // largest |number| in a loaded record; of a float4 only x, y and z
	uint32_t first; // initial bits of each word of the record of a new item
	uint32_t since; // first snapshot version that has the field
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

#define OZ_ANY_FLOAT 3e38f       // `most`: any finite number
#define OZ_FIRST_1   0x3f800000u // `first`: bits of 1.0f
#define OZ_FIRST_20  0x41a00000u // `first`: bits of 20.0f
#define OZ_FIRST_10  0x41200000u // `first`: bits of 10.0f

// a table of rows and the struct that holds their pointers
typedef struct oz_field_set {
	const oz_field_row *rows;
	uint32_t count;
	oz_items items;
	void *holder;
} oz_field_set;

#define OZ_FIELD_SETS 24u
#define OZ_FIELD_ROWS 32u // most rows of a set

typedef struct oz_fields {
	oz_device *device;
	oz_field_set sets[OZ_FIELD_SETS];
	uint32_t set_count;
	uint32_t capacity[OZ_ITEMS_COUNT]; // items for which memory is allocated
} oz_fields;

// one field of the registry, for loops over all of them
typedef struct oz_field_at {
	const oz_field_row *row;
	oz_items items;
	void **buffer;
} oz_field_at;

// Adds a set and allocates its fields for the present capacity. The `count` items that exist get
// the initial values. On failure nothing changes.
oz_result oz_fields_add(oz_fields *fields, const oz_field_set *set, uint32_t count,
                        oz_error *error);
// Removes the set that was added last.
void oz_fields_drop_last(oz_fields *fields);
// Grows all fields to `capacity` items and keeps the records of the first `count`. On failure
// nothing changes.
oz_result oz_fields_reserve(oz_fields *fields, oz_items items, uint32_t count, uint32_t capacity,
                            oz_error *error);
// Writes the initial values of the items [begin, end) in the sets number `set` and later.
void oz_fields_write_first(oz_fields *fields, uint32_t set, oz_items items, uint32_t begin,
                           uint32_t end);
void oz_fields_free(oz_fields *fields);

// Writes field `number` (0, 1, 2 …) of all sets into *at; returns false if there is none.
bool oz_fields_next(oz_fields *fields, uint32_t number, oz_field_at *at);
// Returns the buffer of the field with this name; NULL if there is none.
void *oz_fields_find(oz_fields *fields, const char *name);

// Moves item index[i] to place i in all STATE fields. `wide` and `narrow` are spare buffers of 16
// and 4 bytes for each item of the capacity; they are exchanged for buffers of fields.
void oz_fields_reorder(oz_fields *fields, oz_items items, const uint *index, uint32_t count,
                       void **wide, void **narrow);
// Sets all RESULT fields to zero.
void oz_fields_clear_results(oz_fields *fields, oz_items items, uint32_t count);
// Continues `hash` with all fields that are not RESULT.
uint64_t oz_fields_hash(oz_fields *fields, oz_items items, uint32_t count, uint64_t hash);
// Returns the name of the first field with a number outside the limits of its row, NULL if there is
// none. *checked is false if memory was out; then the name is that of the field not checked.
const char *oz_fields_check(oz_fields *fields, oz_items items, uint32_t count, bool *checked);
// The sum of the record sizes of rows: bytes for each item.
size_t oz_rows_bytes(const oz_field_row *rows, uint32_t count);

#endif
