#!/usr/bin/env python3
"""Checks a transcript of `palmtop anonymize --strategy simulatable --with transcript`.

It replays the questions without a search and without palmtop's code. For each question and each
possible answer, including *failed*, it computes everyone's posterior in whole numbers: the share,
among all tables of this size that give the same answers, of those that have the person.
replay.py has the computation, and docs/proof.md explains it.

Exit status: 0 if each posterior is within delta; 1 if one is not; 2 if the transcript is malformed,
has an impossible answer, or does not belong to the given tables.
"""
import argparse
import itertools
import re
import sys
from fractions import Fraction

from replay import Replay, Unsafe
from tables import Table, Wrong, classes_of, hierarchy

NUMBER = r"(?:0|[1-9]\d*)"
RANGE = f"{NUMBER}(?:-{NUMBER})?"
LINE = re.compile(f"({NUMBER})\t([^\t]+)\t({RANGE}(?: {RANGE})*)\t(failed|{NUMBER})")


def step(replay, line, classes):
    found = LINE.fullmatch(line)
    if not found:
        raise Wrong("expected region, question, accepted numbers and answer, separated by tabs")
    region, question = int(found[1]), found[2]
    bounds = [[int(number) for number in text.split("-")] for text in found[3].split(" ")]
    if any(low >= high for low, high in itertools.pairwise(itertools.chain(*bounds))) or any(
            last[-1] + 1 >= first[0] for last, first in itertools.pairwise(bounds)):
        raise Wrong("the accepted numbers are not in order")
    if bounds[-1][-1] > replay.members.get(region, 0):
        raise Wrong("it accepts more members than the region has")
    accepted = [number for ends in bounds for number in range(ends[0], ends[-1] + 1)]
    answer = None if found[4] == "failed" else int(found[4])
    if answer is not None and answer not in accepted:
        raise Wrong("the answer is not accepted")
    if part := re.fullmatch(f"in part ({NUMBER})", question):
        replay.ask_part(region, int(part[1]), accepted, answer, classes)
    else:
        replay.ask(region, question, accepted, answer)


def check(options):
    hierarchies = {name: hierarchy(path) for name, path in (pair.split("=", 1) for pair in options.hierarchy)}
    public = Table(options.public, hierarchies, options.count)
    private = Table(options.private, hierarchies) if options.private else None
    classes = classes_of(options.classes, public, options.release) if options.classes else None
    with open(options.transcript, encoding="utf-8", newline="") as file:
        *lines, last = file.read().split("\n")
    if last or lines[:1] != ["region\tquestion\taccepted\tanswer"]:
        raise Wrong("the header or the end of the last line is missing")
    delta = [Fraction(bound) for bound in options.delta]
    replay = Replay(public, private, private.people if private else options.members, delta)
    for number, line in enumerate(lines[1:], 2):
        try:
            step(replay, line, classes)
        except (Unsafe, Wrong) as error:
            raise type(error)(f"line {number}: {line!r}: {error}") from error
    replay.end(classes)
    return f"questions   {len(lines) - 1}\nposteriors  {replay.checked}, all from {delta[0]} to {delta[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("transcript")
    parser.add_argument("--public", required=True, help="P as CSV, with values of the hierarchies")
    parser.add_argument("--count", help="the column of P with the number of people of a row")
    parser.add_argument("--hierarchy", action="append", required=True, metavar="COLUMN=FILE",
                        help="for each quasi-identifier, the file that `palmtop hierarchy export` writes")
    parser.add_argument("--delta", nargs=2, required=True, metavar=("MIN", "MAX"))
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--members", type=int, help="the number of members of T")
    size.add_argument("--private", help="T as CSV: each answer is compared with T")
    parser.add_argument("--classes", help="the output of `palmtop classes --strategy simulatable "
                        "--format csv`; needed for questions about parts")
    parser.add_argument("--release", help="with --classes: the released CSV, whose rows are compared")
    try:
        print(check(parser.parse_args()))
    except Unsafe as error:
        print(f"NOT SAFE: {error}", file=sys.stderr)
        sys.exit(1)
    except (Wrong, OSError, UnicodeError) as error:
        print(f"NOT A TRANSCRIPT OF THESE TABLES: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
