// test_traits.c: the traits of a model are what scenes and worlds do with its materials.
//
// One scene for each trait and model: where the model has the trait a world is built, else the
// scene is refused.
#include "models/traits.h"
#include "scene/scene.h"
#include "support.h"

// a material "goo" of the model, and `rest` of the scene; what is wrong goes to the error
static bool builds(oz_model model, const char *rest, oz_error *error)
{
	char text[1000];
	oz_scene *scene = NULL;
	oz_world *world = NULL;
	snprintf(text, sizeof text,
	         "{\"world\": {\"spacing\": 0.02}, \"materials\": {\"goo\": {\"model\": \"%s\"}}, "
	         "%s}",
	         oz_model_traits_of(model)->word, rest);
	*error = (oz_error){OZ_OK, ""};
	oz_result result = oz_scene_parse(text, strlen(text), "t.json", ".", &scene, error);
	if (result == OZ_OK)
		result = oz_scene_build(scene, NULL, 1, NULL, &world, error);
	oz_world_destroy(world);
	oz_scene_free(scene);
	return result == OZ_OK;
}

static void check_trait(uint32_t trait, const char *rest, const char *sentence)
{
	for (uint32_t m = 0; m < OZ_MODEL_COUNT; m++) {
		const bool has = oz_model_has((oz_model)m, trait);
		oz_error error;
		if (builds((oz_model)m, rest, &error) != has)
			fail_msg("%s: %s", oz_model_traits_of((oz_model)m)->word,
			         has ? error.text : "the scene is not refused");
		if (!has && !strstr(error.text, sentence))
			fail_msg("%s: %s", oz_model_traits_of((oz_model)m)->word, error.text);
	}
}

#define BOX "\"material\": \"goo\", \"shape\": \"box\", \"size\": [0.1, 0.1, 0.1]"

static void any_model_makes_a_body(void **state)
{
	(void)state;
	check_trait(0, "\"bodies\": [{" BOX "}]", "");
}

static void models_that_join_take_a_join(void **state)
{
	(void)state;
	check_trait(OZ_TRAIT_JOINS, "\"bodies\": [{" BOX ", \"join\": \"a\"}]",
	            "join is for elastic solids or rigid bodies, and the material is");
}

static void models_that_handles_hold_are_held(void **state)
{
	(void)state;
	check_trait(OZ_TRAIT_HELD,
	            "\"bodies\": [{" BOX "}], "
	            "\"handles\": [{\"shape\": \"box\", \"size\": [1, 1, 1]}]",
	            "holds nothing");
}

static void models_with_alpha_take_it_over_space_and_time(void **state)
{
	(void)state;
	check_trait(OZ_TRAIT_ALPHA, "\"bodies\": [{" BOX ", \"alphas\": {\"from\": 0, \"to\": 1}}]",
	            "alphas is for blends, and the material is");
	for (uint32_t m = 0; m < OZ_MODEL_COUNT; m++) {
		char text[300];
		oz_scene *scene = NULL;
		snprintf(text, sizeof text,
		         "{\"materials\": {\"goo\": {\"model\": \"%s\", \"alpha_keyframes\": "
		         "[{\"time\": 0, \"alpha\": 1}]}}}",
		         oz_model_traits_of((oz_model)m)->word);
		const oz_result result =
		        oz_scene_parse(text, strlen(text), "t.json", ".", &scene, NULL);
		assert_int_equal(result == OZ_OK, oz_model_has((oz_model)m, OZ_TRAIT_ALPHA));
		oz_scene_free(scene);
	}
}

static void models_that_are_poured_take_an_emitter(void **state)
{
	(void)state;
	check_trait(OZ_TRAIT_POURED, "\"emitters\": [{\"material\": \"goo\"}]",
	            "which has one rest shape from the start");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(any_model_makes_a_body),
	        cmocka_unit_test(models_that_join_take_a_join),
	        cmocka_unit_test(models_that_handles_hold_are_held),
	        cmocka_unit_test(models_with_alpha_take_it_over_space_and_time),
	        cmocka_unit_test(models_that_are_poured_take_an_emitter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
