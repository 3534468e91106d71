// trace_set.c: passes the objects that rays can hit to Embree.
//
// Balls and rods are Embree's spheres and round curves, all other objects triangles. The ground is
// not in Embree: its plane is intersected directly. Colliders are drawn a little too large and the
// ground a little too high, so that no film of air appears between them and a surface fitted to
// them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/edges.h"
#include "render/shaded_mesh.h"
#include "render/trace.h"

#define SWELL 0.06f // outward offset of colliders, in radii of a grain
#define LIFT  0.35f // upward offset of the ground below surfaces, in radii of a grain

static const oz_vec3 solid_colour = {0.40f, 0.39f, 0.385f};
static const oz_vec3 rod_colour = {0.30f, 0.31f, 0.33f};

static oz_result no_memory(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory while a picture is set up; draw fewer particles or a "
	               "coarser surface");
}

oz_result oz_set_open(oz_set *set, uint32_t threads, oz_error *error)
{
	char config[64];
	snprintf(config, sizeof config, "threads=%u,set_affinity=0", threads);
	*set = (oz_set){.device = rtcNewDevice(config)};
	if (!set->device)
		return oz_fail(error, OZ_ERROR_DEVICE,
		               "Embree does not start (its error %d); check that this machine has "
		               "SSE2 and memory left",
		               (int)rtcGetDeviceError(NULL));
	return OZ_OK;
}

void oz_set_clear(oz_set *set)
{
	if (set->scene)
		rtcReleaseScene(set->scene);
	set->scene = NULL;
	for (uint32_t k = 0; k < set->count; k++) {
		oz_facets_free(set->objects[k].facets);
		free(set->objects[k].grain);
	}
	free(set->objects);
	set->objects = NULL;
	set->count = set->clear_count = 0;
	set->glass = false;
}

void oz_set_close(oz_set *set)
{
	oz_set_clear(set);
	if (set->device)
		rtcReleaseDevice(set->device);
	set->device = NULL;
}

// ---- objects -----------------------------------------------------------------------------------

// Makes an object transparent. White light becomes `colour` over `depth`: exp(-absorb depth) =
// colour.
static void make_clear(oz_set *set, oz_object *object)
{
	const oz_vec3 c = object->appearance.colour;
	const float depth = oz_max(object->appearance.depth, 1e-6f * set->size);
	const bool jelly = object->appearance.look == OZ_LOOK_JELLY;
	object->clear = true;
	object->ior = jelly ? 1.38f : 1.33f;
	object->absorb = oz_v3(-logf(oz_min(oz_max(c.x, 1e-3f), 1.0f)) / depth,
	                       -logf(oz_min(oz_max(c.y, 1e-3f), 1.0f)) / depth,
	                       -logf(oz_min(oz_max(c.z, 1e-3f), 1.0f)) / depth);
	object->scatter = jelly ? 0.28f / depth : 0.0f;
	object->medium = set->clear_count < OZ_MEDIA ? set->clear_count : OZ_MEDIA - 1;
	set->media[object->medium] = object;
	set->clear_count++;
}

static oz_object *add_object(oz_set *set, int kind, const oz_appearance *appearance)
{
	oz_object *object = &set->objects[set->count++];
	*object = (oz_object){.kind = kind, .appearance = *appearance, .ior = 1.5f};
	if (appearance->look == OZ_LOOK_LIQUID || appearance->look == OZ_LOOK_JELLY)
		make_clear(set, object);
	return object;
}

// Gives a geometry to Embree under the object's index; false: out of memory.
static bool attach(oz_set *set, oz_object *object, RTCGeometry geometry)
{
	rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_MEDIUM);
	rtcCommitGeometry(geometry);
	rtcAttachGeometryByID(set->scene, geometry, (unsigned)(object - set->objects));
	rtcReleaseGeometry(geometry);
	return rtcGetDeviceError(set->device) == RTC_ERROR_NONE;
}

static bool add_mesh(oz_set *set, oz_object *object, const oz_surface_mesh *mesh)
{
	RTCGeometry g = rtcNewGeometry(set->device, RTC_GEOMETRY_TYPE_TRIANGLE);
	oz_vec3 *vertices = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
	                                            sizeof(oz_vec3), mesh->vertex_count);
	uint32_t *triangles = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
	                                              3 * sizeof(uint32_t), mesh->triangle_count);
	if (!vertices || !triangles) {
		rtcReleaseGeometry(g);
		return false;
	}
	memcpy(vertices, mesh->position, sizeof *vertices * mesh->vertex_count);
	memcpy(triangles, mesh->triangles, 3 * sizeof *triangles * mesh->triangle_count);
	object->position = vertices;
	object->normal = mesh->normal;
	object->colour = mesh->colour;
	object->triangles = (const uint32_t(*)[3])triangles;
	return attach(set, object, g);
}

static bool add_facets(oz_set *set, const oz_appearance *appearance, oz_facets *facets)
{
	oz_object *object = add_object(set, OZ_OBJECT_MESH, appearance);
	object->facets = facets;
	if (!facets)
		return false;
	const oz_surface_mesh mesh = {.vertex_count = facets->vertices,
	                              .triangle_count = facets->count,
	                              .position = facets->position,
	                              .normal = facets->normal,
	                              .triangles = (const uint32_t(*)[3])facets->triangles};
	return add_mesh(set, object, &mesh);
}

// ---- balls and rods ---------------------------------------------------------------------------

static bool add_balls(oz_set *set, const oz_painting *p)
{
	const oz_appearance appearance = {.look = OZ_LOOK_PLASTIC, .colour = {0.6f, 0.6f, 0.6f}};
	oz_object *object = add_object(set, OZ_OBJECT_BALLS, &appearance);
	uint32_t count = 0;
	for (uint32_t i = 0; i < p->count; i++)
		count += oz_is_valid_position(p->grains[i].position);
	if (count == 0) {
		set->count--;
		return true;
	}
	RTCGeometry g = rtcNewGeometry(set->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
	object->balls = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
	                                        4 * sizeof(float), count);
	object->grain = malloc(sizeof *object->grain * count);
	object->colour = p->colours;
	if (!object->balls || !object->grain) {
		rtcReleaseGeometry(g);
		return false;
	}
	for (uint32_t i = 0, k = 0; i < p->count; i++) {
		const oz_vec3 at = p->grains[i].position;
		if (!oz_is_valid_position(at))
			continue;
		const float ball[4] = {at.x, at.y, at.z, p->radius};
		memcpy(object->balls[k], ball, sizeof ball);
		object->grain[k++] = i;
	}
	return attach(set, object, g);
}

static bool add_rods(oz_set *set, const oz_shape *shape)
{
	const oz_appearance appearance = {.look = OZ_LOOK_PLASTIC, .colour = rod_colour};
	oz_segment edges[OZ_EDGES];
	const uint32_t count = oz_shape_edges(shape, edges);
	const float radius = 0.0020f * set->size;
	if (count == 0)
		return true;
	oz_object *object = add_object(set, OZ_OBJECT_RODS, &appearance);
	RTCGeometry g = rtcNewGeometry(set->device, RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
	object->balls = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
	                                        4 * sizeof(float), 2 * count);
	uint32_t *first = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT,
	                                          sizeof *first, count);
	if (!object->balls || !first) {
		rtcReleaseGeometry(g);
		return false;
	}
	for (uint32_t k = 0; k < count; k++) {
		const oz_vec3 ends[2] = {edges[k].a, edges[k].b};
		for (uint32_t e = 0; e < 2; e++) {
			const float end[4] = {ends[e].x, ends[e].y, ends[e].z, radius};
			memcpy(object->balls[2 * k + e], end, sizeof end);
		}
		first[k] = 2 * k;
	}
	return attach(set, object, g);
}

// ---- all of it --------------------------------------------------------------------------------

// The look of a collider; a vessel that is a mesh is glass by default, other vessels are lines
// (AUTO).
static oz_collider_look choose_look(const oz_collider_view *collider)
{
	if (collider->look != OZ_COLLIDER_AUTO || !collider->vessel)
		return collider->look;
	return collider->shaded ? OZ_COLLIDER_GLASS : OZ_COLLIDER_AUTO;
}

static oz_facets *make_facets(const oz_set *set, const oz_painting *p,
                              const oz_collider_view *collider)
{
	const float swell = SWELL * p->radius;
	return collider->shaded ? oz_facets_of_mesh(collider->shaded, &collider->shape, swell)
	                        : oz_facets_of(&collider->shape, swell, 2.0f * set->size);
}

static bool add_collider(oz_set *set, const oz_painting *p, const oz_collider_view *collider)
{
	const oz_appearance appearance = {.look = OZ_LOOK_MATTE, .colour = solid_colour};
	const oz_vec3 at = collider->shape.position;
	const oz_collider_look look = choose_look(collider);
	const bool glass = look == OZ_COLLIDER_GLASS;
	if (!oz_is_valid_position(at) || look == OZ_COLLIDER_HIDDEN ||
	    (collider->shape.kind == OZ_SHAPE_SDF && !collider->shaded))
		return true;
	// the ground replaces this floor
	if (oz_is_floor(collider) && at.y == p->ground)
		return true;
	// vessels show their edges as rods, also those of glass
	if (collider->vessel && look != OZ_COLLIDER_MATTE && !add_rods(set, &collider->shape))
		return false;
	if (collider->vessel && look == OZ_COLLIDER_AUTO)
		return true;
	const uint32_t object = set->count;
	const bool room = add_facets(set, &appearance, make_facets(set, p, collider));
	set->objects[object].glass = glass;
	set->glass |= glass;
	return room;
}

static oz_result check_skin(const oz_drawn_mesh *skin, uint32_t number, oz_error *error)
{
	const oz_surface_mesh *m = &skin->mesh;
	for (uint32_t k = 0; k < m->triangle_count; k++)
		for (int c = 0; c < 3; c++)
			if (m->triangles[k][c] >= m->vertex_count)
				return oz_fail(error, OZ_ERROR_MESH,
				               "triangle %u of skin %u names vertex %u of %u; "
				               "repair the mesh",
				               k, number, m->triangles[k][c], m->vertex_count);
	return OZ_OK;
}

static oz_result add_skin(oz_set *set, const oz_drawn_mesh *skin, uint32_t number, oz_error *error)
{
	oz_appearance appearance = skin->appearance;
	if (skin->mesh.triangle_count == 0)
		return OZ_OK;
	// colours of vertices must be visible, so the object is opaque
	if (skin->mesh.colour &&
	    (appearance.look == OZ_LOOK_LIQUID || appearance.look == OZ_LOOK_JELLY))
		appearance.look = OZ_LOOK_PLASTIC;
	const oz_result result = check_skin(skin, number, error);
	if (result != OZ_OK)
		return result;
	return add_mesh(set, add_object(set, OZ_OBJECT_MESH, &appearance), &skin->mesh)
	               ? OZ_OK
	               : no_memory(error);
}

// Distance of grid lines: 1, 2 or 5 times a power of ten, about a sixth of the box.
static float grid_step(float size)
{
	const float wanted = size / 6.0f + 1e-9f;
	float step = 1e-9f;
	while (step * 10.0f < wanted)
		step *= 10.0f;
	return step * (wanted > 5.0f * step ? 5.0f : wanted > 2.0f * step ? 2.0f : 1.0f);
}

// Sets sizes, ground and light from the painting.
static void set_sizes(oz_set *set, const oz_painting *p)
{
	const float far = oz_max(oz_max_abs(p->box.min), oz_max_abs(p->box.max));
	set->box = p->box;
	set->size = oz_length(oz_sub(p->box.max, p->box.min)) + 1e-6f;
	set->ray_offset = 2e-6f * (far + 5.0f * set->size);
	set->grid = grid_step(set->size);
	// hides the jagged rim of a surface that was fitted to the ground
	set->ground = p->ground + (p->skin_count > 0 ? LIFT * p->radius : 0.0f);
	oz_set_light(set, &p->light);
}

oz_result oz_set_fill(oz_set *set, const oz_painting *p, oz_error *error)
{
	oz_set_clear(set);
	set_sizes(set, p);
	set->objects = calloc((size_t)p->skin_count + 2 * (size_t)p->collider_count + 1,
	                      sizeof *set->objects);
	set->scene = rtcNewScene(set->device);
	if (!set->objects || !set->scene)
		return no_memory(error);
	rtcSetSceneFlags(set->scene, RTC_SCENE_FLAG_ROBUST);
	rtcSetSceneBuildQuality(set->scene, RTC_BUILD_QUALITY_MEDIUM);
	for (uint32_t k = 0; k < p->skin_count; k++) {
		const oz_result result = add_skin(set, &p->skins[k], k, error);
		if (result != OZ_OK)
			return result;
	}
	bool room = p->count == 0 || add_balls(set, p);
	for (uint32_t k = 0; room && k < p->collider_count; k++)
		room = add_collider(set, p, &p->colliders[k]);
	if (room)
		rtcCommitScene(set->scene);
	return room && rtcGetDeviceError(set->device) == RTC_ERROR_NONE ? OZ_OK : no_memory(error);
}
