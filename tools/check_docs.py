#!/usr/bin/env python3
"""check_docs.py [--long] [--device] [--limit MINUTES] [--keep DIR] [PAGE...]: checks the documentation.

Runs its commands, compiles its programs, validates its scenes, and checks its links. The README's numbers of scenes and
presets must be right.

Each page is checked in a scratch copy of the tree, with the program build/ooze. The words after
a fence say what a block is:

    sh               commands; run, each may take 2 minutes
    sh long          commands; run with --long, each may take 30 minutes
                     (with --limit MINUTES: that long)
    sh device        commands that need an OpenCL device; run with --device
    sh system        commands that change the machine; not run
    console [fails]  lines with `$ ` are run, the rest is their output; numbers may differ
    jsonc NAME       a whole scene; kept under that name for the commands after it, and validated
    jsonc part       a part of a scene
    diff NAME        a change of a scene from above; applied, and the scene validated
    c NAME           a whole program or source file; compiled, linked where it has a main
    c part           a part of a source file
    python           its syntax is checked
    cmake, text      anything else

In all commands, also those that are not run, files of the tree, targets of make and options of
ooze must exist. Links must lead to files, and those with #section to a heading. A block without a
mark must not look like a command.
--keep copies the pictures that commands left in the scratch folder.
"""
import argparse
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md", "scenes/README.md", "bench/NOTES.md"]
MARKS = r"sh( long| device| system)?|console( fails)?|jsonc? \S+|diff \S+|c \S+|python|cmake|text"
COMMAND = re.compile(r"\s*(\$ |sudo |make |cc |cmake |apt-get |build/ooze |ooze [a-z]|tools/|\./|[A-Z_]+=\S+ build/)")
TREE = re.compile(r"(scenes|tools|docs|tests|bench|src|include|cli)/[\w./-]*\w$")
SECONDS = 120  # of a command
LONG_MINUTES = 30  # of a command in a block marked `sh long` or `sh device`


def anchors_of(path):
    """The anchors of the headings of a page, as GitHub makes them."""
    anchors = set()
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^```.*?^```", "", file.read(), flags=re.S | re.M)
    for heading in re.findall(r"^#+ +(.*)$", text, re.M):
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        name = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        number = 0
        while (name if number == 0 else f"{name}-{number}") in anchors:
            number += 1
        anchors.add(name if number == 0 else f"{name}-{number}")
    return anchors


class Block:
    def __init__(self, page, line, mark):
        self.page, self.line, self.mark, self.lines = page, line, mark, []

    def place(self):
        return f"{self.page}:{self.line}"

    def text(self):
        return "\n".join(self.lines) + "\n"

    def words(self):
        return self.mark.split()


def read_blocks(page):
    blocks, block = [], None
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        for number, line in enumerate(file.read().splitlines(), 1):
            if line.startswith("```"):
                if block:
                    blocks.append(block)
                block = None if block else Block(page, number, line[3:].strip())
            elif block:
                block.lines.append(line)
    return blocks


def commands_of(block):
    """The commands of a block, each with its continued lines."""
    kind = block.words()[0]
    lines = block.lines if kind == "sh" else [l[2:] for l in block.lines if l.startswith("$ ")]
    text = "\n".join(lines).replace("\\\n", " ")
    return [l for l in text.splitlines() if l.strip() and not l.lstrip().startswith("#")]


class Checker:
    def __init__(self, options):
        self.options = options
        self.findings = []
        self.counts = {}
        self.help = {}
        self.anchors = {}
        with open(os.path.join(ROOT, "Makefile"), encoding="utf-8") as file:
            self.targets = set(re.findall(r"^([\w-]+):", file.read(), re.M))

    def find(self, block, sentence):
        place = block if isinstance(block, str) else block.place()
        self.findings.append(f"{place}: {sentence}")
        print(f"{place}: {sentence}", flush=True)

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    # ---- without running ----

    def check_links(self, page):
        with open(os.path.join(ROOT, page), encoding="utf-8") as file:
            text = re.sub(r"```.*?```", "", file.read(), flags=re.S)
        names = re.findall(r"\]\(([^)\s]+)[^)]*\)", text) + re.findall(r'(?:src|href)="([^"]+)', text)
        for link in names:
            if re.match(r"\w+:", link):
                continue
            name, _, anchor = link.partition("#")
            path = os.path.normpath(os.path.join(ROOT, os.path.dirname(page), name) if name
                                    else os.path.join(ROOT, page))
            if not os.path.exists(path):
                self.find(page, f"links to {name}, which does not exist")
            elif anchor and path.endswith(".md") and anchor not in self.anchors_in(path):
                self.find(page, f"links to {link}, and {os.path.relpath(path, ROOT)} has no such heading")
            self.count("links")

    def check_numbers(self, page):
        """The README names the numbers of scenes and presets."""
        with open(os.path.join(ROOT, page), encoding="utf-8") as file:
            text = file.read()
        listed = subprocess.run([os.path.join(ROOT, "build/ooze"), "presets"], capture_output=True, text=True, check=False)
        numbers = {"scenes": len(glob.glob(os.path.join(ROOT, "scenes/*.json"))),
                   "presets": len(re.findall(r"^(?!name )[a-z]", listed.stdout, re.M))}
        for what, there in numbers.items():
            for told in re.findall(rf"(\d+) \[?{what}\b", text):
                if int(told) != there:
                    self.find(page, f"says {told} {what}; there are {there}")
                self.count("numbers")

    def anchors_in(self, path):
        if path not in self.anchors:
            self.anchors[path] = anchors_of(path)
        return self.anchors[path]

    def options_of(self, command):
        if command not in self.help:
            result = subprocess.run([os.path.join(ROOT, "build/ooze"), "help", command],
                                    capture_output=True, text=True, check=False)
            known = re.findall(r"(?<![\w-])(--?[a-z][a-z-]*)", result.stdout)
            self.help[command] = set(known) if result.returncode == 0 else None
        return self.help[command]

    def check_ooze(self, block, words):
        command = words[0] if words else "help"
        known = self.options_of(command) if command not in ("help", "--help", "--version") else set()
        if known is None:
            return self.find(block, f"ooze has no command {command}")
        for word in words[1:]:
            name = word.split("=")[0]
            if re.match(r"--?[a-z]", word) and name not in known | {"--help", "-q", "-v"}:
                self.find(block, f"ooze {command} has no option {name}")
        return None

    def check_names(self, block, command):
        try:
            words = shlex.split(command, comments=True)
        except ValueError as error:
            return self.find(block, f"the shell cannot read `{command}`: {error}")
        while words and re.match(r"\w+=", words[0]):
            words.pop(0)
        if not words:
            return None
        for word in words:
            if TREE.match(word) and not os.path.exists(os.path.join(ROOT, word)):
                self.find(block, f"`{command}` names {word}, which does not exist")
        if os.path.basename(words[0]) == "ooze":
            self.check_ooze(block, words[1:])
        if words[0] == "make":
            for word in words[1:]:
                if "=" not in word and not word.startswith("-") and word not in self.targets:
                    self.find(block, f"the Makefile has no target {word}")
        self.count("commands read")
        return None

    # ---- running ----

    def run(self, block, script, scratch, fails=False):
        slow = block.words()[1:] in (["long"], ["device"])
        limit = 60 * self.options.limit if slow else SECONDS
        try:
            result = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=scratch, timeout=limit,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                                    stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            self.find(block, f"`{script.splitlines()[0]}` takes more than {limit:g} s; "
                      + ("use a smaller example, or a longer --limit" if slow else "mark it `sh long`"))
            return None
        if (result.returncode != 0) != fails:
            last = "\n    ".join(result.stdout.splitlines()[-8:])
            self.find(block, f"`{script}` ends with {result.returncode}:\n    {last}")
            return None
        return result.stdout

    def run_commands(self, block, scratch):
        for command in commands_of(block):
            # one by one, so that a finding names its command
            self.run(block, command, scratch)
            self.count("commands run")

    def run_console(self, block, scratch):
        def masked(text):
            text = re.sub(r"[\d.,]+(e[+-]?\d+)?( [kMG]?B\b)?", "N", text)
            return [re.sub(r"\s+", " ", l).strip() for l in text.splitlines() if l.strip()]
        said = self.run(block, "\n".join(commands_of(block)), scratch, "fails" in block.words())
        told = [l for l in block.lines if not l.startswith("$ ")]
        self.count("commands run")
        if said is not None and masked(said) != masked("\n".join(told)):
            self.find(block, f"the program now says:\n{said}")

    def keep_scene(self, block, scratch):
        name = block.words()[1]
        path = os.path.join(scratch, name)
        if block.words()[0] == "diff":
            if not self.apply(block, path):
                return
        elif os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                if file.read() != block.text():
                    self.find(block, f"is not what {name} has become by the changes above")
                return
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(block.text())
        self.run(block, f"build/ooze validate {name}", scratch)
        self.count("scenes")

    def apply(self, block, path):
        """Applies a change whose pieces are parted by lines that begin with @@."""
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for piece in re.split(r"^@@.*\n", block.text(), flags=re.M):
            lines = piece.splitlines()
            old = "".join(l[1:] + "\n" for l in lines if l[:1] in (" ", "-"))
            new = "".join(l[1:] + "\n" for l in lines if l[:1] in (" ", "+"))
            if text.count(old) != 1:
                self.find(block, f"the lines that it changes are {text.count(old)} times in the scene, not once")
                return False
            text = text.replace(old, new)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return True

    def compile_c(self, block, scratch):
        name = block.words()[1]
        with open(os.path.join(scratch, name), "w", encoding="utf-8") as file:
            file.write(block.text())
        output = f"-o {name[:-2]}" if "int main" in block.text() else "-c -o part.o"
        library = os.path.join(ROOT, "build/release/libooze.a") if "int main" in block.text() else ""
        self.run(block, f"cc -std=c11 -Wall -Wextra -Werror -Iinclude {name} {output} {library} -lm -lpthread -ldl",
                 scratch)
        self.count("C files compiled")

    def check_block(self, block, scratch):
        words = block.words()
        if not re.fullmatch(MARKS, block.mark):
            if block.mark or any(COMMAND.match(l) for l in block.lines):
                self.find(block, f"a block marked `{block.mark}`; give it a mark (see tools/check_docs.py)")
            return
        kind, rest = words[0], words[1:]
        if kind in ("sh", "console"):
            for command in commands_of(block):
                self.check_names(block, command)
        run = not rest or rest == ["fails"] or getattr(self.options, rest[0], False)
        if kind == "sh" and run:
            self.run_commands(block, scratch)
        elif kind == "console":
            self.run_console(block, scratch)
        elif kind in ("json", "jsonc", "diff") and rest != ["part"]:
            self.keep_scene(block, scratch)
        elif kind == "c" and rest != ["part"]:
            self.compile_c(block, scratch)
        elif kind == "python":
            try:
                compile(block.text(), block.place(), "exec")
            except SyntaxError as error:
                self.find(block, f"is not Python: {error}")

    def check_page(self, page):
        self.check_links(page)
        if page == "README.md":
            self.check_numbers(page)
        blocks = read_blocks(page)
        with tempfile.TemporaryDirectory(prefix="ooze-docs-") as scratch:
            if any(b.mark and b.mark != "text" for b in blocks):
                copy_tree(scratch)
            for block in blocks:
                self.check_block(block, scratch)
            if self.options.keep:
                os.makedirs(self.options.keep, exist_ok=True)
                for picture in glob.glob(os.path.join(scratch, "*.png")):
                    shutil.copy(picture, self.options.keep)


def copy_tree(scratch):
    shutil.copytree(ROOT, scratch, ignore=shutil.ignore_patterns(".git", "__pycache__", "build"), dirs_exist_ok=True)
    os.makedirs(os.path.join(scratch, "build"))
    shutil.copy(os.path.join(ROOT, "build/ooze"), os.path.join(scratch, "build/ooze"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", action="store_true", help="run blocks marked `sh long`, too")
    parser.add_argument("--device", action="store_true", help="run blocks marked `sh device`, too")
    parser.add_argument("--limit", metavar="MINUTES", type=float, default=LONG_MINUTES,
                        help=f"longest time of a command of `sh long` and `sh device` (default {LONG_MINUTES})")
    parser.add_argument("--keep", metavar="DIR", help="copy pictures of the scratch folder there")
    parser.add_argument("pages", nargs="*", help="pages; all of them if none is named")
    options = parser.parse_args()
    if not os.path.exists(os.path.join(ROOT, "build/ooze")):
        return "check_docs.py: build/ooze is not there; run `make build`."
    pages = options.pages or sorted(os.path.relpath(p, ROOT) for g in PAGES for p in glob.glob(os.path.join(ROOT, g)))
    checker = Checker(options)
    for page in pages:
        checker.check_page(page)
    print(f"{len(pages)} pages, " + ", ".join(f"{n} {what}" for what, n in checker.counts.items())
          + f": {len(checker.findings)} findings")
    return 1 if checker.findings else 0


if __name__ == "__main__":
    sys.exit(main())
