// test_surface_extremes.c: surfaces of nothing, of crowds, of strays, of numbers that are none; and
// what happens when memory is refused.
#include "clouds.h"
#include "surface/surface.h"
#include "worlds.h"

// ---- few and many ------------------------------------------------------------------------------

static void no_particles_give_an_empty_mesh(void **state)
{
	(void)state;
	for (int kind = 0; kind < OZ_SURFACE_KIND_COUNT; kind++) {
		oz_surface_def def = oz_surface_default(0.1f);
		def.kind = (oz_surface_kind)kind;
		def.specks = 2;
		oz_surface *s = test_surface(def);
		cloud c = test_cloud_ball(0.5f, 0.1f, OZ_FILL_LATTICE);
		// before and after one that is not empty
		for (int k = 0; k < 3; k++) {
			const oz_surface_mesh m =
			        test_surface_build(s, test_surface_input(c.points,
			                                                 k == 1 ? c.count : 0));
			assert_true((m.vertex_count > 0) == (k == 1));
			assert_true((m.triangle_count > 0) == (k == 1));
			assert_true((oz_surface_volume(&m) > 0) == (k == 1));
			assert_true((oz_surface_area(&m) > 0) == (k == 1));
		}
		free(c.points);
		oz_surface_destroy(s);
	}
	const oz_surface_mesh none = {0};
	assert_true(oz_surface_volume(&none) == 0 && oz_surface_area(&none) == 0);
	oz_surface_destroy(NULL);
}

// volume of a closed mesh of one piece around these points, in particles
static double drop_of(oz_surface_kind kind, const oz_vec3 *points, uint32_t count)
{
	oz_surface_def def = oz_surface_default(0.1f);
	def.kind = kind;
	def.cell = 0.5f;
	oz_surface *s = test_surface(def);
	const oz_surface_mesh m = test_surface_build(s, test_surface_input(points, count));
	assert_int_equal(test_surface_is_closed(&m), 2);
	const double volume = oz_surface_volume(&m) / 1e-3;
	for (uint32_t v = 0; v < m.vertex_count; v++)
		assert_true(oz_length(oz_sub(m.position[v], points[0])) < 0.18f);
	oz_surface_destroy(s);
	return volume;
}

static void particles_in_one_place_are_one_drop(void **state)
{
	(void)state;
	// but for densities the work goes with the square
	const uint32_t most = test_is_long() ? 100000 : test_is_quick() ? 3000 : 30000;
	const uint32_t crowd = test_is_long() ? 20000 : test_is_quick() ? 1000 : 4000;
	oz_vec3 *points = malloc(sizeof *points * most);
	for (uint32_t i = 0; i < most; i++)
		points[i] = oz_v3(0.123f, -0.456f, 0.789f);
	for (int kind = 0; kind < OZ_SURFACE_KIND_COUNT; kind++) {
		const uint32_t counts[] = {1, 2, 40, crowd / 2, kind ? crowd : most};
		for (int k = 0; k < 5; k++) {
			const double volume = drop_of((oz_surface_kind)kind, points, counts[k]);
			print_message("%s: %u make a drop of %.2f\n", test_surface_kinds[kind],
			              counts[k], volume);
			// of distances, particles in a crowd reach farther
			assert_true(volume > 0.5 &&
			            volume < (kind == OZ_SURFACE_DISTANCE ? 12 : 4));
		}
	}
	free(points);
}

static void a_row_and_a_layer_of_particles_are_one_piece_and_closed(void **state)
{
	(void)state;
	for (int kind = 0; kind < OZ_SURFACE_KIND_COUNT; kind++)
		for (int layer = 0; layer < 2; layer++) {
			const uint32_t count = layer ? 40 * 40 : 200;
			cloud c = {malloc(sizeof(oz_vec3) * count), count};
			for (uint32_t i = 0; i < count; i++)
				c.points[i] = layer ? oz_v3(0.1f * (float)(i % 40), 0.013f,
				                            0.1f * (float)(i / 40))
				                    : oz_v3(0.1f * (float)i, 0.02f, -0.037f);
			oz_surface_def def = oz_surface_default(0.1f);
			def.kind = (oz_surface_kind)kind;
			def.cell = 0.5f;
			oz_surface *s = test_surface(def);
			const oz_surface_mesh m =
			        test_surface_build(s, test_surface_input(c.points, count));
			// balls of half a spacing leave a hole between each four
			const bool holes = layer && kind == OZ_SURFACE_DISTANCE;
			assert_int_equal(test_surface_is_closed(&m), holes ? 2 - 2 * 39 * 39 : 2);
			const double volume = oz_surface_volume(&m) / 1e-3 / count;
			print_message("%s, %s: volume %.2f\n", test_surface_kinds[kind],
			              layer ? "layer" : "row", volume);
			assert_true(volume > 0.5 && volume < 2);
			oz_surface_destroy(s);
			free(c.points);
		}
}

// ---- strays ------------------------------------------------------------------------------------

// how many of the points, sorted by x, have an x below this one
static uint32_t count_below(const oz_vec3 *sorted, uint32_t count, float x)
{
	uint32_t low = 0, high = count;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (sorted[middle].x < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// whether every vertex of a is one of b, but for roundings
static void check_part(const oz_surface_mesh *a, const oz_surface_mesh *b, float tolerance)
{
	oz_vec3 *sorted = malloc(sizeof *sorted * b->vertex_count);
	memcpy(sorted, b->position, sizeof *sorted * b->vertex_count);
	qsort(sorted, b->vertex_count, sizeof *sorted, test_by_x);
	for (uint32_t v = 0; v < a->vertex_count; v++) {
		const oz_vec3 p = a->position[v];
		float least = INFINITY;
		for (uint32_t w = count_below(sorted, b->vertex_count, p.x - tolerance);
		     w < b->vertex_count && sorted[w].x <= p.x + tolerance; w++)
			least = fminf(least, oz_length2(oz_sub(p, sorted[w])));
		assert_true(least < tolerance * tolerance);
	}
	free(sorted);
}

static void check_stray(oz_surface_kind kind, oz_vec3 stray, bool seen)
{
	cloud c = test_cloud_ball(8, 1, OZ_FILL_LATTICE), lone = {calloc(1, sizeof(oz_vec3)), 1};
	oz_surface_def def = oz_surface_default(1);
	def.kind = kind;
	oz_surface *a = test_surface(def), *b = test_surface(def);
	const oz_surface_mesh rest = test_surface_build(a, test_surface_input(c.points, c.count));
	test_cloud_join(&c, lone, stray);
	const oz_surface_mesh all = test_surface_build(b, test_surface_input(c.points, c.count));
	assert_int_equal(test_surface_is_closed(&all), seen ? 4 : 2);
	assert_true(seen ? all.vertex_count > rest.vertex_count
	                 : all.vertex_count == rest.vertex_count);
	check_part(&rest, &all, 1e-4f);
	assert_true(oz_surface_bytes(b) < oz_surface_bytes(a) + oz_surface_bytes(a) / 20);
	const double more = oz_surface_volume(&all) - oz_surface_volume(&rest);
	assert_true(seen ? more > 0.2 && more < 3 : fabs(more) < 0.01);
	oz_surface_destroy(a);
	oz_surface_destroy(b);
	free(c.points);
}

static void a_stray_particle_changes_nothing_of_the_rest_and_costs_nothing(void **state)
{
	(void)state;
	uint64_t seed = 2;
	for (int k = 0; k < 30; k++) {
		const float far = k < 15 ? 2e6f : 2e5f;
		const oz_vec3 x =
		        oz_sub(test_in_box(&seed, far), oz_scale(oz_v3(1, 1, 1), far / 2));
		check_stray((oz_surface_kind)(k % 3), x, true);
	}
	// farther than the grid has nodes
	check_stray(OZ_SURFACE_SMOOTH, oz_v3(0, 1e7f, 0), false);
	check_stray(OZ_SURFACE_DENSITY, oz_v3(-1e30f, 0, 0), false);
	check_stray(OZ_SURFACE_DISTANCE, oz_v3(0, 0, 3e38f), false);
}

// ---- what is refused ---------------------------------------------------------------------------

static void positions_that_are_not_finite_are_refused_by_number(void **state)
{
	(void)state;
	static const float wrong[] = {NAN, INFINITY, -INFINITY};
	const uint32_t count = 150000;
	oz_vec3 *points = calloc(count, sizeof *points);
	for (uint32_t i = 0; i < count; i++)
		points[i] = oz_v3((float)(i % 50), (float)(i / 50 % 50), (float)(i / 2500));
	oz_surface *s = test_surface(oz_surface_default(1));
	const uint32_t places[] = {0, 77777, count - 1};
	for (int k = 0; k < 9; k++) {
		const uint32_t i = places[k / 3];
		oz_surface_mesh mesh;
		oz_error error = {0};
		char name[40];
		const oz_vec3 kept = points[i];
		points[i] = oz_v3(k % 3 == 0 ? wrong[k / 3] : 1, k % 3 == 1 ? wrong[k / 3] : 1,
		                  k % 3 == 2 ? wrong[k / 3] : 1);
		const oz_surface_input in = test_surface_input(points, count);
		assert_int_equal(oz_surface_build(s, &in, &mesh, &error), OZ_ERROR_ARGUMENT);
		snprintf(name, sizeof name, "particle %u ", i);
		assert_non_null(strstr(error.text, name));
		assert_int_equal(mesh.vertex_count, 0);
		points[i] = kept;
	}
	cloud c = test_cloud_ball(5, 1, OZ_FILL_LATTICE);
	assert_true(test_surface_build(s, test_surface_input(c.points, c.count)).vertex_count > 0);
	free(c.points);
	free(points);
	oz_surface_destroy(s);
}

static void refuse(oz_surface_def def, const char *word)
{
	oz_surface *s = (oz_surface *)&def;
	oz_error error = {0};
	assert_int_equal(oz_surface_create(&def, &s, &error), OZ_ERROR_RANGE);
	assert_null(s);
	assert_non_null(strstr(error.text, word));
	assert_int_equal(oz_surface_create(&def, &s, NULL), OZ_ERROR_RANGE);
}

static void set_row(oz_surface_def *def, const oz_param *row, double value)
{
	void *field = (char *)def + row->offset;
	if (row->type == OZ_PARAM_FLOAT)
		*(float *)field = (float)value;
	else
		*(uint32_t *)field = (uint32_t)(int64_t)value;
}

static void parameters_out_of_range_are_refused_by_name(void **state)
{
	(void)state;
	static const float spacings[] = {0, -1, NAN, INFINITY, 1e-6f, 1e4f};
	uint32_t rows;
	const oz_param *table = oz_params(OZ_PARAMS_SURFACE, &rows);
	assert_int_equal(rows, 7);
	for (int k = 0; k < 6; k++)
		refuse(oz_surface_default(spacings[k]), "surface.spacing");
	for (uint32_t r = 0; r < rows; r++) {
		const bool whole = table[r].type != OZ_PARAM_FLOAT;
		const double beyond[] = {table[r].max + (whole ? 1 : 0.01 * fabs(table[r].max)),
		                         table[r].min - (whole ? 1 : 0.01), NAN};
		for (int k = 0; k < (whole ? 2 : 3); k++) {
			oz_surface_def def = oz_surface_default(0.1f);
			set_row(&def, &table[r], beyond[k]);
			refuse(def, table[r].name);
		}
	}
	oz_surface_def def = oz_surface_default(0.1f);
	def.threads = 1000000;
	refuse(def, "threads");
}

// ---- memory ------------------------------------------------------------------------------------

// Refuses one allocation: the one after `left` others.
typedef struct stingy {
	test_memory memory;
	oz_hooks counted;
	long left;
	bool refused;
} stingy;

static void *alloc_or_refuse(void *context, void *block, size_t old_size, size_t new_size)
{
	stingy *m = context;
	if (new_size && m->left-- == 0) {
		m->refused = true;
		return NULL;
	}
	return m->counted.alloc(m->counted.context, block, old_size, new_size);
}

static void be_stingy(stingy *m)
{
	*m = (stingy){.memory = {.poison = 0xa5}, .left = -1};
	m->counted = test_memory_hooks(&m->memory);
}

static oz_surface_def full_def(oz_surface_kind kind, stingy *m)
{
	oz_surface_def def = oz_surface_default(0.1f);
	def.kind = kind;
	def.specks = 2;
	def.threads = 2;
	def.hooks = (oz_hooks){.alloc = alloc_or_refuse, .context = m};
	return def;
}

static void a_maker_without_memory_says_so_and_leaks_nothing(void **state)
{
	(void)state;
	for (int kind = 0; kind < OZ_SURFACE_KIND_COUNT; kind++) {
		bool refused = true;
		long left = 0;
		for (; refused; left++) {
			stingy m;
			oz_surface *s;
			oz_error error = {0};
			be_stingy(&m);
			m.left = left;
			const oz_surface_def def = full_def((oz_surface_kind)kind, &m);
			const oz_result result = oz_surface_create(&def, &s, &error);
			refused = m.refused;
			assert_int_equal(result, refused ? OZ_ERROR_MEMORY : OZ_OK);
			assert_true((s == NULL) == refused);
			assert_true(!refused || strlen(error.text) > 20);
			oz_surface_destroy(s);
			test_memory_is_empty(&m.memory);
		}
		assert_true(left > 5);
	}
}

// a cloud with all that a surface can take in
typedef struct full_input {
	cloud c;
	uint32_t *numbers;
	oz_shape wall;
	oz_surface_input input;
} full_input;

static full_input make_full(void)
{
	// a surface is built for each allocation: under ASan a large one takes minutes
	const float radius = test_is_long() ? 1.1f : 0.6f;
	full_input f = {.c = test_cloud_ball(radius, 0.1f, OZ_FILL_BLUE_NOISE)};
	uint64_t seed = 4;
	test_cloud_join(&f.c, test_cloud_random(PAIRS, &seed, 200, 0.1f), oz_v3(0, 0, 0));
	const uint32_t count = f.c.count;
	f.numbers = calloc(count, sizeof *f.numbers);
	f.input = test_surface_input(f.c.points, count);
	f.input.velocity = f.input.colour = f.input.position;
	f.input.body = f.input.material = (oz_view){f.numbers, sizeof *f.numbers, count};
	f.wall = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){radius, 0, 0});
	return f;
}

static void check_refusal(oz_surface *s, stingy *m, const full_input *f, oz_surface_mesh *mesh)
{
	oz_error error = {0};
	const oz_surface_input none = {0};
	const oz_result result = oz_surface_build(s, &f->input, mesh, &error);
	assert_int_equal(result, m->refused ? OZ_ERROR_MEMORY : OZ_OK);
	m->left = -1;
	if (!m->refused)
		return;
	assert_true(strlen(error.text) > 20);
	assert_int_equal(mesh->vertex_count, 0);
	assert_int_equal(test_surface_build(s, none).vertex_count, 0);
	*mesh = test_surface_build(s, f->input);
}

static void any_allocation_may_be_refused_and_the_next_surface_is_right(void **state)
{
	(void)state;
	full_input f = make_full();
	f.input.walls = &f.wall;
	f.input.wall_count = 1;
	for (int kind = 0; kind < OZ_SURFACE_KIND_COUNT; kind++) {
		stingy m;
		bool refused = true;
		long left = 0;
		be_stingy(&m);
		oz_surface *right = test_surface(full_def((oz_surface_kind)kind, &m));
		const oz_surface_mesh wanted = test_surface_build(right, f.input);
		assert_true(wanted.vertex_count > 1000);
		for (; refused; left++) {
			stingy other;
			oz_surface_mesh mesh;
			be_stingy(&other);
			oz_surface *s = test_surface(full_def((oz_surface_kind)kind, &other));
			other.left = left;
			check_refusal(s, &other, &f, &mesh);
			refused = other.refused;
			assert_int_equal(mesh.vertex_count, wanted.vertex_count);
			assert_memory_equal(mesh.position, wanted.position,
			                    sizeof(oz_vec3) * wanted.vertex_count);
			assert_memory_equal(mesh.colour, wanted.colour,
			                    sizeof(oz_vec3) * wanted.vertex_count);
			oz_surface_destroy(s);
			test_memory_is_empty(&other.memory);
		}
		print_message("%s: %ld allocations\n", test_surface_kinds[kind], left - 1);
		assert_true(left > 20);
		oz_surface_destroy(right);
		test_memory_is_empty(&m.memory);
	}
	free(f.c.points);
	free(f.numbers);
}

static void a_surface_beyond_the_limit_of_memory_gets_a_sentence(void **state)
{
	(void)state;
	test_memory memory = {.limit = 8 << 20};
	oz_surface_def def = oz_surface_default(0.1f);
	def.hooks = test_memory_hooks(&memory);
	def.cell = 0.1f;
	oz_surface *s = test_surface(def);
	cloud c = test_cloud_ball(1.5f, 0.1f, OZ_FILL_LATTICE);
	oz_surface_mesh mesh;
	oz_error error = {0};
	const oz_surface_input large = test_surface_input(c.points, c.count);
	assert_int_equal(oz_surface_build(s, &large, &mesh, &error), OZ_ERROR_MEMORY);
	assert_non_null(strstr(error.text, "larger cell"));
	assert_true(memory.refused > 0);
	assert_true(oz_surface_bytes(s) <= 8 << 20);
	assert_true(test_surface_build(s, test_surface_input(c.points, 1)).vertex_count > 0);
	oz_surface_destroy(s);
	test_memory_is_empty(&memory);
	free(c.points);
}

static void the_next_surface_of_the_same_size_allocates_nothing(void **state)
{
	(void)state;
	stingy m;
	full_input f = make_full();
	be_stingy(&m);
	oz_surface *s = test_surface(full_def(OZ_SURFACE_SMOOTH, &m));
	test_surface_build(s, f.input);
	const size_t bytes = oz_surface_bytes(s);
	assert_true(bytes >= m.memory.bytes);
	m.left = 0;
	for (int k = 0; k < 3; k++)
		test_surface_build(s, f.input);
	assert_false(m.refused);
	assert_int_equal(oz_surface_bytes(s), bytes);
	oz_surface_destroy(s);
	test_memory_is_empty(&m.memory);
	free(f.c.points);
	free(f.numbers);
}

static void views_of_another_length_and_bodies_that_are_not_there_are_refused(void **state)
{
	(void)state;
	const oz_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
	oz_surface_mesh mesh;
	oz_error error = {0};
	oz_surface *s = test_surface(oz_surface_default(0.1f));
	oz_surface_input in = test_surface_input(points, 3);
	in.velocity = (oz_view){points, sizeof *points, 2};
	assert_int_equal(oz_surface_build(s, &in, &mesh, &error), OZ_ERROR_ARGUMENT);
	assert_non_null(strstr(error.text, "velocity has 2 elements"));
	oz_world *w = test_dam(1, 0.1f, NULL);
	assert_int_equal(oz_surface_of_world(s, w, 77, &mesh, &error), OZ_ERROR_NOT_FOUND);
	assert_non_null(strstr(error.text, "no body 77"));
	oz_world_destroy(w);
	oz_surface_destroy(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(views_of_another_length_and_bodies_that_are_not_there_are_refused),
	        cmocka_unit_test(no_particles_give_an_empty_mesh),
	        cmocka_unit_test(particles_in_one_place_are_one_drop),
	        cmocka_unit_test(a_row_and_a_layer_of_particles_are_one_piece_and_closed),
	        cmocka_unit_test(a_stray_particle_changes_nothing_of_the_rest_and_costs_nothing),
	        cmocka_unit_test(positions_that_are_not_finite_are_refused_by_number),
	        cmocka_unit_test(parameters_out_of_range_are_refused_by_name),
	        cmocka_unit_test(a_maker_without_memory_says_so_and_leaks_nothing),
	        cmocka_unit_test(any_allocation_may_be_refused_and_the_next_surface_is_right),
	        cmocka_unit_test(a_surface_beyond_the_limit_of_memory_gets_a_sentence),
	        cmocka_unit_test(the_next_surface_of_the_same_size_allocates_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
