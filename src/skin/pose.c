// pose.c: computes the vertices and normals of a skin from the present positions of its particles.
//
//   F_j = (Σ_k w (x_k - x_j) (X_k - X_j)ᵀ) A_j⁻¹          X at rest, x now
//   x   = Σ_j w_j (x_j + F_j (v - X_j)),   n = cof(Σ_j w_j F_j) N where normals are carried
//
// In directions without neighbours, across a sheet, across a rod, or all for a single particle, F
// is completed by a rotation: the one nearest to the known part of F, and if that is not unique,
// the one nearest to the rotation of the whole body.
#include <math.h>
#include <string.h>

#include "math/rotation.h"
#include "skin/skin.h"

#define CHUNK 1024u

typedef struct pose_task {
	oz_skin *skin;
	const oz_skin_input *in;
	oz_quat body_rotation; // of the whole body
} pose_task;

// ---- particles of the input -------------------------------------------------------------------

// The place of an id; NULL: no particle of the skin. Ids are mostly consecutive, so a direct guess
// comes before the binary search.
static const oz_skin_place *find_place(const oz_skin *skin, uint32_t id)
{
	uint32_t low = 0, high = skin->count;
	if (high == 0 || id < skin->places[0].id || id > skin->places[high - 1].id)
		return NULL;
	const uint32_t guess = id - skin->places[0].id;
	if (guess < high && skin->places[guess].id == id)
		return &skin->places[guess];
	while (high - low > 1) {
		const uint32_t middle = low + (high - low) / 2;
		if (skin->places[middle].id <= id)
			low = middle;
		else
			high = middle;
	}
	return skin->places[low].id == id ? &skin->places[low] : NULL;
}

// finds the input of each slot, and copies its position; fails if one is missing or there twice
static oz_result match_particles(oz_skin *skin, const oz_skin_input *in, oz_error *error)
{
	memset(skin->input_of_slot, 0xff, sizeof *skin->input_of_slot * skin->count);
	for (uint32_t i = 0; i < in->id.count; i++) {
		const oz_skin_place *place = find_place(skin, oz_view_uint(in->id, i));
		if (!place)
			continue;
		if (skin->input_of_slot[place->slot] != OZ_NONE)
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "two particles have the id %u; give each particle its own "
			               "id",
			               place->id);
		skin->input_of_slot[place->slot] = i;
	}
	for (uint32_t k = 0; k < skin->count; k++) {
		const oz_skin_place *place = &skin->places[k];
		const uint32_t i = skin->input_of_slot[place->slot];
		if (i == OZ_NONE)
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "particle %u, which carries the skin, is missing; give all "
			               "particles of its body",
			               place->id);
		skin->now[place->slot] = oz_view_vec(in->position, i);
		if (!oz_skin_is_valid_position(skin->now[place->slot]))
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "particle %u has no finite position; run again with a "
			               "smaller cfl",
			               place->id);
	}
	return OZ_OK;
}

// ---- maps -------------------------------------------------------------------------------------

// The rotation of the whole body since rest: the best fit over all particles.
static oz_quat find_body_rotation(const oz_skin *skin)
{
	double c[3] = {0}, C[3] = {0}, a[3][3] = {{0}};
	oz_mat3 moved;
	for (uint32_t j = 0; j < skin->count; j++) {
		c[0] += (double)skin->now[j].x, C[0] += (double)skin->rest[j].x;
		c[1] += (double)skin->now[j].y, C[1] += (double)skin->rest[j].y;
		c[2] += (double)skin->now[j].z, C[2] += (double)skin->rest[j].z;
	}
	for (int k = 0; k < 3; k++)
		c[k] /= skin->count, C[k] /= skin->count;
	for (uint32_t j = 0; j < skin->count; j++) {
		const oz_vec3 x = skin->now[j], X = skin->rest[j];
		const double d[3] = {(double)x.x - c[0], (double)x.y - c[1], (double)x.z - c[2]};
		const double D[3] = {(double)X.x - C[0], (double)X.y - C[1], (double)X.z - C[2]};
		for (int r = 0; r < 3; r++)
			for (int k = 0; k < 3; k++)
				a[r][k] += d[r] * D[k];
	}
	const double scale =
	        1 / ((double)skin->count * (double)skin->spacing * (double)skin->spacing);
	for (int r = 0; r < 3; r++)
		for (int k = 0; k < 3; k++)
			moved.m[r][k] = (float)(a[r][k] * scale);
	return oz_rotation_extract(moved, oz_quat_of(0.0f, 0.0f, 0.0f, 1.0f));
}

// m times the stored inverse of A
static oz_mat3 times_inverse(oz_mat3 m, const oz_skin_fit *f)
{
	const oz_mat3 inverse =
	        oz_mat3_from_rows(oz_v3(f->xx, f->xy, f->xz), oz_v3(f->xy, f->yy, f->yz),
	                          oz_v3(f->xz, f->yz, f->zz));
	return oz_mat3_mul(m, inverse);
}

// completes the map by the rotation R in the directions without neighbours: adds R n nᵀ for rank 2,
// R (1 - t tᵀ) for rank 1, R for rank 0
static oz_mat3 complete(oz_mat3 map, const oz_skin_fit *f, oz_quat body_rotation)
{
	const oz_mat3 across = oz_mat3_outer(f->axis, f->axis);
	oz_mat3 lacking = across;
	if (f->rank != OZ_RANK_PLANE)
		lacking = oz_mat3_identity();
	if (f->rank == OZ_RANK_LINE)
		lacking = oz_mat3_add(lacking, oz_mat3_scale(across, -1.0f));
	const oz_mat3 rotation = oz_quat_to_mat3(oz_rotation_extract(map, body_rotation));
	return oz_mat3_add(map, oz_mat3_mul(rotation, lacking));
}

// the deformation gradient F of a particle
static oz_mat3 find_map(const oz_skin *skin, uint32_t j, oz_quat body_rotation)
{
	const oz_vec3 x = skin->now[j], X = skin->rest[j];
	const float inverse = 1.0f / (skin->reach * skin->reach);
	oz_vec3 r0 = {0, 0, 0}, r1 = r0, r2 = r0;
	for (uint32_t k = skin->near_start[j]; k < skin->near_start[j + 1]; k++) {
		const uint32_t i = skin->near[k];
		const oz_vec3 D = oz_sub(skin->rest[i], X), d = oz_sub(skin->now[i], x);
		const oz_vec3 wd = oz_scale(d, oz_skin_kernel(oz_length2(D), inverse));
		r0 = oz_mad(r0, D, wd.x);
		r1 = oz_mad(r1, D, wd.y);
		r2 = oz_mad(r2, D, wd.z);
	}
	const oz_skin_fit *fit = &skin->fit[j];
	const oz_mat3 map = times_inverse(oz_mat3_from_rows(r0, r1, r2), fit);
	return fit->rank == OZ_RANK_FULL ? map : complete(map, fit, body_rotation);
}

static void find_maps(void *context, uint32_t begin, uint32_t end)
{
	const pose_task *t = context;
	for (uint32_t j = begin; j < end; j++)
		if (t->skin->carries[j])
			t->skin->map[j] = find_map(t->skin, j, t->body_rotation);
}

// ---- vertices ---------------------------------------------------------------------------------

// n = cof(F) N with cof(F) = (b × c, c × a, a × b) of F's columns
static oz_vec3 carry_normal(oz_mat3 map, oz_vec3 N)
{
	const oz_vec3 a = oz_mat3_column(map, 0), b = oz_mat3_column(map, 1);
	const oz_vec3 c = oz_mat3_column(map, 2);
	oz_vec3 n = oz_scale(oz_cross(b, c), N.x);
	n = oz_mad(n, oz_cross(c, a), N.y);
	return oz_normalize(oz_mad(n, oz_cross(a, b), N.z));
}

// Writes the position of a vertex, and its normal if normals are carried. Sums are relative to the
// first particle, so that positions far from the origin lose no digits.
static void place_vertex(oz_skin *skin, uint32_t v)
{
	const oz_bond *bond = skin->bonds + skin->bond_start[v];
	const uint32_t count = skin->bond_start[v + 1] - skin->bond_start[v];
	const oz_vec3 from = skin->now[bond->slot];
	oz_vec3 sum = {0, 0, 0};
	oz_mat3 mean = oz_mat3_zero();
	for (uint32_t k = 0; k < count; k++) {
		const uint32_t j = bond[k].slot;
		const oz_vec3 D = oz_sub(skin->vertex[v], skin->rest[j]);
		const oz_vec3 there =
		        oz_add(oz_sub(skin->now[j], from), oz_mat3_mul_vec(skin->map[j], D));
		sum = oz_mad(sum, there, bond[k].weight);
		if (skin->carries_normals)
			mean = oz_mat3_add(mean, oz_mat3_scale(skin->map[j], bond[k].weight));
	}
	skin->position[v] = oz_add(from, sum);
	if (skin->carries_normals)
		skin->normal[v] = carry_normal(mean, skin->rest_normal[v]);
}

static void place_vertices(void *context, uint32_t begin, uint32_t end)
{
	const pose_task *t = context;
	for (uint32_t v = begin; v < end; v++)
		place_vertex(t->skin, v);
}

// the mean of a view over the particles of a vertex, by bond weights
static oz_vec3 weighted_mean(const oz_skin *skin, oz_view view, uint32_t v)
{
	oz_vec3 sum = {0, 0, 0};
	for (uint32_t k = skin->bond_start[v]; k < skin->bond_start[v + 1]; k++)
		sum = oz_mad(sum, oz_view_vec(view, skin->input_of_slot[skin->bonds[k].slot]),
		             skin->bonds[k].weight);
	return sum;
}

// velocity and colour: means over bonds; body and material: of the particle with the most weight
static void interpolate_fields(void *context, uint32_t begin, uint32_t end)
{
	const pose_task *t = context;
	oz_skin *skin = t->skin;
	for (uint32_t v = begin; v < end; v++) {
		const uint32_t nearest = skin->input_of_slot[skin->nearest[v]];
		if (t->in->velocity.data)
			skin->velocity[v] = weighted_mean(skin, t->in->velocity, v);
		if (t->in->colour.data)
			skin->colour[v] = weighted_mean(skin, t->in->colour, v);
		if (t->in->body.data)
			skin->body[v] = oz_view_uint(t->in->body, nearest);
		if (t->in->material.data)
			skin->material[v] = oz_view_uint(t->in->material, nearest);
	}
}

// ---- normals ----------------------------------------------------------------------------------

// writes twice the area vector of each triangle
static void find_faces(void *context, uint32_t begin, uint32_t end)
{
	const pose_task *t = context;
	const oz_vec3 *x = t->skin->position;
	for (uint32_t k = begin; k < end; k++) {
		const uint32_t *c = t->skin->triangles[k];
		t->skin->face[k] = oz_cross(oz_sub(x[c[1]], x[c[0]]), oz_sub(x[c[2]], x[c[0]]));
	}
}

// the carried normal; else the mean normal of the triangles around; else +y
static void find_normals(void *context, uint32_t begin, uint32_t end)
{
	const pose_task *t = context;
	const oz_skin *skin = t->skin;
	for (uint32_t v = begin; v < end; v++) {
		oz_vec3 n = skin->carries_normals ? skin->normal[v] : oz_v3(0, 0, 0);
		if (!(oz_length2(n) > 0.5f)) {
			for (uint32_t k = skin->fan_start[v]; k < skin->fan_start[v + 1]; k++)
				n = oz_add(n, skin->face[skin->fan[k]]);
			n = oz_normalize(n);
		}
		skin->normal[v] = oz_length2(n) > 0.5f ? n : oz_v3(0, 1, 0);
	}
}

// ---- the pose ---------------------------------------------------------------------------------

static oz_result check_input(const oz_skin_input *in, oz_error *error)
{
	const struct {
		const char *name;
		oz_view view;
	} views[] = {{"id", in->id},
	             {"velocity", in->velocity},
	             {"colour", in->colour},
	             {"body", in->body},
	             {"material", in->material}};
	if (!in->position.data || !in->id.data)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "a pose needs positions and ids of particles; give both views");
	for (size_t k = 0; k < sizeof views / sizeof *views; k++)
		if (views[k].view.data && views[k].view.count != in->position.count)
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "the view of %s has %u elements, that of position %u; give "
			               "one for each particle",
			               views[k].name, views[k].view.count, in->position.count);
	return OZ_OK;
}

static oz_surface_mesh mesh_of(const oz_skin *skin, const oz_skin_input *in)
{
	return (oz_surface_mesh){.vertex_count = skin->vertex_count,
	                         .triangle_count = skin->triangle_count,
	                         .position = skin->position,
	                         .normal = skin->normal,
	                         .velocity = in->velocity.data ? skin->velocity : NULL,
	                         .colour = in->colour.data ? skin->colour : NULL,
	                         .body = in->body.data ? skin->body : NULL,
	                         .material = in->material.data ? skin->material : NULL,
	                         .triangles = (const uint32_t(*)[3])skin->triangles};
}

oz_result oz_skin_pose(oz_skin *skin, const oz_skin_input *in, oz_surface_mesh *mesh,
                       oz_error *error)
{
	pose_task t = {skin, in, {0, 0, 0, 1}};
	*mesh = (oz_surface_mesh){0};
	oz_result result = OZ_OK;
	if (skin->vertex_count) {
		result = check_input(in, error);
		if (result == OZ_OK)
			result = match_particles(skin, in, error);
	}
	if (result != OZ_OK)
		return result;
	if (skin->vertex_count) {
		if (!skin->all_full)
			t.body_rotation = find_body_rotation(skin);
		oz_pool_run(skin->pool, skin->count, CHUNK, find_maps, &t);
		oz_pool_run(skin->pool, skin->vertex_count, CHUNK, place_vertices, &t);
		oz_pool_run(skin->pool, skin->triangle_count, CHUNK, find_faces, &t);
		oz_pool_run(skin->pool, skin->vertex_count, CHUNK, find_normals, &t);
		oz_pool_run(skin->pool, skin->vertex_count, CHUNK, interpolate_fields, &t);
	}
	*mesh = mesh_of(skin, in);
	return OZ_OK;
}

oz_result oz_skin_of_world(oz_skin *skin, oz_world *world, oz_surface_mesh *mesh, oz_error *error)
{
	oz_skin_input in = {0};
	const struct {
		oz_field field;
		oz_view *view;
	} wanted[] = {{OZ_FIELD_POSITION, &in.position},
	              {OZ_FIELD_ID, &in.id},
	              {OZ_FIELD_VELOCITY, &in.velocity},
	              {OZ_FIELD_BODY, &in.body},
	              {OZ_FIELD_MATERIAL, &in.material}};
	oz_result result = OZ_OK;
	*mesh = (oz_surface_mesh){0};
	for (size_t k = 0; k < sizeof wanted / sizeof *wanted && result == OZ_OK; k++)
		result = oz_world_view(world, wanted[k].field, wanted[k].view, error);
	return result == OZ_OK ? oz_skin_pose(skin, &in, mesh, error) : result;
}
