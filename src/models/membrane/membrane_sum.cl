// membrane_sum.cl: sums over the faces and vertices of each chamber, in a fixed order.
//
// One work item sums a chunk, and then one work item sums the chunks of a chamber, so that the
// result depends neither on the number of threads nor on other chambers.
//
//   volume   V = Σ x_a·(x_b × x_c)/6, positions relative to the first vertex; torn faces count,
//            as if the hole were closed
//   flux     dV/dt = Σ ∂V/∂x·u over vertices
//   drift    the momentum and angular momentum that an implicit step lost, mass, moments
#include "models/membrane/membrane_parts.h"

// indices of the sums of `volume`
#define OZ_SUM_VOLUME   0u
#define OZ_SUM_ROUNDING 1u // of the volume
#define OZ_SUM_AREA     2u // of whole faces, m²
#define OZ_SUM_TORN     3u // of torn faces, m²
// and of `drift`
#define OZ_SUM_P           0u // momentum
#define OZ_SUM_L           3u // angular momentum
#define OZ_SUM_MASS        6u
#define OZ_SUM_X           7u  // mass times position
#define OZ_SUM_XX          10u // mass times second moments: xx xy xz yy yz zz
#define OZ_SUM_TEMPERATURE 16u // °C, of all vertices

// sums that are all 0
OZ_FN oz_membrane_sums membrane_zero(void)
{
	oz_membrane_sums sums;
	for (uint k = 0; k < OZ_MEMBRANE_SUMS; k++)
		sums.s[k] = 0.0f;
	return sums;
}

// adds to sums[at], and its rounding error to sums[at + 1]
OZ_FN void membrane_add_exactly(oz_membrane_sums *sums, uint at, float value)
{
	const float before = sums->s[at], sum = before + value, back = sum - before;
	sums->s[at] = sum;
	sums->s[at + 1u] += (before - (sum - back)) + (value - back);
}

// ---- volume ------------------------------------------------------------------------------------

#define membrane_volume_ARGS(IN, OUT, VAL)                                                         \
	IN(oz_membrane_chunk, chunks)                                                              \
	IN(oz_membrane_face, faces)                                                                \
	IN(oz_membrane_chamber_now, chambers) IN(oz_float4, place) OUT(oz_membrane_sums, sums)
OZ_ARGS(membrane_volume)

// sums volume and areas of the faces of chunk i
OZ_FN void membrane_volume_at(const membrane_volume_args *a, uint i)
{
	const oz_membrane_chunk chunk = a->chunks[i];
	const oz_vec3 from = membrane_vec(a->place[a->chambers[chunk.chamber].first_vertex]);
	oz_membrane_sums sums = membrane_zero();
	for (uint k = 0; k < chunk.count; k++) {
		OZ_GLOBAL const oz_membrane_face *f = &a->faces[chunk.first + k];
		const oz_vec3 x = oz_sub(membrane_vec(a->place[f->corner[0]]), from);
		const oz_vec3 y = oz_sub(membrane_vec(a->place[f->corner[1]]), from);
		const oz_vec3 z = oz_sub(membrane_vec(a->place[f->corner[2]]), from);
		const float size = 0.5f * oz_length(oz_cross(oz_sub(y, x), oz_sub(z, x)));
		membrane_add_exactly(&sums, OZ_SUM_VOLUME, oz_dot(x, oz_cross(y, z)) / 6.0f);
		sums.s[f->area > 0.0f ? OZ_SUM_AREA : OZ_SUM_TORN] += size;
	}
	a->sums[i] = sums;
}

#define membrane_flux_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_membrane_chunk, chunks)                                                              \
	IN(oz_float4, swell) IN(oz_float4, direction) OUT(oz_membrane_sums, sums)
OZ_ARGS(membrane_flux)

// sums the change of volume per second by velocities `direction`, over the vertices of chunk i
OZ_FN void membrane_flux_at(const membrane_flux_args *a, uint i)
{
	const oz_membrane_chunk chunk = a->chunks[i];
	oz_membrane_sums sums = membrane_zero();
	for (uint k = chunk.first; k < chunk.first + chunk.count; k++)
		membrane_add_exactly(&sums, OZ_SUM_VOLUME,
		                     oz_dot(membrane_vec(a->swell[k]),
		                            membrane_vec(a->direction[k])));
	a->sums[i] = sums;
}

// ---- drift -------------------------------------------------------------------------------------

#define membrane_drift_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_membrane_chunk, chunks)                                                              \
	IN(oz_membrane_chamber_now, chambers)                                                      \
	IN(oz_float4, place)                                                                       \
	IN(oz_float4, outer)                                                                       \
	IN(oz_float4, delta_v) OUT(oz_membrane_sums, sums) VAL(float, kick)
OZ_ARGS(membrane_drift)

// Sums over the vertices of chunk i what `drift` of the head lists. Forces of the skin must not
// change the momentum, so the momentum that a vertex has lost is its mass times kick * outer -
// delta_v. `outer`: the accelerations that do not come from the skin.
OZ_FN void membrane_drift_at(const membrane_drift_args *a, uint i)
{
	const oz_membrane_chunk chunk = a->chunks[i];
	OZ_GLOBAL const oz_membrane_chamber_now *b = &a->chambers[chunk.chamber];
	const oz_vec3 from = membrane_vec(a->place[b->first_vertex]);
	oz_membrane_sums sums = membrane_zero();
	for (uint k = 0; k < chunk.count; k++) {
		const uint v = chunk.first + k;
		const oz_vec3 x = oz_sub(membrane_vec(a->place[v]), from);
		const oz_vec3 lost = oz_sub(oz_scale(membrane_vec(a->outer[v]), a->kick),
		                            membrane_vec(a->delta_v[v]));
		const oz_vec3 l = oz_cross(x, lost);
		const float add[OZ_MEMBRANE_SUMS] = {lost.x,       lost.y,    lost.z,    l.x,
		                                     l.y,          l.z,       1.0f,      x.x,
		                                     x.y,          x.z,       x.x * x.x, x.x * x.y,
		                                     x.x * x.z,    x.y * x.y, x.y * x.z, x.z * x.z,
		                                     a->place[v].w};
		for (uint c = 0; c < OZ_MEMBRANE_SUMS; c++)
			sums.s[c] += add[c];
	}
	a->sums[i] = sums;
}

// ---- means -------------------------------------------------------------------------------------

#define membrane_mean_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_membrane_chunk, chunks)                                                              \
	IN(oz_membrane_chamber_now, chambers)                                                      \
	IN(oz_float4, place)                                                                       \
	IN(uint, slot_of)                                                                          \
	IN(uint, particle_of_slot) IN(oz_float4, acceleration) OUT(oz_membrane_sums, sums)
OZ_ARGS(membrane_mean)

// sums over the vertices of chunk i accelerations (OZ_SUM_P), number and position, as `drift`
OZ_FN void membrane_mean_at(const membrane_mean_args *a, uint i)
{
	const oz_membrane_chunk chunk = a->chunks[i];
	const oz_vec3 from = membrane_vec(a->place[a->chambers[chunk.chamber].first_vertex]);
	oz_membrane_sums sums = membrane_zero();
	for (uint k = 0; k < chunk.count; k++) {
		const uint v = chunk.first + k;
		const oz_float4 f = a->acceleration[a->particle_of_slot[a->slot_of[v]]];
		const oz_vec3 x = oz_sub(membrane_vec(a->place[v]), from);
		sums.s[OZ_SUM_P] += f.x;
		sums.s[OZ_SUM_P + 1u] += f.y;
		sums.s[OZ_SUM_P + 2u] += f.z;
		sums.s[OZ_SUM_MASS] += 1.0f;
		sums.s[OZ_SUM_X] += x.x;
		sums.s[OZ_SUM_X + 1u] += x.y;
		sums.s[OZ_SUM_X + 2u] += x.z;
	}
	a->sums[i] = sums;
}

// ---- joining -----------------------------------------------------------------------------------

#define membrane_join_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_membrane_chamber_now, chambers)                                                      \
	IN(oz_membrane_sums, chunk_sums)                                                           \
	OUT(oz_membrane_sums, sums) VAL(uint, of_faces) VAL(uint, exact)
OZ_ARGS(membrane_join)

// Writes the sums of chamber i from those of its chunks; `of_faces` is 1 for chunks of faces. If
// `exact`, the second sum is the rounding error of the first.
OZ_FN void membrane_join_at(const membrane_join_args *a, uint i)
{
	OZ_GLOBAL const oz_membrane_chamber_now *b = &a->chambers[i];
	const uint first = a->of_faces ? b->face_chunk : b->vertex_chunk;
	const uint count = a->of_faces ? b->face_chunks : b->vertex_chunks;
	oz_membrane_sums sums = membrane_zero();
	for (uint k = 0; k < count; k++) {
		OZ_GLOBAL const oz_membrane_sums *more = &a->chunk_sums[first + k];
		if (a->exact)
			membrane_add_exactly(&sums, OZ_SUM_VOLUME, more->s[0]);
		for (uint c = a->exact ? 1u : 0u; c < OZ_MEMBRANE_SUMS; c++)
			sums.s[c] += more->s[c];
	}
	a->sums[i] = sums;
}

#define membrane_sum_KERNELS(X)                                                                    \
	X(membrane_volume, EACH)                                                                   \
	X(membrane_flux, EACH)                                                                     \
	X(membrane_drift, EACH)                                                                    \
	X(membrane_mean, EACH)                                                                     \
	X(membrane_join, EACH)
OZ_KERNELS(membrane_sum_KERNELS)
