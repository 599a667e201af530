#!/usr/bin/env python3
"""Four tables of other shapes than Adult, in the form of ARX's data: many values, many columns, codes, and skew with
missing cells.

    benches/arx/tables.py FOLDER

Each table has NAME.csv, NAME_subset.csv (a tenth of its rows, drawn) and NAME_hierarchy_COLUMN.csv.
"""

import random
import sys
from pathlib import Path


def ranges(most, widths):
    """A number and the ranges of these widths around it."""
    around = lambda value, width: f"{value // width * width}-{value // width * width + width - 1}"
    return {str(value): [around(value, width) for width in widths] for value in range(most + 1)}


def masks(texts):
    """A code without its last characters."""
    return {text: [text[:kept] + "*" * (len(text) - kept) for kept in range(len(text) - 1, 0, -1)] for text in texts}


def groups(texts, size):
    """A value and its group of neighbours."""
    return {text: [f"group {place // size}"] for place, text in enumerate(texts)}


def tables(draw):
    """Each table with its number of rows, its hierarchies, and a function that draws a row."""
    skewed = lambda count, power: int(draw.random() ** power * count)
    number = lambda most: ranges(most, [5, 10, 20])
    codes = [f"{letter}{number:02}" for letter in "ABCDEFGH" for number in range(100)]
    many = {"age": number(99), "income": ranges(1999, [10, 50, 250, 1000]), "zip": masks([f"{code:05}" for code in range(600)])}
    yield "values", 50_000, many, lambda: [str(skewed(100, 1)), str(skewed(2000, 2)), f"{skewed(600, 2):05}"]
    wide = {f"item{item:02}": groups(["a", "b", "c", "d"], 2) for item in range(10)}
    yield "columns", 20_000, wide, lambda: ["abcd"[skewed(4, 2)] for _ in wide]
    coded = {"main": masks(codes), "second": masks(codes), "sex": groups(["f", "m"], 2), "age": number(99)}
    yield "codes", 40_000, coded, lambda: [codes[skewed(800, 3)], codes[skewed(800, 3)], "fm"[skewed(2, 1)], str(skewed(100, 1))]
    jobs = [f"job{job:02}" for job in range(40)]
    missing = {"job": groups([*jobs, "?"], 8), "age": {**number(99), "?": ["?"] * 3}, "state": groups([f"s{state:02}" for state in range(50)], 10)}
    age = lambda: "?" if draw.random() < 0.05 else str(skewed(100, 1.5))
    yield "skew", 100_000, missing, lambda: [jobs[skewed(40, 6)] if draw.random() < 0.9 else "?", age(), f"s{skewed(50, 5):02}"]


def main():
    folder = Path(sys.argv[1])
    draw = random.Random(1)
    for name, count, hierarchies, row in tables(draw):
        rows = [";".join(row()) for _ in range(count)]
        for ending, chosen in [("", rows), ("_subset", draw.sample(rows, count // 10))]:
            (folder / f"{name}{ending}.csv").write_text("\n".join([";".join(hierarchies), *chosen, ""]))
        for column, values in hierarchies.items():
            lines = [";".join([value, *above, "*"]) for value, above in values.items()]
            (folder / f"{name}_hierarchy_{column}.csv").write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
