// paint.c: colours of particles, and the extent and range of values of a sequence of frames.
//
// Frames hold no pressure: it follows from the density by the world's equation of state, as in the
// engine: p = ρ0 c² (δ - 1), or Tait's ρ0 c²/7 (δ⁷ - 1), with δ = ρ/ρ0. Damping and cohesion, the
// other terms of the pressure, are left out.
#include <float.h>
#include <math.h>

#include "math/quat.h"
#include "render/edges.h"
#include "render/render.h"
#include "render/shaded_mesh.h"
#include "world/world.h"

static const struct {
	const char *name, *title, *unit;
} colourings[OZ_COLOUR_COUNT] = {
        [OZ_COLOUR_MATERIAL] = {"material", NULL, NULL},
        [OZ_COLOUR_BODY] = {"body", NULL, NULL},
        [OZ_COLOUR_NONE] = {"none", NULL, NULL},
        [OZ_COLOUR_SPEED] = {"speed", "speed", "m/s"},
        [OZ_COLOUR_DENSITY] = {"density", "density", "kg/m³"},
        [OZ_COLOUR_PRESSURE] = {"pressure", "pressure", "Pa"},
        [OZ_COLOUR_TEMPERATURE] = {"temperature", "temperature", "°C"},
};

const char *oz_colouring_name(oz_colouring by)
{
	return colourings[by].name;
}

const char *oz_colouring_title(oz_colouring by)
{
	return colourings[by].title;
}

const char *oz_colouring_unit(oz_colouring by)
{
	return colourings[by].unit;
}

static float pressure_of(const oz_world *world, const oz_grain *grain)
{
	const oz_material_def *material = oz_world_get_material(world, grain->material);
	const oz_world_def *def = oz_world_get_def(world);
	if (!material)
		return 0.0f;
	const float delta = grain->density / material->density;
	const float stretch =
	        def->eos == OZ_EOS_TAIT ? (powf(delta, 7.0f) - 1.0f) / 7.0f : delta - 1.0f;
	const float p = material->density * def->sound_speed * def->sound_speed * stretch;
	return def->tension ? p : oz_max(p, 0.0f);
}

float oz_paint_value(const oz_paint *paint, const oz_grain *grain)
{
	if (paint->by == OZ_COLOUR_SPEED)
		return oz_length(grain->velocity);
	if (paint->by == OZ_COLOUR_DENSITY)
		return grain->density;
	if (paint->by == OZ_COLOUR_TEMPERATURE)
		return grain->temperature;
	return paint->by == OZ_COLOUR_PRESSURE ? pressure_of(paint->world, grain) : 0.0f;
}

oz_vec3 oz_paint_shade(const oz_paint *paint, float value, uint32_t body)
{
	if (paint->by == OZ_COLOUR_BODY)
		return oz_colour_number(body);
	if (!oz_colouring_title(paint->by))
		return oz_v3(0.62f, 0.60f, 0.57f);
	return oz_colour_map((float)(((double)value - paint->low) / (paint->high - paint->low)));
}

oz_vec3 oz_paint_colour(const oz_paint *paint, const oz_grain *grain)
{
	if (paint->by != OZ_COLOUR_MATERIAL)
		return oz_paint_shade(paint, oz_paint_value(paint, grain), grain->body);
	const oz_material_def *m = oz_world_get_material(paint->world, grain->material);
	if (m && paint->materials)
		return paint->materials[grain->material];
	return oz_colour_material(m ? m->name : NULL, grain->material);
}

// ---- survey -----------------------------------------------------------------------------------

oz_survey oz_survey_begin(void)
{
	oz_survey s = {.box = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}},
	               .low = DBL_MAX,
	               .high = -DBL_MAX};
	for (int k = 0; k < OZ_RIM; k++)
		s.reach[k] = -FLT_MAX;
	return s;
}

oz_vec3 oz_rim_direction(int number)
{
	// digits of base three, without (1, 1, 1), which is the centre
	const int way = number < 13 ? number : number + 1;
	return oz_v3((float)(way % 3 - 1), (float)(way / 3 % 3 - 1), (float)(way / 9 - 1));
}

// Adds a ball of radius r (m) to box and rim.
static void add_point(oz_survey *s, oz_vec3 point, float r)
{
	const oz_vec3 around = oz_v3(r, r, r);
	s->box.min = oz_min3(s->box.min, oz_sub(point, around));
	s->box.max = oz_max3(s->box.max, oz_add(point, around));
	for (int k = 0; k < OZ_RIM; k++) {
		const oz_vec3 n = oz_rim_direction(k);
		const oz_vec3 rim = oz_mad(point, n, r);
		const float reach = oz_dot(rim, n);
		if (reach > s->reach[k]) {
			s->reach[k] = reach;
			s->rim[k] = rim;
		}
	}
}

// Mean and standard deviation of the valid positions along an axis, m.
static void spread(const oz_frame *frame, int axis, double *mean, double *deviation)
{
	double n = 0, sum = 0, squares = 0;
	for (uint32_t i = 0; i < frame->count; i++) {
		const oz_vec3 p = frame->grains[i].position;
		const double x = (double)(axis == 0 ? p.x : axis == 1 ? p.y : p.z);
		if (!oz_is_valid_position(p))
			continue;
		n += 1;
		sum += x;
		squares += x * x;
	}
	*mean = n > 0 ? sum / n : 0;
	*deviation = n > 0 ? sqrt(fmax(squares / n - *mean * *mean, 0)) : 0;
}

// A cube of six deviations around the mean. The particles of a filled box lie within 1.7
// deviations, so a particle outside of the cube is a stray one.
static oz_box main_box(const oz_frame *frame)
{
	double mean[3], deviation[3];
	for (int axis = 0; axis < 3; axis++)
		spread(frame, axis, &mean[axis], &deviation[axis]);
	oz_box box;
	const double most = fmax(fmax(deviation[0], deviation[1]), deviation[2]) + 1e-6;
	box.min = oz_v3((float)(mean[0] - 6 * most), (float)(mean[1] - 6 * most),
	                (float)(mean[2] - 6 * most));
	box.max = oz_v3((float)(mean[0] + 6 * most), (float)(mean[1] + 6 * most),
	                (float)(mean[2] + 6 * most));
	return box;
}

void oz_survey_add_frame(oz_survey *s, const oz_frame *frame, const oz_paint *paint, float radius)
{
	const oz_box bounds = main_box(frame);
	for (uint32_t i = 0; i < frame->count; i++) {
		const oz_grain *grain = &frame->grains[i];
		const oz_vec3 p = grain->position;
		const double value = (double)oz_paint_value(paint, grain);
		if (oz_is_valid_position(p) && p.x >= bounds.min.x && p.y >= bounds.min.y &&
		    p.z >= bounds.min.z && p.x <= bounds.max.x && p.y <= bounds.max.y &&
		    p.z <= bounds.max.z)
			add_point(s, p, radius);
		if (!isfinite(value))
			continue;
		s->low = fmin(s->low, value);
		s->high = fmax(s->high, value);
		s->count += 1;
		s->sum += value;
		s->squares += value * value;
	}
}

// Adds a point, lowered to `top` if it is higher.
static void add_below(oz_survey *s, oz_vec3 point, float top)
{
	add_point(s, oz_v3(point.x, oz_min(point.y, top), point.z), 0.0f);
}

static void add_mesh_rim(oz_survey *s, const oz_collider_view *collider, float top)
{
	const oz_quat rotation = oz_quat_normalize(collider->shape.rotation);
	for (int k = 0; collider->shaded && k < OZ_RIM; k++)
		add_below(s,
		          oz_add(collider->shape.position,
		                 oz_quat_rotate(rotation, collider->shaded->rim[k])),
		          top);
}

void oz_survey_add_collider(oz_survey *s, const oz_collider_view *collider, float top)
{
	oz_segment edges[OZ_EDGES];
	if (collider->look == OZ_COLLIDER_HIDDEN)
		return;
	if (collider->shape.kind == OZ_SHAPE_SDF)
		add_mesh_rim(s, collider, top);
	const uint32_t count = oz_shape_edges(&collider->shape, edges);
	for (uint32_t k = 0; k < count; k++) {
		add_below(s, edges[k].a, top);
		add_below(s, edges[k].b, top);
	}
}

void oz_survey_range(const oz_survey *s, oz_paint *paint)
{
	const double n = fmax(s->count, 1), mean = s->sum / n;
	const double deviation = sqrt(fmax(s->squares / n - mean * mean, 0));
	paint->low = fmax(s->low, mean - 3 * deviation);
	paint->high = fmin(s->high, mean + 3 * deviation);
	if (paint->by == OZ_COLOUR_SPEED)
		paint->low = 0;
	if (!(paint->high - paint->low > 1e-9 * fabs(paint->high)))
		paint->high = paint->low + 1;
}

bool oz_is_floor(const oz_collider_view *collider)
{
	const oz_shape *shape = &collider->shape;
	return shape->kind == OZ_SHAPE_PLANE && !collider->vessel && shape->rotation.x == 0.0f &&
	       shape->rotation.z == 0.0f;
}

float oz_ground_of(const oz_collider_view *colliders, uint32_t count, float otherwise)
{
	float ground = -INFINITY;
	for (uint32_t k = 0; k < count; k++)
		if (oz_is_floor(&colliders[k]))
			ground = oz_max(ground, colliders[k].shape.position.y);
	return ground > -INFINITY ? ground : otherwise;
}

void oz_collider_views(const oz_world *world, double time, oz_collider_view *views)
{
	for (uint32_t k = 0; k < world->boundary.colliders.count; k++) {
		const oz_collider_entry *collider = &oz_collider_entries(&world->boundary)[k];
		views[k].shape = oz_collider_pose(collider, time);
		views[k].vessel = collider->def.inside;
	}
}
