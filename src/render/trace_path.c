// trace_path.c: one sample of a pixel: a path of light, traced backwards from the eye.
//
// A path is reflected and refracted at interfaces until it reaches a matte face or is scattered in
// jelly. The first interface splits it: the reflected part becomes a branch of its own, so that
// weak reflections are not left to chance. After the first diffuse reflection or scattering the
// path is "soft": direct light of the sun is sampled at each point, and transparent objects only
// attenuate light, they do not refract it. This leaves out caustics and their noise, but loses no
// light.
//
// Glass is a sheet without thickness, which stands for both of its faces: it reflects, absorbs a
// little, and does not refract.
//
// A path counts for each medium how often it has entered it. Where media overlap, the one with the
// lowest index is used, so that liquids in contact have one interface.
#include "render/trace.h"

#define SPECULAR  12    // reflections and refractions, then the path becomes soft
#define SCATTERED 24    // most scatterings in jelly
#define DIFFUSE   5     // most diffuse reflections
#define PASSES    64    // most interfaces that a ray passes
#define FAINT     0.12f // weight below which a path is ended by chance (Russian roulette)
#define BRIGHTEST 6.0f  // greatest light of a sample
#define ROUGH     0.06f // roughness of glossy surfaces, as slope
#define SHEETS    2     // sheets of glass that reflect
#define GLAZED    0.97f // transmittance of glass at normal incidence

// How often a path has entered each medium, minus the exits.
typedef struct media {
	uint8_t in[OZ_MEDIA];
} media;

typedef struct path {
	oz_vec3 from, direction, weight;
	media inside;
	float length; // m, so far
	uint32_t specular, diffuse, scattered;
	bool soft;  // was reflected diffusely or scattered
	bool noted; // albedo and normal were added for the filter
} path;

typedef struct tracing {
	const oz_set *set;
	const oz_sampler *sampler;
	uint32_t x, y, sample, pair;
	float pixel; // width of a pixel over the distance
	struct RTCIntersectContext context;
	oz_pixel_sums *sums;
	oz_vec3 light;
	path split[SHEETS + 1]; // branches to be traced: reflections of sheets, and of one object
	uint32_t splits;
} tracing;

static void random_pair(tracing *t, float u[2])
{
	oz_sampler_get(t->sampler, t->x, t->y, t->sample, t->pair++, u);
}

// ---- media ------------------------------------------------------------------------------------

// The medium that a path is in; NULL: air.
static const oz_object *medium_of(const oz_set *set, const media *m)
{
	for (uint32_t k = 0; k < OZ_MEDIA && k < set->clear_count; k++)
		if (m->in[k])
			return set->media[k];
	return NULL;
}

// Counts an entry or exit. An exit without an entry is ignored: the path began inside.
static void cross(media *m, const oz_object *object, bool leaving)
{
	uint8_t *in = &m->in[object->medium];
	if (!leaving)
		*in = (uint8_t)(*in < 255 ? *in + 1 : 255);
	else if (*in > 0)
		(*in)--;
}

// Transmittance of a length (m).
static oz_vec3 fade(oz_vec3 per_metre, float length)
{
	return oz_v3(expf(-per_metre.x * length), expf(-per_metre.y * length),
	             expf(-per_metre.z * length));
}

// Fraction of light that an interface reflects; eta: refractive index before over that behind.
static float fresnel(float cosine, float eta)
{
	const float sine2 = eta * eta * (1.0f - cosine * cosine);
	if (sine2 >= 1.0f)
		return 1.0f;
	const float beyond = sqrtf(1.0f - sine2);
	const float s = (eta * cosine - beyond) / (eta * cosine + beyond);
	const float p = (cosine - eta * beyond) / (cosine + eta * beyond);
	return 0.5f * (s * s + p * p);
}

// Fraction of light that a sheet of glass reflects: both faces, with multiple reflections.
static float sheet_reflectance(float cosine)
{
	const float r = fresnel(oz_min(oz_max(cosine, 0.0f), 1.0f), 1.0f / 1.5f);
	return 2.0f * r / (1.0f + r);
}

// Transmittance of a sheet: lower at oblique incidence, which makes the outline of a vessel
// visible.
static oz_vec3 sheet_transmittance(float cosine)
{
	const float left = powf(GLAZED, 1.0f / oz_max(cosine, 0.06f));
	return oz_v3(powf(left, 1.3f), left, powf(left, 1.1f));
}

static float ior_of(const oz_object *medium)
{
	return medium ? medium->ior : 1.0f;
}

// ---- the sun ----------------------------------------------------------------------------------

// Transmittance along a straight ray through transparent objects; 0 if an opaque one is in the way.
static oz_vec3 transmittance(tracing *t, oz_vec3 from, oz_vec3 direction, media inside)
{
	const oz_set *set = t->set;
	oz_vec3 left = {1, 1, 1};
	for (int k = 0; k < PASSES && oz_brightest(left) > 1e-3f; k++) {
		struct RTCRayHit rh = oz_ray_hit(from, direction, INFINITY);
		rtcIntersect1(set->scene, &t->context, &rh);
		if (rh.hit.geomID == RTC_INVALID_GEOMETRY_ID)
			break;
		const bool glass = set->objects[rh.hit.geomID].glass;
		if (!set->objects[rh.hit.geomID].clear && !glass)
			return oz_v3(0, 0, 0);
		const oz_object *before = medium_of(set, &inside);
		if (before) {
			const float s = before->scatter;
			left = oz_times(left,
			                fade(oz_add(before->absorb, oz_v3(s, s, s)), rh.ray.tfar));
		}
		oz_spot s = {.at = oz_mad(from, direction, rh.ray.tfar)};
		oz_spot_on_object(set, &s, &rh.hit);
		oz_spot_face(&s, direction);
		from = oz_mad(s.at, s.flat, -t->set->ray_offset);
		if (glass) {
			const float cosine = -oz_dot(direction, s.normal);
			left = oz_times(left, oz_scale(sheet_transmittance(cosine),
			                               1.0f - sheet_reflectance(cosine)));
			continue;
		}
		cross(&inside, s.object, s.leaving);
		const oz_object *behind = medium_of(set, &inside);
		// same reflectance in both directions: no total reflection on a straight ray
		if (before != behind) {
			const float a = ior_of(before), b = ior_of(behind);
			left = oz_scale(left, 1.0f - fresnel(-oz_dot(direction, s.normal),
			                                     oz_min(a / b, b / a)));
		}
	}
	return left;
}

// Irradiance of the sun at a point, from a random point of its disc. normal zero: no surface.
static oz_vec3 sunlight(tracing *t, oz_vec3 from, oz_vec3 normal, const media *inside,
                        oz_vec3 *direction)
{
	const oz_set *set = t->set;
	float u[2];
	if (!(oz_brightest(set->light.sun) > 0.0f))
		return oz_v3(0, 0, 0);
	random_pair(t, u);
	const float z = 1.0f - u[0] * (1.0f - set->cos_sun), r = sqrtf(1.0f - z * z);
	const float angle = 2.0f * OZ_PI * u[1];
	*direction =
	        oz_mad(oz_mad(oz_scale(set->light.sun_direction, z), set->sun_x, r * cosf(angle)),
	               set->sun_y, r * sinf(angle));
	if (oz_dot(normal, normal) > 0.0f && oz_dot(*direction, normal) <= 0.0f)
		return oz_v3(0, 0, 0);
	if (set->clear_count > 0 || set->glass)
		return oz_times(set->light.sun, transmittance(t, from, *direction, *inside));
	struct RTCRay ray = oz_ray_hit(from, *direction, INFINITY).ray;
	rtcOccluded1(set->scene, &t->context, &ray);
	return ray.tfar < 0.0f ? oz_v3(0, 0, 0) : set->light.sun;
}

// ---- events of a path -------------------------------------------------------------------------

// Russian roulette: ends a faint path by chance (true), or increases the weight of one that goes
// on.
static bool ends_by_chance(tracing *t, oz_vec3 *weight)
{
	float u[2];
	const float keep = oz_brightest(*weight) / FAINT;
	if (keep >= 1.0f)
		return false;
	random_pair(t, u);
	if (!(u[0] < keep))
		return true;
	*weight = oz_scale(*weight, 1.0f / keep);
	return false;
}

// Adds albedo and normal of a surface, times `share`, to the filter's sums, unless the path is
// marked as noted; the caller sets that mark.
static void note_surface(tracing *t, path *p, oz_vec3 albedo, oz_vec3 normal, float share)
{
	if (p->noted)
		return;
	t->sums->albedo = oz_mad(t->sums->albedo, oz_times(p->weight, albedo), share);
	t->sums->normal = oz_mad(t->sums->normal, normal, share * oz_luminance(p->weight));
}

// Adds light, times the path's weight, to the sample.
static void add_light(tracing *t, const path *p, oz_vec3 light)
{
	t->light = oz_add(t->light, oz_times(p->weight, light));
}

// A random normal near the given one, for rough gloss.
static oz_vec3 roughen(tracing *t, oz_vec3 normal, oz_vec3 direction)
{
	float u[2];
	random_pair(t, u);
	const oz_vec3 x = oz_perpendicular(normal), y = oz_cross(normal, x);
	const float r = ROUGH * sqrtf(u[0]), angle = 2.0f * OZ_PI * u[1];
	const oz_vec3 n = oz_unit(oz_mad(oz_mad(normal, x, r * cosf(angle)), y, r * sinf(angle)));
	return oz_dot(direction, n) < -0.01f ? n : normal;
}

// Continues a path in the reflect direction.
static void reflect(tracing *t, path *p, const oz_spot *s, oz_vec3 normal)
{
	oz_vec3 direction = oz_mad(p->direction, normal, -2.0f * oz_dot(p->direction, normal));
	// the reflected ray must not enter the surface
	if (oz_dot(direction, s->flat) <= 0.0f)
		direction = oz_mad(p->direction, s->flat, -2.0f * oz_dot(p->direction, s->flat));
	p->direction = oz_unit(direction);
	p->from = oz_mad(s->at, s->flat, t->set->ray_offset);
	p->specular++;
}

// Continues a path in the refracted direction; the caller notes which bodies it is inside of then.
static void refract(tracing *t, path *p, const oz_spot *s, oz_vec3 normal, float eta)
{
	const float cosine = -oz_dot(p->direction, normal);
	const float beyond = sqrtf(oz_max(1.0f - eta * eta * (1.0f - cosine * cosine), 0.0f));
	oz_vec3 direction = oz_mad(oz_scale(p->direction, eta), normal, eta * cosine - beyond);
	if (oz_dot(direction, s->flat) >= 0.0f)
		direction = p->direction;
	p->direction = oz_unit(direction);
	p->from = oz_mad(s->at, s->flat, -t->set->ray_offset);
	p->specular++;
}

// Stores the reflected part of a path as a branch, to be traced later.
static void split(tracing *t, const path *p, const oz_spot *s, oz_vec3 normal, float share)
{
	path other = *p;
	other.weight = oz_scale(p->weight, share);
	// before the roulette: its noise must not appear in the filter's sums
	note_surface(t, &other, oz_v3(1, 1, 1), s->normal, 0.8f);
	other.noted = true;
	if (ends_by_chance(t, &other.weight))
		return;
	reflect(t, &other, s, normal);
	t->split[t->splits++] = other;
}

// Continues a path straight through a surface and notes which bodies it is inside of then.
static void pass(tracing *t, path *p, const oz_spot *s)
{
	cross(&p->inside, s->object, s->leaving);
	p->from = oz_mad(s->at, s->flat, -t->set->ray_offset);
}

// At the surface of a transparent object: splits the path if it is its first surface, otherwise
// reflects or refracts it at random by Fresnel; passes straight through if the medium does not
// change or the path is soft (after SPECULAR bounces).
static void hit_interface(tracing *t, path *p, const oz_spot *s)
{
	media behind = p->inside;
	const oz_object *before = medium_of(t->set, &p->inside);
	cross(&behind, s->object, s->leaving);
	const oz_object *after = medium_of(t->set, &behind);
	// an exit without an entry: the path began inside this object
	if (s->leaving && !before)
		before = s->object;
	if (p->specular >= SPECULAR)
		p->soft = true;
	if (p->soft || before == after) {
		pass(t, p, s);
		return;
	}
	const bool jelly = s->object->scatter > 0.0f;
	const oz_vec3 normal = jelly ? roughen(t, s->normal, p->direction) : s->normal;
	const float eta = ior_of(before) / ior_of(after);
	const float reflected = fresnel(-oz_dot(p->direction, s->normal), eta);
	const bool first = p->specular == 0 && p->diffuse == 0;
	float u[2];
	if (first && reflected < 1.0f) {
		t->sums->normal = oz_mad(t->sums->normal, s->normal, 0.5f);
		split(t, p, s, normal, reflected);
		p->weight = oz_scale(p->weight, 1.0f - reflected);
	} else {
		random_pair(t, u);
		if (u[0] < reflected) {
			if (reflected < 0.5f) {
				note_surface(t, p, oz_v3(1, 1, 1), s->normal, 0.5f);
				p->noted = true;
			}
			reflect(t, p, s, normal);
			return;
		}
	}
	refract(t, p, s, normal, eta);
	p->inside = behind;
	if (jelly && !s->leaving) {
		note_surface(t, p, s->colour, s->normal, 1.0f);
		p->noted = true;
	}
}

// The first sheets split the path, as a liquid does. The reflections of others are replaced by the
// light from behind them, which adds no noise.
static void hit_glass(tracing *t, path *p, const oz_spot *s)
{
	const float cosine = -oz_dot(p->direction, s->normal);
	if (p->specular == 0 && !p->soft && t->splits < SHEETS) {
		const float reflected = sheet_reflectance(cosine);
		t->sums->normal = oz_mad(t->sums->normal, s->normal, 0.25f);
		split(t, p, s, s->normal, reflected);
		p->weight = oz_scale(p->weight, 1.0f - reflected);
	}
	p->weight = oz_times(p->weight, sheet_transmittance(cosine));
	p->from = oz_mad(s->at, s->flat, -t->set->ray_offset);
}

// Continues a path from a matte face in a cosine-distributed direction; false: the path ends.
static bool reflect_diffusely(tracing *t, path *p, const oz_spot *s, oz_vec3 albedo)
{
	float u[2];
	p->weight = oz_times(p->weight, albedo);
	if (++p->diffuse > DIFFUSE || ends_by_chance(t, &p->weight))
		return false;
	random_pair(t, u);
	const oz_vec3 x = oz_perpendicular(s->normal), y = oz_cross(s->normal, x);
	const float r = sqrtf(u[0]), angle = 2.0f * OZ_PI * u[1];
	p->direction =
	        oz_unit(oz_mad(oz_mad(oz_scale(s->normal, sqrtf(1.0f - u[0])), x, r * cosf(angle)),
	                       y, r * sinf(angle)));
	// a direction below the geometric face is mirrored to above it
	const float under = oz_dot(p->direction, s->flat);
	if (under < 0.0f)
		p->direction = oz_mad(p->direction, s->flat, -2.0f * under);
	p->from = oz_mad(s->lifted, s->flat, t->set->ray_offset);
	p->soft = true;
	return true;
}

// Adds sunlight on an opaque face and reflects the path; false: the path ends.
static bool hit_face(tracing *t, path *p, const oz_spot *s)
{
	oz_vec3 albedo = s->colour, direction;
	if (s->object && s->object->appearance.look == OZ_LOOK_PLASTIC) {
		const float eta = ior_of(medium_of(t->set, &p->inside)) / s->object->ior;
		const float reflected = fresnel(-oz_dot(p->direction, s->normal), eta);
		if (p->specular == 0 && !p->soft) {
			split(t, p, s, roughen(t, s->normal, p->direction), reflected);
			p->weight = oz_scale(p->weight, 1.0f - reflected);
		} else {
			albedo = oz_mix(albedo, oz_v3(1, 1, 1), reflected);
		}
	}
	note_surface(t, p, albedo, s->normal, 1.0f);
	p->noted = true;
	const oz_vec3 sun = sunlight(t, oz_mad(s->lifted, s->flat, t->set->ray_offset), s->normal,
	                             &p->inside, &direction);
	if (oz_brightest(sun) > 0.0f)
		add_light(t, p,
		          oz_scale(oz_times(albedo, sun), oz_dot(direction, s->normal) / OZ_PI));
	return reflect_diffusely(t, p, s, albedo);
}

// Scatters a path in jelly: moves it by `length` (m), absorbs light along that, adds the sunlight
// that is scattered there, and chooses a random direction. false: the path ends.
static bool scatter(tracing *t, path *p, const oz_object *medium, float length)
{
	float u[2];
	oz_vec3 direction;
	p->weight = oz_times(p->weight, fade(medium->absorb, length));
	p->from = oz_mad(p->from, p->direction, length);
	p->length += length;
	p->soft = true;
	if (++p->scattered > SCATTERED)
		return false;
	const oz_vec3 sun = sunlight(t, p->from, oz_v3(0, 0, 0), &p->inside, &direction);
	add_light(t, p, oz_scale(sun, 0.25f / OZ_PI));
	if (ends_by_chance(t, &p->weight))
		return false;
	random_pair(t, u);
	const float y = 1.0f - 2.0f * u[0], r = sqrtf(oz_max(1.0f - y * y, 0.0f));
	p->direction = oz_v3(r * cosf(2.0f * OZ_PI * u[1]), y, r * sinf(2.0f * OZ_PI * u[1]));
	return true;
}

// Mixes the horizon's light into distant ground.
static void haze_over(tracing *t, path *p, const oz_spot *s)
{
	const float haze =
	        s->object || p->soft ? 0.0f : oz_set_haze(t->set, p->length + s->distance);
	if (!(haze > 0.0f))
		return;
	path far = *p;
	far.weight = oz_scale(p->weight, haze);
	note_surface(t, &far, oz_v3(1, 1, 1), s->normal, 1.0f);
	add_light(t, &far, oz_set_sky(t->set, oz_v3(p->direction.x, 0.0f, p->direction.z), false));
	p->weight = oz_scale(p->weight, 1.0f - haze);
}

// Adds the light of the sky; the sun's disc only for paths that are not soft.
static void hit_sky(tracing *t, path *p)
{
	note_surface(t, p, oz_v3(1, 1, 1), oz_v3(0, 0, 0), 1.0f);
	add_light(t, p, oz_set_sky(t->set, p->direction, !p->soft));
}

// Traces one segment of a path; false: the path ends.
static bool advance(tracing *t, path *p, bool first)
{
	oz_spot s;
	const bool hit = oz_spot_find(t->set, &t->context, p->from, p->direction, &s);
	const oz_object *medium = medium_of(t->set, &p->inside);
	if (first)
		t->sums->depth +=
		        hit ? oz_min(s.distance, 50.0f * t->set->size) : 50.0f * t->set->size;
	if (!hit) {
		hit_sky(t, p);
		return false;
	}
	if (medium && medium->scatter > 0.0f) {
		float u[2];
		random_pair(t, u);
		const float length = -logf(1.0f - u[0]) / medium->scatter;
		if (length < s.distance)
			return scatter(t, p, medium, length);
	}
	if (medium)
		p->weight = oz_times(p->weight, fade(medium->absorb, s.distance));
	haze_over(t, p, &s);
	p->length += s.distance;
	if (!s.object)
		s.colour = oz_set_ground(t->set, s.at, 0.5f * t->pixel * p->length);
	if (s.object && s.object->glass) {
		hit_glass(t, p, &s);
		return true;
	}
	if (!s.object || !s.object->clear)
		return hit_face(t, p, &s);
	hit_interface(t, p, &s);
	return true;
}

// Traces a path to its end.
static void follow(tracing *t, path p, bool first)
{
	for (int k = 0; k < PASSES + SPECULAR; k++)
		if (!advance(t, &p, first && k == 0) || !(oz_brightest(p.weight) > 1e-4f))
			return;
}

oz_vec3 oz_trace(const oz_set *set, const oz_sampler *sampler, const oz_camera *c, uint32_t x,
                 uint32_t y, uint32_t sample, oz_pixel_sums *sums)
{
	tracing t = {.set = set,
	             .sampler = sampler,
	             .x = x,
	             .y = y,
	             .sample = sample,
	             .pixel = 1.0f / c->scale,
	             .sums = sums};
	float u[2];
	rtcInitIntersectContext(&t.context);
	random_pair(&t, u);
	const float right = ((float)x + u[0] - c->centre[0]) / c->scale;
	const float up = (c->centre[1] - (float)y - u[1]) / c->scale;
	const path eye = {.from = c->eye,
	                  .direction =
	                          oz_unit(oz_mad(oz_mad(c->forward, c->right, right), c->up, up)),
	                  .weight = {1, 1, 1}};
	follow(&t, eye, true);
	while (t.splits > 0)
		follow(&t, t.split[--t.splits], false);
	const float most = oz_brightest(t.light);
	return most > BRIGHTEST ? oz_scale(t.light, BRIGHTEST / most) : t.light;
}
