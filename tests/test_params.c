// test_params.c: the parameter table makes defaults and range checks, and is itself in order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ooze/ooze.h"
#include "ooze/surface.h"
#include "params/params.h"

// room for any definition, aligned for all of them
typedef union any_def {
	oz_world_def world;
	oz_material_def material;
	oz_shape shape;
	oz_body_def body;
	oz_collider_def collider;
	oz_emitter_def emitter;
	oz_keyframe keyframe;
	oz_surface_def surface;
	oz_region_def region;
} any_def;

static uint32_t component_count(const oz_param *row)
{
	return row->type == OZ_PARAM_VEC3 ? 3 : row->type == OZ_PARAM_QUAT ? 4 : 1;
}

static bool has_floats(const oz_param *row)
{
	return row->type == OZ_PARAM_FLOAT || row->type == OZ_PARAM_VEC3 ||
	       row->type == OZ_PARAM_QUAT;
}

static void every_default_is_inside_its_range(void **state)
{
	(void)state;
	for (int group = 0; group < OZ_PARAMS_COUNT; group++) {
		any_def def;
		oz_error error = {OZ_OK, ""};
		memset(&def, 0xff, sizeof def);
		oz_params_default((oz_param_group)group, &def);
		oz_result result = oz_params_check((oz_param_group)group, &def, "x", &error);
		if (result != OZ_OK)
			print_error("%s\n", error.text);
		assert_int_equal(result, OZ_OK);
	}
}

static void every_row_is_told_apart_and_described(void **state)
{
	(void)state;
	for (int group = 0; group < OZ_PARAMS_COUNT; group++) {
		uint32_t count;
		const oz_param *rows = oz_params((oz_param_group)group, &count);
		assert_true(count > 0);
		assert_true(strlen(oz_params_name((oz_param_group)group)) > 0);
		for (uint32_t i = 0; i < count; i++) {
			assert_true(strlen(rows[i].sentence) > 10);
			assert_non_null(rows[i].unit);
			for (uint32_t j = 0; j < i; j++) {
				assert_string_not_equal(rows[i].name, rows[j].name);
				assert_true(rows[i].offset != rows[j].offset);
			}
		}
	}
}

static void every_choice_has_a_word(void **state)
{
	(void)state;
	for (int group = 0; group < OZ_PARAMS_COUNT; group++) {
		uint32_t count;
		const oz_param *rows = oz_params((oz_param_group)group, &count);
		for (uint32_t i = 0; i < count; i++) {
			char word[OZ_NAME_SIZE];
			if (rows[i].type != OZ_PARAM_CHOICE)
				continue;
			for (uint32_t k = 0; k <= (uint32_t)rows[i].max; k++) {
				assert_true(oz_param_choice_word(&rows[i], k, word, sizeof word));
				assert_int_equal(oz_param_choice(&rows[i], word, strlen(word)), k);
			}
			assert_false(oz_param_choice_word(&rows[i], (uint32_t)rows[i].max + 1, word,
			                                  sizeof word));
			assert_int_equal(oz_param_choice(&rows[i], "nonsense", 8), -1);
		}
	}
}

static void set_float(void *def, const oz_param *row, uint32_t component, float value)
{
	memcpy((char *)def + row->offset + component * sizeof value, &value, sizeof value);
}

static void refuse_float(oz_param_group group, const oz_param *row, uint32_t component, float value)
{
	any_def def;
	oz_error error = {OZ_OK, ""};
	char begin[100];
	memset(&def, 0, sizeof def);
	oz_params_default(group, &def);
	set_float(&def, row, component, value);
	assert_int_equal(oz_params_check(group, &def, "here", &error), OZ_ERROR_RANGE);
	snprintf(begin, sizeof begin, "here.%s is ", row->name);
	assert_memory_equal(error.text, begin, strlen(begin));
}

static void values_outside_their_range_are_refused(void **state)
{
	(void)state;
	for (int group = 0; group < OZ_PARAMS_COUNT; group++) {
		uint32_t count;
		const oz_param *rows = oz_params((oz_param_group)group, &count);
		for (uint32_t i = 0; i < count; i++) {
			for (uint32_t c = 0; has_floats(&rows[i]) && c < component_count(&rows[i]);
			     c++) {
				oz_param_group g = (oz_param_group)group;
				refuse_float(g, &rows[i], c, NAN);
				refuse_float(g, &rows[i], c, INFINITY);
				refuse_float(g, &rows[i], c, -INFINITY);
				refuse_float(g, &rows[i], c, nextafterf((float)rows[i].max, 2e30f));
				refuse_float(g, &rows[i], c,
				             nextafterf((float)rows[i].min, -2e30f));
			}
		}
	}
}

static void the_sentence_tells_value_range_and_unit(void **state)
{
	(void)state;
	oz_world_def def;
	oz_error error;
	memset(&def, 0, sizeof def);
	oz_params_default(OZ_PARAMS_WORLD, &def);
	def.spacing = -0.1f;
	assert_int_equal(oz_params_check(OZ_PARAMS_WORLD, &def, "world", &error), OZ_ERROR_RANGE);
	assert_string_equal(error.text,
	                    "world.spacing is -0.1 m; it must be between 1e-05 and 1000 m");
	def.spacing = 0.02f;
	def.gravity.y = INFINITY;
	assert_int_equal(oz_params_check(OZ_PARAMS_WORLD, &def, "world", &error), OZ_ERROR_RANGE);
	assert_string_equal(error.text, "world.gravity is [0, inf, 0] m/s²; each number must be "
	                                "between -1e+06 and 1e+06 m/s²");
	def.gravity.y = 0;
	def.eos = (oz_eos)7;
	assert_int_equal(oz_params_check(OZ_PARAMS_WORLD, &def, "world", &error), OZ_ERROR_RANGE);
	assert_string_equal(error.text, "world.eos is 7; it must be one of: linear, tait");
}

static void fields_that_do_not_fit_each_other_are_refused(void **state)
{
	(void)state;
	oz_world_def world;
	oz_emitter_def emitter;
	memset(&world, 0, sizeof world);
	memset(&emitter, 0, sizeof emitter);
	oz_params_default(OZ_PARAMS_WORLD, &world);
	oz_params_default(OZ_PARAMS_EMITTER, &emitter);
	world.bounds_min.z = 2e8f;
	world.bounds_max.z = 1e8f;
	assert_int_equal(oz_params_check(OZ_PARAMS_WORLD, &world, "w", NULL), OZ_ERROR_RANGE);
	emitter.direction = (oz_vec3){0, 0, 0};
	assert_int_equal(oz_params_check(OZ_PARAMS_EMITTER, &emitter, "e", NULL), OZ_ERROR_RANGE);
}

static void names_must_end(void **state)
{
	(void)state;
	oz_body_def body;
	memset(&body, 0, sizeof body);
	oz_params_default(OZ_PARAMS_BODY, &body);
	memset(body.name, 'a', sizeof body.name);
	assert_int_equal(oz_params_check(OZ_PARAMS_BODY, &body, "b", NULL), OZ_ERROR_RANGE);
	body.name[OZ_NAME_SIZE - 1] = 0;
	assert_int_equal(oz_params_check(OZ_PARAMS_BODY, &body, "b", NULL), OZ_OK);
}

static void groups_that_do_not_exist_are_answered(void **state)
{
	(void)state;
	uint32_t count = 5;
	any_def def;
	assert_null(oz_params(OZ_PARAMS_COUNT, &count));
	assert_int_equal(count, 0);
	assert_string_equal(oz_params_name((oz_param_group)99), "");
	oz_params_default((oz_param_group)99, &def);
	assert_int_equal(oz_params_check((oz_param_group)99, &def, "x", NULL), OZ_ERROR_ARGUMENT);
	assert_int_equal(oz_params_check(OZ_PARAMS_WORLD, NULL, "x", NULL), OZ_ERROR_ARGUMENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_default_is_inside_its_range),
	        cmocka_unit_test(every_row_is_told_apart_and_described),
	        cmocka_unit_test(every_choice_has_a_word),
	        cmocka_unit_test(values_outside_their_range_are_refused),
	        cmocka_unit_test(the_sentence_tells_value_range_and_unit),
	        cmocka_unit_test(fields_that_do_not_fit_each_other_are_refused),
	        cmocka_unit_test(names_must_end),
	        cmocka_unit_test(groups_that_do_not_exist_are_answered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
