// traits.h: the names of a model and its traits, for the rooms above.
//
// Code that tests a trait needs no change when a model is added: the new model is a row in
// traits.c. A set of models is a mask: bit m stands for model m, as in oz_param.models.
#ifndef OZ_TRAITS_H
#define OZ_TRAITS_H

#include "ooze/ooze.h"

enum {
	OZ_TRAIT_SHAPED = 1 << 0, // keeps a reference shape
	OZ_TRAIT_JOINS = 1 << 1,  // its bodies can be joined
	OZ_TRAIT_HELD = 1 << 2,   // handles can hold it
	OZ_TRAIT_ALPHA = 1 << 3, // alpha, the share of the fluid, is set per particle and over time
	OZ_TRAIT_POURED = 1 << 4, // an emitter can emit it
	OZ_TRAIT_FLOWS =
	        1 << 5, // pressure acts on it always; else only in contact with other bodies
	OZ_TRAIT_AXLE = 1 << 6, // its bodies can be given an axis about which alone they rotate
	OZ_TRAIT_SKIN = 1 << 7, // its bodies are closed surfaces: particles lie on a mesh
	// its bodies are stretched far: on a lattice they part along its planes, so that scenes
	// fill them with blue noise
	OZ_TRAIT_DRAWN = 1 << 8,
};

typedef struct oz_model_traits {
	const char *word;       // in scenes: "corotated"
	const char *noun;       // "an elastic solid"
	const char *plural;     // "elastic solids"
	const char *resistance; // name of the parameter that oz_material_resistance returns
	uint32_t traits;        // OZ_TRAIT_…
} oz_model_traits;

// The traits of a model; NULL for a number that is no model.
const oz_model_traits *oz_model_traits_of(oz_model model);
// Whether a model has a trait; false for a number that is no model.
bool oz_model_has(oz_model model, uint32_t trait);
// The mask of all models that have a trait.
uint32_t oz_models_with(uint32_t trait);

// Whether a mask includes a model; an empty mask includes all.
bool oz_models_include(uint32_t models, oz_model model);
// Writes the words of the models in a mask, as "fluid or blend".
void oz_models_words(uint32_t models, char *text, size_t size);
// Writes their nouns, as "a fluid or a blend".
void oz_models_nouns(uint32_t models, char *text, size_t size);
// Writes their plurals, as "fluids or blends".
void oz_models_plurals(uint32_t models, char *text, size_t size);

// The value of the parameter that measures how much a material resists deformation (its viscosity
// or Young's modulus); *row gets the parameter's row.
float oz_material_resistance(const oz_material_def *def, const oz_param **row);

#endif
