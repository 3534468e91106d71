// links.c: fluids with links, and what their table holds.
#include "links.h"

oz_material_def test_slime(double modulus, double relaxation)
{
	oz_material_def def = oz_material_default(OZ_LINKS);
	def.shear_modulus = (float)modulus;
	def.relaxation_time = (float)relaxation;
	return def;
}

oz_material_def test_glue(double modulus, double relaxation)
{
	oz_material_def def = test_slime(modulus, relaxation);
	def.sticky = 1e9f;
	return def;
}

const oz_links *test_links_of(const oz_world *w)
{
	return oz_model_state(&w->sim, &oz_links_model);
}

// a copy of a buffer of the device; free() it
static void *copy_of(const oz_world *w, const void *buffer, size_t size)
{
	void *copy = malloc(size + 1);
	assert_non_null(copy);
	memcpy(copy, test_look(w, buffer, size), size);
	return copy;
}

test_link_list test_links_read(const oz_world *w)
{
	const oz_link_table *t = &test_links_of(w)->table;
	uint *start = copy_of(w, t->start, sizeof *start * t->rows);
	uint *count = copy_of(w, t->count, sizeof *count * t->rows);
	uint *list = copy_of(w, t->list, sizeof *list * t->used);
	float *rest = copy_of(w, t->rest, sizeof *rest * t->used);
	oz_float4 *x = copy_of(w, w->sim.particles.position, sizeof *x * w->sim.particles.count);
	test_link_list all = {malloc(sizeof *all.at * (t->used + 1)), 0};
	assert_non_null(all.at);
	for (uint32_t i = 0; i < t->rows; i++)
		for (uint c = 0; c < count[i]; c++) {
			const size_t at = oz_list_at(start[i], i, c, w->sim.device->stride);
			const uint j = list[at];
			const vec way = vec_of((double)x[i].x - (double)x[j].x,
			                       (double)x[i].y - (double)x[j].y,
			                       (double)x[i].z - (double)x[j].z);
			all.at[all.count++] = (test_link){.i = i,
			                                  .j = j,
			                                  .rest = (double)rest[at],
			                                  .distance = vec_length(way),
			                                  .place = at};
		}
	free(start);
	free(count);
	free(list);
	free(rest);
	free(x);
	return all;
}

uint32_t test_count_links(const oz_world *w, uint32_t particle)
{
	const test_link_list all = test_links_read(w);
	uint32_t whole = 0;
	for (uint32_t k = 0; k < all.count; k++)
		whole += all.at[k].i == particle && all.at[k].rest > 0;
	free(all.at);
	return whole;
}

uint32_t test_links_between(const oz_world *w, oz_id one, oz_id other)
{
	const test_link_list all = test_links_read(w);
	uint *m = copy_of(w, w->sim.particles.material, sizeof *m * w->sim.particles.count);
	uint32_t whole = 0;
	for (uint32_t k = 0; k < all.count; k++)
		whole += all.at[k].i < all.at[k].j && all.at[k].rest > 0 &&
		         ((m[all.at[k].i] == one && m[all.at[k].j] == other) ||
		          (m[all.at[k].i] == other && m[all.at[k].j] == one));
	free(all.at);
	free(m);
	return whole;
}

uint32_t test_tear_links(const oz_world *w, oz_id material, double x)
{
	const test_link_list all = test_links_read(w);
	const oz_particles *p = &w->sim.particles;
	uint *m = copy_of(w, p->material, sizeof *m * p->count);
	oz_float4 *position = copy_of(w, p->position, sizeof *position * p->count);
	const float broken = 0;
	uint32_t torn = 0;
	for (uint32_t k = 0; k < all.count; k++) {
		const test_link *l = &all.at[k];
		if (m[l->i] != material || m[l->j] != material || !(l->rest > 0) ||
		    ((double)position[l->i].x < x) == ((double)position[l->j].x < x))
			continue;
		test_put(w, test_links_of(w)->table.rest, sizeof broken * l->place, &broken,
		         sizeof broken);
		torn += l->i < l->j;
	}
	free(all.at);
	free(m);
	free(position);
	return torn;
}
