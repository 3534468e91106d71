// sections.c: the objects of a scene file and the keys each may have.
//
// A section puts together rows of the parameter tables and the few keys that only scene files
// know. Reading, writing, the schema and the docs page all walk these tables, so none of them can
// know a key that another does not.
#include <stddef.h>
#include <string.h>

#include "models/traits.h"
#include "params/params.h"
#include "scene_data.h"

// clang-format off
#define SCENE_ROWS(ROW) \
	ROW(name, "name", STRING, "", (0), 0, OZ_NAME_SIZE - 1, "", \
	    "What the scene is called; the file's name if left out.")

#define OUTPUT_ROWS(ROW) \
	ROW(duration, "duration", FLOAT, "s", (5), 0, 1e9, "", \
	    "How long to simulate, in the scene's own time.") \
	ROW(frame_rate, "frame_rate", FLOAT, "frames/s", (30), 1e-3, 1e5, "", \
	    "Frames written for each simulated second.") \
	ROW(vtu, "vtu", BOOL, "", (1), 0, 1, "", \
	    "Write frames as VTU with a PVD list, for ParaView.") \
	ROW(ply, "ply", BOOL, "", (1), 0, 1, "", \
	    "Write frames as PLY, for Blender and Houdini; surfaces and pictures are made from them.") \
	ROW(h5, "h5", BOOL, "", (0), 0, 1, "", \
	    "Write the particles of all frames into one HDF5 archive, with XDMF for ParaView.") \
	ROW(snapshot_interval, "snapshot_interval", FLOAT, "s", (1), 0, 1e9, "", \
	    "Simulated time between snapshots, from which a run can go on; 0 writes none but the last.")

#define MATERIAL_ROWS(ROW) \
	ROW(preset, "preset", STRING, "", (0), 0, OZ_NAME_SIZE - 1, "", \
	    "A known material to begin with; the keys beside it change single values.")

#define ALPHA_KEYFRAME_ROWS(ROW) \
	ROW(time, "time", FLOAT, "s", (0), 0, 1e9, "", \
	    "When alpha has this value; straight lines lead from one to the next, and keyframes come in order of time.") \
	ROW(alpha, "alpha", FLOAT, "", (0.5), 0, 1, "", \
	    "Share of the fluid then.")

#define ALPHAS_ROWS(ROW) \
	ROW(from, "from", FLOAT, "", (0), 0, 1, "", \
	    "Share of the fluid at the body's lowest point along the axis.") \
	ROW(to, "to", FLOAT, "", (1), 0, 1, "", \
	    "Share of the fluid at its highest point along the axis; in between, it goes straight from one to the other.") \
	ROW(axis, "axis", VEC3, "", (0, 1, 0), -1e6, 1e6, "", \
	    "The way from the one to the other; any length but zero.")

#define FINISH_ROWS(ROW) \
	ROW(look, "look", CHOICE, "", (OZ_LOOK_AUTO), 0, OZ_LOOK_COUNT - 1, "auto matte plastic liquid jelly", \
	    "What it is in pictures; auto is chosen by the material's name, or else by its preset.") \
	ROW(colour, "colour", VEC3, "", (-1, -1, -1), 0, 1, "", \
	    "Its colour in pictures, as sRGB: red, green, blue. Left out, it is chosen by the material's name, or else by its preset.") \
	ROW(depth, "depth", FLOAT, "m", (0), 0, 1e6, "", \
	    "Thickness of a liquid or jelly through which light takes on its colour: less is darker; 0 is chosen likewise.")

#define PICTURE_ROWS(ROW) \
	ROW(particles, "particles", BOOL, "", (0), 0, 1, "", \
	    "Draw the particles, not the surface around them.") \
	ROW(camera, "camera", VEC3, "m", (-2e9, -2e9, -2e9), -1e9, 1e9, "", \
	    "Where the camera stands. Left out, it is chosen so that the whole run is seen.") \
	ROW(target, "target", VEC3, "m", (-2e9, -2e9, -2e9), -1e9, 1e9, "", \
	    "What the camera looks at. Left out, it is the middle of the run.") \
	ROW(view_angle, "view_angle", FLOAT, "°", (35), 1, 150, "", \
	    "What the camera sees from the lower to the upper edge: more is wider.") \
	ROW(samples, "samples", UINT, "", (0), 0, OZ_SAMPLES_MAX, "", \
	    "Light paths for each pixel: four times as many halve the noise; 0 is the renderer's default.")

#define BODY_ROWS(ROW) \
	ROW(material, "material", STRING, "", (0), 0, OZ_NAME_SIZE - 1, "", \
	    "Name of an entry in materials, or of a preset. Needed.") \
	ROW(mesh, "mesh", STRING, "", (0), 0, OZ_MESH_PATH_SIZE - 1, "", \
	    "File of a closed triangle mesh (OBJ, PLY, STL, glTF …) to fill instead of a shape, relative to the scene's folder; fill surface takes open ones, fill line an OBJ of lines.") \
	ROW(scale, "scale", VEC3, "", (1, 1, 1), 1e-9, 1e9, "", \
	    "Factor of a mesh, one number or one for each axis; meshes in millimetres need 0.001.") \
	ROW(skin, "skin", STRING, "", (0), 0, OZ_MESH_PATH_SIZE - 1, "", \
	    "Mesh that is shown for the body while it is solid, in place of the surface around its particles: true for its own mesh, or a file, which is placed as the body is.") \
	ROW(fill, "fill", CHOICE, "", (OZ_FILL_LATTICE), 0, SCENE_FILL_COUNT - 1, "lattice hexagonal blue_noise surface line", \
	    "How particles are laid: in a cubic grid, densest layers, or irregularly; of a mesh also in one layer over its surface, open or closed, or in one row along its lines. Left out, links and polymers are laid irregularly: stretched far, they part along the planes of a grid.")

#define JOIN_ROWS(ROW) \
	ROW(join, "join", STRING, "", (0), 0, OZ_NAME_SIZE - 1, "", \
	    "A word of your own; bodies with the same word are glued together where they touch at the start, except two rigid ones.")

#define COLLIDER_ROWS(ROW) \
	ROW(mesh, "mesh", STRING, "", (0), 0, OZ_MESH_PATH_SIZE - 1, "", \
	    "File of a triangle mesh (OBJ, PLY, STL, glTF …) with the form of the collider, instead of a shape; relative to the scene's folder. Small holes are closed over; a vessel needs to be tight.") \
	ROW(scale, "scale", VEC3, "", (1, 1, 1), 1e-9, 1e9, "", \
	    "Factor of a mesh, one number or one for each axis; meshes in millimetres need 0.001.") \
	ROW(cell, "cell", FLOAT, "m", (0), 0, 1e6, "", \
	    "Mesh: edge of the cells in which distances to it are kept; details below it are lost. 0 is half a spacing.") \
	ROW(look, "look", CHOICE, "", (OZ_COLLIDER_AUTO), 0, OZ_COLLIDER_LOOK_COUNT - 1, "auto solid glass hidden", \
	    "What it is in pictures; auto draws vessels as lines, or as thin glass if they are meshes, and all else solid.")

#define EMITTER_ROWS(ROW) \
	ROW(material, "material", STRING, "", (0), 0, OZ_NAME_SIZE - 1, "", \
	    "Name of an entry in materials, or of a preset. Needed.")

#define ADHESION_ROWS(ROW) \
	ROW(material, "material", STRING, "", (0), 0, OZ_NAME_SIZE - 1, "", \
	    "Name of an entry in materials, or of a preset. Needed.") \
	ROW(other, "other", STRING, "", (0), 0, OZ_NAME_SIZE - 1, "", \
	    "Name of the material that it sticks to, or not. Needed.")

#define INTERFACE_ROWS(ROW) \
	ROW(material, "material", STRING, "", (0), 0, OZ_NAME_SIZE - 1, "", \
	    "Name of an entry in materials, or of a preset. Needed.") \
	ROW(other, "other", STRING, "", (0), 0, OZ_NAME_SIZE - 1, "", \
	    "Name of the liquid that it does not mix with. Needed.")

#define HANDLE_ROWS(ROW) \
	ROW(body, "body", STRING, "", (0), 0, OZ_NAME_SIZE - 1, "", \
	    "Name of the body that it holds; left out, it holds all that stands inside.")
// clang-format on

#define SCENE_ROW(...)     OZ_PARAM_ROW(oz_scene, __VA_ARGS__)
#define OUTPUT_ROW(...)    OZ_PARAM_ROW(oz_output_def, __VA_ARGS__)
#define MATERIAL_ROW(...)  OZ_PARAM_ROW(scene_material, __VA_ARGS__)
#define ALPHA_KEY_ROW(...) OZ_PARAM_ROW(oz_alpha_key, __VA_ARGS__)
#define ALPHAS_ROW(...)    OZ_PARAM_ROW(scene_alphas, __VA_ARGS__)
#define FINISH_ROW(...)    OZ_PARAM_ROW(oz_finish, __VA_ARGS__)
#define PICTURE_ROW(...)   OZ_PARAM_ROW(oz_picture_def, __VA_ARGS__)
#define BODY_ROW(...)      OZ_PARAM_ROW(scene_body, __VA_ARGS__)
#define COLLIDER_ROW(...)  OZ_PARAM_ROW(scene_collider, __VA_ARGS__)
#define EMITTER_ROW(...)   OZ_PARAM_ROW(scene_emitter, __VA_ARGS__)
#define HANDLE_ROW(...)    OZ_PARAM_ROW(scene_handle, __VA_ARGS__)
#define ADHESION_ROW(...)  OZ_PARAM_ROW(scene_adhesion, __VA_ARGS__)
#define INTERFACE_ROW(...) OZ_PARAM_ROW(scene_interface, __VA_ARGS__)

static const oz_param scene_rows[] = {SCENE_ROWS(SCENE_ROW)};
static const oz_param output_rows[] = {OUTPUT_ROWS(OUTPUT_ROW)};
static const oz_param material_rows[] = {MATERIAL_ROWS(MATERIAL_ROW)};
static const oz_param alpha_keyframe_rows[] = {ALPHA_KEYFRAME_ROWS(ALPHA_KEY_ROW)};
static const oz_param alphas_rows[] = {ALPHAS_ROWS(ALPHAS_ROW)};
static const oz_param finish_rows[] = {FINISH_ROWS(FINISH_ROW)};
static const oz_param picture_rows[] = {PICTURE_ROWS(PICTURE_ROW)};
static const oz_param body_rows[] = {BODY_ROWS(BODY_ROW)};
static const oz_param join_rows[] = {JOIN_ROWS(BODY_ROW)};
static const oz_param collider_rows[] = {COLLIDER_ROWS(COLLIDER_ROW)};
static const oz_param emitter_rows[] = {EMITTER_ROWS(EMITTER_ROW)};
static const oz_param handle_rows[] = {HANDLE_ROWS(HANDLE_ROW)};
static const oz_param adhesion_rows[] = {ADHESION_ROWS(ADHESION_ROW)};
static const oz_param interface_rows[] = {INTERFACE_ROWS(INTERFACE_ROW)};

#define ROWS(table) .rows = table, .count = sizeof table / sizeof table[0]
#define GROUP(code) .group = OZ_PARAMS_##code

_Static_assert(sizeof(oz_look) == sizeof(uint32_t) && sizeof(oz_collider_look) == sizeof(uint32_t),
               "choices are read and written as 32 bits");

const oz_param *oz_scene_output_params(uint32_t *count)
{
	if (count)
		*count = sizeof output_rows / sizeof output_rows[0];
	return output_rows;
}

const oz_param *oz_scene_picture_params(uint32_t *count)
{
	if (count)
		*count = sizeof picture_rows / sizeof picture_rows[0];
	return picture_rows;
}

const oz_param *oz_scene_finish_params(uint32_t *count)
{
	if (count)
		*count = sizeof finish_rows / sizeof finish_rows[0];
	return finish_rows;
}

// ---- sections ---------------------------------------------------------------------------------

const scene_section oz_section_world = {
        .name = "world",
        .noun = "the world",
        .sentence = "Resolution, gravity and how time goes on.",
        .parts = {{GROUP(WORLD)}},
        .part_count = 1,
};

const scene_section oz_section_alpha_keyframe = {
        .name = "alpha_keyframe",
        .noun = "a keyframe of alpha",
        .sentence = "Alpha, the share of the fluid, at one time.",
        .needed = "time",
        .trait = OZ_TRAIT_ALPHA,
        .parts = {{ROWS(alpha_keyframe_rows)}},
        .part_count = 1,
};

const scene_section oz_section_alphas = {
        .name = "alphas",
        .noun = "the alphas",
        .sentence = "Share of the fluid from one end of a body to the other, in place of its "
                    "material's.",
        .trait = OZ_TRAIT_ALPHA,
        .parts = {{ROWS(alphas_rows)}},
        .part_count = 1,
};

const scene_section oz_section_material = {
        .name = "material",
        .noun = "a material",
        .sentence = "What bodies are made of. The key in materials is its name.",
        .parts = {{ROWS(material_rows)},
                  {GROUP(MATERIAL), .offset = offsetof(scene_material, def)},
                  {ROWS(finish_rows), .offset = offsetof(scene_material, finish)}},
        .part_count = 3,
        .children = {{"alpha_keyframes", CHILD_LIST, &oz_section_alpha_keyframe,
                      "Alpha over time, as for what melts or sets; in order of time."}},
        .child_count = 1,
};

const scene_section oz_section_body = {
        .name = "body",
        .noun = "a body",
        .sentence = "A shape or a mesh, filled with particles of one material.",
        .needed = "material",
        .parts = {{ROWS(body_rows)},
                  {ROWS(join_rows), .trait = OZ_TRAIT_JOINS},
                  {GROUP(SHAPE), .offset = offsetof(scene_body, shape),
                   .angles = offsetof(scene_body, angles)},
                  {GROUP(BODY), .offset = offsetof(scene_body, def)}},
        .part_count = 4,
        .children = {{"alphas", CHILD_OBJECT, &oz_section_alphas,
                      "Alpha from one end of the body to the other."},
                     {"keyframes", CHILD_LIST, &oz_section_keyframe,
                      "Of a rigid body: how it moves. It is filled where the first one stands."}},
        .child_count = 2,
};

const scene_section oz_section_keyframe = {
        .name = "keyframe",
        .noun = "a keyframe",
        .sentence = "Where a moving body, collider or handle stands at one time.",
        .needed = "time",
        .parts = {{GROUP(KEYFRAME), .offset = offsetof(scene_keyframe, def),
                   .angles = offsetof(scene_keyframe, angles)}},
        .part_count = 1,
};

const scene_section oz_section_collider = {
        .name = "collider",
        .noun = "a collider",
        .sentence = "A wall, a vessel or a tool: a shape or a mesh, fixed or moved by keyframes.",
        .parts = {{ROWS(collider_rows)},
                  {GROUP(SHAPE),
                   .offset = offsetof(scene_collider, def) + offsetof(oz_collider_def, shape),
                   .angles = offsetof(scene_collider, angles)},
                  {GROUP(COLLIDER), .offset = offsetof(scene_collider, def)}},
        .part_count = 3,
        .children = {{"keyframes", CHILD_LIST, &oz_section_keyframe,
                      "How it moves: where it stands at which times, in order of time."}},
        .child_count = 1,
};

const scene_section oz_section_emitter = {
        .name = "emitter",
        .noun = "an emitter",
        .sentence = "A nozzle with a round or rectangular opening that pours a material.",
        .needed = "material",
        .trait = OZ_TRAIT_POURED,
        .parts = {{ROWS(emitter_rows)}, {GROUP(EMITTER), .offset = offsetof(scene_emitter, def)}},
        .part_count = 2,
};

const scene_section oz_section_handle = {
        .name = "handle",
        .noun = "a handle",
        .sentence = "Holds the particles that stand inside it, still or along keyframes, until it "
                    "lets go.",
        .needed = "shape",
        .trait = OZ_TRAIT_HELD,
        .parts = {{ROWS(handle_rows)},
                  {GROUP(SHAPE),
                   .offset = offsetof(scene_handle, def) + offsetof(oz_handle_def, shape),
                   .angles = offsetof(scene_handle, angles)},
                  {GROUP(HANDLE), .offset = offsetof(scene_handle, def)}},
        .part_count = 3,
        .children = {{"keyframes", CHILD_LIST, &oz_section_keyframe,
                      "How it moves; it takes hold where the first one stands."}},
        .child_count = 1,
};

const scene_section oz_section_region = {
        .name = "region",
        .noun = "a region",
        .sentence = "A place that is hot or cold: what is inside takes its temperature.",
        .needed = "shape",
        .parts = {{GROUP(SHAPE),
                   .offset = offsetof(scene_region, def) + offsetof(oz_region_def, shape),
                   .angles = offsetof(scene_region, angles)},
                  {GROUP(REGION), .offset = offsetof(scene_region, def)}},
        .part_count = 2,
};

const scene_section oz_section_adhesion = {
        .name = "adhesion",
        .noun = "an adhesion",
        .sentence =
                "Whether two materials stick to each other; without an entry sticky fluids with "
                "links stick to each other and to solids.",
        .needed = "material",
        .parts = {{ROWS(adhesion_rows)},
                  {GROUP(ADHESION), .offset = offsetof(scene_adhesion, def)}},
        .part_count = 2,
};

const scene_section oz_section_interface = {
        .name = "interface",
        .noun = "an interface",
        .sentence = "The tension between two liquids that do not mix; without an entry two liquids "
                    "have none.",
        .needed = "material",
        .parts = {{ROWS(interface_rows)},
                  {GROUP(INTERFACE), .offset = offsetof(scene_interface, def)}},
        .part_count = 2,
};

const scene_section oz_section_surface = {
        .name = "surface",
        .noun = "the surface",
        .sentence = "How the surface around the particles is made, for meshes and pictures.",
        .parts = {{GROUP(SURFACE)}},
        .part_count = 1,
};

const scene_section oz_section_picture = {
        .name = "picture",
        .noun = "the picture",
        .sentence = "How pictures are made.",
        .parts = {{ROWS(picture_rows)}},
        .part_count = 1,
};

const scene_section oz_section_output = {
        .name = "output",
        .noun = "the output",
        .sentence = "What a run writes, and when.",
        .parts = {{ROWS(output_rows)}},
        .part_count = 1,
};

const scene_section oz_section_scene = {
        .name = "scene",
        .noun = "a scene",
        .sentence = "A scene: a world, what it is filled with, and what to write.",
        .parts = {{ROWS(scene_rows)}},
        .part_count = 1,
        .children = {{"world", CHILD_OBJECT, &oz_section_world, "How the world behaves."},
                     {"materials", CHILD_MAP, &oz_section_material, "Materials by name."},
                     {"bodies", CHILD_LIST, &oz_section_body, "What is there at the start."},
                     {"colliders", CHILD_LIST, &oz_section_collider, "What stands in the way."},
                     {"emitters", CHILD_LIST, &oz_section_emitter, "What flows in."},
                     {"handles", CHILD_LIST, &oz_section_handle, "What holds bodies."},
                     {"regions", CHILD_LIST, &oz_section_region, "Where it is hot or cold."},
                     {"adhesion", CHILD_LIST, &oz_section_adhesion, "What sticks to what."},
                     {"interfaces", CHILD_LIST, &oz_section_interface, "Tension between liquids."},
                     {"surface", CHILD_OBJECT, &oz_section_surface, "How surfaces are made."},
                     {"picture", CHILD_OBJECT, &oz_section_picture, "How pictures are made."},
                     {"output", CHILD_OBJECT, &oz_section_output, "What a run writes."}},
        .child_count = 12,
};

// ---- finding keys -----------------------------------------------------------------------------

const oz_param *oz_part_rows(const section_part *part, uint32_t *count)
{
	if (!part->rows)
		return oz_params(part->group, count);
	*count = part->count;
	return part->rows;
}

bool oz_row_is_chosen(const oz_param *row)
{
	return row->type == OZ_PARAM_VEC3 && row->value[0] < row->min;
}

bool oz_row_left_out(const oz_param *row, const void *def)
{
	const float unset[3] = {(float)row->value[0], (float)row->value[1], (float)row->value[2]};
	return oz_row_is_chosen(row) &&
	       memcmp((const char *)def + row->offset, unset, sizeof unset) == 0;
}

const oz_param *oz_section_find(const scene_section *section, const char *key,
                                const section_part **part)
{
	for (uint32_t p = 0; p < section->part_count; p++) {
		uint32_t count;
		const oz_param *rows = oz_part_rows(&section->parts[p], &count);
		for (uint32_t i = 0; i < count; i++) {
			if (strcmp(rows[i].name, key) == 0) {
				*part = &section->parts[p];
				return &rows[i];
			}
		}
	}
	return NULL;
}

const section_child *oz_section_child(const scene_section *section, const char *key)
{
	for (uint32_t i = 0; i < section->child_count; i++)
		if (strcmp(section->children[i].name, key) == 0)
			return &section->children[i];
	return NULL;
}

void oz_section_default(const scene_section *section, void *entry)
{
	for (uint32_t p = 0; p < section->part_count; p++) {
		uint32_t count;
		const oz_param *rows = oz_part_rows(&section->parts[p], &count);
		for (uint32_t i = 0; i < count; i++)
			oz_param_default(&rows[i], (char *)entry + section->parts[p].offset);
	}
}

// ---- near words -------------------------------------------------------------------------------

static uint32_t least(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t ab = a < b ? a : b;
	return ab < c ? ab : c;
}

// Levenshtein's distance; words that are too long are far from everything
static uint32_t word_distance(const char *a, const char *b)
{
	uint32_t row[OZ_NAME_SIZE + 1];
	size_t n = strlen(a), m = strlen(b);
	if (n > OZ_NAME_SIZE || m > OZ_NAME_SIZE)
		return OZ_NAME_SIZE;
	for (uint32_t j = 0; j <= m; j++)
		row[j] = j;
	for (uint32_t i = 1; i <= n; i++) {
		uint32_t corner = row[0];
		row[0] = i;
		for (uint32_t j = 1; j <= m; j++) {
			uint32_t above = row[j];
			row[j] = least(above + 1, row[j - 1] + 1, corner + (a[i - 1] != b[j - 1]));
			corner = above;
		}
	}
	return row[m];
}

uint32_t oz_near_enough(const char *word)
{
	size_t length = strlen(word);
	return length < 4 ? 1 : length < 8 ? 2 : 3;
}

const char *oz_nearer(const char *word, const char *best, const char *candidate, uint32_t *distance)
{
	uint32_t d = word_distance(word, candidate);
	// of equals the first one stays
	if (d > *distance || (d == *distance && best))
		return best;
	*distance = d;
	return candidate;
}

const char *oz_section_nearest(const scene_section *section, const char *key)
{
	const char *best = NULL;
	uint32_t distance = oz_near_enough(key);
	for (uint32_t p = 0; p < section->part_count; p++) {
		uint32_t count;
		const oz_param *rows = oz_part_rows(&section->parts[p], &count);
		for (uint32_t i = 0; i < count; i++)
			best = oz_nearer(key, best, rows[i].name, &distance);
	}
	for (uint32_t i = 0; i < section->child_count; i++)
		best = oz_nearer(key, best, section->children[i].name, &distance);
	return best;
}
