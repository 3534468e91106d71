// test_broken.c: broken scenes and meshes, each with the whole sentence that the program must say.
//
// The scenes are in tests/broken; broken meshes are written here, as text. For each: `ooze
// validate` ends with 1 and says just this sentence, and `ooze run` says the same and leaves no
// file behind.
#include <dirent.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "support.h"

// a scene in tests/broken, and what follows its path in the sentence
typedef struct broken_scene {
	const char *file, *sentence;
} broken_scene;

// clang-format off
static const broken_scene scenes[] = {
	{"after_the_end", ":2:1: expected nothing after the closing } but found {"},
	{"alpha_above_one", ":3:39: materials.goo.alpha is 1.5; it must be between 0 and 1"},
	{"alpha_keyframe_above_one", ":6:27: materials.goo.alpha_keyframes[0].alpha is 2; it must be between 0 and 1"},
	{"alpha_keyframe_without_alpha", ":3:50: materials.goo.alpha_keyframes[0] needs an alpha, as in \"alpha\": 0.5"},
	{"alpha_keyframes_empty", ":3:49: materials.goo.alpha_keyframes is empty; add a keyframe or take it away"},
	{"alpha_keyframes_out_of_order", ":7:15: materials.goo.alpha_keyframes[1].time is 0.5 s; it must be after the one before, 1 s"},
	{"alpha_of_a_fluid", ":3:31: materials.goo.alpha is for blends, and this is a fluid; take it away or add \"model\": \"blend\""},
	{"alphas_axis_zero", ":3:76: bodies[0].alphas.axis is [0, 0, 0]; it must not be zero, as in [0, 1, 0]"},
	{"alphas_negative", ":3:76: bodies[0].alphas.from is -1; it must be between 0 and 1"},
	{"alphas_of_a_fluid", ":5:4: bodies[0].alphas is for blends, and the material is a fluid; take it away or use another material"},
	{"alphas_of_elastic", ":5:4: bodies[0].alphas is for blends, and the material is an elastic solid; take it away or use another material"},
	{"angle_too_large", ":3:73: bodies[0].rotation is [0, 1e+09, 0]; each angle must be between -1e+06 and 1e+06 degrees"},
	{"bad_escape", ":1:13: a backslash in text must be followed by one of \" \\ / b f n r t u; write \\\\ for a backslash"},
	{"ball_with_three_sizes", ":3:51: bodies[0].size needs one number for a ball, as in 0.5 (its radius)"},
	{"bare_point", ":3:16: expected a digit after the point but found the end of the line"},
	{"blend_key_of_elastic", ":3:30: materials.goo.alpha is for blends, and this is an elastic solid; take it away or add \"model\": \"blend\""},
	{"body_is_a_number", ":2:2: bodies[0] needs { … } with the keys of a body"},
	{"body_of_a_plane", ":3:26: bodies[0].shape is a plane, which has no end and cannot be filled; use a box"},
	{"body_of_an_sdf", ":3:26: bodies[0].shape is a signed distance field, which is made from a mesh; write \"mesh\": \"cup.obj\" instead"},
	{"body_too_thin", ":3:3: bodies[0]: the box is too thin for a point at a spacing of 0.02 m; use a spacing of 0.0096 m"},
	{"body_without_material", ":3:3: bodies[0] needs a material, as in \"material\": \"water\""},
	{"body_without_shape", ":3:3: bodies[0] needs a shape or a mesh, as in \"shape\": \"box\""},
	{"body_without_size", ":3:3: bodies[0] needs the size of its box, as in \"size\": [1, 1, 1]"},
	{"bounds_crossed", ":4:17: world.bounds_max is [0, 1, 1] m; each number must be above bounds_min, which is [1, 0, 0] m"},
	{"box_with_one_size", ":3:50: bodies[0].size needs three numbers, as in [1, 1, 1]"},
	{"camera_of_two", ":3:13: picture.camera needs three numbers, as in [0.8, 0.2, 0.1]"},
	{"cell_too_small", ":3:11: surface.cell is 0.001 spacings; it must be between 0.05 and 2 spacings"},
	{"cluster_radius_too_small", ":6:22: materials.goo.cluster_radius is 2 spacings; it must be 0 or at least the world's support, 2.5 spacings"},
	{"collider_cell_negative", ":3:32: colliders[0].cell is -1 m; it must be between 0 and 1e+06 m"},
	{"collider_cell_of_a_shape", ":3:33: colliders[0].cell is for meshes; distances to a shape are exact"},
	{"collider_mesh_empty", ":3:5: colliders[0].mesh is empty; name a file"},
	{"collider_of_a_rod", ":3:5: colliders[0].shape has no inside and cannot stop anything; use a thin box or a capsule"},
	{"collider_of_an_sdf", ":3:5: colliders[0].shape is a signed distance field, which is made from a mesh; write \"mesh\": \"cup.obj\" instead"},
	{"collider_scale_of_a_shape", ":3:33: colliders[0].scale is for meshes; a shape is resized by size"},
	{"collider_scale_zero", ":3:33: colliders[0].scale is 0; it must be between 1e-09 and 1e+09"},
	{"collider_shape_and_mesh", ":3:5: colliders[0].shape stands beside a mesh; keep one of the two"},
	{"collider_size_beside_mesh", ":3:24: colliders[0].size is for shapes; a mesh is resized by scale"},
	{"collider_unknown_look", ":3:31: colliders[0].look is \"glas\", which is none of: auto, solid, glass, hidden; did you mean glass?"},
	{"collider_without_shape", ":3:3: colliders[0] needs a shape or a mesh, as in \"shape\": \"box\""},
	{"colour_above_one", ":3:22: materials.tar.colour is [0, 0, 1.5]; each number must be between 0 and 1"},
	{"colour_as_text", ":3:22: materials.tar.colour needs three numbers, as in [0.8, 0.2, 0.1]"},
	{"colour_half_negative", ":3:22: materials.tar.colour is [-1, -1, 0]; each number must be between 0 and 1"},
	{"column_after_umlaut", ":1:28: colour is not a key of a scene; it is one of a material, write it there"},
	{"control_character", ":1:11: name holds a control character; take it away"},
	{"cut_off", ":3:18: expected a comma or } in the object but found the end of the text"},
	{"cylinder_with_one_size", ":3:55: bodies[0].size needs two numbers for a cylinder, as in [0.5, 1] (radius and height)"},
	{"decimal_comma", ":3:16: a decimal number has a point, not a comma: write 0.02"},
	{"decimal_commas_in_a_list", ":3:68: bodies[0].position needs three numbers, as in [0, 0, 0]; a decimal number has a point, as in 0.5, not a comma"},
	{"density_error_zero", ":2:47: world.density_error is 0; it must be between 1e-07 and 0.1"},
	{"direction_zero", ":3:39: emitters[0].direction is [0, 0, 0]; it must not be zero; use [0, -1, 0], for example"},
	{"elastic_key_of_a_blend", ":3:31: materials.goo.poisson_ratio is for elastic solids or membranes, and this is a blend; take it away or add \"model\": \"corotated\""},
	{"elastic_key_of_a_fluid", ":3:28: materials.goo.young_modulus is for elastic solids or membranes, and this is a fluid; take it away or add \"model\": \"corotated\""},
	{"emitter_of_elastic", ":3:3: emitters[0] pours 'foam', an elastic solid, which has one rest shape from the start; pour a fluid, a blend, a fluid with links or a polymer solution"},
	{"emitter_round_and_rectangular", ":3:26: emitters[0].radius is beside width and height; keep radius for a round opening, or the other two for a rectangular one"},
	{"emitter_width_alone", ":3:3: emitters[0].height is 0 m; a rectangular opening needs a width and a height, at least 1e-06 m each; a round one has a radius instead"},
	{"emitter_width_negative", ":3:35: emitters[0].width is -0.1 m; it must be between 0 and 1e+06 m"},
	{"emitter_width_zero", ":3:35: emitters[0].width is 0 m; a rectangular opening needs a width and a height, at least 1e-06 m each; a round one has a radius instead"},
	{"emitter_without_material", ":3:3: emitters[0] needs a material, as in \"material\": \"water\""},
	{"empty", ":1:1: expected { at the beginning of the scene but found the end of the text"},
	{"empty_exponent", ":2:26: expected a digit in the exponent but found a blank"},
	{"fat_torus", ":3:52: bodies[0].size is a ring of 0.1 m with a tube of 0.2 m; the tube must be thinner than the ring"},
	{"fraction_for_rounds", ":2:44: world.max_rounds needs a whole number, as in 200"},
	{"fraction_for_samples", ":3:14: picture.samples needs a whole number, as in 0"},
	{"fraction_for_threads", ":3:14: world.threads needs a whole number, as in 0"},
	{"frame_rate_zero", ":1:29: output.frame_rate is 0 frames/s; it must be between 0.001 and 100000 frames/s"},
	{"half_surrogate", ":2:13: \\ud83d is half of a surrogate pair; write both halves, or the character itself"},
	{"handle_holds_nothing", ":7:3: handles[1] holds nothing: no particle of an elastic solid that is not held is inside it; move or enlarge it"},
	{"handle_loop_without_keyframes", ":3:33: handles[0].loop needs keyframes to repeat; add some"},
	{"handle_of_a_fluid", ":6:3: handles[0] holds nothing: no particle of an elastic solid that is not held is inside it; move or enlarge it"},
	{"handle_of_a_sheet", ":3:5: handles[0].shape has no inside and cannot hold anything; use a box, ball, cylinder, capsule or plane"},
	{"handle_of_nameless_body", ":6:43: handles[0].body is \"beam\", which is no body's name; give the body a name"},
	{"handle_of_two_bodies", ":7:43: handles[0].body is \"beam\", the name of 2 bodies; give each a name of its own"},
	{"handle_of_unknown_body", ":6:43: handles[0].body is \"beem\", which is no body's name; did you mean beam?"},
	{"handle_of_unknown_body_far", ":7:43: handles[0].body is \"roof tile\", which is no body's name; names are beam, post"},
	{"handle_without_shape", ":3:3: handles[0] needs a shape, as in \"shape\": \"box\""},
	{"infinity", ":3:14: expected a value (a number, text in double quotes, true, false, [ or {) but found I"},
	{"join_empty", ":3:55: bodies[0].join is empty; write a word or take it away"},
	{"join_of_a_fluid", ":3:56: bodies[0].join is for elastic solids or rigid bodies, and the material is a fluid; take it away or use another material"},
	{"key_twice", ":5:3: world.spacing is given twice, first in line 3; keep one of them"},
	{"key_twice_escaped", ":2:30: world.spacing is given twice, first in line 2; keep one of them"},
	{"keyframe_without_time", ":3:49: colliders[0].keyframes[0] needs a time, as in \"time\": 0.5"},
	{"keyframes_empty", ":3:48: colliders[0].keyframes is empty; add a keyframe or take it away"},
	{"keyframes_out_of_order", ":5:14: colliders[0].keyframes[1].time is 0.5 s; it must be after the one before, 1 s"},
	{"leading_zero", ":3:14: a number must not begin with 0; take it away"},
	{"list_at_root", ":1:1: expected { at the beginning of the scene but found ["},
	{"list_for_object", ":1:12: world needs { … } with the keys of the world"},
	{"long_name", ":1:11: name has 100 bytes; shorten it to 47 at most"},
	{"long_number", ":2:24: a number has 1003 characters; write at most 1000"},
	{"loop_without_keyframes", ":3:35: colliders[0].loop needs keyframes to repeat; add some"},
	{"low_surrogate", ":2:11: \\udc00 is half of a surrogate pair; write both halves, or the character itself"},
	{"material_is_a_list", ":1:16: materials needs { … } with a key for each material"},
	{"material_without_name", ":3:3: materials holds a material without a name; give it one"},
	{"mesh_empty", ":3:26: bodies[0].mesh is empty; name a file"},
	{"minus_zero_spacing", ":2:24: world.spacing is -0 m; it must be between 1e-05 and 1000 m"},
	{"missing_colon", ":3:13: expected a colon after the key but found 0"},
	{"missing_comma", ":4:3: expected a comma or } in the object but found \""},
	{"nan", ":3:14: expected a value (a number, text in double quotes, true, false, [ or {) but found N"},
	{"negative_density", ":3:23: materials.tar.density is -5 kg/m³; it must be between 0.001 and 100000 kg/m³"},
	{"negative_depth", ":3:21: materials.tar.depth is -1 m; it must be between 0 and 1e+06 m"},
	{"negative_spacing", ":3:14: world.spacing is -0.1 m; it must be between 1e-05 and 1000 m"},
	{"negative_update_force", ":3:46: materials.goo.update_force is -1 m/s²; it must be between 0 and 1e+09 m/s²"},
	{"not_json", ":1:1: expected { at the beginning of the scene but found w"},
	{"not_utf8", ":2:14: the text is not UTF-8; save the file as UTF-8"},
	{"null_for_number", ":3:14: world.spacing needs a number (m), as in 0.02"},
	{"number_for_bool", ":3:14: world.tension needs true or false"},
	{"number_for_h5", ":3:9: output.h5 needs true or false"},
	{"number_for_text", ":1:11: name needs text in double quotes"},
	{"number_for_word", ":3:10: world.eos needs a word in double quotes, one of: linear, tait"},
	{"object_for_list", ":1:13: bodies needs a list, as in [ { … } ]"},
	{"only_comment", ":2:1: expected { at the beginning of the scene but found the end of the text"},
	{"open_comment", ":2:2: a comment begins with /* and never ends; close it with */"},
	{"open_text", ":2:10: text begins with \" and does not end in this line; close it"},
	{"overflowing_number", ":3:14: world.spacing is 1e999; a number must be between -1.79e308 and 1.79e308"},
	{"overlong_utf8", ":2:12: the text is not UTF-8; save the file as UTF-8"},
	{"picture_is_a_list", ":1:14: picture needs { … } with the keys of the picture"},
	{"plane_with_size", ":3:23: colliders[0].size is not known to a plane, which has none; take it away"},
	{"plus_sign", ":3:14: expected a value (a number, text in double quotes, true, false, [ or {) but found +"},
	{"poisson_ratio_of_a_half", ":3:51: materials.gum.poisson_ratio is 0.5; it must be between -0.9 and 0.49"},
	{"pressure_unknown", ":2:42: world.pressure is \"incompresible\", which is none of: eos, incompressible; did you mean incompressible?"},
	{"restitution_above_one", ":3:38: colliders[0].restitution is 1.5; it must be between 0 and 1"},
	{"scale_of_a_shape", ":3:61: bodies[0].scale is for meshes; a shape is resized by size"},
	{"scale_zero", ":3:52: bodies[0].scale is 0; it must be between 1e-09 and 1e+09"},
	{"shape_and_mesh", ":3:26: bodies[0].shape stands beside a mesh; keep one of the two"},
	{"short_escape", ":2:11: \\u needs four hexadecimal digits"},
	{"single_quotes", ":3:10: text stands in double quotes, not in single ones"},
	{"size_beside_mesh", ":3:43: bodies[0].size is for shapes; a mesh is resized by scale"},
	{"size_negative", ":3:51: bodies[0].size gives the ball a length of -1 m; it must be above 0 and at most 1e+09 m"},
	{"size_zero", ":3:50: bodies[0].size gives the box a length of 0 m; it must be above 0 and at most 1e+09 m"},
	{"slash_alone", ":1:3: expected a key in double quotes but found /"},
	{"support_too_large", ":3:14: world.support is 9 spacings; it must be between 1.7 and 4 spacings"},
	{"text_for_number", ":3:14: world.spacing needs a number (m), as in 0.02"},
	{"too_deep", ":1:44: lists and objects are nested more than 32 deep"},
	{"too_many_particles", ":4:3: bodies[0] brings the scene to 1e+12 particles, and 2147483648 is the most; a world.spacing of 0.0078 m would fit, now it is 0.001 m"},
	{"too_many_threads", ":3:14: world.threads is 1e+12; it must be between 0 and 256"},
	{"too_much_poured", ":3:3: emitters[0] brings the scene to 1.96e+12 particles, and 2147483648 is the most; a world.spacing of 0.2 m would fit, now it is 0.02 m"},
	{"trailing_comma", ":4:2: the comma before } is one too many; take it away"},
	{"trailing_comma_in_list", ":3:25: the comma before ] is one too many; take it away"},
	{"two_numbers_of_three", ":3:14: world.gravity needs three numbers, as in [0, -9.81, 0]"},
	{"unknown_kernel", ":3:13: world.kernel is \"gaussian\", which is none of: cubic, wendland, muller, fitted"},
	{"unknown_key", ":3:3: world.spacin is not a key of the world; did you mean spacing?"},
	{"unknown_key_at_root", ":2:2: worlds is not a key of a scene; did you mean world?"},
	{"unknown_key_far", ":3:3: world.colour_of_the_sky is not a key of the world; ooze params lists those it has"},
	{"unknown_key_in_body", ":3:61: bodies[0].colour is not a key of a body; it is one of a material, write it there"},
	{"unknown_key_in_handle", ":3:33: handles[0].relase is not a key of a handle; did you mean release?"},
	{"unknown_key_in_keyframe", ":3:62: colliders[0].keyframes[0].place is not a key of a keyframe; ooze params lists those it has"},
	{"unknown_key_in_picture", ":3:3: picture.camra is not a key of the picture; did you mean camera?"},
	{"unknown_key_in_surface", ":3:3: surface.smothing is not a key of the surface; did you mean smoothing?"},
	{"unknown_look", ":3:20: materials.tar.look is \"jely\", which is none of: auto, matte, plastic, liquid, jelly; did you mean jelly?"},
	{"unknown_material", ":3:17: bodies[0].material is \"watr\", which is neither in materials nor a preset; did you mean water?"},
	{"unknown_material_far", ":3:17: bodies[0].material is \"unobtainium\", which is neither in materials nor a preset; add it to materials"},
	{"unknown_model", ":3:21: materials.goo.model is \"blent\", which is none of: fluid, blend, corotated, rigid, links, polymer, membrane; did you mean blend?"},
	{"unknown_preset", ":3:24: materials.sweet.preset is \"hony\", which is no preset; did you mean honey?"},
	{"unknown_shape", ":3:35: bodies[0].shape is \"Cube\", which is none of: plane, box, ball, dome, cylinder, capsule, torus, sheet, rod; did you mean box?"},
	{"unknown_shape_cone", ":3:14: colliders[0].shape is \"cone\", which is none of: plane, box, ball, dome, cylinder, capsule, torus, sheet, rod; a body or a collider of another form needs a mesh"},
	{"unknown_surface_kind", ":3:11: surface.kind is \"marching\", which is none of: density, distance, smooth"},
	{"unknown_word", ":3:10: world.eos is \"tate\", which is none of: linear, tait; did you mean tait?"},
	{"unquoted_key", ":3:3: expected a key in double quotes but found s"},
	{"utf16", ":1:1: the text is UTF-16; save the file as UTF-8"},
	{"view_angle_too_wide", ":3:17: picture.view_angle is 180 °; it must be between 1 and 150 °"},
	{"word_in_vector", ":3:18: world.gravity[1] needs a number"},
	{"young_modulus_zero", ":3:51: materials.gum.young_modulus is 0 Pa; it must be between 1 and 1e+12 Pa"},
	{"zero_byte", ":1:9: expected a colon after the key but found the byte 0x00"},
	{"zero_escape", ":2:12: \\u0000 is not allowed in text; take it away"},
	{"zero_spacing", ":3:14: world.spacing is 0 m; it must be between 1e-05 and 1000 m"},
};

// A mesh as text, and what is said after "scene.json:1:46: bodies[0].mesh: ".
typedef struct broken_mesh {
	const char *file, *text, *sentence;
} broken_mesh;

#define TETRAHEDRON "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"

static const broken_mesh meshes[] = {
	{"open.obj", TETRAHEDRON "f 1 3 2\nf 1 2 4\nf 1 4 3\n",
	 "./open.obj is open: one triangle only at the edge from (0, 1, 0) to (1, 0, 0); of its edges 3 are open, 0 non-manifold, 0 twisted (0 degenerate triangles ignored); close the holes"},
	{"inside_out.obj", TETRAHEDRON "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n",
	 "./inside_out.obj is inside out: its faces point inwards; flip them"},
	{"twisted.obj", TETRAHEDRON "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 4 3\n",
	 "./twisted.obj is twisted: two triangles that face opposite ways at the edge from (0, 1, 0) to (1, 0, 0); of its edges 0 are open, 0 non-manifold, 3 twisted (0 degenerate triangles ignored); make all faces point outwards"},
	{"fin.obj", TETRAHEDRON "v 1 1 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 2 3 5\n",
	 "./fin.obj is non-manifold: more than two triangles at the edge from (0, 1, 0) to (1, 0, 0); of its edges 2 are open, 1 non-manifold, 0 twisted (0 degenerate triangles ignored); separate the surfaces that meet there"},
	{"flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n",
	 "./flat.obj is flat: it has no thickness along z; give it a thickness, or use a sheet"},
	{"points.obj", TETRAHEDRON "",
	 "./points.obj holds points and no triangles; export it as a surface"},
	{"words.obj", "this is not a mesh\n",
	 "./words.obj has no triangles; export it as a surface"},
	{"empty.obj", "",
	 "./empty.obj is empty; export it again"},
	{"not_a_number.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
	 "./not_a_number.obj has a vertex at (nan, 0, 0), which is not finite; repair the file or its scale"},
	{"bad_index.obj", TETRAHEDRON "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 9\n",
	 "./bad_index.obj is not a mesh that can be read; use OBJ, PLY, STL, glTF or DAE (the importer says: OBJ: vertex index out of range)"},
	{"cut_off.ply", "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n",
	 "./cut_off.ply holds points and no triangles; export it as a surface"},
	{"no_header.ply", "0 0 0\n1 0 0\n",
	 "./no_header.ply is not a mesh that can be read; use OBJ, PLY, STL, glTF or DAE (the importer says: Invalid .ply file: Incorrect magic number (expected 'ply' or 'PLY').)"},
	{"tiny.obj", "v 0 0 0\nv 0.001 0 0\nv 0 0.001 0\nv 0 0 0.001\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
	 "the mesh is too thin for a point at a spacing of 0.02 m; use a spacing of 0.00016 m"},
	{"unknown.xyz", "0 0 0\n",
	 "./unknown.xyz is not a mesh that can be read; use OBJ, PLY, STL, glTF or DAE (the importer says: No suitable reader found for the file format of file \"./unknown.xyz\".)"},
	{"nowhere.obj", NULL,
	 "the mesh ./nowhere.obj cannot be opened: No such file or directory; check its name"},
	{".", NULL,
	 "the mesh ./. cannot be read: Is a directory; name a file"},
};
// clang-format on

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

// runs the program; stderr is left in err.txt
static int run(const char *arguments)
{
	return test_ooze("%s", arguments);
}

static bool said(const char *what, const char *expected)
{
	char *text = NULL;
	size_t size;
	assert_int_equal(oz_file_read("err.txt", 1 << 20, &text, &size, NULL), OZ_OK);
	bool same = strcmp(text, expected) == 0;
	if (!same)
		print_error("%s\n  expected %s  but said %s\n", what, expected, text);
	free(text);
	return same;
}

// a folder may have been made, but nothing may be in it
static bool nothing_in(const char *folder)
{
	DIR *list = opendir(folder);
	bool empty = true;
	if (!list)
		return true;
	for (struct dirent *entry; (entry = readdir(list));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
			print_error("%s was left in %s\n", entry->d_name, folder);
			empty = false;
		}
	closedir(list);
	return empty;
}

static bool is_refused(const char *path, const char *sentence)
{
	char arguments[2000], expected[2000];
	snprintf(expected, sizeof expected, "ooze: %s%s\n", path, sentence);
	snprintf(arguments, sizeof arguments, "validate '%s'", path);
	int status = run(arguments);
	bool right = said(arguments, expected);
	if (status != 1)
		print_error("%s ended with %d, not with 1\n", arguments, status);
	right = right && status == 1;
	snprintf(arguments, sizeof arguments, "run '%s' -o results", path);
	status = run(arguments);
	right = said(arguments, expected) && right;
	if (status != 1)
		print_error("%s ended with %d, not with 1\n", arguments, status);
	return nothing_in("results") && right && status == 1;
}

static void broken_scenes_are_refused_with_their_sentence(void **state)
{
	(void)state;
	int wrong = 0;
	for (size_t i = 0; i < COUNT(scenes); i++) {
		char path[1000];
		snprintf(path, sizeof path, "%s/%s.json", test_source("tests/broken"),
		         scenes[i].file);
		wrong += !is_refused(path, scenes[i].sentence);
	}
	assert_int_equal(wrong, 0);
}

static void every_broken_scene_has_a_sentence(void **state)
{
	(void)state;
	DIR *list = opendir(test_source("tests/broken"));
	assert_non_null(list);
	size_t files = 0;
	for (struct dirent *entry; (entry = readdir(list));)
		files += strstr(entry->d_name, ".json") != NULL;
	closedir(list);
	assert_int_equal(files, COUNT(scenes));
}

static void broken_meshes_are_refused_with_their_sentence(void **state)
{
	(void)state;
	int wrong = 0;
	for (size_t i = 0; i < COUNT(meshes); i++) {
		char scene[300], sentence[1000];
		if (meshes[i].text)
			test_write_text(meshes[i].file, meshes[i].text);
		snprintf(scene, sizeof scene,
		         "{ \"bodies\": [ { \"material\": \"water\", \"mesh\": \"%s\" } ] }",
		         meshes[i].file);
		test_write_text("scene.json", scene);
		snprintf(sentence, sizeof sentence, ":1:46: bodies[0].mesh: %s",
		         meshes[i].sentence);
		wrong += !is_refused("scene.json", sentence);
	}
	assert_int_equal(wrong, 0);
}

static void a_scene_that_is_not_there_is_said(void **state)
{
	(void)state;
	assert_int_equal(run("validate nowhere.json"), 1);
	assert_true(said("validate nowhere.json",
	                 "ooze: reading nowhere.json failed: no such file or folder; check the "
	                 "spelling\n"));
}

static void a_failed_run_leaves_an_earlier_result_whole(void **state)
{
	(void)state;
	assert_int_equal(system("mkdir kept && echo precious > kept/notes.txt"), 0);
	test_write_text("bad.json", "{ \"world\": { \"spacing\": -1 } }");
	assert_int_equal(run("run bad.json -o kept"), 1);
	assert_int_equal(system("test \"$(ls -A kept)\" = notes.txt"), 0);
	assert_int_equal(system("test \"$(cat kept/notes.txt)\" = precious"), 0);
}

static void wrong_use_ends_with_two(void **state)
{
	(void)state;
	assert_int_equal(run("validate"), 2);
	assert_int_equal(run("validate a.json b.json"), 2);
	assert_int_equal(run("validate --colour a.json"), 2);
	assert_int_equal(run("valdate a.json"), 2);
	assert_int_equal(run("run scene.json"), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(broken_scenes_are_refused_with_their_sentence),
	        cmocka_unit_test(every_broken_scene_has_a_sentence),
	        cmocka_unit_test(broken_meshes_are_refused_with_their_sentence),
	        cmocka_unit_test(a_scene_that_is_not_there_is_said),
	        cmocka_unit_test(a_failed_run_leaves_an_earlier_result_whole),
	        cmocka_unit_test(wrong_use_ends_with_two),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
