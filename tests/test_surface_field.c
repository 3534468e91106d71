// test_surface_field.c: the field that a surface is the level of, and the cubes that follow it.
//
// The sums by vectors are held against plain ones in double precision, and the meshes against what
// the signs of the nodes alone tell: the Euler number of the solid, counted from cubes, faces,
// edges and nodes. scikit-image's marching cubes is the judge of where the surface lies.
#include "clouds.h"
#include "surface/surface.h"

// ---- plain sums --------------------------------------------------------------------------------

static double squared(oz_vec3 a, oz_float4 b)
{
	const double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
	const double z = (double)a.z - (double)b.z;
	return x * x + y * y + z * z;
}

static double cubed(double t)
{
	return t > 0 ? t * t * t : 0;
}

static oz_vec3 place_of(oz_float4 p)
{
	return oz_v3(p.x, p.y, p.z);
}

static double peak_of(const oz_surface *s)
{
	const double reach = (double)s->def.reach;
	return 315 / (64 * 3.14159265358979 * reach * reach * reach);
}

// share of the rest density at a particle
static double plain_density(const oz_surface *s, uint32_t i)
{
	const oz_float4 *x = s->points.position.data;
	const double reach = (double)s->def.reach * (double)s->def.spacing;
	double sum = 0;
	for (uint32_t j = 0; j < s->points.count; j++)
		sum += cubed(1 - squared(place_of(x[i]), x[j]) / (reach * reach));
	return peak_of(s) * sum;
}

// what the kernel of each particle is multiplied with, or b of its distance
static double *plain_weights(const oz_surface *s)
{
	double *weight = malloc(sizeof *weight * (s->points.count + 1u));
	const double spacing = (double)s->def.spacing, cube = spacing * spacing * spacing;
	for (uint32_t i = 0; i < s->points.count; i++) {
		const double density = plain_density(s, i);
		const double volume = fmin(cube / density, (double)s->lone_volume);
		weight[i] = peak_of(s) * volume / cube;
		if (s->def.kind == OZ_SURFACE_DISTANCE)
			weight[i] = density < (double)s->def.threshold ? 0 : (double)s->field.bonus;
	}
	return weight;
}

static double plain_ellipsoid(const oz_ellipsoid *b, oz_vec3 at)
{
	const double x = (double)at.x - (double)b->x, y = (double)at.y - (double)b->y;
	const double z = (double)at.z - (double)b->z;
	const double q2 = (double)b->xx * x * x + (double)b->yy * y * y + (double)b->zz * z * z +
	                  (double)b->yz * y * z + (double)b->xz * x * z + (double)b->xy * x * y;
	return (double)b->weight * cubed(1 - q2);
}

static double plain_field(const oz_surface *s, const double *weight, oz_vec3 at)
{
	const oz_float4 *x = s->points.position.data;
	const oz_shape_slot *shape = s->points.shape.data;
	const double reach = (double)s->field.reach;
	double sum = s->field.distance ? (double)s->field.bonus - reach : 0;
	for (uint32_t i = 0; i < s->points.count; i++) {
		const double r2 = squared(at, x[i]);
		if (s->field.distance)
			sum = fmax(sum, weight[i] - sqrt(r2));
		else if (s->field.shapes)
			sum += plain_ellipsoid(&shape[i].ellipsoid, at);
		else
			sum += weight[i] * cubed(1 - r2 / (reach * reach));
	}
	return sum;
}

static oz_vec3 node_at(const oz_surface *s, oz_block b, int node)
{
	const float cell = s->field.cell;
	return oz_v3((float)(b.x * OZ_BLOCK_CELLS + node % 8) * cell,
	             (float)(b.y * OZ_BLOCK_CELLS + node / 8 % 8) * cell,
	             (float)(b.z * OZ_BLOCK_CELLS + node / 64) * cell);
}

// ---- a dense grid ------------------------------------------------------------------------------

#define UNKNOWN 2

typedef struct dense {
	oz_block low;
	int blocks[3], nodes[3];
	uint8_t *inside;
	float *values; // of blocks that the surface passes; elsewhere far on the right side
	double *weight;
} dense;

static size_t dense_index(const dense *d, int x, int y, int z)
{
	return ((size_t)z * (size_t)d->nodes[1] + (size_t)y) * (size_t)d->nodes[0] + (size_t)x;
}

static dense dense_around(const oz_surface *s)
{
	const oz_float4 *x = s->points.position.data;
	oz_vec3 low = place_of(x[0]), high = low;
	for (uint32_t i = 1; i < s->points.count; i++) {
		low = oz_min3(low, place_of(x[i]));
		high = oz_max3(high, place_of(x[i]));
	}
	const float width = OZ_BLOCK_CELLS * s->field.cell, reach = s->field.reach;
	const float from[3] = {low.x, low.y, low.z}, to[3] = {high.x, high.y, high.z};
	int first[3];
	dense d = {.weight = plain_weights(s)};
	for (int k = 0; k < 3; k++) {
		first[k] = (int)floorf((from[k] - reach) / width) - 1;
		d.blocks[k] = (int)floorf((to[k] + reach) / width) + 2 - first[k];
		d.nodes[k] = d.blocks[k] * OZ_BLOCK_CELLS + 1;
	}
	d.low = (oz_block){first[0], first[1], first[2]};
	const size_t count = (size_t)d.nodes[0] * (size_t)d.nodes[1] * (size_t)d.nodes[2];
	d.inside = malloc(count);
	d.values = malloc(count * sizeof *d.values);
	memset(d.inside, UNKNOWN, count);
	return d;
}

static void free_dense(dense *d)
{
	free(d->inside);
	free(d->values);
	free(d->weight);
}

// A block that the surface does not pass has one sign, that of its first node.
static bool sample(const oz_surface *s, const dense *d, oz_block b, float *values, uint64_t *inside)
{
	if (s->simd->sample_block(&s->field, b, values, inside))
		return true;
	const double first = plain_field(s, d->weight, node_at(s, b, 0));
	const bool full = first >= (double)s->field.level;
	memset(inside, full ? 0xff : 0, OZ_BLOCK_NODES * sizeof *inside);
	return false;
}

// nodes that two blocks share have one sign, and one value where both know it
static void put_block(const oz_surface *s, dense *d, int bx, int by, int bz)
{
	float values[OZ_BLOCK_VALUES];
	uint64_t inside[OZ_BLOCK_NODES];
	const oz_block b = {d->low.x + bx, d->low.y + by, d->low.z + bz};
	const bool passed = sample(s, d, b, values, inside);
	for (int k = 0; k < OZ_BLOCK_VALUES; k++) {
		const size_t at =
		        dense_index(d, bx * 7 + k % 8, by * 7 + k / 8 % 8, bz * 7 + k / 64);
		const uint8_t in = inside[k / 64] >> k % 64 & 1;
		const bool met = d->inside[at] != UNKNOWN;
		if (met)
			assert_int_equal(d->inside[at], in);
		d->inside[at] = in;
		if (!passed) {
			if (!met)
				d->values[at] = in ? INFINITY : -INFINITY;
			continue;
		}
		assert_true(isfinite(values[k]));
		assert_int_equal(values[k] >= s->field.level, in);
		if (met && isfinite(d->values[at]))
			assert_true(fabsf(values[k] - d->values[at]) < 1e-12f);
		d->values[at] = values[k];
	}
}

static dense sample_dense(const oz_surface *s)
{
	dense d = dense_around(s);
	for (int z = 0; z < d.blocks[2]; z++)
		for (int y = 0; y < d.blocks[1]; y++)
			for (int x = 0; x < d.blocks[0]; x++)
				put_block(s, &d, x, y, z);
	return d;
}

// ---- Euler numbers -----------------------------------------------------------------------------

// runs of inside corners around a face
static int runs_of(const uint8_t c[4])
{
	int runs = 0;
	for (int k = 0; k < 4; k++)
		runs += c[k] && !c[(k + 3) % 4];
	return runs || !c[0] ? runs : 1;
}

// inside corners of a cube, joined along its edges
static int components_of(const uint8_t c[8])
{
	int name[8], components = 0;
	for (int k = 0; k < 8; k++)
		name[k] = k;
	for (int round = 0; round < 8; round++)
		for (int k = 0; k < 24; k++) {
			const int a = k / 3, b = a ^ 1 << k % 3;
			if (c[a] && c[b] && name[b] < name[a])
				name[a] = name[b];
		}
	for (int k = 0; k < 8; k++)
		components += c[k] && name[k] == k;
	return components;
}

// what the cube, the faces, edges and node that begin at a node add
static long euler_at(const dense *d, int x, int y, int z)
{
	uint8_t c[8];
	for (int k = 0; k < 8; k++) {
		const int i = x + (k & 1), j = y + (k >> 1 & 1), l = z + (k >> 2);
		const bool there = i < d->nodes[0] && j < d->nodes[1] && l < d->nodes[2];
		c[k] = there ? d->inside[dense_index(d, i, j, l)] : 0;
	}
	const uint8_t xy[4] = {c[0], c[1], c[3], c[2]}, yz[4] = {c[0], c[2], c[6], c[4]};
	const uint8_t xz[4] = {c[0], c[1], c[5], c[4]};
	return components_of(c) - runs_of(xy) - runs_of(yz) - runs_of(xz) + (c[0] | c[1]) +
	       (c[0] | c[2]) + (c[0] | c[4]) - c[0];
}

static long solid_euler(const dense *d)
{
	long sum = 0;
	for (int z = 0; z < d->nodes[2]; z++)
		for (int y = 0; y < d->nodes[1]; y++)
			for (int x = 0; x < d->nodes[0]; x++)
				sum += euler_at(d, x, y, z);
	return sum;
}

// every vertex has the number of the nearest particle
static void check_nearest(const oz_surface_mesh *m, const cloud *c, float spacing)
{
	for (uint32_t v = 0; v < m->vertex_count; v++) {
		float least = INFINITY;
		for (uint32_t i = 0; i < c->count; i++)
			least = fminf(least, oz_length2(oz_sub(c->points[i], m->position[v])));
		assert_true(m->body[v] < c->count);
		const float found = oz_length(oz_sub(c->points[m->body[v]], m->position[v]));
		assert_true(found <= sqrtf(least) + 1e-5f * spacing);
	}
}

// gives the number of vertices
static uint32_t check_cloud(int kind, uint64_t *seed)
{
	const float spacing = test_between(seed, 0.01f, 1);
	oz_surface_def def =
	        test_surface_def((oz_surface_kind)(test_random_bits(seed) % 3), spacing);
	def.cell = test_between(seed, 0.3f, 1.6f);
	def.smoothing = test_random_bits(seed) % 2 * (test_random_bits(seed) % 9);
	const uint32_t count = 1 + test_random_bits(seed) % 300;
	cloud c = test_cloud_random(kind, seed, count, spacing);
	uint32_t *numbers = malloc(sizeof *numbers * count);
	for (uint32_t i = 0; i < count; i++)
		numbers[i] = i;
	oz_surface_input input = test_surface_input(c.points, count);
	input.body = (oz_view){numbers, sizeof *numbers, count};
	oz_surface *s = test_surface(def);
	const oz_surface_mesh mesh = test_surface_build(s, input);
	const long euler = test_surface_is_closed(&mesh);
	dense d = sample_dense(s);
	assert_int_equal(euler, 2 * solid_euler(&d));
	assert_true(mesh.vertex_count ? oz_surface_volume(&mesh) > 0 : euler == 0);
	check_nearest(&mesh, &c, spacing);
	const uint32_t vertices = mesh.vertex_count;
	free_dense(&d);
	oz_surface_destroy(s);
	free(numbers);
	free(c.points);
	return vertices;
}

static void meshes_around_any_cloud_are_closed_and_of_the_right_euler_number(void **state)
{
	(void)state;
	uint64_t seed = 1;
	int empty = 0;
	for (int k = 0; k < 200; k++)
		empty += check_cloud(k % CLOUD_KINDS, &seed) == 0;
	assert_true(empty < 10);
}

// ---- the field ---------------------------------------------------------------------------------

// the first stages alone
static void weigh(oz_surface *s, const cloud *c)
{
	const oz_surface_input input = test_surface_input(c->points, c->count);
	oz_error error = {0};
	if (oz_points_sort(s, (oz_surface_choice){&input, OZ_NONE}, &error) != OZ_OK ||
	    oz_points_weigh(s, &error) != OZ_OK || oz_blocks_find(s, &error) != OZ_OK)
		fail_msg("%s", error.text);
}

static oz_surface *make_for_lanes(oz_surface_def def, int lanes)
{
	char text[16];
	snprintf(text, sizeof text, "%d", lanes);
	setenv("OOZE_LANES", text, 1);
	oz_surface *s = test_surface(def);
	unsetenv("OOZE_LANES");
	return s;
}

// The most that the field is off, in levels or (distances) spacings; blocks are those near the
// particles that the surface passes.
static double worst_of_field(const oz_surface *s, const double *weight, uint32_t *passed)
{
	const oz_block *blocks = s->blocks.block.data;
	const double scale = (double)(s->field.distance ? s->def.spacing : s->field.level);
	double worst = 0;
	for (uint32_t k = 0; k < s->blocks.count; k++) {
		float values[OZ_BLOCK_VALUES];
		uint64_t inside[OZ_BLOCK_NODES];
		if (!s->simd->sample_block(&s->field, blocks[k], values, inside))
			continue;
		++*passed;
		for (int n = 0; n < OZ_BLOCK_VALUES; n++) {
			const double plain = plain_field(s, weight, node_at(s, blocks[k], n));
			const double off = fabs((double)values[n] - plain) / scale;
			worst = off > worst || isnan(off) ? off : worst;
		}
	}
	return worst;
}

static void check_field(oz_surface_def def, int lanes, const cloud *c, double *worst)
{
	oz_surface *s = make_for_lanes(def, lanes);
	uint32_t passed = 0;
	weigh(s, c);
	double *weight = plain_weights(s);
	const double off = worst_of_field(s, weight, &passed);
	assert_true(passed > 0);
	*worst = fmax(*worst, off);
	free(weight);
	oz_surface_destroy(s);
}

static void the_field_equals_a_plain_sum_in_double_precision(void **state)
{
	(void)state;
	static const int clouds[] = {UNIFORM, CLUSTERED, SHEET, LATTICE};
	// in levels, spacings, levels: a few roundings of numbers that are sums or differences
	static const double tolerance[] = {3e-6, 1e-6, 1e-5};
	for (int lanes = 4; lanes <= 16; lanes *= 2)
		for (int kind = 0; kind < OZ_SURFACE_KIND_COUNT; kind++) {
			uint64_t seed = 7;
			double worst = 0;
			for (int k = 0; k < 4; k++) {
				oz_surface_def def = test_surface_def((oz_surface_kind)kind, 0.05f);
				def.cell = test_between(&seed, 0.3f, 0.9f);
				def.reach = test_between(&seed, 1.5f, 3);
				cloud c = test_cloud_random(clouds[k], &seed, 250, def.spacing);
				check_field(def, lanes, &c, &worst);
				free(c.points);
			}
			print_message("%d lanes, %s: off by %.1e\n", lanes,
			              test_surface_kinds[kind], worst);
			assert_true(worst < tolerance[kind]);
		}
}

// ---- densities and moments ---------------------------------------------------------------------

static void add_plain_moment(double sum[11], oz_vec3 at, oz_float4 p, double radius2)
{
	const double x = (double)p.x - (double)at.x, y = (double)p.y - (double)at.y;
	const double z = (double)p.z - (double)at.z, w = 1 - squared(at, p) / radius2;
	if (w <= 0)
		return;
	const double terms[11] = {1,         w,         w * x,     w * y,     w * z,    w * x * x,
	                          w * y * y, w * z * z, w * y * z, w * x * z, w * x * y};
	for (int k = 0; k < 11; k++)
		sum[k] += terms[k];
}

// each sum is off by less than 1e-5 of what its terms can be together
static void check_moment(const oz_surface *s, const oz_moment *m, uint32_t i)
{
	static const int power[11] = {0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2};
	const oz_float4 *x = s->points.position.data;
	const float found[11] = {m->count, m->sum, m->x,  m->y,  m->z, m->xx,
	                         m->yy,    m->zz,  m->yz, m->xz, m->xy};
	const double radius = (double)oz_moment_radius(&s->def);
	double sum[11] = {0};
	for (uint32_t j = 0; j < s->points.count; j++)
		add_plain_moment(sum, place_of(x[i]), x[j], radius * radius);
	for (int k = 0; k < 11; k++) {
		const double off = fabs((double)found[k] - sum[k]) / pow(radius, power[k]);
		// a neighbour at the very rim may count or not
		assert_true(off <= (k ? 1e-5 * sum[0] : 1));
	}
}

// once more for all particles, since kernels have taken the place of the moments
static void check_particles(oz_surface_def def, int lanes, const cloud *c)
{
	oz_surface *s = make_for_lanes(def, lanes);
	weigh(s, c);
	const bool smooth = def.kind == OZ_SURFACE_SMOOTH;
	const float reach = def.reach * def.spacing, radius = oz_moment_radius(&def);
	float *density = malloc(sizeof *density * c->count);
	oz_shape_slot *shape = malloc(sizeof *shape * c->count);
	const oz_moments_args args = {.field = &s->field,
	                              .radius2 = radius * radius,
	                              .kernel_r2 = reach * reach,
	                              .kernel = oz_kernel_peak(def.reach),
	                              .density = density,
	                              .shape = smooth ? shape : NULL};
	s->simd->find_moments(&args, 0, c->count);
	assert_int_equal(s->points.count, c->count);
	assert_memory_equal(density, s->points.density.data, sizeof *density * c->count);
	for (uint32_t i = 0; i < c->count; i += c->count / 400 + 1) {
		const double plain = plain_density(s, i);
		assert_true(fabs((double)density[i] - plain) < 1e-5 * plain);
		if (smooth)
			check_moment(s, &shape[i].moment, i);
	}
	free(density);
	free(shape);
	oz_surface_destroy(s);
}

static void densities_and_moments_equal_plain_sums_in_a_crowd_too(void **state)
{
	(void)state;
	uint64_t seed = 3;
	const float spacing = 0.1f;
	cloud few = test_cloud_random(UNIFORM, &seed, 300, spacing);
	// more than a particle's candidates fit into the arrays, in one cell and around it
	cloud crowd = {malloc(sizeof(oz_vec3) * 6000), 6000};
	for (uint32_t i = 0; i < crowd.count; i++)
		crowd.points[i] = i < 3000 ? test_in_box(&seed, 0.4f * spacing)
		                           : test_in_box(&seed, 8 * spacing);
	for (int lanes = 4; lanes <= 16; lanes *= 2)
		for (int kind = 0; kind < OZ_SURFACE_KIND_COUNT; kind++) {
			check_particles(test_surface_def((oz_surface_kind)kind, spacing), lanes,
			                &few);
			check_particles(test_surface_def((oz_surface_kind)kind, spacing), lanes,
			                &crowd);
		}
	free(few.points);
	free(crowd.points);
}

// ---- scikit-image ------------------------------------------------------------------------------

// Writes the field and the mesh as bytes, and lets check_surface.py compare.
static void compare(const oz_surface *s, const oz_surface_mesh *mesh)
{
	char command[600];
	dense d = sample_dense(s);
	const size_t nodes = (size_t)d.nodes[0] * (size_t)d.nodes[1] * (size_t)d.nodes[2];
	const float level = s->field.level;
	for (size_t k = 0; k < nodes; k++)
		if (!isfinite(d.values[k]))
			d.values[k] = d.inside[k] ? level + 1 : level - 1;
	test_write("field.bin", d.values, nodes * sizeof *d.values);
	test_write("position.bin", mesh->position, sizeof(oz_vec3) * mesh->vertex_count);
	test_write("triangles.bin", mesh->triangles,
	           3 * sizeof(uint32_t) * (size_t)mesh->triangle_count);
	const oz_vec3 low = node_at(s, d.low, 0);
	snprintf(command, sizeof command,
	         "$PYTHON $SOURCE/tests/check_surface.py %d %d %d %.9g %.9g %.9g %.9g %.9g %s",
	         d.nodes[0], d.nodes[1], d.nodes[2], (double)s->field.cell, (double)low.x,
	         (double)low.y, (double)low.z, (double)level, test_surface_kinds[s->def.kind]);
	test_expect_shell(command, 0);
	free_dense(&d);
}

static void meshes_equal_marching_cubes_of_scikit_image_within_a_cell(void **state)
{
	(void)state;
	uint64_t seed = 5;
	for (int kind = 0; kind < OZ_SURFACE_KIND_COUNT; kind++) {
		const float spacing = 0.05f;
		cloud c = test_cloud_ball(0.4f, spacing, OZ_FILL_BLUE_NOISE);
		test_cloud_join(&c, test_cloud_random(UNIFORM, &seed, 100, spacing),
		                oz_v3(0.7f, 0.1f, 0));
		oz_surface_def def = test_surface_def((oz_surface_kind)kind, spacing);
		def.cell = 0.5f;
		oz_surface *s = test_surface(def);
		const oz_surface_mesh mesh =
		        test_surface_build(s, test_surface_input(c.points, c.count));
		compare(s, &mesh);
		oz_surface_destroy(s);
		free(c.points);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(meshes_around_any_cloud_are_closed_and_of_the_right_euler_number),
	        cmocka_unit_test(the_field_equals_a_plain_sum_in_double_precision),
	        cmocka_unit_test(densities_and_moments_equal_plain_sums_in_a_crowd_too),
	        cmocka_unit_test(meshes_equal_marching_cubes_of_scikit_image_within_a_cell),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
