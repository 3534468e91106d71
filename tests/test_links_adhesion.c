// test_links_adhesion.c: what sticks to what: adhesions act on links that exist, and on links
// between their two materials alone; they are accepted where links can be made, and refused
// elsewhere.
#include "links.h"
#include "mixes.h"

#define PATH "adhesion.ooze"

static const double s = 0.01; // m, spacing

static void set_adhesion(oz_world *w, bool sticks)
{
	oz_adhesion_def adhesion = oz_adhesion_default(0, 1);
	oz_error error = {OZ_OK, ""};
	adhesion.sticks = sticks;
	test_must(oz_world_add_adhesion(w, &adhesion, &error), &error);
}

// two cubes that touch, of two materials with links
static oz_world *make_cubes(void)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	def.threads = 1;
	oz_world *w = test_world(&def);
	const oz_material_def slime = test_slime(300, 5), other = test_slime(1000, 5);
	const oz_shape left = test_box(vec_of(-0.05, 0, 0), vec_of(0, 0.05, 0.05));
	const oz_shape right = test_box(vec_of(0, 0, 0), vec_of(0.05, 0.05, 0.05));
	test_add_filled(w, test_add_material(w, &slime), &left, OZ_FILL_LATTICE);
	test_add_filled(w, test_add_material(w, &other), &right, OZ_FILL_LATTICE);
	test_steps(w, 3);
	return w;
}

// the world as it was saved
static oz_world *load(void)
{
	oz_world *w = NULL;
	oz_error error = {OZ_OK, ""};
	test_must(oz_world_load(PATH, NULL, 1, NULL, &w, &error), &error);
	return w;
}

// an adhesion removes the links that are there, another makes them again, in worlds that are saved
// in between, too
static void an_adhesion_acts_on_links_that_exist(void **state)
{
	(void)state;
	oz_world *w = make_cubes();
	const uint32_t linked = test_links_between(w, 0, 1);
	assert_true(linked > 50);
	set_adhesion(w, false);
	test_must(oz_world_save(w, PATH, NULL), NULL);
	test_step(w);
	assert_int_equal(test_links_between(w, 0, 1), 0);
	set_adhesion(w, true);
	test_step(w);
	assert_true(test_links_between(w, 0, 1) > linked / 2);
	set_adhesion(w, false);
	test_step(w);
	const uint64_t golden = oz_world_hash(w);
	oz_world_destroy(w);
	w = load();
	for (int k = 0; k < 3; k++) {
		test_step(w);
		if (k < 2)
			set_adhesion(w, k == 0);
	}
	assert_true(oz_world_hash(w) == golden);
	oz_world_destroy(w);
}

// Links within a material that are torn stay torn when that material begins to stick to another
// one. Those to the other one are made again, also if they are torn.
static void torn_links_stay_torn_when_an_adhesion_sticks(void **state)
{
	(void)state;
	oz_world *w = make_cubes();
	const uint32_t torn = test_tear_links(w, 0, -0.025) + test_tear_links(w, 1, 0.025);
	const uint32_t own[] = {test_links_between(w, 0, 0), test_links_between(w, 1, 1)};
	assert_true(torn > 100 && own[0] > torn && own[1] > torn);
	set_adhesion(w, false);
	test_step(w);
	assert_int_equal(test_links_between(w, 0, 1), 0);
	set_adhesion(w, true);
	test_must(oz_world_save(w, PATH, NULL), NULL);
	test_step(w);
	assert_true(test_links_between(w, 0, 1) > 50);
	assert_int_equal(test_links_between(w, 0, 0), own[0]);
	assert_int_equal(test_links_between(w, 1, 1), own[1]);
	const uint64_t golden = oz_world_hash(w);
	oz_world_destroy(w);
	w = load();
	test_step(w);
	assert_true(oz_world_hash(w) == golden);
	oz_world_destroy(w);
}

// ---- which materials ---------------------------------------------------------------------------

// a cube of slime on a body of another model; gives whether there are links between them
static bool are_linked(oz_material_def slime, oz_model model, oz_result *accepted)
{
	const oz_world_def def = test_space_def(s);
	oz_world *w = test_world(&def);
	oz_material_def other = test_plain_material(model);
	if (model == OZ_LINKS)
		other.sticky = 500;
	const oz_id one = test_add_material(w, &slime), two = test_add_material(w, &other);
	const oz_shape above = test_box(vec_of(-0.03, 0, -0.03), vec_of(0.03, 0.06, 0.03));
	const oz_shape below = test_box(vec_of(-0.03, -0.06, -0.03), vec_of(0.03, 0, 0.03));
	test_add_any(w, one, &above, vec_of(0, 0, 0));
	test_add_any(w, two, &below, vec_of(0, 0, 0));
	test_step(w);
	const bool linked = test_links_between(w, one, two) > 0;
	oz_adhesion_def adhesion = oz_adhesion_default(one, two);
	adhesion.sticks = true;
	*accepted = oz_world_add_adhesion(w, &adhesion, NULL);
	oz_world_destroy(w);
	return linked;
}

// an adhesion that sticks is accepted exactly where a step makes links without one
static void an_adhesion_is_accepted_where_links_are_made(void **state)
{
	(void)state;
	uint32_t linked = 0;
	for (int sticky = 0; sticky < 2; sticky++)
		for (oz_model model = 0; model < OZ_MODEL_COUNT; model++) {
			oz_material_def slime = test_slime(300, 5);
			slime.sticky = sticky ? 500 : 0;
			oz_result accepted;
			const bool made = are_linked(slime, model, &accepted);
			if (made != (accepted == OZ_OK))
				fail_msg("model %d, sticky %g: links %d, adhesion %d", (int)model,
				         (double)slime.sticky, made, (int)accepted);
			linked += made;
		}
	// links, blend, elastic, rigid, membrane
	assert_int_equal(linked, 5);
}

static void expect_refused(oz_world *w, oz_adhesion_def adhesion, const char *sentence)
{
	oz_error error = {OZ_OK, ""};
	assert_int_equal(oz_world_add_adhesion(w, &adhesion, &error), OZ_ERROR_ARGUMENT);
	assert_string_equal(error.text, sentence);
}

static oz_id add_named(oz_world *w, oz_material_def def, const char *name)
{
	snprintf(def.name, sizeof def.name, "%s", name);
	return test_add_material(w, &def);
}

static void adhesions_without_effect_are_refused(void **state)
{
	(void)state;
	const oz_world_def def = test_space_def(s);
	oz_world *w = test_world(&def);
	oz_material_def dry = test_slime(1, 1);
	dry.sticky = 0;
	const oz_id slime = add_named(w, test_slime(1, 1), "slime");
	oz_adhesion_def adhesion = oz_adhesion_default(slime, 7);
	expect_refused(w, adhesion,
	               "an adhesion names material 7, but there are 1; add the material first");
	const oz_id water = add_named(w, oz_material_default(OZ_FLUID), "water");
	const oz_id oil = add_named(w, oz_material_default(OZ_FLUID), "oil");
	const oz_id stone = add_named(w, oz_material_default(OZ_RIGID), "stone");
	dry.sticky = 0;
	const oz_id putty = add_named(w, dry, "putty");
	expect_refused(w, oz_adhesion_default(slime, slime),
	               "an adhesion names material 'slime' twice, but particles of one material "
	               "always hold together; use two materials");
	expect_refused(w, oz_adhesion_default(water, oil),
	               "an adhesion names 'water' and 'oil', which have no links, so that it has "
	               "no effect; one of them needs the model links");
	adhesion = oz_adhesion_default(slime, oil);
	adhesion.sticks = true;
	expect_refused(w, adhesion,
	               "an adhesion lets 'slime' stick to 'oil', but links hold each other and "
	               "solids, and no other fluid; leave it out");
	adhesion = oz_adhesion_default(stone, putty);
	adhesion.sticks = true;
	expect_refused(w, adhesion,
	               "an adhesion lets 'stone' stick to 'putty', but the sticky of 'putty' is 0; "
	               "raise it");
	// what does not stick anyway may be said
	adhesion.sticks = false;
	test_must(oz_world_add_adhesion(w, &adhesion, NULL), NULL);
	adhesion = oz_adhesion_default(slime, oil);
	test_must(oz_world_add_adhesion(w, &adhesion, NULL), NULL);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(an_adhesion_acts_on_links_that_exist),
	        cmocka_unit_test(torn_links_stay_torn_when_an_adhesion_sticks),
	        cmocka_unit_test(an_adhesion_is_accepted_where_links_are_made),
	        cmocka_unit_test(adhesions_without_effect_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
