// surface_maker.c: the surfaces of a frame: one closed mesh for each material, with its appearance.
//
// Particles are sorted by material, so that each surface is made from one range of them; particles
// without a valid position are left out. The vertices of a mesh get means of a field over the
// particles, which are then coloured. One oz_surface makes all meshes; since its mesh is valid
// until the next one only, all but the last are copied.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "math/vec.h"
#include "render/render.h"

// Memory and grains of one mesh.
typedef struct mesh_slot {
	oz_appearance appearance;
	oz_vec3 *colours; // of the vertices
	uint32_t room;    // vertices that `colours` can hold
	oz_vec3 *kept;    // copies of positions, normals, triangles
	size_t kept_room;
	uint32_t begin, count; // its range of the sorted grains
} mesh_slot;

struct oz_surface_maker {
	oz_surface *surface;
	mesh_slot *materials;
	uint32_t count;
	oz_drawn_mesh *skins;
	uint32_t skin_room;
	mesh_slot **added; // of meshes made elsewhere
	uint32_t added_room, added_count;
	oz_grain *grains; // by material
	oz_vec3 *values;
	uint32_t room;
};

static oz_result no_memory(uint32_t particles, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the surface of %u particles; draw them as balls, or "
	               "make the cells of the surface larger",
	               particles);
}

oz_result oz_surface_maker_create(const oz_surface_def *def, const oz_appearance *appearances,
                                  uint32_t count, oz_surface_maker **maker, oz_error *error)
{
	oz_surface_maker *d = calloc(1, sizeof *d);
	oz_result result = OZ_OK;
	*maker = NULL;
	if (d) {
		d->materials = calloc((size_t)count + 1, sizeof *d->materials);
		d->skins = calloc((size_t)count + 1, sizeof *d->skins);
		d->count = d->skin_room = count;
	}
	if (!d || !d->materials || !d->skins)
		result =
		        oz_fail(error, OZ_ERROR_MEMORY,
		                "out of memory for the looks of %u materials; close other programs",
		                count);
	else
		result = oz_surface_create(def, &d->surface, error);
	for (uint32_t k = 0; result == OZ_OK && k < count; k++)
		d->materials[k].appearance = appearances[k];
	if (result == OZ_OK)
		*maker = d;
	else
		oz_surface_maker_destroy(d);
	return result;
}

void oz_surface_maker_destroy(oz_surface_maker *d)
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

// The slot of a grain's material; an unknown material uses the last slot.
static mesh_slot *material_of(oz_surface_maker *d, const oz_grain *grain)
{
	return &d->materials[grain->material < d->count ? grain->material : d->count - 1];
}

static bool make_room(oz_surface_maker *d, uint32_t count)
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

// Sorts the valid grains by material, with the values by which they are coloured.
static void sort_grains(oz_surface_maker *d, const oz_frame *frame, const oz_paint *paint)
{
	for (uint32_t k = 0; k < d->count; k++)
		d->materials[k].count = 0;
	for (uint32_t i = 0; i < frame->count; i++)
		material_of(d, &frame->grains[i])->count +=
		        oz_is_valid_position(frame->grains[i].position);
	for (uint32_t k = 0, begin = 0; k < d->count; k++) {
		d->materials[k].begin = begin;
		begin += d->materials[k].count;
		d->materials[k].count = 0;
	}
	for (uint32_t i = 0; i < frame->count; i++) {
		const oz_grain *grain = &frame->grains[i];
		if (!oz_is_valid_position(grain->position))
			continue;
		mesh_slot *m = material_of(d, grain);
		const uint32_t at = m->begin + m->count++;
		d->grains[at] = *grain;
		d->values[at] = oz_v3(oz_paint_value(paint, grain), 0.0f, 0.0f);
	}
}

// ---- skins ------------------------------------------------------------------------------------

// Replaces the values at a mesh's vertices by colours; none if materials colour. False: out of
// memory.
static bool colour_skin(mesh_slot *m, oz_drawn_mesh *skin, const oz_paint *paint)
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

// Copies a mesh into the slot's memory; false: out of memory.
static bool keep_mesh(mesh_slot *m, oz_surface_mesh *mesh)
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

// Whether no later material has grains.
static bool is_last(const oz_surface_maker *d, const mesh_slot *m)
{
	const mesh_slot *end = &d->materials[d->count - 1];
	return m->begin + m->count == end->begin + end->count;
}

static oz_result make_skin(oz_surface_maker *d, mesh_slot *m, const oz_paint *paint,
                           const oz_shape *walls, uint32_t wall_count, oz_drawn_mesh *skin,
                           oz_error *error)
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
	skin->appearance = m->appearance;
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

oz_result oz_surface_maker_make(oz_surface_maker *d, const oz_frame *frame, const oz_paint *paint,
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
		mesh_slot *m = &d->materials[k];
		if (m->count == 0)
			continue;
		oz_drawn_mesh *skin = &d->skins[painting->skin_count++];
		*skin = (oz_drawn_mesh){.appearance = m->appearance};
		result = make_skin(d, m, paint, walls, collider_count, skin, error);
	}
	free(walls);
	return result;
}

// ---- other meshes -----------------------------------------------------------------------------

// Reserves one more mesh and returns its slot, which is reused in later frames; NULL: out of
// memory.
static mesh_slot *add_skin(oz_surface_maker *d, uint32_t skins)
{
	if (skins == d->skin_room) {
		oz_drawn_mesh *grown = realloc(d->skins, sizeof *grown * (2 * (size_t)skins + 2));
		if (!grown)
			return NULL;
		d->skins = grown;
		d->skin_room = 2 * skins + 1;
	}
	if (d->added_count == d->added_room) {
		mesh_slot **grown = realloc(d->added, sizeof *grown * (d->added_room + 1ull));
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

oz_result oz_surface_maker_add(oz_surface_maker *d, const oz_surface_mesh *mesh, uint32_t material,
                               const oz_paint *paint, oz_painting *painting, oz_error *error)
{
	if (d->count == 0)
		return OZ_OK;
	mesh_slot *m = add_skin(d, painting->skin_count);
	if (!m)
		return no_memory(mesh->vertex_count, error);
	oz_drawn_mesh *skin = &d->skins[painting->skin_count++];
	painting->skins = d->skins;
	*skin = (oz_drawn_mesh){*mesh, d->materials[material < d->count ? material : d->count - 1]
	                                       .appearance};
	return colour_skin(m, skin, paint) ? OZ_OK : no_memory(mesh->vertex_count, error);
}
