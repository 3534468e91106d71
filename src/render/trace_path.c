// trace_path.c: one sample of a pixel: light followed backwards from the eye.
//
// A path meets interfaces until it meets something that spreads light (a matte face, the inside of
// jelly). The first interface splits it: what is mirrored goes its own way, so that thin gloss is
// no gamble. From the first spreading on, the path is soft: the sun is asked for directly, through
// liquid as through tinted glass, and clear things only tint what passes. That leaves out the
// bright webs under waves, and with them their noise; nothing is lost on the way.
//
// Glass is a sheet without thickness, both of its faces in one: it mirrors and takes a little, and
// turns nothing aside.
//
// Which medium a path is in is counted, crossing by crossing; where several overlap, the first of
// them is there and the others are not, so that liquids that touch have one interface.
#include "render/trace.h"

#define SPECULAR  12    // interfaces, then the path turns soft
#define SCATTERED 24    // times in jelly
#define DIFFUSE   5     // times on faces
#define PASSES    64    // through clear things, all told
#define FAINT     0.12f // weight below which a path is mostly dropped
#define BRIGHTEST 6.0f  // of a sample
#define ROUGH     0.06f // of coats, as slope
#define SHEETS    2     // of glass that mirror
#define GLAZED    0.97f // of light that comes straight through glass

typedef struct media {
	uint8_t in[OZ_MEDIA];
} media;

typedef struct path {
	oz_vec3 from, way, weight;
	media inside;
	float length; // m, so far
	uint32_t specular, diffuse, scattered;
	bool soft; // has been spread
	bool told; // the filter knows what it met
} path;

typedef struct tracing {
	const oz_set *set;
	const oz_sampler *sampler;
	uint32_t x, y, sample, pair;
	float pixel; // m at 1 m
	struct RTCIntersectContext context;
	oz_pixel_sums *sums;
	oz_vec3 light;
	path split[SHEETS + 1]; // branches to be followed: of sheets, and of what is behind them
	uint32_t splits;
} tracing;

static void random_pair(tracing *t, float u[2])
{
	oz_sampler_get(t->sampler, t->x, t->y, t->sample, t->pair++, u);
}

// ---- media ------------------------------------------------------------------------------------

static const oz_thing *medium_of(const oz_set *set, const media *m)
{
	for (uint32_t k = 0; k < OZ_MEDIA && k < set->clear_count; k++)
		if (m->in[k])
			return set->media[k];
	return NULL;
}

// A path that leaves what it never entered began there.
static void cross(media *m, const oz_thing *thing, bool leaving)
{
	uint8_t *in = &m->in[thing->medium];
	if (!leaving)
		*in = (uint8_t)(*in < 255 ? *in + 1 : 255);
	else if (*in > 0)
		(*in)--;
}

static oz_vec3 fade(oz_vec3 per_metre, float length)
{
	return oz_v3(expf(-per_metre.x * length), expf(-per_metre.y * length),
	             expf(-per_metre.z * length));
}

// Share of light that an interface mirrors; eta: index before over index behind.
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

// Share of light that both faces of a sheet of glass mirror, to and fro between them.
static float sheet_mirrors(float cosine)
{
	const float r = fresnel(oz_min(oz_max(cosine, 0.0f), 1.0f), 1.0f / 1.5f);
	return 2.0f * r / (1.0f + r);
}

// What is left of light that goes through: less at a slant, which shows where a vessel is round.
static oz_vec3 sheet_passes(float cosine)
{
	const float left = powf(GLAZED, 1.0f / oz_max(cosine, 0.06f));
	return oz_v3(powf(left, 1.3f), left, powf(left, 1.1f));
}

static float ior_of(const oz_thing *medium)
{
	return medium ? medium->ior : 1.0f;
}

// ---- the sun ----------------------------------------------------------------------------------

// What clear things leave of light that comes straight through them; others leave none.
static oz_vec3 tint(tracing *t, oz_vec3 from, oz_vec3 way, media inside)
{
	const oz_set *set = t->set;
	oz_vec3 left = {1, 1, 1};
	for (int k = 0; k < PASSES && oz_brightest(left) > 1e-3f; k++) {
		struct RTCRayHit rh = oz_ray_hit(from, way, INFINITY);
		rtcIntersect1(set->scene, &t->context, &rh);
		if (rh.hit.geomID == RTC_INVALID_GEOMETRY_ID)
			break;
		const bool glass = set->things[rh.hit.geomID].glass;
		if (!set->things[rh.hit.geomID].clear && !glass)
			return oz_v3(0, 0, 0);
		const oz_thing *before = medium_of(set, &inside);
		if (before) {
			const float s = before->scatter;
			left = oz_times(left,
			                fade(oz_add(before->absorb, oz_v3(s, s, s)), rh.ray.tfar));
		}
		oz_spot s = {.at = oz_mad(from, way, rh.ray.tfar)};
		oz_spot_on_thing(set, &s, &rh.hit);
		oz_spot_face(&s, way);
		from = oz_mad(s.at, s.flat, -t->set->ray_offset);
		if (glass) {
			const float cosine = -oz_dot(way, s.normal);
			left = oz_times(left, oz_scale(sheet_passes(cosine),
			                               1.0f - sheet_mirrors(cosine)));
			continue;
		}
		cross(&inside, s.thing, s.leaving);
		const oz_thing *behind = medium_of(set, &inside);
		// out of the denser one nothing is turned back: rays that did would not have come
		if (before != behind) {
			const float a = ior_of(before), b = ior_of(behind);
			left = oz_scale(left, 1.0f - fresnel(-oz_dot(way, s.normal),
			                                     oz_min(a / b, b / a)));
		}
	}
	return left;
}

// Light of the sun that arrives, from a direction within it that is chosen anew each time.
static oz_vec3 sunlight(tracing *t, oz_vec3 from, oz_vec3 normal, const media *inside, oz_vec3 *way)
{
	const oz_set *set = t->set;
	float u[2];
	if (!(oz_brightest(set->light.sun) > 0.0f))
		return oz_v3(0, 0, 0);
	random_pair(t, u);
	const float z = 1.0f - u[0] * (1.0f - set->cos_sun), r = sqrtf(1.0f - z * z);
	const float angle = 2.0f * OZ_PI * u[1];
	*way = oz_mad(oz_mad(oz_scale(set->light.sun_way, z), set->sun_x, r * cosf(angle)),
	              set->sun_y, r * sinf(angle));
	if (oz_dot(normal, normal) > 0.0f && oz_dot(*way, normal) <= 0.0f)
		return oz_v3(0, 0, 0);
	if (set->clear_count > 0 || set->glass)
		return oz_times(set->light.sun, tint(t, from, *way, *inside));
	struct RTCRay ray = oz_ray_hit(from, *way, INFINITY).ray;
	rtcOccluded1(set->scene, &t->context, &ray);
	return ray.tfar < 0.0f ? oz_v3(0, 0, 0) : set->light.sun;
}

// ---- what happens on the way ------------------------------------------------------------------

// Drops faint paths by lot and makes up for it in the others; true: this one ends.
static bool drop(tracing *t, oz_vec3 *weight)
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

// Tells the filter what a path met first that is not clear.
static void tell(tracing *t, path *p, oz_vec3 albedo, oz_vec3 normal, float share)
{
	if (p->told)
		return;
	t->sums->albedo = oz_mad(t->sums->albedo, oz_times(p->weight, albedo), share);
	t->sums->normal = oz_mad(t->sums->normal, normal, share * oz_luminance(p->weight));
}

static void gain(tracing *t, const path *p, oz_vec3 light)
{
	t->light = oz_add(t->light, oz_times(p->weight, light));
}

static oz_vec3 roughen(tracing *t, oz_vec3 normal, oz_vec3 way)
{
	float u[2];
	random_pair(t, u);
	const oz_vec3 x = oz_perpendicular(normal), y = oz_cross(normal, x);
	const float r = ROUGH * sqrtf(u[0]), angle = 2.0f * OZ_PI * u[1];
	const oz_vec3 n = oz_unit(oz_mad(oz_mad(normal, x, r * cosf(angle)), y, r * sinf(angle)));
	return oz_dot(way, n) < -0.01f ? n : normal;
}

static void mirror(tracing *t, path *p, const oz_spot *s, oz_vec3 normal)
{
	oz_vec3 way = oz_mad(p->way, normal, -2.0f * oz_dot(p->way, normal));
	// not into what it mirrors from
	if (oz_dot(way, s->flat) <= 0.0f)
		way = oz_mad(p->way, s->flat, -2.0f * oz_dot(p->way, s->flat));
	p->way = oz_unit(way);
	p->from = oz_mad(s->at, s->flat, t->set->ray_offset);
	p->specular++;
}

static void refract(tracing *t, path *p, const oz_spot *s, oz_vec3 normal, float eta)
{
	const float cosine = -oz_dot(p->way, normal);
	const float beyond = sqrtf(oz_max(1.0f - eta * eta * (1.0f - cosine * cosine), 0.0f));
	oz_vec3 way = oz_mad(oz_scale(p->way, eta), normal, eta * cosine - beyond);
	if (oz_dot(way, s->flat) >= 0.0f)
		way = p->way;
	p->way = oz_unit(way);
	p->from = oz_mad(s->at, s->flat, -t->set->ray_offset);
	p->specular++;
}

// Puts the mirrored part of a path aside, to be followed later.
static void split(tracing *t, const path *p, const oz_spot *s, oz_vec3 normal, float share)
{
	path other = *p;
	other.weight = oz_scale(p->weight, share);
	// the lot must not show in what the filter goes by
	tell(t, &other, oz_v3(1, 1, 1), s->normal, 0.8f);
	other.told = true;
	if (drop(t, &other.weight))
		return;
	mirror(t, &other, s, normal);
	t->split[t->splits++] = other;
}

static void pass(tracing *t, path *p, const oz_spot *s)
{
	cross(&p->inside, s->thing, s->leaving);
	p->from = oz_mad(s->at, s->flat, -t->set->ray_offset);
}

static void meet_interface(tracing *t, path *p, const oz_spot *s)
{
	media behind = p->inside;
	const oz_thing *before = medium_of(t->set, &p->inside);
	cross(&behind, s->thing, s->leaving);
	const oz_thing *after = medium_of(t->set, &behind);
	// a path that began inside is told by the face it leaves through
	if (s->leaving && !before)
		before = s->thing;
	if (p->specular >= SPECULAR)
		p->soft = true;
	if (p->soft || before == after) {
		pass(t, p, s);
		return;
	}
	const bool jelly = s->thing->scatter > 0.0f;
	const oz_vec3 normal = jelly ? roughen(t, s->normal, p->way) : s->normal;
	const float eta = ior_of(before) / ior_of(after);
	const float mirrored = fresnel(-oz_dot(p->way, s->normal), eta);
	const bool first = p->specular == 0 && p->diffuse == 0;
	float u[2];
	if (first && mirrored < 1.0f) {
		t->sums->normal = oz_mad(t->sums->normal, s->normal, 0.5f);
		split(t, p, s, normal, mirrored);
		p->weight = oz_scale(p->weight, 1.0f - mirrored);
	} else {
		random_pair(t, u);
		if (u[0] < mirrored) {
			if (mirrored < 0.5f) {
				tell(t, p, oz_v3(1, 1, 1), s->normal, 0.5f);
				p->told = true;
			}
			mirror(t, p, s, normal);
			return;
		}
	}
	refract(t, p, s, normal, eta);
	p->inside = behind;
	if (jelly && !s->leaving) {
		tell(t, p, s->colour, s->normal, 1.0f);
		p->told = true;
	}
}

// The first sheets split the path, as a liquid does; what others mirror is taken to look like what
// is behind them, which leaves no noise.
static void meet_glass(tracing *t, path *p, const oz_spot *s)
{
	const float cosine = -oz_dot(p->way, s->normal);
	if (p->specular == 0 && !p->soft && t->splits < SHEETS) {
		const float mirrored = sheet_mirrors(cosine);
		t->sums->normal = oz_mad(t->sums->normal, s->normal, 0.25f);
		split(t, p, s, s->normal, mirrored);
		p->weight = oz_scale(p->weight, 1.0f - mirrored);
	}
	p->weight = oz_times(p->weight, sheet_passes(cosine));
	p->from = oz_mad(s->at, s->flat, -t->set->ray_offset);
}

// Goes on from a face in a direction that a matte one prefers.
static bool spread(tracing *t, path *p, const oz_spot *s, oz_vec3 albedo)
{
	float u[2];
	p->weight = oz_times(p->weight, albedo);
	if (++p->diffuse > DIFFUSE || drop(t, &p->weight))
		return false;
	random_pair(t, u);
	const oz_vec3 x = oz_perpendicular(s->normal), y = oz_cross(s->normal, x);
	const float r = sqrtf(u[0]), angle = 2.0f * OZ_PI * u[1];
	p->way = oz_unit(oz_mad(oz_mad(oz_scale(s->normal, sqrtf(1.0f - u[0])), x, r * cosf(angle)),
	                        y, r * sinf(angle)));
	// what the round normal sends into the flat face comes out beside it
	const float under = oz_dot(p->way, s->flat);
	if (under < 0.0f)
		p->way = oz_mad(p->way, s->flat, -2.0f * under);
	p->from = oz_mad(s->lifted, s->flat, t->set->ray_offset);
	p->soft = true;
	return true;
}

static bool meet_face(tracing *t, path *p, const oz_spot *s)
{
	oz_vec3 albedo = s->colour, way;
	if (s->thing && s->thing->coat.look == OZ_LOOK_PLASTIC) {
		const float eta = ior_of(medium_of(t->set, &p->inside)) / s->thing->ior;
		const float mirrored = fresnel(-oz_dot(p->way, s->normal), eta);
		if (p->specular == 0 && !p->soft) {
			split(t, p, s, roughen(t, s->normal, p->way), mirrored);
			p->weight = oz_scale(p->weight, 1.0f - mirrored);
		} else {
			albedo = oz_mix(albedo, oz_v3(1, 1, 1), mirrored);
		}
	}
	tell(t, p, albedo, s->normal, 1.0f);
	p->told = true;
	const oz_vec3 sun = sunlight(t, oz_mad(s->lifted, s->flat, t->set->ray_offset), s->normal,
	                             &p->inside, &way);
	if (oz_brightest(sun) > 0.0f)
		gain(t, p, oz_scale(oz_times(albedo, sun), oz_dot(way, s->normal) / OZ_PI));
	return spread(t, p, s, albedo);
}

// Goes on from within jelly; true: the path lives.
static bool scatter(tracing *t, path *p, const oz_thing *medium, float length)
{
	float u[2];
	oz_vec3 way;
	p->weight = oz_times(p->weight, fade(medium->absorb, length));
	p->from = oz_mad(p->from, p->way, length);
	p->length += length;
	p->soft = true;
	if (++p->scattered > SCATTERED)
		return false;
	const oz_vec3 sun = sunlight(t, p->from, oz_v3(0, 0, 0), &p->inside, &way);
	gain(t, p, oz_scale(sun, 0.25f / OZ_PI));
	if (drop(t, &p->weight))
		return false;
	random_pair(t, u);
	const float y = 1.0f - 2.0f * u[0], r = sqrtf(oz_max(1.0f - y * y, 0.0f));
	p->way = oz_v3(r * cosf(2.0f * OZ_PI * u[1]), y, r * sinf(2.0f * OZ_PI * u[1]));
	return true;
}

static void haze_over(tracing *t, path *p, const oz_spot *s)
{
	const float haze =
	        s->thing || p->soft ? 0.0f : oz_set_haze(t->set, p->length + s->distance);
	if (!(haze > 0.0f))
		return;
	path far = *p;
	far.weight = oz_scale(p->weight, haze);
	tell(t, &far, oz_v3(1, 1, 1), s->normal, 1.0f);
	gain(t, &far, oz_set_sky(t->set, oz_v3(p->way.x, 0.0f, p->way.z), false));
	p->weight = oz_scale(p->weight, 1.0f - haze);
}

static void meet_sky(tracing *t, path *p)
{
	tell(t, p, oz_v3(1, 1, 1), oz_v3(0, 0, 0), 1.0f);
	gain(t, p, oz_set_sky(t->set, p->way, !p->soft));
}

// One leg of a path; true: there is another.
static bool advance(tracing *t, path *p, bool first)
{
	oz_spot s;
	const bool hit = oz_spot_find(t->set, &t->context, p->from, p->way, &s);
	const oz_thing *medium = medium_of(t->set, &p->inside);
	if (first)
		t->sums->depth +=
		        hit ? oz_min(s.distance, 50.0f * t->set->size) : 50.0f * t->set->size;
	if (!hit) {
		meet_sky(t, p);
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
	if (!s.thing)
		s.colour = oz_set_ground(t->set, s.at, 0.5f * t->pixel * p->length);
	if (s.thing && s.thing->glass) {
		meet_glass(t, p, &s);
		return true;
	}
	if (!s.thing || !s.thing->clear)
		return meet_face(t, p, &s);
	meet_interface(t, p, &s);
	return true;
}

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
	                  .way = oz_unit(oz_mad(oz_mad(c->forward, c->right, right), c->up, up)),
	                  .weight = {1, 1, 1}};
	follow(&t, eye, true);
	while (t.splits > 0)
		follow(&t, t.split[--t.splits], false);
	const float most = oz_brightest(t.light);
	return most > BRIGHTEST ? oz_scale(t.light, BRIGHTEST / most) : t.light;
}
