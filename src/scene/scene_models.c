// scene_models.c: keys that are for materials of some models alone.
//
// Which models read a parameter is a column of the parameter table. Keys that only scene files know
// name the trait that the model must have. A key of another model is refused: it would change
// nothing.

#include "models/traits.h"
#include "scene_data.h"

static uint32_t models_with(uint32_t trait)
{
	return trait ? oz_models_with(trait) : 0;
}

uint32_t oz_row_models(const section_part *part, const oz_param *row)
{
	return row->models ? row->models : models_with(part->trait);
}

uint32_t oz_section_models(const scene_section *section)
{
	return models_with(section->trait);
}

uint32_t oz_key_models(const scene_section *section, const char *key)
{
	const section_part *part;
	const oz_param *row = oz_section_find(section, key, &part);
	const section_child *child = oz_section_child(section, key);
	return row ? oz_row_models(part, row) : child ? oz_section_models(child->section) : 0;
}

// fails for a key that the model does not read, and names the models that do
static oz_result refuse(scene_reader *reader, const scene_section *section, const oz_json *value,
                        uint32_t models, oz_model model)
{
	char owners[100];
	const char *noun = oz_model_traits_of(model)->noun;
	uint32_t first = 0;
	while (!(models >> first & 1))
		first++;
	const section_part *part;
	oz_models_plurals(models, owners, sizeof owners);
	if (section == &oz_section_material &&
	    oz_section_find(&oz_section_collider, value->key, &part))
		return oz_read_fail_key(reader, value,
		                        "is for %s, and this is %s; take it away or give it to the "
		                        "collider",
		                        owners, noun);
	if (section == &oz_section_material)
		return oz_read_fail_key(reader, value,
		                        "is for %s, and this is %s; take it away or add "
		                        "\"model\": \"%s\"",
		                        owners, noun, oz_model_traits_of((oz_model)first)->word);
	return oz_read_fail_key(reader, value,
	                        "is for %s, and the material is %s; take it away or use another "
	                        "material",
	                        owners, noun);
}

oz_result oz_refuse_other_models(scene_reader *reader, const scene_section *section,
                                 const oz_json *object, oz_model model)
{
	for (const oz_json *one = oz_json_first(object); one; one = oz_json_next(one)) {
		const uint32_t models = oz_key_models(section, one->key);
		if (!oz_models_include(models, model))
			return refuse(reader, section, one, models, model);
	}
	return OZ_OK;
}
