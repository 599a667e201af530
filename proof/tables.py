"""What check_transcript.py reads: tables of people, hierarchies, and the classes of a release.

A set of people is a whole number with one bit for each of them.
"""
import csv
import re
from collections import Counter
from fractions import Fraction


class Wrong(Exception):
    """The transcript is malformed, impossible, or does not belong to the tables."""


def rows_of(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        text = file.read()
    separator = ";" if ";" in text.split("\n")[0] else ","
    return list(csv.reader(text.splitlines(keepends=True), delimiter=separator))


def hierarchy(path):
    """For each label, its leaves as a set of line numbers; `*` has all."""
    leaves = {}
    for leaf, row in enumerate(rows_of(path)):
        for label in {*row, "*"}:
            leaves.setdefault(label, set()).add(leaf)
    return leaves


def escaped(text):
    """Names and labels as a transcript has them."""
    text = re.sub(r"([\\\"'])", r"\\\1", text)
    return text.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def number(text):
    try:
        return Fraction(text)
    except ValueError:
        raise Wrong(f"{text!r} is neither a label nor a number") from None


class Table:
    """A table of people by its quasi-identifiers."""

    def __init__(self, path, hierarchies, count=None):
        header, *rows = rows_of(path)
        for name in [*hierarchies, *filter(None, [count])]:
            if name not in header:
                raise Wrong(f"{path} has no column {name}")
        self.hierarchies, self.people = hierarchies, 0
        self.values = {name: Counter() for name in hierarchies}
        for row in rows:
            number = int(row[header.index(count)]) if count else 1
            for name, known in self.values.items():
                known[row[header.index(name)]] |= (1 << number) - 1 << self.people
            self.people += number

    def leaves(self, name, label):
        if label not in self.hierarchies[name]:
            raise Wrong(f"the hierarchy of {name} has no label {label!r}")
        return self.hierarchies[name][label]

    def where(self, name, holds):
        """The people whose value has leaves for which a condition holds."""
        values = self.values[name].items()
        return sum(bits for value, bits in values if holds(self.leaves(name, value)))

    def left(self, question):
        """The people on the left of a cut: `age before 40`, or `job is Clerk`."""
        found = [
            (name, sign, leaves)
            for name, labels in self.hierarchies.items()
            for sign in ("before", "is")
            for label, leaves in labels.items()
            if question == f"{escaped(name)} {sign} {escaped(label)}"
        ]
        if len(found) != 1:
            raise Wrong(f"{question!r} is no cut at a label of a hierarchy")
        name, sign, cut = found[0]
        if sign == "is":
            return self.where(name, lambda value: value <= cut)
        return self.where(name, lambda value: min(value) < min(cut))

    def side(self, name, text):
        """The people in a side of a class: a label, a range, a set, or a label with exceptions."""
        def union(terms):
            found = re.findall(r'"([^"]*)"|([^,"]+?)\s*(?:,\s*|$)', terms)
            return set().union(*(self.leaves(name, quoted or plain) for quoted, plain in found))

        if text in self.hierarchies[name]:
            side = self.leaves(name, text)
        elif found := re.fullmatch(r"\[(.*), (.*)\]", text):
            if not {*found.groups()} <= self.hierarchies[name].keys():
                # A border of numbers may be a value that nobody has.
                first, last = (number(end) for end in found.groups())
                return sum(bits for value, bits in self.values[name].items() if first <= number(value) <= last)
            first, last = self.leaves(name, found[1]), self.leaves(name, found[2])
            side = set(range(min(first), max(last) + 1))
        elif found := re.fullmatch(r"(?:(.*) except )?\{(.*)\}", text):
            side = union(found[2])
            side = self.leaves(name, found[1]) - side if found[1] else side
        else:
            raise Wrong(f"{text!r} is no label, range or set of {name}")
        return self.where(name, lambda value: value <= side)


def classes_of(path, public, release=None):
    """The people and the number of members of each class. The rows of a release must be theirs."""
    header, *rows = rows_of(path)
    classes, everyone, written = [], 0, Counter()
    for row in (dict(zip(header, values)) for values in rows):
        people = (1 << public.people) - 1
        for name in public.hierarchies:
            people &= public.side(name, row[name])
        if people & everyone or people.bit_count() != int(row["public"]):
            raise Wrong(f"the class {row} has other people in P")
        everyone |= people
        classes.append((people, int(row["private"])))
        written[tuple(row[name] for name in public.hierarchies)] += int(row["private"])
    if everyone.bit_count() != public.people:
        raise Wrong("the classes do not have everyone in P")
    if release:
        header, *rows = rows_of(release)
        columns = [header.index(name) for name in public.hierarchies]
        if Counter(tuple(row[column] for column in columns) for row in rows) != +written:
            raise Wrong("the release has other rows than the classes")
    return classes
