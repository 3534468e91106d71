// sight.h: what an eye or the sun sees: for every sample the nearest thing and how deep it lies.
#ifndef OZ_SIGHT_H
#define OZ_SIGHT_H

#include "math/vec.h"
#include "render/render.h"

#define OZ_SEEN_SKY       OZ_NONE
#define OZ_SEEN_GROUND    (OZ_NONE - 1)
#define OZ_SEEN_SOLIDS    1024u // at most; the highest numbers below the ground's
#define OZ_SEEN_SOLID(k)  (OZ_SEEN_GROUND - 1 - (k))
#define OZ_IS_SOLID(what) ((what) < OZ_SEEN_GROUND && (what) >= OZ_SEEN_SOLID(OZ_SEEN_SOLIDS - 1))

typedef struct oz_sight {
	oz_camera camera;
	uint32_t width, height;
	float *depth;   // m along forward; FLT_MAX: the sky
	uint32_t *what; // a grain, or one of the codes above; NULL: not asked for
	uint8_t *ink;   // how much of a vessel's edge covers the sample; NULL: not asked for
} oz_sight;

typedef struct oz_ray {
	oz_vec3 from, along; // along . forward = 1, so that depth is the parameter
} oz_ray;

static inline oz_ray oz_ray_at(const oz_camera *c, float x, float y)
{
	const float u = (x - c->centre[0]) / c->scale, v = (c->centre[1] - y) / c->scale;
	const oz_vec3 aside = oz_mad(oz_scale(c->right, u), c->up, v);
	if (c->parallel)
		return (oz_ray){oz_add(c->eye, aside), c->forward};
	return (oz_ray){c->eye, oz_add(c->forward, aside)};
}

// Fills the rows from `begin` to `end`.
void oz_sight_look(const oz_sight *sight, const oz_painting *p, uint32_t begin, uint32_t end);

typedef struct oz_edge {
	oz_vec3 a, b;
} oz_edge;

#define OZ_EDGES 512 // of one shape at most

// The edges by which a vessel is seen.
uint32_t oz_shape_edges(const oz_shape *shape, oz_edge edges[OZ_EDGES]);
// Draws edges over the rows from `begin` to `end`; `slack` (m) is how far behind what is seen an
// edge still shows.
void oz_sight_draw_edges(const oz_sight *sight, const oz_shape *shape, float slack, uint32_t begin,
                         uint32_t end);

#endif
