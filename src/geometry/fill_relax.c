// fill_relax.c: moves the points of a fill until none is denser than at rest.
//
// δ_i = Σ_j W_ij / Σ_lattice W + λ_i, with λ of the surface (fill_walls.c). A round takes a step
// against the gradient of ½ Σ C², C = max(δ - 1, 0), with momentum:
//
//   Δx_i = β Δx_i - α (Σ_j (C_i + C_j) ∇W_ij + 2 C_i ∇λ_i)
//
// and pushes pairs apart that are nearer than NEAR. Points that are less dense than at rest do not
// attract others, as in the fluid, and a lattice inside does not move. The rounds end when the
// excess is about 0.001. Widening takes the rest away: all points move away from the centre in
// proportion to their distance from it. Everything is done in the order of cells: the result is the
// same each time.
#include "geometry/fill_relax.h"

#include <math.h>

#include "geometry/fill_cells.h"
#include "math/vec.h"

#define ROUNDS   100
#define REST     1.000003f // δ of a lattice with rounding errors
#define ENOUGH   1.001f    // the largest δ at which the rounds end
#define STEP     1.8f      // α, spacings²
#define MOMENTUM 0.85f     // β
#define NEAR     0.8f      // spacings; nearer pairs are pushed apart
#define LONGEST  0.2f      // spacings, the largest step of a point
#define BESIDE   0.1f      // λ of points that may be too near to the surface
#define WIDEN    0.05f     // spacings, the largest way of a point in the end

typedef struct relaxer {
	const oz_volume *volume;
	const oz_fill_walls *walls;
	float spacing, scale; // 1 / Σ_lattice W
	oz_fill_cells cells;
} relaxer;

// ---- the distance to the surface --------------------------------------------------------------

oz_vec3 oz_volume_outward(const oz_volume *volume, oz_vec3 p, float spacing)
{
	if (volume->outward)
		return volume->outward(volume->context, p);
	const float h = 0.05f * spacing, reach = 2 * spacing;
	const oz_vec3 axes[3] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
	const oz_vec3 size = oz_sub(volume->max, volume->min);
	const float length[3] = {size.x, size.y, size.z};
	float g[3];
	for (int axis = 0; axis < 3; axis++) {
		g[axis] = volume->distance(volume->context, oz_add(p, axes[axis]), reach) -
		          volume->distance(volume->context, oz_sub(p, axes[axis]), reach);
		if (!(length[axis] > 0))
			g[axis] = 0;
	}
	return oz_normalize(oz_v3(g[0], g[1], g[2]));
}

bool oz_volume_clear(const oz_volume *volume, oz_vec3 *p, float clearance, float spacing)
{
	const float reach = clearance + spacing;
	oz_vec3 at = *p;
	float least = volume->distance(volume->context, at, reach);
	float d = least;
	for (int round = 0; round < 6 && least > -clearance; round++) {
		const float back = (d + clearance) * 1.01f + 1e-3f * spacing;
		at = oz_mad(at, oz_volume_outward(volume, at, spacing), -back);
		d = volume->distance(volume->context, at, reach);
		if (d < least) {
			least = d;
			*p = at;
		}
	}
	return least <= -clearance;
}

// ---- one round --------------------------------------------------------------------------------

static oz_vec3 place_of(const relaxer *r, uint32_t i)
{
	const oz_fill_point *p = &r->cells.at[i];
	return oz_v3(p->x, p->y, p->z);
}

static float density(const relaxer *r, uint32_t i)
{
	const oz_fill_cells *c = &r->cells;
	const oz_fill_point p = c->at[i];
	lane sum = lane_of(0);
	for (uint32_t k = c->list_start[i]; k < c->list_start[i + 1]; k += OZ_LANES) {
		const lane4 q = lane_fetch(&c->at->x, c->list + k);
		const lane x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
		sum += oz_fitted(x * x + y * y + z * z, OZ_FITTED_SUPPORT);
	}
	return lane_sum(sum) * r->scale;
}

// the way by which point i is moved: away from points around it, by their excess of density
static oz_vec3 push(const relaxer *r, uint32_t i)
{
	const oz_fill_cells *c = &r->cells;
	const oz_fill_point p = c->at[i];
	const float factor = -STEP * r->scale;
	lane sx = lane_of(0), sy = lane_of(0), sz = lane_of(0);
	for (uint32_t k = c->list_start[i]; k < c->list_start[i + 1]; k += OZ_LANES) {
		const lane4 q = lane_fetch(&c->at->x, c->list + k);
		const lane x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
		const lane r2 = x * x + y * y + z * z;
		const lane g =
		        factor * (p.excess + q.w) * oz_fitted_gradient(r2, OZ_FITTED_SUPPORT);
		const lane f = g + 0.3f * lane_max(NEAR * NEAR - r2, lane_of(0));
		sx += f * x;
		sy += f * y;
		sz += f * z;
	}
	return oz_v3(lane_sum(sx), lane_sum(sy), lane_sum(sz));
}

// p (spacings), moved against the gradient of λ until it is inside. Outside a corner of a mesh the
// distance is not known.
static oz_vec3 bring_inside(const relaxer *r, oz_vec3 p)
{
	for (int k = 0; k < 10; k++) {
		const oz_vec3 at = oz_mad(r->volume->min, p, r->spacing);
		if (r->volume->distance(r->volume->context, at, 0) < 0)
			break;
		const oz_fill_lambda wall = oz_fill_walls_at(r->walls, p);
		p = oz_mad(p, oz_normalize(oz_v3(wall.x, wall.y, wall.z)), -0.1f);
	}
	return p;
}

// p (spacings), moved away from the surface if it is too near
static oz_vec3 clear(const relaxer *r, oz_vec3 p)
{
	const oz_vec3 inside = bring_inside(r, p);
	oz_vec3 at = oz_mad(r->volume->min, inside, r->spacing);
	const float least = OZ_FILL_CLEARANCE * r->spacing;
	if (r->volume->distance(r->volume->context, at, r->spacing) <= -least)
		return inside;
	oz_volume_clear(r->volume, &at, least, r->spacing);
	return oz_scale(oz_sub(at, r->volume->min), 1 / r->spacing);
}

// the next position of a point
static oz_vec3 next_of(const relaxer *r, uint32_t i)
{
	const oz_fill_cells *c = &r->cells;
	const oz_fill_lambda wall = c->wall[i];
	const oz_vec3 slope = oz_v3(wall.x, wall.y, wall.z);
	oz_vec3 step = oz_mad(push(r, i), c->step[i], MOMENTUM);
	step = oz_mad(step, slope, -2 * STEP * c->at[i].excess);
	const float length = oz_length(step);
	if (length > LONGEST)
		step = oz_scale(step, LONGEST / length);
	const oz_vec3 to = oz_add(place_of(r, i), step);
	return wall.w > BESIDE ? clear(r, to) : to;
}

// computes λ and the excess of all awake points; returns the largest δ
static float measure(relaxer *r)
{
	oz_fill_cells *c = &r->cells;
	float most = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		if (c->list_start[i] == c->list_start[i + 1])
			continue;
		c->wall[i] = oz_fill_walls_at(r->walls, place_of(r, i));
		const float delta = density(r, i) + c->wall[i].w;
		c->at[i].excess = fmaxf(delta - REST, 0);
		most = fmaxf(most, delta);
	}
	return most;
}

// moves all awake points; returns the longest step
static float move(relaxer *r)
{
	oz_fill_cells *c = &r->cells;
	float most = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		const oz_vec3 from = place_of(r, i);
		const bool still = c->list_start[i] == c->list_start[i + 1];
		c->new_step[i] = still ? oz_v3(0, 0, 0) : oz_sub(next_of(r, i), from);
		most = fmaxf(most, oz_length2(c->new_step[i]));
	}
	for (uint32_t i = 0; i < c->count; i++) {
		c->step[i] = c->new_step[i];
		c->at[i].x += c->step[i].x;
		c->at[i].y += c->step[i].y;
		c->at[i].z += c->step[i].z;
	}
	return sqrtf(most);
}

// widens the whole until the largest δ, `most`, is 1, or by WIDEN at the corners of the box
static void widen(relaxer *r, float most)
{
	const oz_vec3 box = oz_scale(oz_sub(r->volume->max, r->volume->min), 1 / r->spacing);
	const oz_vec3 centre = oz_scale(box, 0.5f);
	const float factor = fminf(cbrtf(most) - 1, WIDEN / oz_length(centre));
	for (uint32_t i = 0; i < r->cells.count; i++) {
		oz_fill_point *p = &r->cells.at[i];
		p->x += factor * (p->x - centre.x);
		p->y += factor * (p->y - centre.y);
		p->z += factor * (p->z - centre.z);
	}
}

// False: out of memory.
static bool relax(relaxer *r)
{
	oz_fill_cells *c = &r->cells;
	float most = 0, moved = OZ_FILL_SKIN;
	for (int round = 0; round < ROUNDS; round++) {
		if (2 * moved >= OZ_FILL_SKIN) {
			oz_fill_cells_sort(c);
			oz_fill_cells_wake(c);
			if (!oz_fill_cells_list(c))
				return false;
			moved = 0;
		}
		most = measure(r);
		if (most <= ENOUGH)
			break;
		moved += move(r);
	}
	if (most > 1)
		widen(r, most);
	return true;
}

bool oz_fill_relax(const oz_volume *volume, const oz_fill_walls *walls, float spacing,
                   oz_vec3 *points, uint32_t count)
{
	relaxer r = {.volume = volume,
	             .walls = walls,
	             .spacing = spacing,
	             .scale = (float)(1 / walls->kernel_sum)};
	oz_fill_cells *c = &r.cells;
	const oz_vec3 box = oz_scale(oz_sub(volume->max, volume->min), 1 / spacing);
	bool done = oz_fill_cells_make(c, box, count);
	for (uint32_t i = 0; i < count && done; i++) {
		const oz_vec3 p = oz_scale(oz_sub(points[i], volume->min), 1 / spacing);
		const float lambda = oz_fill_walls_at(walls, p).w;
		const oz_vec3 at = lambda > BESIDE ? clear(&r, p) : p;
		// 1: all are awake in the first round
		c->at[i] = (oz_fill_point){at.x, at.y, at.z, 1};
		c->id[i] = i;
	}
	done = done && relax(&r);
	for (uint32_t i = 0; i < count && done; i++)
		points[c->id[i]] = oz_mad(volume->min, place_of(&r, i), spacing);
	oz_fill_cells_free(c);
	return done;
}
