// membrane_face.cl: large faces of skins press on the particles around them.
//
// Contact acts on points. A face that is larger than its share of three points presses as well, as
// a thin wall: a particle i at the distance d of its nearest point c gets the density
//
//   λ(d) = σ L (2 - d/s)³   for d < 2 s,   σ = A'/A_full - 1 between 0 and 1,
//   A' = max(A, 0.7 √3/4 l²), l the longest edge
//
// L is what a layer of particles adds at the distance of one spacing s: contact begins there. On
// the face λ is above 1, so that a single drop does not pass. The pressure of the particle pushes
// both, F_i = - s³ P_i ∇λ and F_c = - F_i; a corner gets the share of F_c that it has of c, so that
// linear and angular momentum are kept. Faces have no pressure of their own, as walls.
//
// Of each skin the face with the largest λ acts, and of all skins the OZ_FACES_EACH that add most.
// `near` has the particles that may come near a face, `face_of` the faces of each particle; both
// are made from the anchors when neighbour lists are. A face does not press through a wall that is
// thinner than the support radius (boundary/separate.h).
#include "boundary/separate.h"
#include "contact/contact_key.h"
#include "device/kernel.h"
#include "math/sph.h"
#include "models/membrane/membrane_parts.h"
#include "particles/grid.h"
#include "particles/matter.h"

#define OZ_FACE_FULL  0.75f // spacing²: up to this size the points of a face press for all of it
#define OZ_FACE_SLIM  0.3f  // 0.7 √3/4
#define OZ_FACE_REACH 2.0f  // spacings, d at which λ is 0
// pairs are listed from this share of A_full on, as a face grows while lists are valid
#define OZ_FACE_NEARLY 0.8f

// the corner k of a face, in the records `of` of particles
#define FACE_CORNER(a, of, face, k)                                                                \
	membrane_vec((a)->of[(a)->particle_of_slot[(a)->slot_of[(a)->faces[face].corner[k]]]])

// ---- geometry ----------------------------------------------------------------------------------

// A' over spacing² of a face with two edges from its first corner
OZ_FN float face_size(oz_vec3 d1, oz_vec3 d2, float spacing)
{
	const oz_vec3 d3 = oz_sub(d2, d1);
	const float longest2 = oz_max(oz_max(oz_dot(d1, d1), oz_dot(d2, d2)), oz_dot(d3, d3));
	const float area = 0.5f * oz_length(oz_cross(d1, d2));
	return oz_max(area, OZ_FACE_SLIM * longest2) / (spacing * spacing);
}

// shares of the second and the third corner in a point of a face
typedef struct face_point {
	float b, c;
} face_point;

OZ_FN face_point face_point_of(float b, float c)
{
	face_point p;
	p.b = b;
	p.c = c;
	return p;
}

OZ_FN float face_clamp(float x)
{
	return oz_min(oz_max(x, 0.0f), 1.0f);
}

// The nearest point of a triangle to x, all relative to the first corner; d1, d2: the others
// (Ericson 2005, section 5.1.5). A triangle without area gives the nearest point of an edge.
OZ_FN face_point face_nearest(oz_vec3 d1, oz_vec3 d2, oz_vec3 x)
{
	const float e1 = oz_dot(d1, x), e2 = oz_dot(d2, x);
	const oz_vec3 from1 = oz_sub(x, d1), from2 = oz_sub(x, d2);
	const float e3 = oz_dot(d1, from1), e4 = oz_dot(d2, from1);
	const float e5 = oz_dot(d1, from2), e6 = oz_dot(d2, from2);
	const float vc = e1 * e4 - e3 * e2, vb = e5 * e2 - e1 * e6, va = e3 * e6 - e5 * e4;
	const float all = va + vb + vc, far = e4 - e3, back = e5 - e6;
	if (e1 <= 0.0f && e2 <= 0.0f)
		return face_point_of(0.0f, 0.0f);
	if (e3 >= 0.0f && e4 <= e3)
		return face_point_of(1.0f, 0.0f);
	if (e6 >= 0.0f && e5 <= e6)
		return face_point_of(0.0f, 1.0f);
	if (vc <= 0.0f && e1 >= 0.0f && e3 <= 0.0f)
		return face_point_of(face_clamp(e1 / oz_max(e1 - e3, 1e-30f)), 0.0f);
	if (vb <= 0.0f && e2 >= 0.0f && e6 <= 0.0f)
		return face_point_of(0.0f, face_clamp(e2 / oz_max(e2 - e6, 1e-30f)));
	if (va <= 0.0f && far >= 0.0f && back >= 0.0f) {
		const float share = face_clamp(far / oz_max(far + back, 1e-30f));
		return face_point_of(1.0f - share, share);
	}
	return all > 0.0f ? face_point_of(vb / all, vc / all) : face_point_of(0.0f, 0.0f);
}

// ---- pairs -------------------------------------------------------------------------------------

// Whether a particle with this key belongs to the same skin, near the face at rest, which has the
// corner r0 and the edges r1 and r2 from it. It does not depend on where both are now: a pair that
// appeared while the skin folds would give it energy.
OZ_FN bool face_is_inner(oz_vec3 r0, oz_vec3 r1, oz_vec3 r2, uint bits, oz_float4 key, float inner2)
{
	if ((oz_bits_of_float(key.w) ^ bits) >> 16 != 0u)
		return false;
	const oz_vec3 from = oz_sub(membrane_vec(key), r0);
	if (oz_dot(from, from) < inner2)
		return true;
	const face_point p = face_nearest(r1, r2, from);
	const oz_vec3 d = oz_sub(from, oz_mad(oz_scale(r1, p.b), r2, p.c));
	return oz_dot(d, d) < inner2;
}

// cells of the grid between two coordinates, at most all of an axis
OZ_FN uint face_cells(float from, float to, float inv_cell, uint bits)
{
	const float cells = (to - from) * inv_cell + 2.0f, most = (float)(1u << bits);
	return (uint)oz_min(cells, most);
}

#define face_pairs_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_membrane_face, faces)                                                                \
	IN(oz_membrane_chamber_now, chambers)                                                      \
	IN(uint, slot_of)                                                                          \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, anchor)                                                                      \
	IN(oz_float4, contact_key)                                                                 \
	IN(uint, cell_start)                                                                       \
	IN(uint, alone)                                                                            \
	IN(uint, first)                                                                            \
	OUT(uint, count)                                                                           \
	OUT(uint, near)                                                                            \
	OUT(uint, key)                                                                             \
	OUT(uint, face_of)                                                                         \
	VAL(oz_grid, grid)                                                                         \
	VAL(uint, all)                                                                             \
	VAL(uint, has_alone)                                                                       \
	VAL(uint, write) VAL(float, inner2) VAL(float, reach) VAL(float, spacing)
OZ_ARGS(face_pairs)

// Whether nothing is near face i: its corners are `alone` (contact.h), and what is within `reach`
// of the face is in the list of one of them. No point of the face is farther than l/√3 from its
// nearest corner, l the longest edge, and the way from there to the particle is at right angles.
OZ_FN bool face_is_alone(const face_pairs_args *a, uint i, oz_vec3 d1, oz_vec3 d2)
{
	const oz_vec3 d3 = oz_sub(d2, d1);
	const float longest2 = oz_max(oz_max(oz_dot(d1, d1), oz_dot(d2, d2)), oz_dot(d3, d3));
	if (!a->has_alone || a->reach * a->reach + longest2 / 3.0f > a->grid.radius2)
		return false;
	for (uint k = 0; k < 3u; k++)
		if (!a->alone[a->particle_of_slot[a->slot_of[a->faces[i].corner[k]]]])
			return false;
	return true;
}

// Visits the particles of other bodies, and of distant parts of the same skin, whose anchors are
// within `reach` of face i: counts them, or, if `write`, writes them from `first` on, with the
// pairs for a sort by particle. Small faces and item `all` have none.
OZ_FN void face_pairs_at(const face_pairs_args *a, uint i)
{
	uint count = 0;
	if (!a->write)
		a->count[i] = 0u;
	if (i >= a->all || !a->chambers[a->faces[i].chamber].faces_press)
		return;
	const oz_vec3 x = FACE_CORNER(a, anchor, i, 0);
	const oz_vec3 d1 = oz_sub(FACE_CORNER(a, anchor, i, 1), x);
	const oz_vec3 d2 = oz_sub(FACE_CORNER(a, anchor, i, 2), x);
	if (!(face_size(d1, d2, a->spacing) > OZ_FACE_NEARLY * OZ_FACE_FULL) ||
	    face_is_alone(a, i, d1, d2))
		return;
	const oz_vec3 r0 = FACE_CORNER(a, contact_key, i, 0);
	const oz_vec3 r1 = oz_sub(FACE_CORNER(a, contact_key, i, 1), r0);
	const oz_vec3 r2 = oz_sub(FACE_CORNER(a, contact_key, i, 2), r0);
	const uint corner = a->particle_of_slot[a->slot_of[a->faces[i].corner[0]]];
	const uint bits = oz_bits_of_float(a->contact_key[corner].w);
	const oz_vec3 low = oz_v3(x.x + oz_min(oz_min(d1.x, d2.x), 0.0f) - a->reach,
	                          x.y + oz_min(oz_min(d1.y, d2.y), 0.0f) - a->reach,
	                          x.z + oz_min(oz_min(d1.z, d2.z), 0.0f) - a->reach);
	const oz_vec3 high = oz_v3(x.x + oz_max(oz_max(d1.x, d2.x), 0.0f) + a->reach,
	                           x.y + oz_max(oz_max(d1.y, d2.y), 0.0f) + a->reach,
	                           x.z + oz_max(oz_max(d1.z, d2.z), 0.0f) + a->reach);
	const oz_vec3 normal = oz_cross(d1, d2);
	const float thick2 = a->reach * a->reach * oz_dot(normal, normal);
	const oz_cell from = oz_cell_of(&a->grid, membrane_record(low, 0.0f));
	const uint nx = face_cells(low.x, high.x, a->grid.inv_cell, a->grid.bits_x);
	const uint ny = face_cells(low.y, high.y, a->grid.inv_cell, a->grid.bits_y);
	const uint nz = face_cells(low.z, high.z, a->grid.inv_cell, a->grid.bits_z);
	for (uint k = 0; k < nx * ny * nz; k++) {
		oz_cell cell;
		cell.x = (from.x + k % nx) & ((1u << a->grid.bits_x) - 1u);
		cell.y = (from.y + k / nx % ny) & ((1u << a->grid.bits_y) - 1u);
		cell.z = (from.z + k / nx / ny) & ((1u << a->grid.bits_z) - 1u);
		const uint at = oz_key_of(&a->grid, cell), end = a->cell_start[at + 1u];
		for (uint j = a->cell_start[at]; j < end; j++) {
			const oz_vec3 to = oz_sub(membrane_vec(a->anchor[j]), x);
			// most particles of the cells are too far from its plane
			const float off = oz_dot(normal, to);
			if (off * off > thick2)
				continue;
			const face_point p = face_nearest(d1, d2, to);
			const oz_vec3 d = oz_sub(to, oz_mad(oz_scale(d1, p.b), d2, p.c));
			if (!(oz_dot(d, d) < a->reach * a->reach) ||
			    face_is_inner(r0, r1, r2, bits, a->contact_key[j], a->inner2))
				continue;
			if (a->write) {
				const uint to_write = a->first[i] + count;
				a->near[to_write] = j;
				a->key[to_write] = j;
				a->face_of[to_write] = i;
			}
			count++;
		}
	}
	if (!a->write)
		a->count[i] = count;
}

// ---- contact in a step -------------------------------------------------------------------------

#define face_frame_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_membrane_face, faces)                                                                \
	IN(oz_membrane_chamber_now, chambers)                                                      \
	IN(uint, slot_of)                                                                          \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, position)                                                                    \
	OUT(oz_membrane_frame, frame) VAL(float, spacing) VAL(float, layer)
OZ_ARGS(face_frame)

// writes the frame of face i; torn faces do not press
OZ_FN void face_frame_at(const face_frame_args *a, uint i)
{
	const oz_vec3 x = FACE_CORNER(a, position, i, 0);
	const oz_vec3 d1 = oz_sub(FACE_CORNER(a, position, i, 1), x);
	const oz_vec3 d2 = oz_sub(FACE_CORNER(a, position, i, 2), x);
	const oz_vec3 middle = oz_scale(oz_add(d1, d2), 1.0f / 3.0f);
	const oz_vec3 r1 = oz_sub(d1, middle), r2 = oz_sub(d2, middle);
	const float far2 = oz_max(oz_max(oz_dot(r1, r1), oz_dot(r2, r2)), oz_dot(middle, middle));
	const float share = face_clamp(face_size(d1, d2, a->spacing) / OZ_FACE_FULL - 1.0f);
	const uint chamber = a->faces[i].chamber;
	const bool presses = a->faces[i].area > 0.0f && a->chambers[chamber].faces_press;
	oz_membrane_frame f;
	f.corner = x;
	f.share = presses ? share * a->layer : 0.0f;
	f.one = d1;
	f.radius = oz_sqrt(far2);
	f.two = d2;
	f.chamber = chamber;
	f.centre = oz_add(x, middle);
	f.spare = 0.0f;
	a->frame[i] = f;
}

#define face_touch_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_membrane_frame, frame)                                                               \
	IN(uint, start)                                                                            \
	IN(uint, face_of)                                                                          \
	IN(oz_float4, position)                                                                    \
	IN(uint, slot)                                                                             \
	IN(float, wall_clearance)                                                                  \
	IN(oz_collider, collider)                                                                  \
	IN(uint, places)                                                                           \
	IN(oz_float4, nearest)                                                                     \
	IN(oz_guide, guide)                                                                        \
	OUT(oz_membrane_touch, touch)                                                              \
	OUT(float, delta)                                                                          \
	OUT(float, contact_delta)                                                                  \
	VAL(oz_wall_rules, rules) VAL(uint, guides) VAL(uint, slots) VAL(float, spacing)
OZ_ARGS(face_touch)

// The contact of a face with a particle at x; `lambda` 0: it is not nearer than `most`.
OZ_FN oz_membrane_touch face_touch_of(OZ_GLOBAL const oz_membrane_frame *f, uint face, oz_vec3 x,
                                      float most, float spacing)
{
	oz_membrane_touch t;
	t.lambda = 0.0f;
	const oz_vec3 from = oz_sub(x, f->corner);
	const face_point p = face_nearest(f->one, f->two, from);
	const oz_vec3 way = oz_sub(from, oz_mad(oz_scale(f->one, p.b), f->two, p.c));
	if (oz_dot(way, way) >= most * most)
		return t;
	const float d = oz_length(way), near = oz_max(OZ_FACE_REACH - d / spacing, 0.0f);
	const float inv = d > 1e-6f * spacing ? 1.0f / d : 0.0f;
	t.face = face;
	t.distance = d;
	t.press = 0.0f;
	t.rub = oz_v3(0.0f, 0.0f, 0.0f);
	t.b = p.b;
	t.c = p.c;
	t.lambda = f->share * near * near * near;
	t.gradient = oz_scale(way, -3.0f * f->share * near * near * inv / spacing);
	t.chamber = f->chamber;
	return t;
}

// Whether a thin wall is between particle i and the nearest point of its contact with a face.
// rules.colliders is 0 in a world without thin walls.
OZ_FN bool face_is_separated(const face_touch_args *a, uint i, const oz_membrane_touch *t)
{
	if (a->rules.colliders == 0u || t->distance < a->wall_clearance[i])
		return false;
	OZ_GLOBAL const oz_membrane_frame *f = &a->frame[t->face];
	const oz_vec3 p = membrane_vec(a->position[i]);
	const oz_vec3 q = oz_mad(oz_mad(f->corner, f->one, t->b), f->two, t->c);
	oz_walls w;
	w.places = a->places;
	w.nearest = a->nearest;
	for (uint k = 0; k < a->rules.colliders; k++) {
		OZ_GLOBAL const oz_collider *c = &a->collider[k];
		if (c->thin && oz_wall_is_between(&w, c, oz_begin_local(c, p), oz_begin_local(c, q),
		                                  a->spacing))
			return !oz_in_one_nozzle(a->guide, a->guides, p, q);
	}
	return false;
}

// the contact that one with a chamber may replace: that with the same one, or else the weakest
OZ_FN uint face_rival(const oz_membrane_touch *best, uint chamber)
{
	uint at = 0;
	for (uint n = 1; n < OZ_FACES_EACH; n++)
		at = best[n].lambda < best[at].lambda ? n : at;
	for (uint n = 0; n < OZ_FACES_EACH; n++)
		at = best[n].chamber == chamber ? n : at;
	return at;
}

// Writes the contacts of particle i, and adds them to its δ and to the δc of its slot. A face whose
// ball is too far away to have a larger λ than its rival is not looked at.
OZ_FN void face_touch_at(const face_touch_args *a, uint i)
{
	const oz_vec3 x = membrane_vec(a->position[i]);
	const uint end = a->start[i + 1u];
	oz_membrane_touch best[OZ_FACES_EACH];
	float share[OZ_FACES_EACH], sum = 0.0f; // share: of the faces of `best`
	if (a->start[i] == end)
		return;
	for (uint n = 0; n < OZ_FACES_EACH; n++) {
		best[n].lambda = best[n].press = best[n].distance = 0.0f;
		best[n].chamber = best[n].face = 0xffffffffu;
		best[n].b = best[n].c = share[n] = 0.0f;
		best[n].gradient = best[n].rub = oz_v3(0.0f, 0.0f, 0.0f);
	}
	for (uint k = a->start[i]; k < end; k++) {
		OZ_GLOBAL const oz_membrane_frame *f = &a->frame[a->face_of[k]];
		const uint at = face_rival(best, f->chamber);
		const oz_vec3 off = oz_sub(x, f->centre);
		// a face with a smaller σ must be nearer than its rival
		const float most =
		        f->share <= share[at] ? best[at].distance : OZ_FACE_REACH * a->spacing;
		const float ball = most + f->radius;
		if (oz_dot(off, off) >= ball * ball)
			continue;
		const oz_membrane_touch t = face_touch_of(f, a->face_of[k], x, most, a->spacing);
		if (t.lambda > best[at].lambda && !face_is_separated(a, i, &t)) {
			best[at] = t;
			share[at] = f->share;
		}
	}
	for (uint n = 0; n < OZ_FACES_EACH; n++) {
		a->touch[OZ_FACES_EACH * i + n] = best[n];
		sum += best[n].lambda;
	}
	if (sum == 0.0f)
		return;
	a->delta[i] += sum;
	if (a->slot[i] < a->slots)
		a->contact_delta[a->slot[i]] += sum;
}

// ---- forces ------------------------------------------------------------------------------------

#define face_load_ARGS(IN, OUT, VAL)                                                               \
	IN(oz_membrane_face, faces)                                                                \
	IN(uint, slot_of)                                                                          \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, start)                                                                            \
	IN(oz_float4, trial)                                                                       \
	IN(oz_float4, velocity)                                                                    \
	IN(float, mobility)                                                                        \
	OUT(oz_membrane_touch, touch)                                                              \
	OUT(oz_float4, acceleration) VAL(oz_fluid, fluid) VAL(uint, damped)
OZ_ARGS(face_load)

// the velocity of the nearest point of a contact
OZ_FN oz_vec3 face_velocity(const face_load_args *a, const oz_membrane_touch *t)
{
	const oz_vec3 v = oz_scale(FACE_CORNER(a, velocity, t->face, 0), 1.0f - t->b - t->c);
	const oz_vec3 u = oz_mad(v, FACE_CORNER(a, velocity, t->face, 1), t->b);
	return oz_mad(u, FACE_CORNER(a, velocity, t->face, 2), t->c);
}

// Writes the pressure of each contact of particle i, and adds its acceleration by faces. trial:
// position and pressure. If `damped`, the viscous term of contact pairs acts, too.
OZ_FN void face_load_at(const face_load_args *a, uint i)
{
	oz_vec3 sum = oz_v3(0.0f, 0.0f, 0.0f);
	if (a->start[i] == a->start[i + 1u])
		return;
	for (uint n = 0; n < OZ_FACES_EACH; n++) {
		oz_membrane_touch t = a->touch[OZ_FACES_EACH * i + n];
		if (t.lambda == 0.0f)
			continue;
		t.press = a->trial[i].w;
		if (a->damped) {
			const uint j = a->particle_of_slot[a->slot_of[a->faces[t.face].corner[0]]];
			const oz_vec3 v =
			        oz_sub(membrane_vec(a->velocity[i]), face_velocity(a, &t));
			const float slope2 = oz_dot(t.gradient, t.gradient);
			const float d2 = t.distance * t.distance;
			const float approach = slope2 > 0.0f ? -oz_dot(t.gradient, v) * t.distance /
			                                               oz_sqrt(slope2)
			                                     : 0.0f;
			t.press -= a->velocity[i].w * a->velocity[j].w * approach /
			           (d2 + a->fluid.softening);
		}
		a->touch[OZ_FACES_EACH * i + n].press = t.press;
		a->touch[OZ_FACES_EACH * i + n].rub = oz_v3(0.0f, 0.0f, 0.0f);
		sum = oz_mad(sum, t.gradient, t.press);
	}
	const oz_float4 f = a->acceleration[i];
	const oz_vec3 all = oz_mad(membrane_vec(f), sum, -a->mobility[i]);
	a->acceleration[i] = membrane_record(all, f.w);
}

#define face_react_ARGS(IN, OUT, VAL)                                                              \
	IN(uint, first)                                                                            \
	IN(uint, near) IN(oz_membrane_touch, touch) OUT(oz_float4, part)
OZ_ARGS(face_react)

// writes the forces on the corners of face i over s³, N/m³
OZ_FN void face_react_at(const face_react_args *a, uint i)
{
	oz_vec3 one = oz_v3(0.0f, 0.0f, 0.0f), two = one, three = one;
	for (uint k = a->first[i]; k < a->first[i + 1u]; k++) {
		const uint j = a->near[k];
		for (uint n = 0; n < OZ_FACES_EACH; n++) {
			const oz_membrane_touch t = a->touch[OZ_FACES_EACH * j + n];
			if (t.face != i)
				continue;
			const oz_vec3 f = oz_sub(oz_scale(t.gradient, t.press), t.rub);
			one = oz_mad(one, f, 1.0f - t.b - t.c);
			two = oz_mad(two, f, t.b);
			three = oz_mad(three, f, t.c);
		}
	}
	a->part[3u * i] = membrane_record(one, 0.0f);
	a->part[3u * i + 1u] = membrane_record(two, 0.0f);
	a->part[3u * i + 2u] = membrane_record(three, 0.0f);
}

#define face_join_ARGS(IN, OUT, VAL)                                                               \
	IN(uint, start)                                                                            \
	IN(uint, parts)                                                                            \
	IN(uint, slot_of)                                                                          \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, part)                                                                        \
	IN(float, mobility) OUT(oz_float4, acceleration) VAL(uint, end_part)
OZ_ARGS(face_join)

// adds the acceleration of vertex i by the forces on its faces
OZ_FN void face_join_at(const face_join_args *a, uint i)
{
	const uint p = a->particle_of_slot[a->slot_of[i]], end = a->start[i + 1u];
	oz_vec3 sum = oz_v3(0.0f, 0.0f, 0.0f);
	for (uint k = a->start[i]; k < end && a->parts[k] < a->end_part; k++)
		sum = oz_add(sum, membrane_vec(a->part[a->parts[k]]));
	const oz_float4 f = a->acceleration[p];
	const oz_vec3 all = oz_mad(membrane_vec(f), sum, a->mobility[p]);
	a->acceleration[p] = membrane_record(all, f.w);
}

// ---- the pressure solver -----------------------------------------------------------------------

#define face_mobility_ARGS(IN, OUT, VAL)                                                           \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter) IN(oz_float4, guess) OUT(float, mobility) VAL(uint, guessed)
OZ_ARGS(face_mobility)

// writes the mobility of particle i, m³/kg: that of the pressure solver, or 1/ρ0
OZ_FN void face_mobility_at(const face_mobility_args *a, uint i)
{
	a->mobility[i] = a->guessed ? a->guess[i].w : a->matter[a->material[i]].inv_density;
}

#define face_rate_ARGS(IN, OUT, VAL)                                                               \
	IN(oz_membrane_face, faces)                                                                \
	IN(uint, slot_of)                                                                          \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, start)                                                                            \
	IN(oz_membrane_touch, touch) IN(oz_float4, velocity) OUT(float, rate) VAL(float, span)
OZ_ARGS(face_rate)

// adds `span` times the rate of λ of particle i
OZ_FN void face_rate_at(const face_rate_args *a, uint i)
{
	float sum = 0.0f;
	if (a->start[i] == a->start[i + 1u])
		return;
	for (uint n = 0; n < OZ_FACES_EACH; n++) {
		const oz_membrane_touch t = a->touch[OZ_FACES_EACH * i + n];
		if (t.lambda == 0.0f)
			continue;
		oz_vec3 v = oz_scale(FACE_CORNER(a, velocity, t.face, 0), 1.0f - t.b - t.c);
		v = oz_mad(v, FACE_CORNER(a, velocity, t.face, 1), t.b);
		v = oz_mad(v, FACE_CORNER(a, velocity, t.face, 2), t.c);
		sum += oz_dot(t.gradient, oz_sub(membrane_vec(a->velocity[i]), v));
	}
	a->rate[i] += a->span * sum;
}

#define face_diagonal_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_membrane_face, faces)                                                                \
	IN(uint, slot_of)                                                                          \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, start)                                                                            \
	IN(oz_membrane_touch, touch)                                                               \
	IN(float, mobility) OUT(float, diagonal) VAL(float, span) VAL(float, least)
OZ_ARGS(face_diagonal)

// Adds the faces to the diagonal of the pressure solver, without the product of their gradient and
// that of the particles, which would lower it.
OZ_FN void face_diagonal_at(const face_diagonal_args *a, uint i)
{
	oz_vec3 sum = oz_v3(0.0f, 0.0f, 0.0f);
	float others = 0.0f;
	if (a->start[i] == a->start[i + 1u])
		return;
	for (uint n = 0; n < OZ_FACES_EACH; n++) {
		const oz_membrane_touch t = a->touch[OZ_FACES_EACH * i + n];
		if (t.lambda == 0.0f)
			continue;
		const float share[3] = {1.0f - t.b - t.c, t.b, t.c};
		float mobility = 0.0f;
		for (uint k = 0; k < 3u; k++)
			mobility += share[k] * share[k] *
			            a->mobility[a->particle_of_slot
			                                [a->slot_of[a->faces[t.face].corner[k]]]];
		sum = oz_add(sum, t.gradient);
		others += mobility * oz_dot(t.gradient, t.gradient);
	}
	const float more = a->span * (oz_dot(sum, sum) * a->mobility[i] + others);
	if (a->diagonal[i] > 0.0f || more > a->least)
		a->diagonal[i] += more;
}

#define membrane_face_KERNELS(X)                                                                   \
	X(face_pairs, EACH)                                                                        \
	X(face_frame, EACH)                                                                        \
	X(face_touch, EACH)                                                                        \
	X(face_load, EACH)                                                                         \
	X(face_react, EACH)                                                                        \
	X(face_join, EACH)                                                                         \
	X(face_mobility, EACH)                                                                     \
	X(face_rate, EACH)                                                                         \
	X(face_diagonal, EACH)
OZ_KERNELS(membrane_face_KERNELS)
