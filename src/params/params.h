// params.h: functions for single rows of parameter tables, used by higher rooms.
#ifndef OZ_PARAMS_H
#define OZ_PARAMS_H

#include "ooze/ooze.h"

// Makes a row of a table. `holder` is the struct that has the field; `value` is in parentheses;
// `models` is a mask of the models that read the parameter, 0: all; then the sentence and, if the
// row has one, the hint.
#define OZ_PARAM_ROW_OF(holder, field, name_, type_, unit_, value_, min_, max_, choices_, models_, \
                        ...)                                                                       \
	{.name = name_,                                                                            \
	 .type = OZ_PARAM_##type_,                                                                 \
	 .unit = unit_,                                                                            \
	 .value = OZ_PARAM_VALUE value_,                                                           \
	 .min = min_,                                                                              \
	 .max = max_,                                                                              \
	 .choices = choices_,                                                                      \
	 .offset = offsetof(holder, field),                                                        \
	 .models = models_,                                                                        \
	 .sentence = __VA_ARGS__},
// The same for tables without the column `models`: all models read the parameter.
#define OZ_PARAM_ROW(holder, field, name, type, unit, value, min, max, choices, ...)               \
	OZ_PARAM_ROW_OF(holder, field, name, type, unit, value, min, max, choices, 0, __VA_ARGS__)
#define OZ_PARAM_VALUE(...)                                                                        \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}

// Sets one field to its default.
void oz_param_default(const oz_param *row, void *def);
// Checks that one field is in its range; the error sentence begins "WHERE.NAME".
oz_result oz_param_check(const oz_param *row, const void *def, const char *where, oz_error *error);
// As oz_params_check; *bad gets the row of the wrong parameter, NULL if all are right.
oz_result oz_params_find_bad(oz_param_group group, const void *def, const char *where,
                             const oz_param **bad, oz_error *error);

// Returns the index of the word (`length` bytes) in a row's choices, -1 if it is not one of them.
int oz_param_choice(const oz_param *row, const char *word, size_t length);
// Copies choice `index` into `word`; false if there is none.
bool oz_param_choice_word(const oz_param *row, uint32_t index, char *word, size_t size);
// Writes the choices as "linear, tait".
void oz_param_choices_text(const oz_param *row, char *text, size_t size);

#endif
