#!/usr/bin/python3
"""rooms.py: checks the order of the rooms (the folders of src/), draws them, counts what they hold.

  tools/rooms.py              checks; prints one sentence for each finding, exit 1 if there is any
  tools/rooms.py --draw FILE  draws the rooms and their includes, as .svg or .png (needs graphviz)
  tools/rooms.py --drawn FILE fails if that .svg was drawn of other includes than those of now
  tools/rooms.py --dot        prints the picture as DOT text
  tools/rooms.py --report     prints sizes: rooms, largest structs, longest functions

What is checked:
  include      a file includes its own and lower rooms only; src/ does not include cli/
  cycle        no rooms include each other, directly or around
  struct       a struct has at most MEMBERS_MOST members
  model        the models are named in src/models/, the parameter table and the presets only
  declaration  a header declares functions of its own room only
  folder       each folder of src/ is in the list of rooms
  root         the root of the repository holds nothing but what ROOT_HOLDS lists

The files are read as text, without a compiler: comments, strings and directives are blanked, braces
are matched. A struct or a function that a macro makes is not seen.
"""
import argparse
import collections
import fnmatch
import os
import re
import subprocess
import sys
import textwrap

# lowest first: a room includes its own files and those of the rooms above it in this list
ROOMS = [
    ("base", "memory, errors, files"),
    ("json", "JSON and numbers as text"),
    ("device", "buffers, launches, threads, OpenCL"),
    ("math", "vectors, rotations, SPH kernels"),
    ("solver", "conjugate gradients"),
    ("params", "the table of parameters"),
    ("geometry", "shapes, meshes, filling with points"),
    ("particles", "fields, grid, neighbour lists"),
    ("boundary", "colliders, walls, nozzles"),
    ("contact", "bodies with a rest shape that touch"),
    ("pressure", "from density to pressure"),
    ("models", "one folder for each model"),
    ("kernels", "the list of all kernels"),
    ("world", "bodies, the step, snapshots"),
    ("surface", "closed meshes around particles"),
    ("skin", "fine meshes carried by particles"),
    ("sdf", "signed distance fields of meshes"),
    ("export", "files for other programs"),
    ("scene", "scene files, presets"),
    ("render", "camera, light, pictures, plots"),
    ("show", "what is drawn, and how"),
]
# what the root of the repository may hold
ROOT_HOLDS = {".ci", ".clang-format", ".gitignore", "CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json",
              "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "bench", "cli", "cmake", "docs", "include",
              "scenes", "src", "tests", "tools"}
API = "include/ooze"  # below all rooms
PROGRAM = "cli"  # above all rooms

MEMBERS_MOST = 25
# the values of `enum oz_model` in ooze.h are added to these
MODELS = {"OZ_FLUID", "OZ_BLEND", "OZ_COROTATED"}
# where a model may be named; cli/: users of the API
NAMES_MODELS = ["src/models/*", "src/params/params_table.h", "src/scene/presets.c", "include/*",
                "cli/bench*.c", "cli/devices.c"]

ORDER = {name: rank for rank, name in enumerate([API] + [room for room, _ in ROOMS] + [PROGRAM])}
KINDS = ["root", "folder", "include", "cycle", "struct", "model", "declaration"]

Finding = collections.namedtuple("Finding", "path line kind text")
Include = collections.namedtuple("Include", "source line words room")  # room: None if not found
Struct = collections.namedtuple("Struct", "path line name members")
Function = collections.namedtuple("Function", "path line name lines room")


# ---- reading C as text --------------------------------------------------------------------------

TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.M)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^)]*)\))?((?:\\\n|[^\n])*)", re.M)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*\"([^\"\n]+)\"", re.M)
STRUCT = re.compile(r"\bstruct\b\s*(?:__attribute__\s*\(\(.*?\)\)\s*)?(\w+)?\s*\{")
# words before a parenthesis that are neither a function nor a macro of members
PREFIXES = {"__attribute__", "_Alignas", "alignas", "_Atomic", "typeof", "__typeof__"}


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def without_comments(text):
    return TOKEN.sub(lambda m: blank(m[0]) if m[0][0] == "/" else m[0], text)


def without_strings(text):
    return TOKEN.sub(lambda m: m[0][0] + blank(m[0][1:-1]) + m[0][0], text)


def closing(text, at):
    """the index of the bracket that closes the one at `at`; the end of the text if none does"""
    open_, close = text[at], {"{": "}", "(": ")", "[": "]"}[text[at]]
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] == open_) - (text[k] == close)
        if depth == 0:
            return k
    return len(text)


def collapsed(text, brackets):
    """the text with nothing left inside the outermost brackets, but the star of (*pointer)"""
    out, k = [], 0
    while k < len(text):
        out.append(text[k])
        if text[k] in brackets:
            end = closing(text, k)
            out.append("*" if text[k + 1:end].lstrip().startswith("*") else "")
            k = end
        else:
            k += 1
    return "".join(out)


class Source:
    """one file: its text in three stages of blanking"""

    def __init__(self, root, path):
        self.path, self.room = path, room_of(path)
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            self.text = file.read()
        self.spoken = without_comments(self.text)
        self.code = without_strings(self.spoken)
        self.plain = DIRECTIVE.sub(lambda m: blank(m[0]), self.code)

    def line(self, offset):
        return self.text.count("\n", 0, offset) + 1


def room_of(path):
    """base for src/base/…, API, PROGRAM; None for any other path"""
    parts = path.split("/")
    if parts[0] == "include":
        return API
    if parts[0] == PROGRAM:
        return PROGRAM
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


def read_tree(root):
    sources = []
    for top in ("include", "src", PROGRAM):
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders.sort()
            for name in sorted(files):
                if name.endswith((".c", ".h", ".cl")):
                    path = os.path.relpath(os.path.join(folder, name), root)
                    sources.append(Source(root, path.replace(os.sep, "/")))
    return sources


# ---- includes -----------------------------------------------------------------------------------

def find_includes(root, sources):
    """all #include "…", looked up in the own folder, src/, include/ and the root"""
    includes = []
    for source in sources:
        own = os.path.dirname(source.path)
        for match in INCLUDE.finditer(source.spoken):
            places = [os.path.normpath(os.path.join(base, match[1])) for base in (own, "src", "include", "")]
            found = [p for p in places if os.path.isfile(os.path.join(root, p))]
            room = room_of(found[0].replace(os.sep, "/")) if found else None
            # the match begins before the spaces of its line
            includes.append(Include(source, source.line(match.start(1)), match[1], room))
    return includes


def check_includes(includes):
    for i in includes:
        here, there = i.source.room, i.room
        if here == PROGRAM or here is None:
            continue
        if there is None:
            text = f"includes \"{i.words}\", which is in no room; correct the path or move the file into a room"
        elif there == PROGRAM:
            text = f"includes \"{i.words}\" of the program; move what it needs from cli/ down into a room"
        elif here in ORDER and there in ORDER and ORDER[there] > ORDER[here]:
            text = (f"{here} includes \"{i.words}\" of the higher room {there}; "
                    f"pass what it needs as arguments, or move the code to {there}")
        else:
            continue
        yield Finding(i.source.path, i.line, "include", text)


def room_graph(includes):
    """which rooms each room includes; a room does not count as its own"""
    graph = collections.defaultdict(set)
    for i in includes:
        if i.source.room and i.room and i.source.room != i.room:
            graph[i.source.room].add(i.room)
    return graph


def rank(room):
    return (ORDER.get(room, len(ORDER)), room)


def way(graph, start, goal):
    """the shortest way from a room to another along includes, both named; None: there is none"""
    ways = collections.deque([[start]])
    seen = set()
    while ways:
        path = ways.popleft()
        for room in sorted(graph.get(path[-1], ()), key=rank):
            if room == goal:
                return path + [room]
            if room not in seen:
                seen.add(room)
                ways.append(path + [room])
    return None


def check_cycles(includes):
    """one finding for each set of rooms that reach each other: its shortest cycle"""
    graph = room_graph(i for i in includes if i.room != PROGRAM)
    left = sorted(graph, key=rank)
    while left:
        group = [room for room in left
                 if room == left[0] or (way(graph, left[0], room) and way(graph, room, left[0]))]
        left = [room for room in left if room not in group]
        cycles = [c for c in (way(graph, room, room) for room in group) if c]
        if not cycles:
            continue
        cycle = min(cycles, key=len)
        # the include that leads upwards
        here, there = next((a, b) for a, b in zip(cycle, cycle[1:]) if rank(b) > rank(a))
        at = next(i for i in includes if (i.source.room, i.room) == (here, there))
        others = len(group) - len(set(cycle))
        more = f" (and {others} more rooms that reach these and are reached)" if others else ""
        yield Finding(at.source.path, at.line, "cycle",
                      f"the rooms {' → '.join(cycle)} include each other{more}; "
                      f"remove the includes of {there} from {here}")


def check_folders(root, sources):
    src = os.path.join(root, "src")
    for name in sorted(os.listdir(src)) if os.path.isdir(src) else []:
        files = sorted(os.path.relpath(os.path.join(folder, file), root).replace(os.sep, "/")
                       for folder, _, names in os.walk(os.path.join(src, name)) for file in names)
        if name not in dict(ROOMS) and files:
            yield Finding(files[0], 1, "folder", f"src/{name} is not in the list of rooms; "
                                                 "add it to ROOMS in tools/rooms.py, at its place")
    for source in sources:
        if source.path.startswith("src/") and source.room is None:
            yield Finding(source.path, 1, "folder", "lies in no room; move it into a folder of src/")


def check_root(root):
    """files that git ignores are left out; without git nothing is checked"""
    done = subprocess.run(["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    names = {path.split("/")[0] for path in done.stdout.split("\0") if path}
    for name in sorted(names - ROOT_HOLDS):
        if os.path.lexists(os.path.join(root, name)):
            yield Finding(name, 1, "root", "does not belong into the root of the repository; remove it, or add it to "
                                           "ROOT_HOLDS in tools/rooms.py")


# ---- structs ------------------------------------------------------------------------------------

def find_macros(sources):
    """name → list of (parameters, body), one for each #define"""
    macros = collections.defaultdict(list)
    for source in sources:
        for match in DEFINE.finditer(source.code):
            parameters = [p.strip() for p in (match[2] or "").split(",") if p.strip()]
            macros[match[1]].append((parameters, match[3].replace("\\\n", "\n")))
    return macros


def count_rows(macros, name, arguments, deep=0):
    """members that a list macro such as OZ_PARTICLE_FIELDS(MEMBER) makes; 1 if it is unknown"""
    most = 0
    for parameters, body in macros.get(name, ()) if deep < 8 else ():
        count = 0
        for word, inner in re.findall(r"(\w+)\s*\(([^()]*)", body):
            if word in parameters:
                k = parameters.index(word)
                row = arguments[k] if k < len(arguments) else ""
                count += max((count_members(macros, b, deep + 1) for _, b in macros.get(row, ())), default=1)
            elif inner.strip() in parameters and word in macros:
                count += count_rows(macros, word, arguments, deep + 1)
        most = max(most, count)
    return most if name in macros else 1


def count_members(macros, body, deep=0):
    """declarators at the outermost level of a struct's body"""
    count = 0
    for part in collapsed(body, "{([").split(";"):
        part = part.strip()
        # macros of members stand before a member, without a semicolon
        while match := re.match(r"(\w+)\s*\(\s*\)\s*", part):
            if match[1] == "_Static_assert":
                part = ""
                break
            if match[1] not in PREFIXES:
                arguments = arguments_of(body, match[1])
                count += count_rows(macros, match[1], arguments, deep)
            part = part[match.end():]
        if part:
            count += 1 + part.count(",")
    return count


def arguments_of(body, name):
    match = re.search(rf"\b{name}\s*\(([^()]*)\)", body)
    return [a.strip() for a in match[1].split(",")] if match else []


def find_structs(sources):
    macros = find_macros(sources)
    structs = []
    for source in sources:
        for match in STRUCT.finditer(source.plain):
            open_ = match.end() - 1
            close = closing(source.plain, open_)
            after = re.match(r"\}\s*(\w+)", source.plain[close:])
            name = match[1] or (after[1] if after else "without a name")
            members = count_members(macros, source.plain[open_ + 1:close])
            structs.append(Struct(source.path, source.line(match.start()), name, members))
    return structs


def check_structs(sources):
    for s in find_structs(sources):
        if s.members > MEMBERS_MOST and not s.path.startswith(PROGRAM + "/"):
            yield Finding(s.path, s.line, "struct",
                          f"struct {s.name} has {s.members} members, more than {MEMBERS_MOST}; "
                          "group members that are used together into structs of their own")


# ---- models -------------------------------------------------------------------------------------

def find_models(sources):
    models = set(MODELS)
    for source in sources:
        for match in re.finditer(r"\benum\s+oz_model\s*\{([^}]*)\}", source.plain):
            models |= set(re.findall(r"\bOZ_[A-Z0-9_]+\b", match[1]))
    return {name for name in models if not name.endswith("_COUNT")}


def check_models(sources):
    names = re.compile(r"\b(" + "|".join(sorted(find_models(sources))) + r")\b")
    for source in sources:
        if any(fnmatch.fnmatch(source.path, pattern) for pattern in NAMES_MODELS):
            continue
        for number, line in enumerate(source.code.split("\n"), 1):
            found = sorted(set(names.findall(line)))
            if found:
                yield Finding(source.path, number, "model",
                              f"names the model {' and '.join(found)}; put what differs between models "
                              "into a row or function of the models' tables and use that")


# ---- functions ----------------------------------------------------------------------------------

def items(code):
    """(offset, text, offset of its body or None, end) of each declaration outside all braces"""
    begin = k = 0
    while k < len(code):
        if code[k] == ";":
            yield begin, code[begin:k], None, k
            begin = k + 1
        elif code[k] == "{" and not re.search(r"extern\s*\"\s*\"\s*$", code[begin:k]):
            end = closing(code, k)
            if re.search(r"\)\s*$", code[begin:k]) and "=" not in collapsed(code[begin:k], "("):
                yield begin, code[begin:k], k, end
                begin = end + 1
            k = end
        elif code[k] in "{}":
            begin = k + 1
        elif code[k] == "(":
            k = closing(code, k)
        k += 1


def called(text):
    """name and offset of the function that a declaration declares; None for other declarations"""
    calls, k = [], 0
    while (k := text.find("(", k)) >= 0:
        word = re.search(r"(\w+)\s*$", text[:k])
        if word and word[1] not in PREFIXES:
            calls.append((word[1], word.start(1), k))
        k = closing(text, k) + 1
    if not calls:
        return None
    name, at, open_ = calls[-1]
    # OZ_KERNEL(drift): the kernel's name is the argument
    if name.isupper():
        name = re.sub(r"\s+", " ", text[at:closing(text, open_) + 1])
    return name, at


def find_functions(sources):
    functions = []
    for source in sources:
        for begin, text, body, end in items(source.plain):
            function = called(text) if body is not None else None
            if function:
                first, last = source.line(begin + function[1]), source.line(end)
                functions.append(Function(source.path, first, function[0], last - first + 1, source.room))
    return functions


def find_prototypes(source):
    for begin, text, body, _ in items(source.plain):
        if body is None and not re.search(r"\b(static|inline|OZ_FN|typedef)\b|[={]", text):
            function = called(text)
            if function and function[0].startswith("oz_"):
                yield function[0], source.line(begin + function[1])


def check_declarations(sources):
    homes = collections.defaultdict(list)
    for function in find_functions(s for s in sources if s.path.endswith(".c")):
        homes[function.name].append(function)
    for source in sources:
        if not source.path.startswith("src/") or not source.path.endswith(".h"):
            continue
        for name, line in find_prototypes(source):
            rooms = {f.room for f in homes[name]}
            if rooms and source.room not in rooms:
                home = homes[name][0]
                yield Finding(source.path, line, "declaration",
                              f"{source.room} declares {name}, which {home.path} defines; "
                              f"declare it in a header of {home.room}")


# ---- the picture --------------------------------------------------------------------------------

def layers(rooms, graph):
    """the layer of each room: one more than that of the highest room that it includes"""
    layer = {}
    for room in sorted(rooms, key=rank):
        lower = [layer[other] for other in graph[room] if other in layer]
        layer[room] = 1 + max(lower, default=-1)
    return layer


def implied(graph, here, there):
    """whether an include follows from others: here → … → there, downwards all the way"""
    down = {a: {b for b in bs if rank(b) < rank(a)} for a, bs in graph.items()}
    down[here] = down[here] - {there}
    return way(down, here, there) is not None


def dot_text(sources, includes):
    """DOT: black edges make the order, grey ones follow from black ones, red ones lead upwards"""
    about = dict(ROOMS)
    about[PROGRAM] = "the program: may include all"
    about[API] = "the public API: all may include it"
    graph = room_graph(includes)
    # edges to the API come from everywhere and are not drawn
    for others in graph.values():
        others.discard(API)
    rooms = sorted({s.room for s in sources if s.room}, key=rank)
    layer = layers([room for room in rooms if room != API], graph)
    lines = ["digraph rooms {",
             "\trankdir=TB; nodesep=0.2; ranksep=0.4; newrank=true;",
             "\tnode [shape=box, style=filled, fillcolor=\"#f4f4f4\", color=\"#666666\", "
             "fontname=\"Helvetica\", fontsize=13, margin=\"0.08,0.05\"];",
             "\tedge [color=\"#222222\", arrowsize=0.6];"]
    for room in rooms:
        words = "<br/>".join(textwrap.wrap(about.get(room, "not in the list of rooms"), 20))
        fill = ", fillcolor=\"#dfe9f5\"" if room in (API, PROGRAM) else ""
        lines.append(f"\t\"{room}\" [label=<<b>{room}</b><br/>{words}>{fill}];")
    for level in sorted(set(layer.values())):
        names = " ".join(f"\"{room}\";" for room in rooms if layer.get(room) == level)
        lines.append(f"\t{{ rank=same; {names} }}")
    for here in rooms:
        for there in sorted(graph[here], key=rank):
            if rank(there) > rank(here):
                style = " [color=\"#cc0000\", penwidth=1.5, constraint=false]"
            elif implied(graph, here, there):
                if here == PROGRAM:
                    continue
                style = " [color=\"#c8c8c8\", weight=0]"
            else:
                style = ""
            lines.append(f"\t\"{here}\" -> \"{there}\"{style};")
    if API in rooms:
        lines += [f"\t\"{room}\" -> \"{API}\" [style=invis];" for room in rooms if layer.get(room) == 0]
    return "\n".join(lines + ["}"]) + "\n"


def draw(dot, path):
    suffix = os.path.splitext(path)[1][1:]
    if suffix not in ("svg", "png"):
        raise SystemExit(f"rooms: {path}: the picture's name must end in .svg or .png.")
    command = ["dot", "-T" + suffix] + (["-Gdpi=144"] if suffix == "png" else [])
    try:
        picture = subprocess.run(command, input=dot.encode(), stdout=subprocess.PIPE, check=True).stdout
    except FileNotFoundError:
        raise SystemExit("rooms: the program dot was not found; install graphviz.")
    if suffix == "svg":
        # without the version of dot; with the DOT text, for --drawn
        text = re.sub(r"<!--.*?-->\n?", "", picture.decode(), flags=re.S)
        picture = (text + f"<!--\n{dot}-->\n").encode()
    with open(path, "wb") as out:
        out.write(picture)


def is_drawn(dot, path):
    """whether an .svg holds this DOT text"""
    try:
        with open(path, encoding="utf-8") as file:
            if f"<!--\n{dot}-->" in file.read():
                return True
    except FileNotFoundError:
        pass
    print(f"{path} is out of date: draw it anew with `tools/rooms.py --draw {path}`.")
    return False


# ---- numbers ------------------------------------------------------------------------------------

def share(numbers, part):
    """the number that this part of all does not exceed"""
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0


def report(sources):
    functions = find_functions(sources)
    print(f"{'room':<14}{'files':>7}{'lines':>8}{'functions':>11}{'median':>8}{'90 %':>6}{'longest':>9}")

    def row(name, own, own_functions):
        lengths = [f.lines for f in own_functions]
        print(f"{name:<14}{len(own):>7}{sum(s.text.count(chr(10)) for s in own):>8}{len(lengths):>11}"
              f"{share(lengths, 0.5):>8}{share(lengths, 0.9):>6}{max(lengths, default=0):>9}")

    for room in sorted({s.room for s in sources if s.room}, key=rank):
        row(room, [s for s in sources if s.room == room], [f for f in functions if f.room == room])
    row("all", sources, functions)
    print("(median, 90 %, longest: lines of a function)\n\nlargest structs, members:")
    for s in sorted(find_structs(sources), key=lambda s: (-s.members, s.path, s.line))[:5]:
        print(f"{s.members:>6}  {s.name}  {s.path}:{s.line}")
    print("\nlongest functions, lines:")
    for f in sorted(functions, key=lambda f: (-f.lines, f.path, f.line))[:5]:
        print(f"{f.lines:>6}  {f.name}  {f.path}:{f.line}")


def check(root, sources, includes):
    findings = sorted(set([
        *check_root(root), *check_folders(root, sources), *check_includes(includes), *check_cycles(includes),
        *check_structs(sources), *check_models(sources), *check_declarations(sources)]))
    for f in findings:
        print(f"{f.path}:{f.line}: {f.text}.")
    counts = [(kind, sum(f.kind == kind for f in findings)) for kind in KINDS]
    if findings:
        print("rooms: " + ", ".join(f"{kind} {count}" for kind, count in counts if count))
    return not findings


def main():
    parser = argparse.ArgumentParser(description="Checks, draws and counts the rooms of src/.")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--draw", metavar="FILE", help="draw the rooms and their includes, as .svg or .png")
    what.add_argument("--drawn", metavar="FILE", help="fail if that .svg is out of date")
    what.add_argument("--dot", action="store_true", help="print the picture as DOT text")
    what.add_argument("--report", action="store_true", help="print the sizes of rooms, structs and functions")
    parser.add_argument("--root", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."),
                        help="folder that holds src/, include/ and cli/ (default: that of this script)")
    options = parser.parse_args()

    sources = read_tree(options.root)
    includes = find_includes(options.root, sources)
    good = True
    if options.draw:
        draw(dot_text(sources, includes), options.draw)
    elif options.drawn:
        good = is_drawn(dot_text(sources, includes), options.drawn)
    elif options.dot:
        print(dot_text(sources, includes), end="")
    elif options.report:
        report(sources)
    else:
        good = check(options.root, sources, includes)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
