// skin.c: creates a skin: checks its definition, sorts its particles, allocates its arrays.
//
// The particles of the carrier body are sorted by id: the id of a particle never changes, but its
// index in the input does.
#include <math.h>
#include <string.h>

#include "skin/skin.h"

oz_skin_def oz_skin_default(float spacing)
{
	return (oz_skin_def){.spacing = spacing, .carrier = OZ_NONE, .reach = 2.0f};
}

oz_result oz_skin_alloc(oz_skin *skin, void *array, uint64_t count, size_t size, oz_error *error)
{
	const double bytes = (double)count * (double)size;
	void *memory = NULL;
	if (bytes + (double)skin->heap.bytes < 0.9 * oz_machine_memory())
		memory = oz_arena_take(&skin->heap, &skin->arena, (size_t)count * size + 64);
	if (!memory)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for the skin of %u vertices on %u particles; "
		               "simplify the mesh",
		               skin->vertex_count, skin->count);
	memset(memory, 0, (size_t)count * size + 64);
	memcpy(array, &memory, sizeof memory);
	return OZ_OK;
}

size_t oz_skin_bytes(const oz_skin *skin)
{
	return skin->heap.bytes;
}

void oz_skin_destroy(oz_skin *skin)
{
	if (!skin)
		return;
	oz_pool_destroy(skin->pool);
	oz_arena_free(&skin->heap, &skin->arena);
	oz_heap heap = skin->heap;
	oz_heap_free(&heap, skin, sizeof *skin);
}

// ---- checks -----------------------------------------------------------------------------------

static oz_result check_mesh(const oz_skin_def *def, oz_error *error)
{
	for (uint32_t v = 0; v < def->vertex_count; v++)
		if (!oz_skin_is_valid_position(def->vertices[v]))
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "vertex %u of the skin has no finite position; repair the "
			               "mesh",
			               v);
	for (uint64_t k = 0; k < 3 * (uint64_t)def->triangle_count; k++) {
		const uint32_t v = def->triangles[k / 3][k % 3];
		if (v >= def->vertex_count)
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "triangle %u of the skin names vertex %u, but the skin has "
			               "%u, numbered from 0; correct the triangle",
			               (uint32_t)(k / 3), v, def->vertex_count);
	}
	return OZ_OK;
}

static oz_result check_views(const oz_skin_def *def, oz_error *error)
{
	const uint32_t count = def->position.count;
	if (!def->position.data || !def->id.data)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "a skin needs positions and ids of particles; give both views");
	if (def->id.count != count || (def->body.data && def->body.count != count))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "the views of a skin's particles have %u positions, %u ids and %u "
		               "bodies; give one of each for each particle",
		               count, def->id.count, def->body.data ? def->body.count : count);
	return OZ_OK;
}

static oz_result check_def(const oz_skin_def *def, oz_error *error)
{
	if (!(def->spacing >= 1e-5f && def->spacing <= 1e3f))
		return oz_fail(error, OZ_ERROR_RANGE,
		               "skin.spacing is %g; set the spacing of the particles, 1e-5 to 1000 "
		               "m",
		               (double)def->spacing);
	if (!(def->reach >= 1.0f && def->reach <= 10.0f))
		return oz_fail(error, OZ_ERROR_RANGE,
		               "skin.reach is %g; it must be between 1 and 10 spacings",
		               (double)def->reach);
	if ((def->vertex_count && !def->vertices) || (def->triangle_count && !def->triangles))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "the skin has a count of vertices or triangles, but the array is "
		               "NULL; give the array");
	const oz_result result = check_views(def, error);
	return result == OZ_OK ? check_mesh(def, error) : result;
}

// ---- particles --------------------------------------------------------------------------------

static int compare_ids(const void *a, const void *b)
{
	const uint32_t x = ((const oz_skin_place *)a)->id, y = ((const oz_skin_place *)b)->id;
	return (x > y) - (x < y);
}

// whether particle i of the input belongs to the carrier body
static bool is_carrier(const oz_skin_def *def, uint32_t i)
{
	return !def->body.data || oz_view_uint(def->body, i) == def->carrier;
}

static oz_result check_particles(const oz_skin *skin, const oz_skin_def *def, oz_error *error)
{
	if (skin->count == 0 && skin->vertex_count > 0)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "there is no particle to carry the skin; give the particles of its "
		               "body");
	for (uint32_t k = 0; k < skin->count; k++) {
		const oz_skin_place *p = &skin->places[k];
		if (!oz_skin_is_valid_position(oz_view_vec(def->position, p->slot)))
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "particle %u has no finite position; bind the skin to a "
			               "body at rest",
			               p->id);
		if (k && p->id == p[-1].id)
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "two particles have the id %u; give each particle its own "
			               "id",
			               p->id);
	}
	return OZ_OK;
}

// lists the particles of the carrier by id; until oz_skin_sort, `slot` is the index in the input
static oz_result choose_particles(oz_skin *skin, const oz_skin_def *def, oz_error *error)
{
	for (uint32_t i = 0; i < def->position.count; i++)
		skin->count += is_carrier(def, i);
	oz_result result =
	        oz_skin_alloc(skin, &skin->places, skin->count, sizeof *skin->places, error);
	if (result != OZ_OK)
		return result;
	for (uint32_t i = 0, k = 0; i < def->position.count; i++)
		if (is_carrier(def, i))
			skin->places[k++] = (oz_skin_place){oz_view_uint(def->id, i), i};
	qsort(skin->places, skin->count, sizeof *skin->places, compare_ids);
	return check_particles(skin, def, error);
}

// chooses the particles that carry the skin and sorts their rest positions
static oz_result take_particles(oz_skin *skin, const oz_skin_def *def, oz_error *error)
{
	oz_result result = choose_particles(skin, def, error);
	if (result != OZ_OK)
		return result;
	const size_t size = sizeof(oz_vec3) * ((size_t)skin->count + 1);
	oz_vec3 *points = oz_heap_alloc(&skin->heap, size);
	if (!points)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for the %u particles of a skin; close other programs",
		               skin->count);
	for (uint32_t k = 0; k < skin->count; k++)
		points[k] = oz_view_vec(def->position, skin->places[k].slot);
	result = oz_skin_sort(skin, points, error);
	oz_heap_free(&skin->heap, points, size);
	return result;
}

// ---- the mesh ---------------------------------------------------------------------------------

// lists the triangles around each vertex, in their order
static void fill_fans(oz_skin *skin)
{
	const uint32_t *at = skin->triangle_count ? &skin->triangles[0][0] : NULL;
	uint32_t *start = skin->fan_start;
	// count at v + 2: filling then moves each start to its final place
	for (uint32_t c = 0; c < 3 * skin->triangle_count; c++)
		start[at[c] + 2]++;
	for (uint32_t v = 0; v < skin->vertex_count; v++)
		start[v + 2] += start[v + 1];
	for (uint32_t c = 0; c < 3 * skin->triangle_count; c++)
		skin->fan[start[at[c] + 1]++] = c / 3;
}

// allocates the arrays of the mesh and of the pose, and copies the mesh
static oz_result take_mesh(oz_skin *skin, const oz_skin_def *def, oz_error *error)
{
	const uint32_t n = skin->vertex_count, m = skin->triangle_count;
	const struct {
		void *array;
		uint64_t count;
		size_t size;
	} wanted[] = {
	        {&skin->vertex, n, sizeof(oz_vec3)},
	        {&skin->rest_normal, def->normals ? n : 0, sizeof(oz_vec3)},
	        {&skin->triangles, m, 3 * sizeof(uint32_t)},
	        {&skin->fan_start, n + 2ull, sizeof(uint32_t)},
	        {&skin->fan, 3ull * m, sizeof(uint32_t)},
	        {&skin->face, m, sizeof(oz_vec3)},
	        {&skin->position, n, sizeof(oz_vec3)},
	        {&skin->normal, n, sizeof(oz_vec3)},
	        {&skin->velocity, n, sizeof(oz_vec3)},
	        {&skin->colour, n, sizeof(oz_vec3)},
	        {&skin->body, n, sizeof(uint32_t)},
	        {&skin->material, n, sizeof(uint32_t)},
	};
	oz_result result = OZ_OK;
	for (size_t k = 0; k < sizeof wanted / sizeof *wanted && result == OZ_OK; k++)
		result = oz_skin_alloc(skin, wanted[k].array, wanted[k].count, wanted[k].size,
		                       error);
	if (result != OZ_OK)
		return result;
	if (n)
		memcpy(skin->vertex, def->vertices, sizeof *skin->vertex * n);
	if (n && def->normals)
		memcpy(skin->rest_normal, def->normals, sizeof *skin->rest_normal * n);
	if (m)
		memcpy(skin->triangles, def->triangles, sizeof *skin->triangles * m);
	fill_fans(skin);
	return OZ_OK;
}

// Starts the pool, copies mesh and particles of the definition, then finds bonds and fits; stops at
// the first error.
static oz_result fill_skin(oz_skin *skin, const oz_skin_def *def, oz_error *error)
{
	oz_result result = oz_pool_create(&skin->heap, def->threads, &skin->pool, error);
	if (result == OZ_OK)
		result = take_mesh(skin, def, error);
	if (result == OZ_OK)
		result = take_particles(skin, def, error);
	if (result == OZ_OK)
		result = oz_skin_find_bonds(skin, error);
	if (result == OZ_OK)
		result = oz_skin_find_fits(skin, error);
	return result;
}

oz_result oz_skin_create(const oz_skin_def *def, oz_skin **out, oz_error *error)
{
	*out = NULL;
	oz_result result = check_def(def, error);
	if (result != OZ_OK)
		return result;
	oz_heap heap;
	oz_heap_init(&heap, &def->hooks);
	oz_skin *skin = oz_heap_alloc(&heap, sizeof *skin);
	if (!skin)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for a skin; close other programs");
	*skin = (oz_skin){.heap = heap,
	                  .spacing = def->spacing,
	                  .reach = def->reach * def->spacing,
	                  .carries_normals = def->normals,
	                  .vertex_count = def->vertex_count,
	                  .triangle_count = def->triangle_count};
	result = fill_skin(skin, def, error);
	if (result == OZ_OK)
		*out = skin;
	else
		oz_skin_destroy(skin);
	return result;
}
