// surface.c: the stages from particles to a mesh; and the level of the field at the surface.
//
// The level is measured: oz_surface_create runs a slab of particles at rest through the first
// stages and takes the mean of the field at the slab's face, half a spacing beyond the outermost
// layer. Flat surfaces then lie at the right place, and bodies that are large against the spacing
// have the right volume.
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "surface/surface.h"

#define SLAB_EDGE  20 // particles along the slab's sides
#define SLAB_DEPTH 12
#define PROBES     5     // along each side of a square of spacing² on the face
#define DROP       0.62f // spacings: radius of a ball of the volume of one particle
#define DROP_CELL  0.3f  // cells by which marching cubes reduces the radius of so small a ball
#define BONUS      0.75f // spacings, b of particles inside a body: enough to leave no hole
#define MEMORY     0.9   // greatest fraction of the machine's memory for a surface

// ---- memory ------------------------------------------------------------------------------------

static oz_result no_memory(oz_error *error, double bytes)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "the surface needs %.1f GB of memory, more than the machine has; use a "
	               "larger cell, or fewer particles",
	               bytes * 1e-9);
}

oz_result oz_store_reserve(oz_surface *s, oz_store *store, uint64_t count, size_t size, bool keep,
                           oz_error *error)
{
	if (count * size <= store->size)
		return OZ_OK;
	// arrays that grow step by step get twice the size, to resize rarely
	const double wanted = (double)count * (double)size * (keep ? 2 : 1.1) + 4096;
	if (wanted + (double)s->heap.bytes > MEMORY * oz_machine_memory())
		return no_memory(error, wanted + (double)s->heap.bytes);
	const size_t bytes = (size_t)wanted;
	void *data;
	if (keep) {
		data = oz_heap_resize(&s->heap, store->data, store->size, bytes);
	} else {
		oz_heap_free(&s->heap, store->data, store->size);
		*store = (oz_store){0};
		data = oz_heap_alloc(&s->heap, bytes);
	}
	if (!data)
		return no_memory(error, wanted + (double)s->heap.bytes);
	*store = (oz_store){data, bytes};
	return OZ_OK;
}

// Frees the stores of a struct, from `first` on; `bytes`: their size together.
static void free_stores(oz_surface *s, oz_store *first, size_t bytes)
{
	for (size_t k = 0; k < bytes / sizeof *first; k++) {
		oz_heap_free(&s->heap, first[k].data, first[k].size);
		first[k] = (oz_store){0};
	}
}

static void free_all(oz_surface *s)
{
	oz_surface_points *p = &s->points;
	oz_surface_blocks *b = &s->blocks;
	oz_store *lone[] = {&b->block, &b->table,        &b->patch_of,     &b->patch, &b->values,
	                    &b->batch, &b->batch_inside, &b->batch_passed, &b->skip,  &s->walls};
	free_stores(s, &p->position, offsetof(oz_surface_points, count));
	free_stores(s, &s->skin.position, offsetof(oz_surface_skin, vertex_count));
	for (size_t k = 0; k < sizeof lone / sizeof *lone; k++)
		free_stores(s, lone[k], sizeof **lone);
}

void oz_surface_destroy(oz_surface *s)
{
	if (!s)
		return;
	free_all(s);
	oz_pool_destroy(s->pool);
	oz_heap heap = s->heap;
	oz_heap_free(&heap, s, sizeof *s);
}

size_t oz_surface_bytes(const oz_surface *surface)
{
	return surface->heap.peak;
}

// ---- the level ---------------------------------------------------------------------------------

// The field at x, summed over all particles.
static float field_at(const oz_surface *s, oz_vec3 x)
{
	const oz_cloud *f = &s->field;
	float sum = f->distance ? -f->reach : 0.0f;
	for (uint32_t i = 0; i < f->count; i++) {
		const oz_float4 p = f->position[i];
		const oz_vec3 d = oz_sub(x, oz_v3(p.x, p.y, p.z));
		if (f->distance) {
			sum = oz_max(sum, p.w - oz_length(d));
			continue;
		}
		float q2 = oz_length2(d) / (f->reach * f->reach), weight = p.w;
		if (f->shapes) {
			const oz_ellipsoid *b = &f->shapes[i].ellipsoid;
			const oz_vec3 e = oz_sub(x, oz_v3(b->x, b->y, b->z));
			q2 = b->xx * e.x * e.x + b->yy * e.y * e.y + b->zz * e.z * e.z +
			     b->yz * e.y * e.z + b->xz * e.x * e.z + b->xy * e.x * e.y;
			weight = b->weight;
		}
		const float t = oz_max(1.0f - q2, 0.0f);
		sum += weight * t * t * t;
	}
	return sum;
}

// Mean of the field over a square of spacing² in the middle of the slab's face, y = 0.
static float mean_field(const oz_surface *s, float y)
{
	const float spacing = s->def.spacing;
	float sum = 0;
	for (int k = 0; k < PROBES * PROBES; k++)
		sum += field_at(s, oz_v3(((float)(k % PROBES) / PROBES) * spacing, y,
		                         ((float)(k / PROBES) / PROBES) * spacing));
	return sum / (PROBES * PROBES);
}

// A cubic lattice below y = 0, its top layer half a spacing deep.
static void make_slab(float spacing, oz_vec3 *points)
{
	for (int k = 0; k < SLAB_EDGE * SLAB_EDGE * SLAB_DEPTH; k++) {
		const float x = (float)(k % SLAB_EDGE - SLAB_EDGE / 2);
		const float z = (float)(k / SLAB_EDGE % SLAB_EDGE - SLAB_EDGE / 2);
		const float y = -(float)(k / (SLAB_EDGE * SLAB_EDGE)) - 0.5f;
		points[k] = oz_v3(x * spacing, y * spacing, z * spacing);
	}
}

// Greatest volume (m³) of a particle, such that the surface of a lone particle encloses the volume
// of one particle: its field DROP spacings away equals the level.
static float find_lone_volume(const oz_surface *s)
{
	const float cube = s->def.spacing * s->def.spacing * s->def.spacing;
	const float axis = s->def.kind == OZ_SURFACE_SMOOTH ? OZ_LONE_AXIS : 1.0f;
	const float radius = DROP + DROP_CELL * s->def.cell;
	const float q = oz_min(radius / (s->def.reach * axis), 0.9f), t = 1.0f - q * q;
	return s->field.level * cube * axis * axis * axis /
	       (oz_kernel_peak(s->def.reach) * t * t * t);
}

static oz_result weigh(oz_surface *s, const oz_vec3 *points, uint32_t count, oz_error *error)
{
	const oz_surface_input input = {.position = {points, sizeof *points, count}};
	const oz_result result = oz_points_sort(s, (oz_surface_choice){&input, OZ_NONE}, error);
	return result == OZ_OK ? oz_points_weigh(s, error) : result;
}

// Measures level, touch and lone_volume on a slab of particles, layer_gain on its top layer.
static oz_result find_level(oz_surface *s, oz_error *error)
{
	oz_vec3 points[SLAB_EDGE * SLAB_EDGE * SLAB_DEPTH];
	make_slab(s->def.spacing, points);
	s->lone_volume = INFINITY;
	s->layer_gain = 1;
	oz_result result = weigh(s, points, sizeof points / sizeof *points, error);
	if (result != OZ_OK)
		return result;
	s->field.level = mean_field(s, 0);
	if (s->def.kind == OZ_SURFACE_SMOOTH) {
		result = weigh(s, points, SLAB_EDGE * SLAB_EDGE, error);
		if (result != OZ_OK)
			return result;
		s->layer_gain = s->field.level / mean_field(s, 0);
	}
	s->field.touch = s->field.distance ? s->field.bonus - s->field.level : s->field.reach;
	s->lone_volume = find_lone_volume(s);
	return OZ_OK;
}

// ---- making ------------------------------------------------------------------------------------

oz_surface_def oz_surface_default(float spacing)
{
	oz_surface_def def = {.spacing = spacing};
	oz_params_default(OZ_PARAMS_SURFACE, &def);
	return def;
}

static oz_result check_def(const oz_surface_def *def, oz_error *error)
{
	if (!(def->spacing >= 1e-5f && def->spacing <= 1e3f))
		return oz_fail(error, OZ_ERROR_RANGE,
		               "surface.spacing is %g; give the spacing of the particles, 1e-5 to "
		               "1000 m",
		               (double)def->spacing);
	return oz_params_check(OZ_PARAMS_SURFACE, def, "surface", error);
}

// Greatest distance (m) at which a particle changes the field.
static float find_reach(const oz_surface_def *def)
{
	if (def->kind == OZ_SURFACE_DISTANCE)
		return (BONUS + 0.75f + 1.75f * def->cell) * def->spacing;
	if (def->kind == OZ_SURFACE_SMOOTH)
		return (OZ_MAX_AXIS * def->reach + OZ_MAX_MOVE) * def->spacing;
	return def->reach * def->spacing;
}

static const oz_surface_simd *pick_simd(void)
{
#ifdef OZ_X86_KERNELS
	const oz_surface_simd *widths[] = {&oz_surface_simd_4, &oz_surface_simd_8,
	                                   &oz_surface_simd_16};
	return widths[oz_cpu_width()];
#else
	return &oz_surface_simd_4;
#endif
}

oz_result oz_surface_create(const oz_surface_def *def, oz_surface **out, oz_error *error)
{
	*out = NULL;
	oz_result result = check_def(def, error);
	if (result != OZ_OK)
		return result;
	oz_heap heap;
	oz_heap_init(&heap, &def->hooks);
	oz_surface *s = oz_heap_alloc(&heap, sizeof *s);
	if (!s)
		return no_memory(error, sizeof *s);
	*s = (oz_surface){.def = *def, .heap = heap, .simd = pick_simd()};
	s->field.cell = def->cell * def->spacing;
	s->field.reach = find_reach(def);
	s->field.distance = def->kind == OZ_SURFACE_DISTANCE;
	s->field.bonus = BONUS * def->spacing;
	const float radius = oz_moment_radius(def);
	s->spread = radius * radius / 7.0f;
	oz_cube_table(s->cubes);
	result = oz_pool_create(&s->heap, def->threads, &s->pool, error);
	if (result == OZ_OK)
		result = find_level(s, error);
	if (result != OZ_OK) {
		oz_surface_destroy(s);
		return result;
	}
	*out = s;
	return OZ_OK;
}

static oz_surface_mesh mesh_of(const oz_surface *s, const oz_surface_input *in)
{
	const oz_surface_skin *k = &s->skin;
	return (oz_surface_mesh){.vertex_count = k->vertex_count,
	                         .triangle_count = k->triangle_count,
	                         .position = k->position.data,
	                         .normal = k->normal.data,
	                         .velocity = in->velocity.data ? k->velocity.data : NULL,
	                         .colour = in->colour.data ? k->colour.data : NULL,
	                         .body = in->body.data ? k->body.data : NULL,
	                         .material = in->material.data ? k->material.data : NULL,
	                         .triangles = k->triangles.data};
}

const char *oz_surface_stage_name(int stage)
{
	static const char *const names[] = {
#define STAGE_NAME(code, name) name,
	        OZ_SURFACE_STAGES(STAGE_NAME)
#undef STAGE_NAME
	};
	return names[stage];
}

// runs one stage
static oz_result run_stage(oz_surface *s, oz_surface_choice c, oz_surface_stage stage,
                           oz_error *error)
{
	switch (stage) {
	case OZ_SURFACE_STAGE_TAKE: return oz_points_sort(s, c, error);
	case OZ_SURFACE_STAGE_WEIGH: return oz_points_weigh(s, error);
	case OZ_SURFACE_STAGE_FIND: return oz_blocks_find(s, error);
	case OZ_SURFACE_STAGE_SAMPLE: return oz_blocks_sample(s, error);
	case OZ_SURFACE_STAGE_MARCH: return oz_cubes_march(s, error);
	case OZ_SURFACE_STAGE_SMOOTH: return oz_skin_smooth(s, error);
	case OZ_SURFACE_STAGE_FIT: return oz_skin_fit(s, c.input);
	case OZ_SURFACE_STAGE_SHADE: return oz_skin_normals(s, error);
	case OZ_SURFACE_STAGE_SHARE: return oz_skin_attributes(s, c.input, error);
	case OZ_SURFACE_STAGE_SPECKS: return oz_pieces_remove_specks(s, c.input, error);
	case OZ_SURFACE_STAGE_COUNT: break;
	}
	return OZ_OK;
}

static oz_result build(oz_surface *s, oz_surface_choice choice, oz_surface_mesh *mesh,
                       oz_error *error)
{
	s->skin.vertex_count = s->skin.triangle_count = 0;
	*mesh = (oz_surface_mesh){0};
	uint64_t begin = oz_clock_ns();
	for (int stage = 0; stage < OZ_SURFACE_STAGE_COUNT; stage++) {
		const oz_result result = run_stage(s, choice, (oz_surface_stage)stage, error);
		// frees the memory for the next surface, which may be smaller
		if (result == OZ_ERROR_MEMORY)
			free_all(s);
		if (result != OZ_OK)
			return result;
		const uint64_t now = oz_clock_ns();
		s->stage_ns[stage] = now - begin;
		begin = now;
	}
	*mesh = mesh_of(s, choice.input);
	return OZ_OK;
}

// Every view that is not NULL has an element for each position.
static oz_result check_input(const oz_surface_input *in, oz_error *error)
{
	const struct {
		const char *name;
		oz_view view;
	} views[] = {{"velocity", in->velocity},
	             {"colour", in->colour},
	             {"body", in->body},
	             {"material", in->material}};
	for (size_t k = 0; k < sizeof views / sizeof *views; k++)
		if (views[k].view.data && views[k].view.count != in->position.count)
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "the view of %s has %u elements, that of position %u; give "
			               "one "
			               "for each particle",
			               views[k].name, views[k].view.count, in->position.count);
	return OZ_OK;
}

oz_result oz_surface_build(oz_surface *surface, const oz_surface_input *input,
                           oz_surface_mesh *mesh, oz_error *error)
{
	*mesh = (oz_surface_mesh){0};
	const oz_result result = check_input(input, error);
	if (result != OZ_OK)
		return result;
	return build(surface, (oz_surface_choice){input, OZ_NONE}, mesh, error);
}

// ---- worlds ------------------------------------------------------------------------------------

static oz_result take_views(oz_world *world, oz_surface_input *in, oz_error *error)
{
	oz_result result = oz_world_view(world, OZ_FIELD_POSITION, &in->position, error);
	if (result == OZ_OK)
		result = oz_world_view(world, OZ_FIELD_VELOCITY, &in->velocity, error);
	if (result == OZ_OK)
		result = oz_world_view(world, OZ_FIELD_BODY, &in->body, error);
	if (result == OZ_OK)
		result = oz_world_view(world, OZ_FIELD_MATERIAL, &in->material, error);
	return result;
}

oz_result oz_surface_of_world(oz_surface *surface, oz_world *world, oz_id body,
                              oz_surface_mesh *mesh, oz_error *error)
{
	oz_surface_input input = {0};
	const uint32_t walls = oz_world_collider_count(world);
	*mesh = (oz_surface_mesh){0};
	if (body != OZ_NONE && body >= oz_world_body_count(world))
		return oz_fail(error, OZ_ERROR_NOT_FOUND,
		               "there is no body %u; the world has %u, numbered from 0", body,
		               oz_world_body_count(world));
	oz_result result = take_views(world, &input, error);
	if (result == OZ_OK)
		result = oz_store_reserve(surface, &surface->walls, walls, sizeof(oz_shape), false,
		                          error);
	oz_shape *wall = surface->walls.data;
	bool inside;
	for (uint32_t k = 0; k < walls && result == OZ_OK; k++)
		result = oz_world_get_collider(world, k, &wall[k], &inside, error);
	if (result != OZ_OK)
		return result;
	input.walls = wall;
	input.wall_count = walls;
	return build(surface, (oz_surface_choice){&input, body}, mesh, error);
}

// ---- measures ----------------------------------------------------------------------------------

// Corners are taken relative to the triangle's first one, in double precision: little cancellation.
double oz_surface_volume(const oz_surface_mesh *mesh)
{
	double sum = 0;
	for (uint32_t i = 0; i < mesh->triangle_count; i++) {
		const uint32_t *t = mesh->triangles[i];
		const oz_vec3 a = mesh->position[t[0]];
		const oz_vec3 b = oz_sub(mesh->position[t[1]], a);
		const oz_vec3 c = oz_sub(mesh->position[t[2]], a);
		const double x = (double)b.y * (double)c.z - (double)b.z * (double)c.y;
		const double y = (double)b.z * (double)c.x - (double)b.x * (double)c.z;
		const double z = (double)b.x * (double)c.y - (double)b.y * (double)c.x;
		sum += (double)a.x * x + (double)a.y * y + (double)a.z * z;
	}
	return sum / 6;
}

double oz_surface_area(const oz_surface_mesh *mesh)
{
	double sum = 0;
	for (uint32_t i = 0; i < mesh->triangle_count; i++) {
		const uint32_t *t = mesh->triangles[i];
		const oz_vec3 a = mesh->position[t[0]];
		const oz_vec3 ab = oz_sub(mesh->position[t[1]], a);
		sum += (double)oz_length(oz_cross(ab, oz_sub(mesh->position[t[2]], a)));
	}
	return sum / 2;
}
