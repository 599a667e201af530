"""Prints the licences of the crates that are linked into the programs.

    python3 packaging/third_party.py TARGET

Each crate has its version, its licence and the texts of its licence files, which include those of C
sources. Equal texts are printed once. A crate without a licence file has those of a crate from the
same repository, or else our text of MIT or Apache-2.0. The run fails if none of these exists.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

NAMES = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)
ENDINGS = {"", ".md", ".txt", ".rst", ".apache", ".mit", ".html"}
SKIPPED = {"build", "contrib", "doc", "examples", "ossfuzz", "programs", "tests"}
"""Folders of crates whose sources are in no program."""
OURS = {"Apache-2.0": "LICENSE-APACHE", "MIT": "LICENSE-MIT"}


def linked(target: str) -> list[tuple[str, str]]:
    """Returns the name and the version of each crate that is linked into a program."""
    return crates(target, "normal,no-proc-macro")


def crates(target: str, edges: str) -> list[tuple[str, str]]:
    command = ["cargo", "tree", "--locked", "--target", target, "--prefix", "none", "--format", "{p}"]
    command += ["--edges", edges, "-p", "palmtop", "-p", "palmtop-verify"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    found = {tuple(line.split()[:2]) for line in lines if line.strip()}
    return sorted((name, version.removeprefix("v")) for name, version in found)


def packages() -> dict[tuple[str, str], dict[str, str]]:
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {(package["name"], package["version"]): package for package in found["packages"]}


def licence_files(folder: Path) -> list[Path]:
    """Returns the licence files of a crate by their paths, with those of its subfolders."""
    files = []
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - SKIPPED)
        for name in sorted(names):
            ending = Path(name).suffix.lower()
            if NAMES.match(name) and (ending in ENDINGS or ending.startswith(("-", "_"))):
                files.append(Path(parent) / name)
    return files


def licence_texts(folder: Path) -> list[str]:
    return [path.read_text("utf-8", "replace").strip() + "\n" for path in licence_files(folder)]


def main() -> int:
    known = packages()
    texts: dict[str, int] = {}
    rows, missing = [], []
    for key in linked(sys.argv[1]):
        package = known[key]
        if package["source"] is None:
            continue  # a crate of palmtop
        folder = Path(package["manifest_path"]).parent
        licence = (package["license"] or "see its file").replace("/", " OR ")
        found = licence_texts(folder)
        if not found and package["repository"]:
            others = [other for other in known.values() if other["repository"] == package["repository"]]
            folders = sorted(Path(other["manifest_path"]).parent for other in others)
            found = next((texts for texts in map(licence_texts, folders) if texts), [])
        if not found:
            found = [Path(name).read_text("utf-8") for licence_id, name in OURS.items() if licence_id in licence][:1]
        if not found:
            missing.append(f"{key[0]} {key[1]}: {licence}")
        numbers = sorted({texts.setdefault(text, len(texts) + 1) for text in found})
        rows.append(f"{key[0]} {key[1]}\n    {licence}\n    texts {', '.join(map(str, numbers))}")
    if missing:
        print("these crates have no licence file:", *missing, sep="\n", file=sys.stderr)
        return 1
    print("Crates of others that are linked into palmtop and palmtop-verify, with their licences.")
    print("A number refers to a text below. If a crate has several licences, the text of each is there.")
    print("The standard library of Rust is linked, too. Its licence is MIT OR Apache-2.0.\n")
    print("\n".join(rows))
    for text, number in texts.items():
        print(f"\n{'=' * 72}\nText {number}\n{'=' * 72}\n\n{text}", end="")
    return 0


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main())
