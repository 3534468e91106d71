// test_json.c: JSON texts become trees with places, trees of values become texts, and numbers keep
// every bit on the way.
#include <locale.h>

#include "support.h"
#include "json/json.h"
#include "json/number.h"

// ---- memory -----------------------------------------------------------------------------------

// The linker sends calls of malloc and realloc here (tests/CMakeLists.txt).
void *__real_malloc(size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *block, size_t size);

static long granted = -1; // calls before the one that is refused; -1: none is

static bool is_refused(void)
{
	return granted >= 0 && granted-- == 0;
}

void *__wrap_malloc(size_t size)
{
	return is_refused() ? NULL : __real_malloc(size);
}

void *__wrap_realloc(void *block, size_t size)
{
	return is_refused() ? NULL : __real_realloc(block, size);
}

static oz_json_doc parse(const char *text)
{
	oz_json_doc doc;
	oz_error error;
	if (oz_json_read(&doc, "t.json", text, strlen(text), NULL, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return doc;
}

static void expect_refused(const char *text, const char *sentence)
{
	oz_json_doc doc;
	oz_error error;
	assert_int_not_equal(oz_json_read(&doc, "t.json", text, strlen(text), NULL, &error), OZ_OK);
	assert_null(doc.root);
	assert_string_equal(error.text, sentence);
}

// ---- reading ----------------------------------------------------------------------------------

static void every_value_knows_its_place(void **state)
{
	(void)state;
	oz_json_doc doc =
	        parse("{ \"a\": 1,\n\t\"bé\": [ true, \"x\" ],\n \"ö\": {\"c\":\n null} }");
	const oz_json *a = oz_json_get(doc.root, "a"), *b = oz_json_get(doc.root, "bé");
	const oz_json *c = oz_json_get(oz_json_get(doc.root, "ö"), "c");
	assert_true(a->key_at.line == 1 && a->key_at.column == 3 && a->at.column == 8);
	assert_true(b->key_at.line == 2 && b->key_at.column == 2 && b->at.column == 8);
	assert_true(oz_json_item(b, 1)->at.line == 2 && oz_json_item(b, 1)->at.column == 16);
	assert_true(c->key_at.line == 3 && c->key_at.column == 8);
	assert_true(c->at.line == 4 && c->at.column == 2 && c->kind == OZ_JSON_NULL);
	oz_json_free(&doc);
}

static void the_tree_is_walked_both_ways(void **state)
{
	(void)state;
	char path[100];
	oz_json_doc doc = parse("{\"list\": [[], {\"deep\": [1, 2]}, {}], \"last\": false}");
	const oz_json *list = oz_json_get(doc.root, "list"), *deep;
	assert_int_equal(list->count, 3);
	deep = oz_json_get(oz_json_item(list, 1), "deep");
	assert_true(oz_json_item(deep, 1)->number == 2);
	oz_json_path(oz_json_item(deep, 1), "all", path, sizeof path);
	assert_string_equal(path, "list[1].deep[1]");
	oz_json_path(doc.root, "all", path, sizeof path);
	assert_string_equal(path, "all");
	assert_ptr_equal(oz_json_parent(deep), oz_json_item(list, 1));
	assert_string_equal(oz_json_next(list)->key, "last");
	assert_null(oz_json_next(oz_json_next(list)));
	assert_null(oz_json_item(list, 3));
	assert_null(oz_json_first(oz_json_item(list, 0)));
	assert_null(oz_json_get(list, "list"));
	assert_null(oz_json_get(NULL, "list"));
	oz_json_free(&doc);
}

static void comments_stand_wherever_blanks_do(void **state)
{
	(void)state;
	oz_json_doc doc = parse("\xef\xbb\xbf// first\n/* a */ { /**/ \"a\" /* \" */ : // 1\n"
	                        "/* ** / */ [ /*,*/ 1 // ]\n, /* [ */ 2 ] /* é */ , \"b\": \"//\" "
	                        "/* c */ } // end");
	assert_int_equal(oz_json_get(doc.root, "a")->count, 2);
	assert_string_equal(oz_json_get(doc.root, "b")->text, "//");
	assert_int_equal(oz_json_get(doc.root, "b")->at.column, 30);
	oz_json_free(&doc);
	expect_refused("[1 /* ",
	               "t.json:1:4: a comment begins with /* and never ends; close it with "
	               "*/");
	expect_refused("[1 /*/ ]", "t.json:1:4: a comment begins with /* and never ends; close it "
	                           "with */");
}

static void escapes_become_characters(void **state)
{
	(void)state;
	oz_json_doc doc =
	        parse("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\"]");
	const oz_json *second = oz_json_item(doc.root, 1);
	assert_string_equal(oz_json_item(doc.root, 0)->text, "\"\\/\b\f\n\r\t");
	assert_string_equal(second->text, "Aé€\xf0\x9f\x98\x80");
	assert_int_equal(second->count, 10);
	assert_int_equal(second->at.column, 22);
	oz_json_free(&doc);
}

static void what_is_not_json_is_refused(void **state)
{
	(void)state;
	expect_refused("", "t.json:1:1: expected a value (a number, text in double quotes, true, "
	                   "false, [ or {) but found the end of the text");
	expect_refused("[1,\n2",
	               "t.json:2:2: expected a comma or ] in the list but found the end of "
	               "the text");
	expect_refused("[01]", "t.json:1:2: a number must not begin with 0; take it away");
	// a decimal comma, where it can be told from a list of whole numbers
	expect_refused("{\"a\": -0,02}",
	               "t.json:1:10: a decimal number has a point, not a comma: write -0.02");
	expect_refused("[12,05]",
	               "t.json:1:5: a decimal number has a point, not a comma: write 12.05");
	expect_refused("[1.5,02]", "t.json:1:6: a number must not begin with 0; take it away");
	expect_refused("{\"a\": 1, 2}", "t.json:1:10: expected a key in double quotes but found 2");
	expect_refused("[-]", "t.json:1:3: expected a digit but found ]");
	expect_refused("[\"\xed\xa0\x80\"]", "t.json:1:3: the text is not UTF-8; save the file as "
	                                     "UTF-8");
	expect_refused("{\"a\":1,\"b\":2,\n\"a\":3}",
	               "t.json:2:1: a is given twice, first in line 1; keep one of them");
	expect_refused("[1e400]",
	               "t.json:1:2: [0] is 1e400; a number must be between -1.79e308 and 1.79e308");
	expect_refused("true false", "t.json:1:6: expected nothing after the value but found f");
}

static void nesting_and_numbers_of_values_are_limited(void **state)
{
	(void)state;
	static const oz_json_rules rules = {.noun = "it",
	                                    .remedy = "split it",
	                                    .depth = 3,
	                                    .values = 5,
	                                    .code = OZ_ERROR_FILE};
	oz_json_doc doc;
	oz_error error;
	assert_int_equal(oz_json_read(&doc, "t", "[[[1]], 2]", 10, &rules, &error), OZ_OK);
	oz_json_free(&doc);
	assert_int_equal(oz_json_read(&doc, "t", "[[[[", 4, &rules, &error), OZ_ERROR_FILE);
	assert_string_equal(error.text, "t:1:4: lists and objects are nested more than 3 deep");
	assert_int_equal(oz_json_read(&doc, "t", "[1,2,3,4,5]", 11, &rules, &error), OZ_ERROR_FILE);
	assert_string_equal(error.text, "t:1:10: it holds too many values; split it");
}

static void an_object_of_many_keys_is_read_quickly(void **state)
{
	(void)state;
	const uint32_t count = 200000;
	char *text = malloc(count * 20), *at = text;
	assert_non_null(text);
	for (uint32_t i = 0; i < count; i++)
		at += sprintf(at, "%c\"k%u\":%u", i ? ',' : '{', i * 7919u % count, i);
	sprintf(at, "}");
	oz_json_doc doc = parse(text);
	assert_int_equal(doc.root->count, count);
	oz_json_free(&doc);
	free(text);
}

// a list long enough that the nodes grow, and an object whose keys are sorted
static void every_refused_allocation_is_told(void **state)
{
	(void)state;
	char text[2000] = "{\"a\": {\"b\": 1, \"c\": 2}, \"list\": [0", *at = text + strlen(text);
	for (int i = 0; i < 300; i++)
		at += sprintf(at, ",%d", i % 10);
	strcpy(at, "]}");
	for (long k = 0;; k++) {
		oz_json_doc doc;
		oz_json_text written;
		oz_error error = {OZ_OK, ""};
		granted = k;
		oz_result result = oz_json_read(&doc, "t.json", text, strlen(text), NULL, &error);
		oz_json_writer w = oz_json_to_text(&written, OZ_JSON_PRETTY);
		for (int i = 0; i < 300 && result == OZ_OK; i++)
			oz_json_put_count(&w, NULL, 1);
		if (result == OZ_OK)
			result = oz_json_finish(&w, &error);
		const bool refused = granted < 0;
		granted = -1;
		oz_json_free(&doc);
		free(written.bytes);
		assert_int_equal(result, refused ? OZ_ERROR_MEMORY : OZ_OK);
		assert_int_equal(error.text[0] != 0, refused);
		if (!refused) {
			assert_true(k > 6);
			return;
		}
	}
}

// ---- numbers ----------------------------------------------------------------------------------

static uint64_t random_bits(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static void expect_double(double value)
{
	char text[OZ_NUMBER_SIZE + 1];
	const size_t length = oz_number_double(text, value);
	const double back = oz_number_read(text, length);
	text[length] = 0;
	if (memcmp(&back, &value, sizeof value) != 0)
		fail_msg("%a is written as %s and read as %a", value, text, back);
}

static void expect_float(float value)
{
	char text[OZ_NUMBER_SIZE + 1];
	const size_t length = oz_number_float(text, value);
	const float back = (float)oz_number_read(text, length);
	text[length] = 0;
	if (memcmp(&back, &value, sizeof value) != 0)
		fail_msg("%a is written as %s and read as %a", (double)value, text, (double)back);
}

static void check_numbers(void)
{
	uint64_t seed = 88172645463325252u;
	for (int i = 0; i < 200000; i++) {
		const uint64_t bits = random_bits(&seed);
		const uint32_t half = (uint32_t)(bits >> 20);
		double value;
		float single;
		memcpy(&value, &bits, sizeof value);
		memcpy(&single, &half, sizeof single);
		if (isfinite(value))
			expect_double(value);
		if (isfinite(single) && fpclassify(single) != FP_ZERO)
			expect_float(single);
		expect_double((double)(int64_t)(bits >> 40) / 1000);
	}
	expect_double(5e-324);
	expect_double(1.7976931348623157e308);
	expect_float(1e-45f);
	expect_float(3.4028235e38f);
}

static void numbers_read_back_to_the_same_bits_in_every_locale(void **state)
{
	(void)state;
	static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8"};
	for (size_t i = 0; i < sizeof locales / sizeof locales[0]; i++)
		if (setlocale(LC_ALL, locales[i]))
			check_numbers();
	setlocale(LC_ALL, "C");
}

static void decimal_texts_are_read_to_the_nearest_double(void **state)
{
	(void)state;
	uint64_t seed = 1234567;
	char text[80];
	for (int i = 0; i < 200000; i++) {
		const uint64_t bits = random_bits(&seed);
		const int length =
		        snprintf(text, sizeof text, "%s%u.%0*llue%d", bits & 1 ? "-" : "",
		                 (unsigned)(bits >> 50), (int)(bits >> 8 & 15),
		                 (unsigned long long)(random_bits(&seed) >> (bits >> 16 & 63)),
		                 (int)(bits >> 24 & 63) - 32);
		const double expected = strtod(text, NULL);
		const double got = oz_number_read(text, (size_t)length);
		if (memcmp(&expected, &got, sizeof got) != 0)
			fail_msg("%s is read as %a, not as %a", text, got, expected);
	}
	assert_true(oz_number_read("1e-999", 6) == 0);
	assert_true(oz_number_read("0e99999999999", 13) == 0);
	assert_true(isinf(oz_number_read("1e99999999999", 13)));
	assert_true(signbit(oz_number_read("-0", 2)));
}

// ---- writing ----------------------------------------------------------------------------------

static void write_sample(oz_json_writer *w)
{
	oz_json_begin_object(w, NULL);
	oz_json_put_text(w, "text", "a\"\\\n\x01é\xff/");
	oz_json_put_floats(w, "row", (const float[]){0.1f, -0.0f, 1e-9f}, 3);
	oz_json_begin_list(w, "list");
	oz_json_put_number(w, NULL, 1.0 / 3);
	oz_json_put_number(w, NULL, INFINITY);
	oz_json_begin_record(w, NULL);
	oz_json_put_bool(w, "b", true);
	oz_json_put_rounded(w, "r", 1.23456, 2);
	oz_json_end(w);
	oz_json_end(w);
	oz_json_begin_list(w, "empty");
	oz_json_end(w);
	oz_json_put_count(w, "count", UINT64_MAX);
	oz_json_put_null(w, "none");
	oz_json_end(w);
}

static void expect_layout(oz_json_layout layout, const char *expected)
{
	oz_json_text text;
	oz_json_writer w = oz_json_to_text(&text, layout);
	write_sample(&w);
	assert_int_equal(oz_json_finish(&w, NULL), OZ_OK);
	assert_string_equal(text.bytes, expected);
	assert_int_equal(text.length, strlen(expected));
	oz_json_doc doc = parse(text.bytes);
	assert_string_equal(oz_json_get(doc.root, "text")->text, "a\"\\\n\x01é\xef\xbf\xbd/");
	oz_json_free(&doc);
	free(text.bytes);
}

static void each_layout_is_as_it_is_told(void **state)
{
	(void)state;
	expect_layout(OZ_JSON_COMPACT,
	              "{\"text\":\"a\\\"\\\\\\n\\u0001é\xef\xbf\xbd/\",\"row\":[0.1,-0.0,1e-9],"
	              "\"list\":[0.3333333333333333,null,{\"b\":true,\"r\":1.23}],\"empty\":[],"
	              "\"count\":18446744073709551615,\"none\":null}");
	expect_layout(OZ_JSON_LINE,
	              "{\"text\": \"a\\\"\\\\\\n\\u0001é\xef\xbf\xbd/\", \"row\": [0.1, -0.0, "
	              "1e-9], \"list\": [0.3333333333333333, null, {\"b\": true, \"r\": 1.23}], "
	              "\"empty\": [], \"count\": 18446744073709551615, \"none\": null}\n");
	expect_layout(OZ_JSON_PRETTY,
	              "{\n\t\"text\": \"a\\\"\\\\\\n\\u0001é\xef\xbf\xbd/\",\n"
	              "\t\"row\": [0.1, -0.0, 1e-9],\n\t\"list\": [\n\t\t0.3333333333333333,\n"
	              "\t\tnull,\n\t\t{\"b\": true, \"r\": 1.23}\n\t],\n\t\"empty\": [],\n"
	              "\t\"count\": 18446744073709551615,\n\t\"none\": null\n}\n");
}

static void what_is_written_wrongly_is_told(void **state)
{
	(void)state;
	oz_json_text text;
	oz_error error;
	oz_json_writer w = oz_json_to_text(&text, OZ_JSON_LINE);
	oz_json_begin_list(&w, NULL);
	assert_int_equal(oz_json_finish(&w, &error), OZ_ERROR_ARGUMENT);
	free(text.bytes);
	w = oz_json_to_text(&text, OZ_JSON_LINE);
	oz_json_end(&w);
	assert_int_equal(oz_json_finish(&w, &error), OZ_ERROR_ARGUMENT);
	free(text.bytes);
	w = oz_json_to_text(&text, OZ_JSON_LINE);
	for (int i = 0; i < 2 * OZ_JSON_DEPTH; i++)
		oz_json_begin_list(&w, NULL);
	for (int i = 0; i < 2 * OZ_JSON_DEPTH; i++)
		oz_json_end(&w);
	assert_int_equal(oz_json_finish(&w, &error), OZ_ERROR_RANGE);
	free(text.bytes);
	FILE *full = fopen("/dev/full", "w");
	if (!full)
		return;
	setvbuf(full, NULL, _IONBF, 0);
	w = oz_json_to_stream(full, OZ_JSON_LINE);
	oz_json_put_bool(&w, NULL, true);
	assert_int_equal(oz_json_finish(&w, &error), OZ_ERROR_FILE);
	fclose(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_value_knows_its_place),
	        cmocka_unit_test(the_tree_is_walked_both_ways),
	        cmocka_unit_test(comments_stand_wherever_blanks_do),
	        cmocka_unit_test(escapes_become_characters),
	        cmocka_unit_test(what_is_not_json_is_refused),
	        cmocka_unit_test(nesting_and_numbers_of_values_are_limited),
	        cmocka_unit_test(an_object_of_many_keys_is_read_quickly),
	        cmocka_unit_test(every_refused_allocation_is_told),
	        cmocka_unit_test(numbers_read_back_to_the_same_bits_in_every_locale),
	        cmocka_unit_test(decimal_texts_are_read_to_the_nearest_double),
	        cmocka_unit_test(each_layout_is_as_it_is_told),
	        cmocka_unit_test(what_is_written_wrongly_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
