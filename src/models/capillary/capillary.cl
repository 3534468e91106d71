// capillary.cl: surface tension of liquids.
//
// The tension of a surface of curvature κ = div n is a force σ κ on each area, along the normal
// (Brackbill, Kothe & Zemach 1992). Here the surface is a sheet of the particles at it. With V the
// rest volume, s the spacing, w = (1 - q²)² and u = 1 - q²,
//
//   b_i = V Σ_j ∇W_ij + walls             0 inside, where no force acts
//   n_i = - b_i/|b_i|,  a_i = 2 |b_i| s³   normal and area of a particle
//   m_i = Σ u a_j n_j / |…|               normal of the sheet; see below for walls
//   S_i = 3/(π h²) Σ w a_j (n_i·n_j)₊     1 in a whole sheet
//   A_i = a_i / S_i                       areas that sum up to the surface
//   κ_i = 2 Σ u A_j m_j·t_ij / Σ u A_j t_ij²     best fit; t_ij: x_ij without its part along m_i
//   F_i = - σ A_i (κ_i + 2 (κ_i - <κ>_i)) m_i    <κ>: mean over neighbours
//
// In the sums for S, κ and <κ> a neighbour counts with the cosine of the angle between both
// normals, and not at all above 90°, so that the two sides of a film do not mix. The sum for m has
// both sides.
//
// The normals are means over the support, which weakens short waves of the surface. The second part
// of F gives back most of it: a drop of 6 spacings radius oscillates 3 % too slowly, without it 14
// %. It is at most 0.3 <κ>, since it sharpens noise, too. Fewer particles than a sheet has (S below
// 0.8) are pulled less, and κ is at most 0.5/s: drops below four spacings radius are not resolved.
//
// **Walls and solids** count in b as liquid: the face of the liquid on a wall is not a surface.
// Where the surface meets them, its normal is given by the contact angle θ. With k the normal of
// the wall towards the liquid and t the part of n along the wall,
//
//   n = sin θ t/|t| + cos θ k
//
// so that a surface that meets the wall at another angle is curved there, and moves until it is
// not. Above 90° the surface hangs over the wall, and a wall that counts in full hides it: there it
// counts with 1 + cos θ in b, and the underside of the liquid, whose normal points at the wall, has
// no area. The mean m at a contact line, which has neighbours on one side only, is turned
// towards n, too.
//
// **Friction.** F is not the gradient of an energy, and waves of a few spacings gain energy by it.
// So particles of a surface have friction along the line between them, e = x_ij/|x_ij|,
//
//   F_i = - 0.3 s Σ u (A_i/s²) (A_j/s²) √(σ ρ s) (v_ij·e) e
//
// the viscosity √(σ ρ s) by which such a wave dies within about its period; σ ρ is √(σ_i ρ_i σ_j
// ρ_j). The forces of a pair are opposite and along e: they keep momentum and angular momentum and
// take energy only.
//
// **Momentum.** The forces on a closed surface have no sum and no torque. Those of particles have
// small ones, by the disorder of the sheet. These are subtracted (capillary_sum.cl).
#include "boundary/walls.h"
#include "device/kernel.h"
#include "math/sph.h"
#include "math/vec.h"
#include "models/capillary/capillary_rules.h"
#include "models/capillary/contact_line.h"
#include "particles/matter.h"

#define CAPILLARY_BEND 0.5f // largest κ times the spacing

// ---- what neighbours read of a particle --------------------------------------------------------

#define capillary_gather_ARGS(IN, OUT, VAL)                                                        \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(uint, slot)                                                                             \
	IN(uint, shapeless)                                                                        \
	IN(uint, listed)                                                                           \
	IN(float, nozzle)                                                                          \
	OUT(oz_float4, solid)                                                                      \
	OUT(uint, liquid) OUT(float, tension) VAL(uint, slots) VAL(uint, nozzles)
OZ_ARGS(capillary_gather)

// writes `solid` (x: 1 for particles of solids; y: cosine of their contact angle) and `liquid` (the
// length of the list of particles with surface tension, 0 for others and inside a nozzle, which has
// a wall around them) and `tension`, N/m
OZ_FN void capillary_gather_at(const capillary_gather_args *a, uint i)
{
	const oz_matter m = a->matter[a->material[i]];
	const uint k = a->slots ? a->slot[i] : 0u;
	const float solid = k < a->slots && !a->shapeless[k] ? 1.0f : 0.0f;
	a->solid[i] = oz_make4(solid, solid * m.wetting, 0.0f, 0.0f);
	const bool inside = a->nozzles && a->nozzle[i] != 0.0f;
	const bool flows = m.flow.surface_tension > 0.0f && solid == 0.0f;
	a->liquid[i] = flows && !inside ? a->listed[i] : 0u;
	a->tension[i] = m.flow.surface_tension;
}

// ---- walls -------------------------------------------------------------------------------------

#define capillary_walls_ARGS(IN, OUT, VAL)                                                         \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, wall)                                                                        \
	IN(oz_collider, collider)                                                                  \
	IN(float, table)                                                                           \
	IN(uint, places)                                                                           \
	IN(oz_float4, nearest)                                                                     \
	IN(oz_wall_node, wall_nodes)                                                               \
	OUT(oz_float4, lining)                                                                     \
	OUT(oz_float4, rub) VAL(oz_wall_rules, walls) VAL(capillary_rules, rules) VAL(float, dt)
OZ_ARGS(capillary_walls)

// V |Σ ∇W| of the particles that would fill a wall of share λ, 1/m
OZ_FN float capillary_wall_slope(const capillary_rules *r, float lambda)
{
	if (lambda < r->lack_second)
		return r->slope_second * lambda / r->lack_second;
	const float t = (lambda - r->lack_second) / (r->lack_first - r->lack_second);
	return r->slope_second + (r->slope_first - r->slope_second) * oz_min(t, 1.0f);
}

// Writes b of all walls at particle i, and (w) the cosine of their contact angle, a mean weighted
// by their parts of b; and `rub`, the velocity of the walls, the same mean, and (w) the sum of the
// parts over b of a flat wall, at most 1.
OZ_FN void capillary_walls_at(const capillary_walls_args *a, uint i)
{
	const oz_vec3 x = oz_v3(a->position[i].x, a->position[i].y, a->position[i].z);
	oz_vec3 b = oz_v3(0.0f, 0.0f, 0.0f), moves = b;
	float wetting = 0.0f, weight = 0.0f, clearance = OZ_FAR;
	oz_walls w;
	w.table = a->table;
	w.places = a->places;
	w.nearest = a->nearest;
	w.wall_nodes = a->wall_nodes;
	if (a->wall[i].w > 0.0f) {
		for (uint k = 0; k < a->walls.colliders; k++) {
			OZ_GLOBAL const oz_collider *c = &a->collider[k];
			const oz_float4 s =
			        oz_wall_lambda(&w, &a->walls, c, oz_begin_local(c, x), &clearance);
			const oz_vec3 g = oz_begin_rotate(c, oz_v3(s.x, s.y, s.z));
			const float length = oz_length(g);
			if (!(s.w > 0.0f && length > 0.0f))
				continue;
			const float slope = capillary_wall_slope(&a->rules, s.w);
			b = oz_mad(b, g, slope / length);
			moves = oz_mad(moves, oz_wall_velocity(c, oz_begin_local(c, x), a->dt),
			               slope);
			wetting += slope * c->wetting;
			weight += slope;
		}
	}
	const float per = weight > 0.0f ? 1.0f / weight : 0.0f;
	a->lining[i] = oz_make4(b.x, b.y, b.z, wetting * per);
	a->rub[i] = oz_make4(moves.x * per, moves.y * per, moves.z * per,
	                     oz_min(weight / a->rules.slope_first, 1.0f));
}

// ---- normals and areas -------------------------------------------------------------------------

#define capillary_outline_ARGS(IN, OUT, VAL)                                                       \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, solid)                                                                       \
	IN(oz_float4, lining)                                                                      \
	IN(uint, liquid)                                                                           \
	OUT(oz_float4, edge)                                                                       \
	OUT(uint, outer)                                                                           \
	OUT(float, touch)                                                                          \
	OUT(oz_float4, meets) VAL(oz_fluid, fluid) VAL(capillary_rules, rules) VAL(uint, lined)
#define capillary_outline_NEAR(PLACE, ALSO, CASE) PLACE(position) ALSO(solid) CASE(fluid.smoothing)
OZ_PAIR_ARGS(capillary_outline)

typedef struct capillary_outline_sum {
	oz_float4 p;
	lane x, y, z;          // Σ ∇W
	lane of_x, of_y, of_z; // of solids
	lane wetting, weight;  // of solids
} capillary_outline_sum;

// Writes n and a of the particles with surface tension, `outer` (the length of the list of those at
// a surface, 0 for others) and `touch` (|b| of walls and solids over that of a flat wall).
OZ_FN void capillary_outline_begin(const capillary_outline_args *a, uint i,
                                   capillary_outline_sum *s)
{
	s->p = a->position[i];
	s->x = s->y = s->z = s->of_x = s->of_y = s->of_z = lane_of(0.0f);
	s->wetting = s->weight = lane_of(0.0f);
}

OZ_FN void capillary_outline_pair(const capillary_outline_args *a, capillary_outline_sum *s,
                                  const capillary_outline_near *j)
{
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const lane g = oz_sph_gradient(a->fluid.smoothing, x * x + y * y + z * z, a->fluid.h);
	const lane of = g * j->solid.x;
	s->x += g * x;
	s->y += g * y;
	s->z += g * z;
	s->of_x += of * x;
	s->of_y += of * y;
	s->of_z += of * z;
	s->wetting += g * j->solid.y;
	s->weight += of;
}

OZ_FN void capillary_outline_end(const capillary_outline_args *a, uint i, capillary_outline_sum *s)
{
	const float v = a->fluid.volume, d = a->rules.spacing;
	const oz_float4 none = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	const oz_float4 lining = a->lined ? a->lining[i] : none;
	capillary_contact c =
	        capillary_contact_of(&a->rules, lining,
	                             oz_scale(oz_v3(lane_sum(s->of_x), lane_sum(s->of_y),
	                                            lane_sum(s->of_z)),
	                                      v),
	                             lane_sum(s->weight), lane_sum(s->wetting));
	c.cosine = capillary_given(c.cosine);
	// of liquids and solids, and less of what the liquid wets badly
	const oz_vec3 fluid = oz_scale(oz_v3(lane_sum(s->x), lane_sum(s->y), lane_sum(s->z)), v);
	const oz_vec3 wall = oz_v3(lining.x, lining.y, lining.z);
	const oz_vec3 b = oz_mad(oz_add(fluid, wall), c.b, oz_min(c.cosine, 0.0f));
	const float size = oz_length(b);
	const float at = capillary_at_surface(&a->rules, size);
	if (!(a->liquid[i] && at > 0.0f)) {
		a->edge[i] = none;
		a->outer[i] = 0u;
		a->touch[i] = 0.0f;
		a->meets[i] = none;
		return;
	}
	const oz_vec3 bare = oz_scale(b, -1.0f / size), n = capillary_contact_normal(bare, &c);
	const float open = capillary_open_share(bare, &c) * at;
	a->edge[i] = oz_make4(n.x, n.y, n.z, 2.0f * size * d * d * d * open);
	a->outer[i] = a->liquid[i];
	a->touch[i] = c.touch;
	a->meets[i] = oz_make4(c.k.x, c.k.y, c.k.z, c.cosine);
}

// ---- the sheet ---------------------------------------------------------------------------------

#define capillary_sheet_ARGS(IN, OUT, VAL)                                                         \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, edge)                                                                        \
	IN(oz_float4, meets) IN(float, touch) OUT(oz_float4, skin) VAL(capillary_rules, rules)
#define capillary_sheet_NEAR(PLACE, ALSO, CASE) PLACE(position) ALSO(edge)
OZ_PAIR_ARGS(capillary_sheet)

typedef struct capillary_sheet_sum {
	oz_float4 p, edge;
	lane x, y, z, area;
} capillary_sheet_sum;

#define CAPILLARY_LEAST 0.8f // below this S there are too few particles for a sheet

// u = 1 - q² of a neighbour
OZ_FN lane capillary_near(const capillary_rules *r, lane x, lane y, lane z)
{
	const float inv_h2 = 1.0f / (r->h * r->h);
	return lane_max(1.0f - (x * x + y * y + z * z) * inv_h2, lane_of(0.0f));
}

// writes m and A
OZ_FN void capillary_sheet_begin(const capillary_sheet_args *a, uint i, capillary_sheet_sum *s)
{
	s->p = a->position[i];
	s->edge = a->edge[i];
	s->x = s->y = s->z = s->area = lane_of(0.0f);
}

OZ_FN void capillary_sheet_pair(const capillary_sheet_args *a, capillary_sheet_sum *s,
                                const capillary_sheet_near *j)
{
	const lane u = capillary_near(&a->rules, s->p.x - j->position.x, s->p.y - j->position.y,
	                              s->p.z - j->position.z);
	const lane same = s->edge.x * j->edge.x + s->edge.y * j->edge.y + s->edge.z * j->edge.z;
	const lane w = u * j->edge.w;
	s->x += w * j->edge.x;
	s->y += w * j->edge.y;
	s->z += w * j->edge.z;
	s->area += u * w * lane_max(same, lane_of(0.0f));
}

// How far the mean normal is turned to the contact angle: the sum at 0°, the first at 90°. Fitted:
// drops at rest have angles within 6° from 30° to 150°.
#define CAPILLARY_TURN        0.6f
#define CAPILLARY_TURN_COSINE 0.4f

// The mean normal. At a contact line it is turned to the contact angle: the mean has neighbours on
// one side of it only.
OZ_FN oz_vec3 capillary_sheet_normal(oz_vec3 sum, oz_float4 meets, float touch)
{
	const float length = oz_length(sum);
	const oz_vec3 mean = oz_scale(sum, length > 0.0f ? 1.0f / length : 0.0f);
	capillary_contact c;
	c.b = oz_v3(0.0f, 0.0f, 0.0f);
	c.k = oz_v3(meets.x, meets.y, meets.z);
	c.cosine = meets.w;
	c.touch = touch * (CAPILLARY_TURN + CAPILLARY_TURN_COSINE * meets.w);
	return capillary_contact_normal(mean, &c);
}

OZ_FN void capillary_sheet_end(const capillary_sheet_args *a, uint i, capillary_sheet_sum *s)
{
	const oz_float4 e = s->edge;
	const oz_vec3 m =
	        capillary_sheet_normal(oz_v3(lane_sum(s->x) + e.w * e.x, lane_sum(s->y) + e.w * e.y,
	                                     lane_sum(s->z) + e.w * e.z),
	                               a->meets[i], a->touch[i]);
	const float share =
	        3.0f * OZ_INV_PI / (a->rules.h * a->rules.h) * (lane_sum(s->area) + e.w);
	const float full = oz_min(share / CAPILLARY_LEAST, 1.0f);
	a->skin[i] = oz_make4(m.x, m.y, m.z, e.w * full * full / oz_max(share, CAPILLARY_LEAST));
}

// ---- curvature ---------------------------------------------------------------------------------

#define capillary_bend_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, skin)                                                                        \
	IN(float, tension)                                                                         \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter) OUT(oz_float4, bend) VAL(capillary_rules, rules)
#define capillary_bend_NEAR(PLACE, ALSO, CASE) PLACE(position) ALSO(skin)
OZ_PAIR_ARGS(capillary_bend)

typedef struct capillary_bend_sum {
	oz_float4 p, skin;
	lane bend, size;
} capillary_bend_sum;

// writes κ (x), A (y) and the root of the friction of two particles, A ∜(σ ρ s)/s² (z)
OZ_FN void capillary_bend_begin(const capillary_bend_args *a, uint i, capillary_bend_sum *s)
{
	s->p = a->position[i];
	s->skin = a->skin[i];
	s->bend = s->size = lane_of(0.0f);
}

OZ_FN void capillary_bend_pair(const capillary_bend_args *a, capillary_bend_sum *s,
                               const capillary_bend_near *j)
{
	const lane x = j->position.x - s->p.x, y = j->position.y - s->p.y,
	           z = j->position.z - s->p.z;
	const oz_float4 m = s->skin;
	const lane same = m.x * j->skin.x + m.y * j->skin.y + m.z * j->skin.z;
	const lane w =
	        capillary_near(&a->rules, x, y, z) * j->skin.w * lane_max(same, lane_of(0.0f));
	const lane off = x * m.x + y * m.y + z * m.z;
	const lane tx = x - off * m.x, ty = y - off * m.y, tz = z - off * m.z;
	s->bend += w * (j->skin.x * tx + j->skin.y * ty + j->skin.z * tz);
	s->size += w * (tx * tx + ty * ty + tz * tz);
}

OZ_FN void capillary_bend_end(const capillary_bend_args *a, uint i, capillary_bend_sum *s)
{
	const float size = lane_sum(s->size), most = CAPILLARY_BEND / a->rules.spacing;
	const float kappa = size > 0.0f ? 2.0f * lane_sum(s->bend) / size : 0.0f;
	const float d = a->rules.spacing, area = s->skin.w;
	const float thick = a->tension[i] * d / a->matter[a->material[i]].inv_density;
	a->bend[i] = oz_make4(oz_min(oz_max(kappa, -most), most), area,
	                      area / (d * d) * oz_sqrt(oz_sqrt(thick)), 0.0f);
}

// ---- force -------------------------------------------------------------------------------------

#define capillary_pull_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, skin)                                                                        \
	IN(oz_float4, bend)                                                                        \
	IN(float, tension) OUT(oz_float4, force) VAL(capillary_rules, rules)
#define capillary_pull_NEAR(PLACE, ALSO, CASE) PLACE(position) ALSO(velocity) ALSO(skin) ALSO(bend)
OZ_PAIR_ARGS(capillary_pull)

typedef struct capillary_pull_sum {
	oz_float4 p, v, skin, bend;
	lane kappa, weight;
	lane x, y, z; // friction
} capillary_pull_sum;

#define CAPILLARY_SHARPEN 0.3f // most that sharpening adds, over the mean curvature

#define CAPILLARY_CALMING 0.3f // friction of two particles of a surface, over s √(σ ρ s)

// writes F, N (w: A, m²)
OZ_FN void capillary_pull_begin(const capillary_pull_args *a, uint i, capillary_pull_sum *s)
{
	s->p = a->position[i];
	s->v = a->velocity[i];
	s->skin = a->skin[i];
	s->bend = a->bend[i];
	s->kappa = s->weight = s->x = s->y = s->z = lane_of(0.0f);
}

OZ_FN void capillary_pull_pair(const capillary_pull_args *a, capillary_pull_sum *s,
                               const capillary_pull_near *j)
{
	const oz_float4 m = s->skin;
	const lane same = m.x * j->skin.x + m.y * j->skin.y + m.z * j->skin.z;
	const lane x = s->p.x - j->position.x, y = s->p.y - j->position.y,
	           z = s->p.z - j->position.z;
	const lane u = capillary_near(&a->rules, x, y, z);
	const lane w = u * j->skin.w * lane_max(same, lane_of(0.0f));
	s->kappa += w * j->bend.x;
	s->weight += w;
	const lane apart = (s->v.x - j->velocity.x) * x + (s->v.y - j->velocity.y) * y +
	                   (s->v.z - j->velocity.z) * z;
	const lane least = lane_of(1e-6f * a->rules.h * a->rules.h);
	const lane f = u * j->bend.z * apart * lane_inverse(x * x + y * y + z * z + least);
	s->x += f * x;
	s->y += f * y;
	s->z += f * z;
}

OZ_FN void capillary_pull_end(const capillary_pull_args *a, uint i, capillary_pull_sum *s)
{
	const float sigma = a->tension[i], area = s->skin.w;
	const float weight = lane_sum(s->weight) + area;
	const float mean = weight > 0.0f ? (lane_sum(s->kappa) + s->bend.x * area) / weight : 0.0f;
	const float kappa = s->bend.x, most = CAPILLARY_SHARPEN * oz_abs(mean);
	const float sharp = oz_min(oz_max(2.0f * (kappa - mean), -most), most);
	const float f = -sigma * area * (kappa + sharp);
	const float rubs = -CAPILLARY_CALMING * a->rules.spacing * s->bend.z;
	a->force[i] = oz_make4(f * s->skin.x + rubs * lane_sum(s->x),
	                       f * s->skin.y + rubs * lane_sum(s->y),
	                       f * s->skin.z + rubs * lane_sum(s->z), area);
}

#define capillary_KERNELS(X)                                                                       \
	X(capillary_gather, EACH)                                                                  \
	X(capillary_walls, EACH)                                                                   \
	X(capillary_outline, PAIRS)                                                                \
	X(capillary_sheet, PAIRS)                                                                  \
	X(capillary_bend, PAIRS)                                                                   \
	X(capillary_pull, PAIRS)
OZ_KERNELS(capillary_KERNELS)
