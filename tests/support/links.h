// links.h: fluids with links, and what their table holds.
#ifndef OZ_TEST_LINKS_H
#define OZ_TEST_LINKS_H

#include "models/links/links.h"
#include "worlds.h"

#define LONG_TIME 1e9 // s, a relaxation time that is never reached

// An entry of the table of links. Each link has two: one for each of its particles.
typedef struct test_link {
	uint32_t i, j;         // particles
	double rest, distance; // m; rest 0: it is broken
	uint64_t place;        // of the entry in the buffers of the table
} test_link;

typedef struct test_link_list {
	test_link *at;
	uint32_t count;
} test_link_list;

// A material with links of a shear modulus (Pa) and a relaxation time (s), with the default
// `sticky`.
oz_material_def test_slime(double modulus, double relaxation);
// The same, so sticky that nothing comes off.
oz_material_def test_glue(double modulus, double relaxation);
const oz_links *test_links_of(const oz_world *world);
// All entries of the table as it is now; free() their `at`.
test_link_list test_links_read(const oz_world *world);
// The links of one particle by its index; broken ones do not count.
uint32_t test_count_links(const oz_world *world, uint32_t particle);
// The links between particles of two materials, which may be the same; broken ones do not count.
uint32_t test_links_between(const oz_world *world, oz_id one, oz_id other);
// Breaks the links within a material whose particles are on different sides of the plane at x.
// Gives their number.
uint32_t test_tear_links(const oz_world *world, oz_id material, double x);

#endif
