// bind.c: binds a skin to its particles: neighbours at rest, and the bonds of the vertices.
//
// The neighbours of a particle determine its map only in directions in which they have an extent,
// by A = Σ w d dᵀ / Σ w. Directions in which A is almost 0, the normal of a sheet or the directions
// across a rod, are left out of the inverse here; pose.c completes the map.
//
// A vertex has bonds to the particles within a radius: at least the reach, and slightly more than
// the distance of the BONDS_LEAST-th nearest. The weights are w = (1 - r²/radius²)³, normalised.
// Radius and weights are continuous in the position of the vertex, so the posed mesh is too.
#include <math.h>
#include <string.h>

#include "math/rotation.h"
#include "skin/skin.h"

#define BONDS_LEAST 4u    // particles that carry a vertex, at least
#define BONDS_MOST  128u  // at most, and in a neighbourhood
#define FLAT        0.02f // spacings²: variance below which a neighbourhood has no extent

// ---- the grid ---------------------------------------------------------------------------------

static uint32_t clamp_cell(float x, uint32_t size)
{
	return (uint32_t)oz_min(oz_max(x, 0.0f), (float)(size - 1));
}

static void cell_at(const oz_skin_grid *g, oz_vec3 x, uint32_t cell[3])
{
	const oz_vec3 d = oz_scale(oz_sub(x, g->min), 1.0f / g->cell);
	cell[0] = clamp_cell(d.x, g->size[0]);
	cell[1] = clamp_cell(d.y, g->size[1]);
	cell[2] = clamp_cell(d.z, g->size[2]);
}

static uint32_t key_at(const oz_skin_grid *g, oz_vec3 x)
{
	uint32_t c[3];
	cell_at(g, x, c);
	return (c[2] * g->size[1] + c[1]) * g->size[0] + c[0];
}

// chooses cells at least as wide as the reach, and at most about four per particle
static void size_grid(oz_skin_grid *g, uint32_t count, float reach)
{
	const oz_vec3 extent = oz_sub(g->max, g->min);
	const double most = 4.0 * count + 64;
	for (double cell = (double)reach;; cell *= 1.25) {
		const double n[3] = {floor((double)extent.x / cell) + 1,
		                     floor((double)extent.y / cell) + 1,
		                     floor((double)extent.z / cell) + 1};
		if (n[0] * n[1] * n[2] > most)
			continue;
		g->cell = (float)cell;
		for (int k = 0; k < 3; k++)
			g->size[k] = (uint32_t)n[k];
		return;
	}
}

oz_result oz_skin_sort(oz_skin *skin, const oz_vec3 *points, oz_error *error)
{
	oz_skin_grid *g = &skin->grid;
	g->min = g->max = skin->count ? points[0] : oz_v3(0, 0, 0);
	for (uint32_t k = 1; k < skin->count; k++) {
		g->min = oz_min3(g->min, points[k]);
		g->max = oz_max3(g->max, points[k]);
	}
	size_grid(g, skin->count, skin->reach);
	const uint32_t cells = g->size[0] * g->size[1] * g->size[2];
	oz_result result = oz_skin_alloc(skin, &g->start, cells + 2ull, sizeof *g->start, error);
	if (result == OZ_OK)
		result = oz_skin_alloc(skin, &skin->rest, skin->count, sizeof *skin->rest, error);
	if (result != OZ_OK)
		return result;
	for (uint32_t k = 0; k < skin->count; k++)
		g->start[key_at(g, points[k]) + 2]++;
	for (uint32_t c = 0; c < cells; c++)
		g->start[c + 2] += g->start[c + 1];
	for (uint32_t k = 0; k < skin->count; k++) {
		const uint32_t slot = g->start[key_at(g, points[k]) + 1]++;
		skin->rest[slot] = points[k];
		skin->places[k].slot = slot;
	}
	return OZ_OK;
}

// ---- search -----------------------------------------------------------------------------------

// The particles within a radius; if they are more than BONDS_MOST + 1, the nearest of them.
typedef struct near_list {
	uint32_t count;
	uint32_t slot[BONDS_MOST + 1];
	float r2[BONDS_MOST + 1];
} near_list;

// adds a particle; a full list replaces its farthest one
static void add_near(near_list *list, uint32_t slot, float r2)
{
	uint32_t at = list->count;
	if (at <= BONDS_MOST) {
		list->count++;
	} else {
		at = 0;
		for (uint32_t k = 1; k < list->count; k++)
			at = list->r2[k] > list->r2[at] ? k : at;
		if (!(r2 < list->r2[at]))
			return;
	}
	list->slot[at] = slot;
	list->r2[at] = r2;
}

// lists the rest positions nearer to x than a radius
static void find_within(const oz_skin *skin, oz_vec3 x, float radius, near_list *list)
{
	const oz_skin_grid *g = &skin->grid;
	const oz_vec3 r = oz_v3(radius, radius, radius);
	uint32_t low[3], high[3];
	cell_at(g, oz_sub(x, r), low);
	cell_at(g, oz_add(x, r), high);
	list->count = 0;
	for (uint32_t z = low[2]; z <= high[2]; z++)
		for (uint32_t y = low[1]; y <= high[1]; y++) {
			const uint32_t row = (z * g->size[1] + y) * g->size[0];
			const uint32_t end = g->start[row + high[0] + 1];
			for (uint32_t j = g->start[row + low[0]]; j < end; j++) {
				const float r2 = oz_length2(oz_sub(skin->rest[j], x));
				if (r2 < radius * radius)
					add_near(list, j, r2);
			}
		}
}

// ---- lists of lists ---------------------------------------------------------------------------

// Replaces counts by starts; the count of k is at k + 1. Returns the total.
static uint64_t counts_to_starts(uint32_t *start, uint32_t count)
{
	uint64_t sum = 0;
	for (uint32_t k = 0; k < count; k++) {
		sum += start[k + 1];
		start[k + 1] = (uint32_t)sum;
	}
	return sum;
}

static oz_result too_many(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "the skin has more than 4 billion bonds to its particles; simplify the "
	               "mesh");
}

// ---- bonds ------------------------------------------------------------------------------------

static float distance_to_box(const oz_skin_grid *g, oz_vec3 x)
{
	const oz_vec3 inside = oz_max3(g->min, oz_min3(g->max, x));
	return oz_length(oz_sub(x, inside));
}

// the squared distance of the BONDS_LEAST-th nearest of the list, or of the last if it is shorter
static float kth_nearest2(const near_list *list)
{
	float best[BONDS_LEAST];
	for (uint32_t k = 0; k < BONDS_LEAST; k++)
		best[k] = INFINITY;
	for (uint32_t k = 0; k < list->count; k++) {
		float r2 = list->r2[k];
		for (uint32_t b = 0; b < BONDS_LEAST; b++)
			if (r2 < best[b]) {
				const float pushed = best[b];
				best[b] = r2;
				r2 = pushed;
			}
	}
	const uint32_t last = list->count < BONDS_LEAST ? list->count - 1 : BONDS_LEAST - 1;
	return best[last];
}

// the radius of the kernel: if the list is full, the distance of its farthest particle, which gets
// the weight 0
static float fit_radius(const near_list *list, float radius)
{
	float most = 0;
	for (uint32_t k = 0; k < list->count; k++)
		most = oz_max(most, list->r2[k]);
	return list->count > BONDS_MOST ? sqrtf(most) : radius;
}

// Fills the list with the particles that carry a vertex, and returns the radius of the kernel.
static float find_carriers(const oz_skin *skin, oz_vec3 x, near_list *list)
{
	const uint32_t few = skin->count < BONDS_LEAST ? skin->count : BONDS_LEAST;
	float radius = distance_to_box(&skin->grid, x) + skin->reach;
	for (find_within(skin, x, radius, list); list->count < few; radius *= 2.0f)
		find_within(skin, x, 2.0f * radius, list);
	const float wanted =
	        oz_max(skin->reach, sqrtf(kth_nearest2(list)) * 1.0001f + 0.25f * skin->reach);
	find_within(skin, x, wanted, list);
	return fit_radius(list, wanted);
}

// Writes bonds with weights that sum to 1; returns their number.
static uint32_t find_weights(const near_list *list, float radius, oz_bond *bonds)
{
	const float inverse = radius > 0.0f ? 1.0f / (radius * radius) : 0.0f;
	double sum = 0;
	uint32_t count = 0;
	for (uint32_t k = 0; k < list->count; k++) {
		const float w = oz_skin_kernel(list->r2[k], inverse);
		if (!(w > 0.0f))
			continue;
		bonds[count++] = (oz_bond){list->slot[k], w};
		sum += (double)w;
	}
	// all at the distance of the radius: give them equal weights
	for (uint32_t k = 0; count == 0 && k < list->count; k++) {
		bonds[k] = (oz_bond){list->slot[k], 1.0f};
		sum += 1;
	}
	count = count ? count : list->count;
	for (uint32_t k = 0; k < count; k++)
		bonds[k].weight = (float)((double)bonds[k].weight / sum);
	return count;
}

// writes the bonds of a vertex; returns their number
static uint32_t bind_vertex(const oz_skin *skin, uint32_t v, oz_bond bonds[BONDS_MOST + 1])
{
	near_list list;
	const float radius = find_carriers(skin, skin->vertex[v], &list);
	return find_weights(&list, radius, bonds);
}

static void count_bonds(void *context, uint32_t begin, uint32_t end)
{
	oz_skin *skin = context;
	oz_bond bonds[BONDS_MOST + 1];
	for (uint32_t v = begin; v < end; v++)
		skin->bond_start[v + 1] = bind_vertex(skin, v, bonds);
}

static void fill_bonds(void *context, uint32_t begin, uint32_t end)
{
	oz_skin *skin = context;
	oz_bond bonds[BONDS_MOST + 1];
	for (uint32_t v = begin; v < end; v++) {
		const uint32_t count = bind_vertex(skin, v, bonds);
		uint32_t most = 0;
		memcpy(skin->bonds + skin->bond_start[v], bonds, sizeof *bonds * count);
		for (uint32_t k = 1; k < count; k++)
			most = bonds[k].weight > bonds[most].weight ? k : most;
		skin->nearest[v] = bonds[most].slot;
	}
}

oz_result oz_skin_find_bonds(oz_skin *skin, oz_error *error)
{
	const uint32_t n = skin->vertex_count;
	oz_result result =
	        oz_skin_alloc(skin, &skin->bond_start, n + 1ull, sizeof *skin->bond_start, error);
	if (result == OZ_OK)
		result = oz_skin_alloc(skin, &skin->nearest, n, sizeof *skin->nearest, error);
	if (result == OZ_OK)
		result = oz_skin_alloc(skin, &skin->carries, skin->count, sizeof *skin->carries,
		                       error);
	if (result != OZ_OK || n == 0)
		return result;
	oz_pool_run(skin->pool, n, 256, count_bonds, skin);
	const uint64_t bonds = counts_to_starts(skin->bond_start, n);
	if (bonds > UINT32_MAX)
		return too_many(error);
	result = oz_skin_alloc(skin, &skin->bonds, bonds, sizeof *skin->bonds, error);
	if (result != OZ_OK)
		return result;
	oz_pool_run(skin->pool, n, 256, fill_bonds, skin);
	for (uint64_t k = 0; k < bonds; k++)
		skin->carries[skin->bonds[k].slot] = true;
	return OZ_OK;
}

// ---- neighbourhoods ---------------------------------------------------------------------------

static void find_neighbours(const oz_skin *skin, uint32_t j, near_list *list)
{
	uint32_t kept = 0;
	find_within(skin, skin->rest[j], skin->reach, list);
	for (uint32_t k = 0; k < list->count; k++)
		if (list->slot[k] != j)
			list->slot[kept++] = list->slot[k];
	list->count = kept;
}

static void count_neighbours(void *context, uint32_t begin, uint32_t end)
{
	oz_skin *skin = context;
	near_list list;
	for (uint32_t j = begin; j < end; j++) {
		if (!skin->carries[j])
			continue;
		find_neighbours(skin, j, &list);
		skin->near_start[j + 1] = list.count;
	}
}

// writes Σ w d dᵀ over the neighbours into `a`, m²; returns Σ w
static double find_spread(const oz_skin *skin, uint32_t j, const near_list *list, double a[3][3])
{
	const float inverse = 1.0f / (skin->reach * skin->reach);
	double sum = 0;
	memset(a, 0, 9 * sizeof(double));
	for (uint32_t k = 0; k < list->count; k++) {
		const oz_vec3 v = oz_sub(skin->rest[list->slot[k]], skin->rest[j]);
		const double w = (double)oz_skin_kernel(oz_length2(v), inverse);
		const double d[3] = {(double)v.x, (double)v.y, (double)v.z};
		for (int r = 0; r < 3; r++)
			for (int c = 0; c < 3; c++)
				a[r][c] += w * d[r] * d[c];
		sum += w;
	}
	return sum;
}

static oz_mat3 scaled(double a[3][3], double s)
{
	oz_mat3 m;
	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			m.m[r][c] = (float)(a[r][c] * s);
	return m;
}

static void store_inverse(oz_skin_fit *fit, double i[3][3])
{
	fit->xx = (float)i[0][0], fit->yy = (float)i[1][1], fit->zz = (float)i[2][2];
	fit->yz = (float)i[1][2], fit->xz = (float)i[0][2], fit->xy = (float)i[0][1];
}

// stores the inverse of a symmetric matrix of rank three, by cofactors
static void invert(double a[3][3], oz_skin_fit *fit)
{
	const double xx = a[1][1] * a[2][2] - a[1][2] * a[1][2];
	const double xy = a[0][2] * a[1][2] - a[0][1] * a[2][2];
	const double xz = a[0][1] * a[1][2] - a[0][2] * a[1][1];
	const double yy = a[0][0] * a[2][2] - a[0][2] * a[0][2];
	const double yz = a[0][1] * a[0][2] - a[0][0] * a[1][2];
	const double zz = a[0][0] * a[1][1] - a[0][1] * a[0][1];
	const double s = 1 / (a[0][0] * xx + a[0][1] * xy + a[0][2] * xz);
	double inverse[3][3] = {{xx * s, xy * s, xz * s},
	                        {xy * s, yy * s, yz * s},
	                        {xz * s, yz * s, zz * s}};
	store_inverse(fit, inverse);
}

// stores the pseudo-inverse Σ u uᵀ / λ over the first `rank` axes u
static void invert_part(double a[3][3], const oz_mat3 *axes, int rank, oz_skin_fit *fit)
{
	double inverse[3][3] = {{0}};
	for (int k = 0; k < rank; k++) {
		const oz_vec3 axis = oz_mat3_column(*axes, k);
		const double u[3] = {(double)axis.x, (double)axis.y, (double)axis.z};
		double lambda = 0;
		for (int r = 0; r < 3; r++)
			for (int c = 0; c < 3; c++)
				lambda += u[r] * a[r][c] * u[c];
		for (int r = 0; r < 3; r++)
			for (int c = 0; c < 3; c++)
				inverse[r][c] += u[r] * u[c] / lambda;
	}
	store_inverse(fit, inverse);
}

// finds the rank of a particle's neighbours and the inverse of their A
static void find_fit(oz_skin *skin, uint32_t j, const near_list *list)
{
	oz_skin_fit *fit = &skin->fit[j];
	double a[3][3];
	const double sum = find_spread(skin, j, list, a);
	const double spacing2 = (double)skin->spacing * (double)skin->spacing;
	oz_mat3 axes, other;
	oz_vec3 extent;
	*fit = (oz_skin_fit){.rank = OZ_RANK_NONE};
	if (!(sum > 0))
		return;
	oz_svd(scaled(a, 1 / (sum * spacing2)), &axes, &extent, &other);
	const int rank = (extent.x > FLAT) + (extent.y > FLAT) + (extent.z > FLAT);
	fit->rank = (oz_skin_rank)rank;
	fit->axis = oz_mat3_column(axes, rank == 2 ? 2 : 0);
	if (rank == 3)
		invert(a, fit);
	else
		invert_part(a, &axes, rank, fit);
}

static void fill_neighbours(void *context, uint32_t begin, uint32_t end)
{
	oz_skin *skin = context;
	near_list list;
	for (uint32_t j = begin; j < end; j++) {
		if (!skin->carries[j])
			continue;
		find_neighbours(skin, j, &list);
		memcpy(skin->near + skin->near_start[j], list.slot,
		       sizeof *skin->near * list.count);
		find_fit(skin, j, &list);
	}
}

oz_result oz_skin_find_fits(oz_skin *skin, oz_error *error)
{
	const uint32_t n = skin->count;
	oz_result result =
	        oz_skin_alloc(skin, &skin->near_start, n + 1ull, sizeof *skin->near_start, error);
	if (result == OZ_OK)
		result = oz_skin_alloc(skin, &skin->fit, n, sizeof *skin->fit, error);
	if (result == OZ_OK)
		result = oz_skin_alloc(skin, &skin->input_of_slot, n, sizeof *skin->input_of_slot,
		                       error);
	if (result == OZ_OK)
		result = oz_skin_alloc(skin, &skin->now, n, sizeof *skin->now, error);
	if (result == OZ_OK)
		result = oz_skin_alloc(skin, &skin->map, n, sizeof *skin->map, error);
	if (result != OZ_OK)
		return result;
	oz_pool_run(skin->pool, n, 256, count_neighbours, skin);
	const uint64_t pairs = counts_to_starts(skin->near_start, n);
	if (pairs > UINT32_MAX)
		return too_many(error);
	result = oz_skin_alloc(skin, &skin->near, pairs, sizeof *skin->near, error);
	if (result != OZ_OK)
		return result;
	oz_pool_run(skin->pool, n, 256, fill_neighbours, skin);
	skin->all_full = true;
	for (uint32_t j = 0; j < n; j++)
		skin->all_full &= !skin->carries[j] || skin->fit[j].rank == OZ_RANK_FULL;
	return OZ_OK;
}
