// appearance.c: the appearance of a material, from its name where the scene does not give it.
//
// Clear liquids have a tint: the colour of white light after `depth` metres. Opaque ones (milk,
// paint, lava) are diffuse below a glossy surface.
#include <string.h>

#include "math/vec.h"
#include "render/render.h"

typedef struct kind {
	const char *word; // found anywhere in the name
	oz_look look;
	float colour[3]; // sRGB; negative: oz_colour_material of the word
	float share;     // `depth` over the scene's size
} kind;

// the first match is used, so "motor oil" comes before "oil"
static const kind kinds[] = {
        {"milk", OZ_LOOK_PLASTIC, {-1, 0, 0}, 0},
        {"cream", OZ_LOOK_PLASTIC, {0.95f, 0.91f, 0.80f}, 0},
        {"toothpaste", OZ_LOOK_PLASTIC, {0.86f, 0.95f, 0.97f}, 0},
        {"paint", OZ_LOOK_PLASTIC, {-1, 0, 0}, 0},
        {"lava", OZ_LOOK_PLASTIC, {-1, 0, 0}, 0},
        {"ketchup", OZ_LOOK_PLASTIC, {0.72f, 0.09f, 0.05f}, 0},
        {"mustard", OZ_LOOK_PLASTIC, {0.80f, 0.58f, 0.08f}, 0},
        {"mayonnaise", OZ_LOOK_PLASTIC, {0.95f, 0.90f, 0.70f}, 0},
        {"yoghurt", OZ_LOOK_PLASTIC, {0.96f, 0.95f, 0.91f}, 0},
        {"chocolate", OZ_LOOK_PLASTIC, {0.27f, 0.14f, 0.08f}, 0},
        {"concrete", OZ_LOOK_MATTE, {0.56f, 0.55f, 0.53f}, 0},
        {"mud", OZ_LOOK_MATTE, {0.36f, 0.26f, 0.17f}, 0},
        {"clay", OZ_LOOK_MATTE, {0.70f, 0.45f, 0.33f}, 0},
        {"sand", OZ_LOOK_MATTE, {0.80f, 0.68f, 0.48f}, 0},
        {"dough", OZ_LOOK_MATTE, {0.93f, 0.84f, 0.67f}, 0},
        {"mercury", OZ_LOOK_PLASTIC, {-1, 0, 0}, 0},
        {"rubber duck", OZ_LOOK_PLASTIC, {0.98f, 0.78f, 0.10f}, 0},
        {"rubber", OZ_LOOK_PLASTIC, {0.10f, 0.42f, 0.40f}, 0},
        {"marshmallow", OZ_LOOK_MATTE, {0.96f, 0.82f, 0.85f}, 0},
        {"chewing gum", OZ_LOOK_PLASTIC, {0.93f, 0.55f, 0.68f}, 0},
        {"bubble gum", OZ_LOOK_PLASTIC, {0.95f, 0.45f, 0.62f}, 0},
        {"putty", OZ_LOOK_PLASTIC, {0.94f, 0.62f, 0.52f}, 0},
        {"cheese", OZ_LOOK_PLASTIC, {0.98f, 0.80f, 0.36f}, 0},
        {"glue", OZ_LOOK_PLASTIC, {0.96f, 0.96f, 0.94f}, 0},
        {"slime", OZ_LOOK_JELLY, {0.38f, 0.85f, 0.18f}, 0.08f},
        {"boger", OZ_LOOK_LIQUID, {0.92f, 0.72f, 0.30f}, 0.06f},
        {"polyox", OZ_LOOK_LIQUID, {0.80f, 0.90f, 0.95f}, 0.15f},
        {"shampoo", OZ_LOOK_JELLY, {0.55f, 0.80f, 0.72f}, 0.05f},
        {"mucus", OZ_LOOK_LIQUID, {0.80f, 0.88f, 0.55f}, 0.10f},
        {"party balloon", OZ_LOOK_PLASTIC, {0.85f, 0.08f, 0.12f}, 0},
        {"beach ball", OZ_LOOK_PLASTIC, {0.95f, 0.62f, 0.08f}, 0},
        {"tyre tube", OZ_LOOK_PLASTIC, {0.06f, 0.06f, 0.07f}, 0},
        {"water balloon", OZ_LOOK_PLASTIC, {0.10f, 0.45f, 0.80f}, 0},
        {"soap bag", OZ_LOOK_JELLY, {0.80f, 0.86f, 0.95f}, 0.06f},
        {"jellyfish", OZ_LOOK_JELLY, {0.90f, 0.62f, 0.78f}, 0.05f},
        {"cell", OZ_LOOK_JELLY, {0.85f, 0.35f, 0.35f}, 0.05f},
        {"cloth", OZ_LOOK_MATTE, {0.72f, 0.20f, 0.22f}, 0},
        {"wood", OZ_LOOK_MATTE, {0.58f, 0.38f, 0.21f}, 0},
        {"cork", OZ_LOOK_MATTE, {0.76f, 0.58f, 0.38f}, 0},
        {"stone", OZ_LOOK_MATTE, {0.50f, 0.49f, 0.47f}, 0},
        {"steel", OZ_LOOK_PLASTIC, {0.56f, 0.58f, 0.61f}, 0},
        {"ice block", OZ_LOOK_LIQUID, {0.80f, 0.92f, 0.97f}, 0.3f},
        {"foam", OZ_LOOK_MATTE, {0.95f, 0.96f, 0.97f}, 0},
        {"custard", OZ_LOOK_PLASTIC, {0.97f, 0.84f, 0.42f}, 0},
        {"jelly", OZ_LOOK_JELLY, {0.90f, 0.24f, 0.18f}, 0.09f},
        {"gelatin", OZ_LOOK_JELLY, {0.97f, 0.62f, 0.28f}, 0.09f},
        {"gummi", OZ_LOOK_JELLY, {0.45f, 0.82f, 0.22f}, 0.09f},
        {"blood", OZ_LOOK_LIQUID, {0.55f, 0.03f, 0.04f}, 0.03f},
        {"egg white", OZ_LOOK_LIQUID, {0.93f, 0.88f, 0.66f}, 0.12f},
        {"motor oil", OZ_LOOK_LIQUID, {0.62f, 0.34f, 0.10f}, 0.06f},
        {"castor oil", OZ_LOOK_LIQUID, {0.93f, 0.83f, 0.42f}, 0.10f},
        {"oil", OZ_LOOK_LIQUID, {0.95f, 0.80f, 0.25f}, 0.07f},
        {"honey", OZ_LOOK_LIQUID, {0.97f, 0.67f, 0.14f}, 0.07f},
        {"syrup", OZ_LOOK_LIQUID, {0.86f, 0.46f, 0.10f}, 0.06f},
        {"molasses", OZ_LOOK_LIQUID, {0.36f, 0.15f, 0.06f}, 0.03f},
        {"glycerol", OZ_LOOK_LIQUID, {0.92f, 0.96f, 0.96f}, 0.25f},
        {"seawater", OZ_LOOK_LIQUID, {0.34f, 0.74f, 0.74f}, 0.27f},
        {"water", OZ_LOOK_LIQUID, {0.40f, 0.74f, 0.90f}, 0.24f},
};

static const kind *kind_of(const char *name)
{
	for (size_t k = 0; name && k < sizeof kinds / sizeof kinds[0]; k++)
		if (strstr(name, kinds[k].word))
			return &kinds[k];
	return NULL;
}

bool oz_appearance_is_known(const char *name)
{
	return kind_of(name) != NULL;
}

oz_appearance oz_appearance_of(const oz_finish *finish, const char *name, uint32_t number,
                               float size)
{
	const kind *known = kind_of(name);
	oz_appearance appearance = {.look = finish->look, .depth = finish->depth};
	if (appearance.look == OZ_LOOK_AUTO)
		appearance.look = known ? known->look : OZ_LOOK_LIQUID;
	if (finish->colour.x >= 0.0f)
		appearance.colour = oz_colour_linear(finish->colour);
	else if (known && known->colour[0] >= 0.0f)
		appearance.colour = oz_colour_linear(
		        oz_v3(known->colour[0], known->colour[1], known->colour[2]));
	else
		appearance.colour = oz_colour_material(known ? known->word : name, number);
	if (!(appearance.depth > 0.0f))
		appearance.depth = size * (known && known->share > 0.0f ? known->share : 0.1f);
	return appearance;
}
