// traits.c: the table of traits; see traits.h.
#include "models/traits.h"

#include <stdio.h>
#include <string.h>

static const oz_model_traits table[OZ_MODEL_COUNT] = {
        [OZ_FLUID] = {"fluid", "a fluid", "fluids", "viscosity", OZ_TRAIT_POURED | OZ_TRAIT_FLOWS},
        [OZ_BLEND] = {"blend", "a blend", "blends", "viscosity",
                      OZ_TRAIT_SHAPED | OZ_TRAIT_ALPHA | OZ_TRAIT_POURED | OZ_TRAIT_FLOWS},
        [OZ_COROTATED] = {"corotated", "an elastic solid", "elastic solids", "young_modulus",
                          OZ_TRAIT_SHAPED | OZ_TRAIT_JOINS | OZ_TRAIT_HELD},
        [OZ_RIGID] = {"rigid", "a rigid body", "rigid bodies", "friction",
                      OZ_TRAIT_SHAPED | OZ_TRAIT_AXLE | OZ_TRAIT_JOINS},
        [OZ_LINKS] = {"links", "a fluid with links", "fluids with links", "shear_modulus",
                      OZ_TRAIT_POURED | OZ_TRAIT_FLOWS | OZ_TRAIT_DRAWN},
        [OZ_POLYMER] = {"polymer", "a polymer solution", "polymer solutions", "viscosity",
                        OZ_TRAIT_POURED | OZ_TRAIT_FLOWS | OZ_TRAIT_DRAWN},
        [OZ_MEMBRANE] = {"membrane", "a membrane", "membranes", "young_modulus",
                         OZ_TRAIT_SHAPED | OZ_TRAIT_SKIN},
};

_Static_assert(OZ_MODEL_COUNT <= 32, "a mask of models has 32 bits");

const oz_model_traits *oz_model_traits_of(oz_model model)
{
	return (unsigned)model < OZ_MODEL_COUNT ? &table[model] : NULL;
}

bool oz_model_has(oz_model model, uint32_t trait)
{
	const oz_model_traits *traits = oz_model_traits_of(model);
	return traits && (traits->traits & trait) == trait;
}

uint32_t oz_models_with(uint32_t trait)
{
	uint32_t models = 0;
	for (uint32_t m = 0; m < OZ_MODEL_COUNT; m++)
		models |= (uint32_t)oz_model_has((oz_model)m, trait) << m;
	return models;
}

bool oz_models_include(uint32_t models, oz_model model)
{
	return models == 0 || ((unsigned)model < OZ_MODEL_COUNT && (models >> model & 1));
}

// the string member of a model's row at an offset
static const char *name_at(uint32_t model, size_t offset)
{
	const char *name;
	memcpy(&name, (const char *)&table[model] + offset, sizeof name);
	return name;
}

// writes one name of each model in a mask: "blend, corotated or rigid"
static void join_names(uint32_t models, size_t offset, char *text, size_t size)
{
	const uint32_t known = models & ((1u << OZ_MODEL_COUNT) - 1);
	size_t used = 0;
	text[0] = 0;
	for (uint32_t m = 0; m < OZ_MODEL_COUNT; m++)
		if ((known >> m & 1) && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s",
			                         !used             ? ""
			                         : known >> m == 1 ? " or "
			                                           : ", ",
			                         name_at(m, offset));
}

void oz_models_words(uint32_t models, char *text, size_t size)
{
	join_names(models, offsetof(oz_model_traits, word), text, size);
}

void oz_models_nouns(uint32_t models, char *text, size_t size)
{
	join_names(models, offsetof(oz_model_traits, noun), text, size);
}

void oz_models_plurals(uint32_t models, char *text, size_t size)
{
	join_names(models, offsetof(oz_model_traits, plural), text, size);
}

float oz_material_resistance(const oz_material_def *def, const oz_param **row)
{
	uint32_t count;
	float value;
	const oz_model_traits *traits = oz_model_traits_of(def->model);
	const char *name = traits ? traits->resistance : "viscosity";
	*row = oz_params(OZ_PARAMS_MATERIAL, &count);
	while (count-- > 1 && strcmp((*row)->name, name) != 0)
		++*row;
	memcpy(&value, (const char *)def + (*row)->offset, sizeof value);
	return value;
}
