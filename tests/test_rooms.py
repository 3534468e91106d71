#!/usr/bin/python3
"""test_rooms.py: tools/rooms.py finds what it says it finds, in small trees made here."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools", "rooms.py")

CLEAN = {
    "include/ooze/ooze.h": "typedef enum oz_model { OZ_FLUID, OZ_BLEND, OZ_COROTATED, OZ_MODEL_COUNT } oz_model;\n"
                           "void oz_world_step(void);\n",
    "src/base/base.h": "#include \"ooze/ooze.h\"\nvoid oz_fail(void);\n",
    "src/base/error.c": "#include \"base.h\"\nvoid oz_fail(void)\n{\n}\n",
    "src/math/vec.h": "#include \"../base/base.h\"\n",
    "src/models/fluid/fluid.c": "#include \"math/vec.h\"\nstatic int model = OZ_FLUID;\n",
    "src/world/world.h": "#include \"math/vec.h\"\n#include \"base/base.h\"\n",
    "src/world/step.c": "#include \"world.h\"\nvoid oz_world_step(void)\n{\n\toz_fail();\n}\n",
    "cli/main.c": "#include \"../src/world/world.h\"\nint main(void)\n{\n\treturn 0;\n}\n",
    "cli/bench_dam.c": "static int model = OZ_FLUID;\n",
}


class Tree(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        for path, text in CLEAN.items():
            self.write(path, text)

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)

    def run_rooms(self, *options):
        return subprocess.run([sys.executable, ROOMS, "--root", self.root, *options],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    def findings(self):
        """the sentences, without the line of sums; the exit status must fit them"""
        done = self.run_rooms()
        lines = done.stdout.splitlines()
        self.assertEqual(done.returncode, 1 if lines else 0, done.stdout)
        return lines[:-1]

    def assert_finds(self, *sentences):
        self.assertEqual(self.findings(), list(sentences))

    # ---- includes

    def test_a_clean_tree_passes(self):
        self.assert_finds()

    def test_an_include_of_a_higher_room_fails(self):
        self.write("src/particles/grid.c", "// grid\n#include \"world/world.h\"\n")
        self.assert_finds("src/particles/grid.c:2: particles includes \"world/world.h\" of the higher room world; "
                          "pass what it needs as arguments, or move the code to world.")

    def test_a_relative_include_of_a_higher_room_fails(self):
        self.write("src/device/opencl/api.c", "#include \"../../math/vec.h\"\n")
        self.assertIn("src/device/opencl/api.c:1: device includes \"../../math/vec.h\" of the higher room math",
                      self.findings()[0])

    def test_a_header_of_the_own_folder_comes_before_one_of_src(self):
        self.write("src/base/models/x.h", "")
        self.write("src/base/y.c", "#include \"models/x.h\"\n")
        self.write("src/models/x.h", "")
        self.assert_finds()

    def test_the_api_may_not_include_a_room(self):
        self.write("include/ooze/types.h", "#include \"../../src/math/vec.h\"\n")
        found = self.findings()
        self.assertTrue(any("include/ooze includes" in line and "higher room math" in line for line in found), found)

    def test_an_include_in_a_comment_is_none(self):
        self.write("src/base/file.c", "// #include \"world/world.h\"\n/*\n#include \"world/world.h\"\n*/\n")
        self.assert_finds()

    def test_a_room_may_not_include_the_program(self):
        self.write("cli/cli.h", "")
        self.write("src/world/run.c", "#include \"../../cli/cli.h\"\n")
        self.assert_finds("src/world/run.c:1: includes \"../../cli/cli.h\" of the program; "
                          "move what it needs from cli/ down into a room.")

    def test_an_include_that_is_not_found_fails(self):
        self.write("src/world/run.c", "#include \"wrld.h\"\n")
        self.assert_finds("src/world/run.c:1: includes \"wrld.h\", which is in no room; "
                          "correct the path or move the file into a room.")

    def test_two_rooms_that_include_each_other_fail(self):
        self.write("src/math/back.c", "#include \"world/world.h\"\n")
        found = self.findings()
        self.assertIn("src/math/back.c:1: the rooms math → world → math include each other; "
                      "remove the includes of world from math.", found)
        self.assertEqual(len(found), 2)

    def test_a_cycle_around_three_rooms_fails(self):
        self.write("src/surface/surface.h", "#include \"world/world.h\"\n")
        self.write("src/math/back.c", "#include \"surface/surface.h\"\n")
        found = self.findings()
        self.assertTrue(any("math → surface → world → math include each other" in line for line in found), found)

    def test_a_folder_that_is_not_in_the_list_fails(self):
        self.write("src/attic/box.c", "")
        self.assert_finds("src/attic/box.c:1: src/attic is not in the list of rooms; "
                          "add it to ROOMS in tools/rooms.py, at its place.")

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_a_stray_file_in_the_root_fails_unless_git_ignores_it(self):
        subprocess.run(["git", "init", "-q", self.root], check=True)
        self.write("out.txt", "")
        self.write("README.md", "")
        self.write(".gitignore", "/build/\n")
        self.write("build/part.o", "")
        self.assert_finds("out.txt:1: does not belong into the root of the repository; remove it, or add it to "
                          "ROOT_HOLDS in tools/rooms.py.")

    def test_the_program_is_no_room(self):
        self.write("src/cli/box.c", "")
        self.assertIn("src/cli is not in the list of rooms", self.findings()[0])

    def test_a_file_outside_of_all_rooms_fails(self):
        self.write("src/loose.c", "")
        self.assertIn("src/loose.c:1:", self.findings()[0])

    # ---- structs

    def members(self, body, before=""):
        """the count of members of a struct, filled up so that it has too many"""
        filler = "".join(f"\tint filler_{k};\n" for k in range(26))
        self.write("src/world/fat.h", f"{before}typedef struct oz_fat {{\n{body}{filler}}} oz_fat;\n")
        found = [line for line in self.findings() if "struct oz_fat has " in line]
        self.assertEqual(len(found), 1, found)
        return int(found[0].split(" members")[0].split()[-1]) - 26

    def test_a_fat_struct_fails(self):
        self.write("src/world/fat.h", "// fat\nstruct oz_fat {\n" + "\tint a, b;\n" * 13 + "};\n")
        self.assert_finds("src/world/fat.h:2: struct oz_fat has 26 members, more than 25; "
                          "group members that are used together into structs of their own.")

    def test_a_struct_of_25_members_passes(self):
        self.write("src/world/fat.h", "struct oz_fat {\n" + "\tint a;\n" * 25 + "};\n")
        self.assert_finds()

    def test_declarators_are_counted(self):
        self.assertEqual(self.members("\tfloat *a, b[4], c; // d, e; f\n\tunsigned flag : 1;\n"), 4)

    def test_a_function_pointer_is_one_member(self):
        self.assertEqual(self.members("\tint (*open)(void *state, int a);\n\toz_result (*pass[3])(int a, int b);\n"
                                      "\tuint32_t (*lines)[2];\n"), 3)

    def test_an_inner_struct_is_one_member(self):
        self.assertEqual(self.members("\tstruct {\n\t\tint a, b;\n\t\tint c;\n\t};\n\tunion { int d; float e; } f;\n"), 2)

    def test_the_rows_of_a_list_are_members(self):
        macros = ("#define MEMBER(type, name, kind) type *name;\n"
                  "#define MORE(X) \\\n\tX(int, c, STATE) /* one, X(2) */\n"
                  "#define FIELDS(X) \\\n\tX(int, a, STATE) /* first */ \\\n\tX(int, b, \\\n\t  STATE) \\\n\tMORE(X)\n")
        self.assertEqual(self.members("\tFIELDS(MEMBER)\n\tint count;\n", macros), 4)

    def test_a_static_assert_is_no_member(self):
        self.assertEqual(self.members("\t_Alignas(16) float a[4];\n\t_Static_assert(1, \"x, y\");\n"), 1)

    # ---- models

    def test_a_named_model_fails(self):
        self.write("src/world/bodies.c", "\nint is_fluid(int m)\n{\n\treturn m == OZ_FLUID;\n}\n")
        self.assert_finds("src/world/bodies.c:4: names the model OZ_FLUID; put what differs between models "
                          "into a row or function of the models' tables and use that.")

    def test_a_model_in_the_program_fails(self):
        self.write("cli/render.c", "static int m = OZ_COROTATED;\n")
        self.assertIn("cli/render.c:1: names the model OZ_COROTATED", self.findings()[0])

    def test_models_may_be_named_where_they_live(self):
        for path in ("src/models/a/b/c.cl", "src/params/params_table.h", "src/scene/presets.c", "cli/devices.c"):
            self.write(path, "static int m = OZ_BLEND;\n")
        self.assert_finds()

    def test_comments_strings_and_longer_names_are_no_models(self):
        self.write("src/world/bodies.c", "// OZ_FLUID\nstatic const char *a = \"OZ_FLUID\";\nenum { OZ_FLUID_RULES };\n")
        self.assert_finds()

    def test_a_model_that_is_added_to_the_enum_is_known(self):
        self.write("include/ooze/ooze.h", "typedef enum oz_model {\n\tOZ_FLUID, // water\n\tOZ_SAND,\n"
                                          "\tOZ_MODEL_COUNT\n} oz_model;\n")
        self.write("src/world/bodies.c", "static int m = OZ_SAND, n = OZ_MODEL_COUNT;\n")
        self.assertIn("names the model OZ_SAND;", self.findings()[0])

    # ---- declarations

    def test_a_foreign_declaration_fails(self):
        self.write("src/models/fluid/heat.c", "float oz_heat(void *w,\n              int a)\n{\n\treturn 0;\n}\n")
        self.write("src/world/heat.h", "\nfloat oz_heat(void *w,\n              int a);\n")
        self.assert_finds("src/world/heat.h:2: world declares oz_heat, which src/models/fluid/heat.c defines; "
                          "declare it in a header of models.")

    def test_own_inline_and_unknown_functions_may_be_declared(self):
        self.write("src/models/fluid/heat.c", "void oz_heat(void)\n{\n}\n")
        self.write("src/world/heat.h", "static inline int oz_inline(void)\n{\n\treturn oz_heat();\n}\n"
                                       "void oz_made_by_a_macro(void);\n"
                                       "typedef void (*oz_heat_fn)(void);\n"
                                       "void oz_take(void (*oz_heat)(void));\n")
        self.write("src/models/models.h", "void oz_heat(void) __attribute__((cold));\n")
        self.assert_finds()

    def test_of_two_definitions_one_in_the_own_room_is_enough(self):
        self.write("src/export/png_absent.c", "void oz_png(void)\n{\n}\n")
        self.write("src/render/png.c", "void oz_png(void)\n{\n}\n")
        self.write("src/render/render.h", "#ifdef __cplusplus\nextern \"C\" {\n#endif\nvoid oz_png(void);\n"
                                          "#ifdef __cplusplus\n}\n#endif\n")
        self.assert_finds()

    # ---- the picture and the numbers

    def test_the_picture_says_who_includes_whom(self):
        dot = self.run_rooms("--dot").stdout
        self.assertEqual([line.strip() for line in dot.splitlines() if "->" in line], [
            "\"math\" -> \"base\";",
            "\"models\" -> \"math\";",
            "\"world\" -> \"base\" [color=\"#c8c8c8\", weight=0];",
            "\"world\" -> \"math\";",
            "\"cli\" -> \"world\";",
            "\"base\" -> \"include/ooze\" [style=invis];",
        ])
        self.assertIn("{ rank=same; \"models\"; \"world\"; }", dot)
        self.assertEqual(dot, self.run_rooms("--dot").stdout)

    def test_an_include_of_a_higher_room_is_red(self):
        self.write("src/math/back.c", "#include \"world/world.h\"\n")
        self.assertIn("\"math\" -> \"world\" [color=\"#cc0000\"", self.run_rooms("--dot").stdout)

    @unittest.skipUnless(shutil.which("dot"), "graphviz is not installed")
    def test_a_picture_is_out_of_date_once_the_includes_change(self):
        svg, png = os.path.join(self.root, "rooms.svg"), os.path.join(self.root, "rooms.png")
        self.assertEqual(self.run_rooms("--drawn", svg).returncode, 1)
        self.assertEqual(self.run_rooms("--draw", svg).returncode, 0)
        self.assertEqual(self.run_rooms("--drawn", svg).stdout, "")
        self.write("src/surface/surface.h", "#include \"world/world.h\"\n")
        self.assertIn("is out of date", self.run_rooms("--drawn", svg).stdout)
        self.assertEqual(self.run_rooms("--draw", png).returncode, 0)
        with open(png, "rb") as file:
            self.assertEqual(file.read(4), b"\x89PNG")

    def test_a_picture_of_another_kind_is_refused(self):
        done = self.run_rooms("--draw", os.path.join(self.root, "rooms.gif"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("must end in .svg or .png", done.stdout)

    def test_the_report_counts(self):
        self.write("src/world/move.cl", "OZ_ARGS(move)\nOZ_KERNEL(move)\n{\n\tif (1) {\n\t}\n}\n")
        self.write("src/world/data.h", "typedef struct oz_pair {\n\tint a, b;\n} oz_pair;\n")
        report = self.run_rooms("--report").stdout
        row = next(line.split() for line in report.splitlines() if line.startswith("world"))
        self.assertEqual(row, ["world", "4", "16", "2", "5", "5", "5"])
        self.assertIn("2  oz_pair  src/world/data.h:1", report)
        self.assertIn("5  OZ_KERNEL(move)  src/world/move.cl:2", report)


if __name__ == "__main__":
    unittest.main()
