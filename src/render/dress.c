// dress.c: the surfaces of a frame: one closed skin for each material, with its coat.
//
// Particles are sorted by material, so that each surface is made from a run of them; what is not
// finite is left out. Fields reach the skin as means over the particles, and are coloured there.
// One maker serves all materials; since its mesh lasts until the next, all but the last are copied.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "math/vec.h"
#include "render/render.h"

typedef struct wardrobe {
	oz_coat coat;
	oz_vec3 *colours; // of the vertices
	uint32_t room;
	oz_vec3 *kept; // positions, normals, triangles
	size_t kept_room;
	uint32_t begin, count; // of its grains
} wardrobe;

struct oz_dresser {
	oz_surface *surface;
	wardrobe *materials;
	uint32_t count;
	oz_garment *skins;
	uint32_t skin_room;
	wardrobe **added; // of meshes made elsewhere
	uint32_t added_room, added_count;
	oz_grain *grains; // by material
	oz_vec3 *values;
	uint32_t room;
};

static oz_result no_memory(uint32_t particles, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "memory is out for the surface of %u particles; draw them as balls, or "
	               "make the cells of the surface larger",
	               particles);
}

oz_result oz_dresser_create(const oz_surface_def *def, const oz_coat *coats, uint32_t count,
                            oz_dresser **dresser, oz_error *error)
{
	oz_dresser *d = calloc(1, sizeof *d);
	oz_result result = OZ_OK;
	*dresser = NULL;
	if (d) {
		d->materials = calloc((size_t)count + 1, sizeof *d->materials);
		d->skins = calloc((size_t)count + 1, sizeof *d->skins);
		d->count = d->skin_room = count;
	}
	if (!d || !d->materials || !d->skins)
		result =
		        oz_fail(error, OZ_ERROR_MEMORY,
		                "memory is out for the looks of %u materials; close other programs",
		                count);
	else
		result = oz_surface_create(def, &d->surface, error);
	for (uint32_t k = 0; result == OZ_OK && k < count; k++)
		d->materials[k].coat = coats[k];
	if (result == OZ_OK)
		*dresser = d;
	else
		oz_dresser_destroy(d);
	return result;
}

void oz_dresser_destroy(oz_dresser *d)
{
	if (!d)
		return;
	for (uint32_t k = 0; d->materials && k < d->count; k++) {
		free(d->materials[k].colours);
		free(d->materials[k].kept);
	}
	for (uint32_t k = 0; k < d->added_room; k++) {
		free(d->added[k]->colours);
		free(d->added[k]);
	}
	oz_surface_destroy(d->surface);
	free(d->added);
	free(d->materials);
	free(d->skins);
	free(d->grains);
	free(d->values);
	free(d);
}

// ---- grains by material -----------------------------------------------------------------------

// grains of a material that nobody knows go with the last
static wardrobe *material_of(oz_dresser *d, const oz_grain *grain)
{
	return &d->materials[grain->material < d->count ? grain->material : d->count - 1];
}

static bool make_room(oz_dresser *d, uint32_t count)
{
	if (count <= d->room)
		return true;
	free(d->grains);
	free(d->values);
	d->grains = malloc(sizeof *d->grains * count);
	d->values = malloc(sizeof *d->values * count);
	d->room = d->grains && d->values ? count : 0;
	return d->room;
}

static void sort_grains(oz_dresser *d, const oz_frame *frame, const oz_paint *paint)
{
	for (uint32_t k = 0; k < d->count; k++)
		d->materials[k].count = 0;
	for (uint32_t i = 0; i < frame->count; i++)
		material_of(d, &frame->grains[i])->count += oz_is_place(frame->grains[i].position);
	for (uint32_t k = 0, begin = 0; k < d->count; k++) {
		d->materials[k].begin = begin;
		begin += d->materials[k].count;
		d->materials[k].count = 0;
	}
	for (uint32_t i = 0; i < frame->count; i++) {
		const oz_grain *grain = &frame->grains[i];
		if (!oz_is_place(grain->position))
			continue;
		wardrobe *m = material_of(d, grain);
		const uint32_t at = m->begin + m->count++;
		d->grains[at] = *grain;
		d->values[at] = oz_v3(oz_paint_value(paint, grain), 0.0f, 0.0f);
	}
}

// ---- skins ------------------------------------------------------------------------------------

static bool colour_skin(wardrobe *m, oz_garment *skin, const oz_paint *paint)
{
	const oz_vec3 *values = skin->mesh.colour;
	const uint32_t count = skin->mesh.vertex_count;
	skin->mesh.colour = NULL;
	if (paint->by == OZ_COLOUR_MATERIAL || count == 0)
		return true;
	if (count > m->room) {
		free(m->colours);
		m->colours = malloc(sizeof *m->colours * count);
		m->room = m->colours ? count : 0;
	}
	for (uint32_t v = 0; m->colours && v < count; v++) {
		const uint32_t body = skin->mesh.body ? skin->mesh.body[v] : 0;
		m->colours[v] = oz_paint_shade(paint, values ? values[v].x : 0.0f, body);
	}
	skin->mesh.colour = m->colours;
	return m->colours;
}

static bool keep_mesh(wardrobe *m, oz_surface_mesh *mesh)
{
	const size_t vertices = mesh->vertex_count, triangles = mesh->triangle_count;
	const size_t count = 2 * vertices + triangles;
	_Static_assert(sizeof *mesh->triangles == sizeof *m->kept, "they share an array");
	if (count > m->kept_room) {
		free(m->kept);
		m->kept = malloc(sizeof *m->kept * count);
		m->kept_room = m->kept ? count : 0;
	}
	if (count > m->kept_room)
		return false;
	if (count == 0)
		return true;
	memcpy(m->kept, mesh->position, sizeof *m->kept * vertices);
	memcpy(m->kept + vertices, mesh->normal, sizeof *m->kept * vertices);
	memcpy(m->kept + 2 * vertices, mesh->triangles, sizeof *m->kept * triangles);
	*mesh = (oz_surface_mesh){.vertex_count = mesh->vertex_count,
	                          .triangle_count = mesh->triangle_count,
	                          .position = m->kept,
	                          .normal = m->kept + vertices,
	                          .colour = mesh->colour,
	                          .triangles = (const void *)(m->kept + 2 * vertices)};
	return true;
}

static bool is_last(const oz_dresser *d, const wardrobe *m)
{
	const wardrobe *end = &d->materials[d->count - 1];
	return m->begin + m->count == end->begin + end->count;
}

static oz_result make_skin(oz_dresser *d, wardrobe *m, const oz_paint *paint, const oz_shape *walls,
                           uint32_t wall_count, oz_garment *skin, oz_error *error)
{
	const oz_grain *first = d->grains + m->begin;
	oz_surface_input input = {
	        .position = {&first->position, sizeof *first, m->count},
	        .body = {&first->body, sizeof *first, m->count},
	        .walls = walls,
	        .wall_count = wall_count,
	};
	if (oz_colouring_title(paint->by))
		input.colour = (oz_view){d->values + m->begin, sizeof *d->values, m->count};
	skin->coat = m->coat;
	const oz_result result = oz_surface_build(d->surface, &input, &skin->mesh, error);
	if (result == OZ_OK &&
	    (!colour_skin(m, skin, paint) || (!is_last(d, m) && !keep_mesh(m, &skin->mesh))))
		return no_memory(m->count, error);
	return result;
}

static oz_shape *make_walls(const oz_collider_view *colliders, uint32_t count)
{
	oz_shape *walls = calloc((size_t)count + 1, sizeof *walls);
	for (uint32_t k = 0; walls && k < count; k++)
		walls[k] = colliders[k].shape;
	return walls;
}

oz_result oz_dresser_dress(oz_dresser *d, const oz_frame *frame, const oz_paint *paint,
                           const oz_collider_view *colliders, uint32_t collider_count,
                           oz_painting *painting, oz_error *error)
{
	oz_result result = OZ_OK;
	painting->skins = d->skins;
	painting->skin_count = d->added_count = 0;
	if (d->count == 0 || frame->count == 0)
		return OZ_OK;
	oz_shape *walls = make_walls(colliders, collider_count);
	if (!walls || !make_room(d, frame->count))
		result = no_memory(frame->count, error);
	else
		sort_grains(d, frame, paint);
	for (uint32_t k = 0; result == OZ_OK && k < d->count; k++) {
		wardrobe *m = &d->materials[k];
		if (m->count == 0)
			continue;
		oz_garment *skin = &d->skins[painting->skin_count++];
		*skin = (oz_garment){.coat = m->coat};
		result = make_skin(d, m, paint, walls, collider_count, skin, error);
	}
	free(walls);
	return result;
}

// ---- other meshes -----------------------------------------------------------------------------

// one more skin; the wardrobe of the n-th added keeps its colours' memory
static wardrobe *add_skin(oz_dresser *d, uint32_t skins)
{
	if (skins == d->skin_room) {
		oz_garment *grown = realloc(d->skins, sizeof *grown * (2 * (size_t)skins + 2));
		if (!grown)
			return NULL;
		d->skins = grown;
		d->skin_room = 2 * skins + 1;
	}
	if (d->added_count == d->added_room) {
		wardrobe **grown = realloc(d->added, sizeof *grown * (d->added_room + 1ull));
		if (!grown)
			return NULL;
		d->added = grown;
		d->added[d->added_room] = calloc(1, sizeof **d->added);
		if (!d->added[d->added_room])
			return NULL;
		d->added_room++;
	}
	return d->added[d->added_count++];
}

oz_result oz_dresser_add(oz_dresser *d, const oz_surface_mesh *mesh, uint32_t material,
                         const oz_paint *paint, oz_painting *painting, oz_error *error)
{
	if (d->count == 0)
		return OZ_OK;
	wardrobe *m = add_skin(d, painting->skin_count);
	if (!m)
		return no_memory(mesh->vertex_count, error);
	oz_garment *skin = &d->skins[painting->skin_count++];
	painting->skins = d->skins;
	*skin = (oz_garment){*mesh,
	                     d->materials[material < d->count ? material : d->count - 1].coat};
	return colour_skin(m, skin, paint) ? OZ_OK : no_memory(mesh->vertex_count, error);
}
