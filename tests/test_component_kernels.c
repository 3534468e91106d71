// test_component_kernels.c: what components sum, decide, join and tell, against the same by the
// plain way.
//
// Slots are made up: their components lie mixed, and their values are of all sizes. Everything has
// to be the same on 1, 2 and 8 threads, and for batches that are interleaved, to the last bit.
#include "world/world.h"

#include "contact/components.cl"
#include "models/blend/reshape.cl"
#include "support.h"

#define SLOTS  6000u
#define NAMES  40u
#define BODIES 3u

static const oz_matter matters[2] = {
        {.alpha = 0.25f, .reshape = {60, 5, 1}},
        {.alpha = 0, .reshape = {1e9f, 7, 0}},
};

// slots, each its own particle, and what kernels make of them
#define SLOT_ARRAYS(X)                                                                             \
	X(uint, component, SLOTS)                                                                  \
	X(uint, particle_of_slot, SLOTS)                                                           \
	X(uint, material, SLOTS)                                                                   \
	X(uint, body, SLOTS)                                                                       \
	X(uint, shapeless, SLOTS)                                                                  \
	X(float, contact_impulse, SLOTS)                                                           \
	X(float, contact_time, SLOTS)                                                              \
	X(float, own_alpha, SLOTS)                                                                 \
	X(oz_float4, velocity, SLOTS)                                                              \
	X(oz_float4, value, SLOTS)                                                                 \
	X(oz_component_most, most, SLOTS)                                                          \
	X(oz_component_contact, contact, SLOTS)                                                    \
	X(oz_component_limit, limit, SLOTS)                                                        \
	X(oz_component, components, SLOTS)                                                         \
	X(uint, pours, BODIES)                                                                     \
	X(oz_component_news, news, 1)

// a random graph of neighbours, and the components that it joins
#define GRAPH_ARRAYS(X)                                                                            \
	X(uint, list, SLOTS * 64)                                                                  \
	X(uint, start, SLOTS)                                                                      \
	X(uint, count, SLOTS)                                                                      \
	X(oz_float4, position, SLOTS)                                                              \
	X(uint, parent, SLOTS)                                                                     \
	X(uint, group, SLOTS)                                                                      \
	X(oz_float4, rest, SLOTS)                                                                  \
	X(oz_float4, new_rest, SLOTS)

#define HERE(type, name, items)  type name[items];
#define THERE(type, name, items) type *name;
typedef struct slots {
	SLOT_ARRAYS(HERE)
} slots;
typedef struct graph {
	GRAPH_ARRAYS(HERE)
} graph;

// the same on a device
typedef struct slots_there {
	SLOT_ARRAYS(THERE)
	oz_matter *matter;
} slots_there;
typedef struct graph_there {
	GRAPH_ARRAYS(THERE)
} graph_there;

static oz_heap heap;

static oz_device *make_device(uint32_t threads)
{
	oz_heap_init(&heap, NULL);
	return test_device(&heap, threads);
}

static void drop_device(oz_device *d)
{
	if (d->failure.code != OZ_OK)
		fail_msg("%s", d->failure.text);
	oz_device_destroy(d);
	assert_int_equal(heap.bytes, 0);
}

#define SEND(type, name, items)  there.name = test_upload(d, here->name, sizeof here->name);
#define FETCH(type, name, items) d->ops->read(d, here->name, there->name, 0, sizeof here->name);
#define DROP(type, name, items)  d->ops->release(d, there->name, sizeof(type) * (items));

static slots_there send_slots(oz_device *d, const slots *here)
{
	slots_there there;
	SLOT_ARRAYS(SEND)
	there.matter = test_upload(d, matters, sizeof matters);
	return there;
}

static void drop_slots(oz_device *d, const slots_there *there)
{
	SLOT_ARRAYS(DROP)
	d->ops->release(d, there->matter, sizeof matters);
}

static graph_there send_graph(oz_device *d, const graph *here)
{
	graph_there there;
	GRAPH_ARRAYS(SEND)
	return there;
}

static void drop_graph(oz_device *d, const graph_there *there)
{
	GRAPH_ARRAYS(DROP)
}

static void fetch_slots(oz_device *d, slots *here, const slots_there *there)
{
	SLOT_ARRAYS(FETCH)
}

static void fetch_graph(oz_device *d, graph *here, const graph_there *there)
{
	GRAPH_ARRAYS(FETCH)
}

static void *zeroed(size_t size)
{
	void *block = aligned_alloc(64, (size + 63) / 64 * 64);
	assert_non_null(block);
	memset(block, 0, size);
	return block;
}

// 1e-6 … 1e6
static float any_size(uint64_t *seed)
{
	return (float)pow(10, 12 * test_random(seed) - 6);
}

// every name's lowest slot is itself; components of an odd number are of the second material, too
static slots *make_slots(void)
{
	slots *s = zeroed(sizeof *s);
	uint64_t seed = 3;
	uint32_t named[NAMES];
	memset(named, 0xff, sizeof named);
	for (uint32_t k = 0; k < SLOTS; k++) {
		const uint32_t n = k / 100 % 2 ? NAMES - 1 : test_random_bits(&seed) % (NAMES - 1);
		named[n] = named[n] == OZ_NONE ? k : named[n];
		s->component[k] = named[n];
		s->particle_of_slot[k] = k;
		s->material[k] = n % 2 && test_random_bits(&seed) % 2;
		s->body[k] = n < 2 ? n : 2;
		s->shapeless[k] = n == 1 && test_random_bits(&seed) % 8 == 0;
		s->contact_impulse[k] = any_size(&seed) * (n < NAMES / 2 ? 1e-3f : 1e3f);
		s->contact_time[k] = any_size(&seed) * 1e-6f;
		s->own_alpha[k] = n % 3 ? -1.0f : (float)test_random(&seed);
		s->velocity[k] = (oz_float4){any_size(&seed), -any_size(&seed), 1, 0};
	}
	return s;
}

static void launch_all(oz_device *d, const slots_there *s, uint64_t step, uint32_t stride)
{
	const uint32_t batches = oz_batch_items(SLOTS, stride);
	OZ_LAUNCH(d, component_open, SLOTS, .contact_impulse = s->contact_impulse,
	          .contact_time = s->contact_time, .own_alpha = s->own_alpha,
	          .shapeless = s->shapeless, .particle_of_slot = s->particle_of_slot,
	          .material = s->material, .body = s->body, .matter = s->matter,
	          .velocity = s->velocity, .value = s->value, .most = s->most,
	          .contact = s->contact, .limit = s->limit, .components = s->components,
	          .pours = s->pours);
	OZ_LAUNCH(d, component_largest, batches, .value = s->value, .component = s->component,
	          .most = s->most, .slots = SLOTS, .stride = stride);
	OZ_LAUNCH(d, component_sum, batches, .value = s->value, .component = s->component,
	          .most = s->most, .particle_of_slot = s->particle_of_slot, .material = s->material,
	          .body = s->body, .matter = s->matter, .pours = s->pours, .contact = s->contact,
	          .limit = s->limit, .components = s->components, .slots = SLOTS, .stride = stride);
	OZ_LAUNCH(d, component_decide, SLOTS, .particle_of_slot = s->particle_of_slot,
	          .material = s->material, .matter = s->matter, .most = s->most,
	          .contact = s->contact, .limit = s->limit, .components = s->components,
	          .news = s->news, .step = step, .gravity = 9.81f, .still2 = 1,
	          .listed = UINT32_MAX);
}

static void ask(oz_device *d, slots *s, uint64_t step, uint32_t stride)
{
	memset(s->pours, 0, sizeof s->pours);
	memset(s->news, 0, sizeof s->news);
	const slots_there there = send_slots(d, s);
	launch_all(d, &there, step, stride);
	fetch_slots(d, s, &there);
	drop_slots(d, &there);
}

// ---- sums --------------------------------------------------------------------------------------

typedef struct plain_sum {
	double contact_impulse, contact_time, threshold, speed2;
	uint32_t count, flags;
} plain_sum;

static plain_sum add_plainly(const slots *s, uint32_t name)
{
	plain_sum sum = {0};
	for (uint32_t k = 0; k < SLOTS; k++) {
		if (s->component[k] != name)
			continue;
		const oz_matter *m = &matters[s->material[k]];
		const float alpha = s->own_alpha[k] < 0 ? m->alpha : s->own_alpha[k];
		const double x = (double)s->velocity[k].x, y = (double)s->velocity[k].y;
		sum.contact_impulse += (double)s->contact_impulse[k];
		sum.contact_time += (double)s->contact_time[k];
		sum.threshold += (double)m->reshape.update_force * (double)(1 - alpha);
		sum.speed2 += x * x + y * y + 1;
		sum.count++;
		// the fresh ones are all of body 1
		sum.flags |= (m->reshape.merges ? 0 : COMPONENT_LONE) |
		             (s->body[k] == 1 ? COMPONENT_POURS : 0);
	}
	return sum;
}

static void expect_near(double found, double wanted)
{
	if (!(fabs(found - wanted) <= 2e-7 * wanted))
		fail_msg("the sum is %.9g, not %.9g", found, wanted);
}

static uint32_t decide_plainly(const plain_sum *p, uint64_t step, const oz_matter *m)
{
	if (step == 0 || step % m->reshape.update_steps != 0)
		return 0;
	const bool changes =
	        (p->flags & COMPONENT_POURS) ||
	        (p->contact_impulse / p->contact_time - 9.81 > p->threshold / p->count &&
	         p->speed2 > p->count);
	return COMPONENT_DUE | (changes ? COMPONENT_CHANGES : 0);
}

static void sums_and_decisions_are_those_of_doubles(void **state)
{
	(void)state;
	oz_device *d = make_device(2);
	slots *s = make_slots();
	uint32_t seen = 0;
	for (uint64_t step = 0; step < 8; step++) {
		uint32_t changed = 0;
		ask(d, s, step, 1);
		for (uint32_t k = 0; k < SLOTS; k++) {
			const plain_sum p = add_plainly(s, k);
			assert_int_equal(s->components[k].count, p.count);
			if (p.count == 0)
				continue;
			expect_near((double)component_total(s->contact[k].contact_impulse,
			                                    s->most[k].contact_impulse),
			            p.contact_impulse);
			expect_near((double)component_total(s->contact[k].contact_time,
			                                    s->most[k].contact_time),
			            p.contact_time);
			expect_near((double)component_total(s->limit[k].threshold,
			                                    s->most[k].threshold),
			            p.threshold);
			expect_near((double)component_total(s->limit[k].speed2, s->most[k].speed2),
			            p.speed2);
			const uint32_t flags =
			        p.flags | decide_plainly(&p, step, &matters[s->material[k]]);
			assert_int_equal(s->components[k].flags, flags);
			changed += flags & COMPONENT_CHANGES ? p.count : 0;
			seen |= 1u << (flags / COMPONENT_DUE);
		}
		assert_int_equal(s->news->changed, changed);
	}
	// not due; due; due and changes
	assert_int_equal(seen, 1u << 0 | 1u << 1 | 1u << 3);
	drop_device(d);
	free(s);
}

static void sums_are_the_same_bits_on_any_number_of_threads(void **state)
{
	(void)state;
	static const uint32_t threads[] = {1, 2, 8}, strides[] = {1, 32, 64};
	slots *first = make_slots(), *s = make_slots();
	for (int t = 0; t < 3; t++)
		for (int k = 0; k < 3; k++) {
			oz_device *d = make_device(threads[t]);
			ask(d, t + k ? s : first, 5, strides[k]);
			drop_device(d);
			if (t + k)
				assert_memory_equal(s, first, sizeof *s);
		}
	free(first);
	free(s);
}

// what has blown up is not asked, and its sum is not lost; what is absurd fills no sum
static void values_that_are_no_numbers_leave_the_sums_alone(void **state)
{
	(void)state;
	oz_device *d = make_device(1);
	slots *s = make_slots();
	memset(s->component, 0, sizeof s->component);
	for (uint32_t k = 0; k < SLOTS; k++) {
		s->contact_impulse[k] = k % 2 ? NAN : 2;
		s->contact_time[k] = k % 2 ? -1 : 1e-30f;
		s->velocity[k] = (oz_float4){INFINITY, 0, 0, 0};
	}
	ask(d, s, 0, 1);
	expect_near((double)component_total(s->contact[0].contact_impulse,
	                                    s->most[0].contact_impulse),
	            SLOTS);
	expect_near((double)component_total(s->contact[0].contact_time, s->most[0].contact_time),
	            0.5e-30 * SLOTS);
	expect_near((double)component_total(s->limit[0].speed2, s->most[0].speed2), 1e20 * SLOTS);
	drop_device(d);
	free(s);
}

// ---- joining -----------------------------------------------------------------------------------

static void add_edge(graph *g, uint32_t k, uint32_t j)
{
	if (k == j || g->count[k] == 64 || g->count[j] == 64)
		return;
	g->list[g->start[k] + g->count[k]++] = j;
	g->list[g->start[j] + g->count[j]++] = k;
}

// the same from both sides; every tenth is out of reach
static graph *make_graph(void)
{
	graph *g = zeroed(sizeof *g);
	uint64_t seed = 19;
	for (uint32_t k = 0; k < SLOTS; k++) {
		g->start[k] = k * 64;
		g->position[k].x = k % 10 ? 0.0f : (float)k;
		g->rest[k].y = (float)k;
	}
	for (uint32_t e = 0; e < SLOTS / 2; e++)
		add_edge(g, test_random_bits(&seed) % SLOTS, test_random_bits(&seed) % SLOTS);
	return g;
}

// each slot is a component of its own; some change, some may not join, some are poured
static slots *make_singles(void)
{
	slots *s = zeroed(sizeof *s);
	uint64_t seed = 23;
	s->pours[1] = 1;
	for (uint32_t k = 0; k < SLOTS; k++) {
		s->component[k] = s->particle_of_slot[k] = k;
		s->body[k] = test_random_bits(&seed) % BODIES;
		s->components[k].flags = (test_random_bits(&seed) % 8 ? COMPONENT_CHANGES : 0) |
		                         (test_random_bits(&seed) % 4 ? 0 : COMPONENT_LONE);
	}
	return s;
}

static bool may_join(const slots *s, const graph *g, uint32_t k, uint32_t j)
{
	const bool lone = (s->components[k].flags | s->components[j].flags) & COMPONENT_LONE;
	const bool poured = s->body[k] == 1 && s->body[j] == 1;
	return (s->components[k].flags & COMPONENT_CHANGES) &&
	       (s->components[j].flags & COMPONENT_CHANGES) && (!lone || poured) &&
	       g->position[k].x == g->position[j].x;
}

// lowers every name to that of its neighbours, until nothing changes
static void spread(const slots *s, const graph *g, uint32_t *name)
{
	for (uint32_t k = 0; k < SLOTS; k++)
		name[k] = k;
	for (bool again = true; again;) {
		again = false;
		for (uint32_t k = 0; k < SLOTS; k++)
			for (uint32_t c = 0; c < g->count[k]; c++) {
				const uint32_t j = g->list[g->start[k] + c];
				if (!may_join(s, g, k, j) || name[j] >= name[k])
					continue;
				name[k] = name[j];
				again = true;
			}
	}
}

static void join(oz_device *d, const slots_there *s, const graph_there *g)
{
	OZ_LAUNCH(d, component_init_parent, SLOTS, .parent = g->parent);
	OZ_LAUNCH(d, component_join_touching, SLOTS, .list = g->list, .start = g->start,
	          .count = g->count, .slot = s->particle_of_slot, .body = s->body,
	          .position = g->position, .particle_of_slot = s->particle_of_slot,
	          .component = s->component, .components = s->components, .pours = s->pours,
	          .parent = g->parent, .reach2 = 1, .listed = SLOTS, .slots = SLOTS, .stride = 1);
	OZ_LAUNCH(d, component_group, SLOTS, .parent = g->parent, .component = s->component,
	          .components = s->components, .particle_of_slot = s->particle_of_slot,
	          .position = g->position, .rest = g->rest, .group = g->group,
	          .new_rest = g->new_rest);
}

static void components_that_touch_and_may_are_joined(void **state)
{
	(void)state;
	static const uint32_t threads[] = {1, 2, 8};
	slots *s = make_singles();
	graph *g = make_graph();
	uint32_t *name = zeroed(sizeof *name * SLOTS), joined = 0;
	spread(s, g, name);
	for (int t = 0; t < 3; t++) {
		oz_device *d = make_device(threads[t]);
		const slots_there there = send_slots(d, s);
		const graph_there near = send_graph(d, g);
		join(d, &there, &near);
		fetch_graph(d, g, &near);
		drop_graph(d, &near);
		drop_slots(d, &there);
		for (uint32_t k = 0; k < SLOTS; k++) {
			const bool changes = s->components[k].flags & COMPONENT_CHANGES;
			assert_int_equal(g->group[k], name[k]);
			assert_memory_equal(&g->new_rest[k],
			                    changes ? &g->position[k] : &g->rest[k],
			                    sizeof(oz_float4));
			joined += name[k] != k;
		}
		drop_device(d);
	}
	assert_true(joined > SLOTS / 10);
	free(s);
	free(g);
	free(name);
}

// A path that goes to and fro between the slots of one thread and those of another, by way of a
// high slot each time. Both threads join the root of the high slot at about the same time, and
// every link is needed: the thread that comes second must continue from the new root.
static graph *make_path(void)
{
	graph *g = zeroed(sizeof *g);
	const uint32_t piece = SLOTS / 8;
	uint32_t high = 2 * piece;
	for (uint32_t k = 0; k < SLOTS; k++)
		g->start[k] = k * 64;
	for (uint32_t k = 0; k < piece; k++, high += 2) {
		const uint32_t there = piece + k, back = (k + 1) % piece;
		g->list[g->start[k] + g->count[k]++] = high;
		g->list[g->start[there] + g->count[there]++] = high;
		g->list[g->start[there] + g->count[there]++] = high + 1;
		if (back)
			g->list[g->start[back] + g->count[back]++] = high + 1;
	}
	return g;
}

static void roots_that_two_want_at_once_are_not_lost(void **state)
{
	(void)state;
	slots *s = zeroed(sizeof *s);
	graph *g = make_path();
	oz_device *d = make_device(2);
	for (uint32_t k = 0; k < SLOTS; k++) {
		s->component[k] = s->particle_of_slot[k] = k;
		s->components[k].flags = COMPONENT_CHANGES;
	}
	const slots_there there = send_slots(d, s);
	const graph_there near = send_graph(d, g);
	for (int again = 0; again < (test_is_quick() ? 1000 : 5000); again++) {
		join(d, &there, &near);
		const uint *group = test_see(d, near.group, sizeof g->group);
		for (uint32_t k = 0; k < SLOTS / 2; k++)
			if (group[k] != 0)
				fail_msg("slot %u hangs on %u, not on 0", k, group[k]);
	}
	drop_graph(d, &near);
	drop_slots(d, &there);
	drop_device(d);
	free(s);
	free(g);
}

// ---- telling -----------------------------------------------------------------------------------

// the lowest names among `from` whose slots are of several in `to`
static void tell_plainly(const uint *from, const uint *to, uint *names)
{
	uint32_t told = 0;
	for (uint32_t name = 0; name < SLOTS && told < OZ_COMPONENTS_REPORTED; name++)
		for (uint32_t k = 0; k < SLOTS; k++)
			if (from[k] == name && to[k] != to[name]) {
				names[told++] = name;
				break;
			}
}

// partitions of the slots into `parts`, named after their lowest
static void part(uint *name, uint32_t parts, uint64_t *seed)
{
	uint32_t *lowest = zeroed(sizeof *lowest * parts);
	memset(lowest, 0xff, sizeof *lowest * parts);
	for (uint32_t k = 0; k < SLOTS; k++) {
		const uint32_t n = test_random_bits(seed) % parts;
		lowest[n] = lowest[n] == OZ_NONE ? k : lowest[n];
		name[k] = lowest[n];
	}
	free(lowest);
}

static void the_lowest_that_split_and_merged_are_told(void **state)
{
	(void)state;
	static const uint32_t parts[] = {1, 2, 5, 300, 100000};
	slots *s = zeroed(sizeof *s);
	uint *now = zeroed(sizeof *now * SLOTS);
	oz_device *d = make_device(8);
	uint64_t seed = 31;
	// with OOZE_QUICK=1 nine of the pairs, each number of parts among them
	for (int k = 0; k < 25; k += test_is_quick() ? 3 : 1) {
		oz_component_news wanted;
		memset(wanted.name, 0xff, sizeof wanted.name);
		memset(s->news->name, 0xff, sizeof s->news->name);
		memset(s->components, 0, sizeof s->components);
		part(s->component, parts[k / 5], &seed);
		part(now, parts[k % 5], &seed);
		tell_plainly(s->component, now, wanted.name);
		tell_plainly(now, s->component, wanted.name + OZ_COMPONENTS_REPORTED);
		const slots_there there = send_slots(d, s);
		uint *component = test_upload(d, now, sizeof *now * SLOTS);
		OZ_LAUNCH(d, component_compare, SLOTS, .before = there.component,
		          .component = component, .components = there.components,
		          .news = there.news);
		fetch_slots(d, s, &there);
		d->ops->release(d, component, sizeof *now * SLOTS);
		drop_slots(d, &there);
		assert_memory_equal(s->news->name, wanted.name, sizeof wanted.name);
	}
	drop_device(d);
	free(now);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(sums_and_decisions_are_those_of_doubles),
	        cmocka_unit_test(sums_are_the_same_bits_on_any_number_of_threads),
	        cmocka_unit_test(values_that_are_no_numbers_leave_the_sums_alone),
	        cmocka_unit_test(components_that_touch_and_may_are_joined),
	        cmocka_unit_test(roots_that_two_want_at_once_are_not_lost),
	        cmocka_unit_test(the_lowest_that_split_and_merged_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
