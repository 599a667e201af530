"""Tests of check_transcript.py.

    PALMTOP=target/release/palmtop python3 -m unittest discover proof

PALMTOP is the program; tests that need it are skipped without it. TABLES is the number of random
tables, by default 60.

Which transcripts must be refused? A changed transcript can be a correct one of another search, or
of another T. So each test compares with what is true: `brute_force` lists all tables, keeps those
that give the answers, and counts. Two properties are tested in addition:
- If T is given, the checker refuses each changed answer to a cut.
- The checker with T, the classes and the release, or `palmtop audit`, refuses each
  change, except another answer about a part. The checker decides whether the questions are safe; only a second
  run of the search decides whether it would have asked them.
"""
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import types
import unittest
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import check_transcript
from check_transcript import Unsafe, Wrong

PALMTOP = os.environ.get("PALMTOP")
TABLES = int(os.environ.get("TABLES", "60"))
ROOT = Path(__file__).resolve().parent.parent
HEADER = "region\tquestion\taccepted\tanswer"
JOBS = ["baker", "cook", "waiter", "clerk", "nurse", "judge"]
GROUPS = {"baker": "food", "cook": "food", "waiter": "food", "clerk": "office", "nurse": "care", "judge": "office"}
DELTAS = [("0", "1/2"), ("0", "1/3"), ("1/6", "1/2"), ("0", "2/5"), ("1/8", "3/5"), ("1/10", "2/3")]
SAFE, UNSAFE, WRONG = 0, 1, 2


def csv(header, rows):
    return "\n".join(",".join(map(str, row)) for row in [header, *rows]) + "\n"


class Project:
    """A folder with random P and T, their hierarchies and a project file."""

    def __init__(self, folder, draw):
        self.folder, self.names = Path(folder), draw.choice([["age"], ["age", "job"], ["job", "age", "floor"]])
        value = {"age": lambda: draw.randrange(8), "job": lambda: draw.choice(JOBS), "floor": lambda: draw.randrange(3)}
        while True:
            n = draw.randint(7, 12)
            self.delta, t = draw.choice(DELTAS), draw.randint(2, 5)
            if Fraction(self.delta[0]) <= Fraction(t, n) <= Fraction(self.delta[1]):
                break
        self.public = [tuple(value[name]() for name in self.names) for _ in range(n)]
        self.private = frozenset(draw.sample(range(n), t))
        self.write("public.csv", csv(self.names, self.public))
        self.write("private.csv", csv(self.names, [self.public[person] for person in sorted(self.private)]))
        self.write("age.csv", "".join(f"{age};from {age // 2 * 2};*\n" for age in range(8)))
        self.write("job.csv", "".join(f"{job};{GROUPS[job]};*\n" for job in sorted(JOBS, key=lambda job: GROUPS[job])))
        self.write("floor.csv", "".join(f"{floor};*\n" for floor in range(3)))
        limit = draw.choice(["", "", "terms = 2\n"])
        attributes = "".join(
            f'[[attribute]]\nname = "{name}"\nrole = "quasi"\nhierarchy = "{name}.csv"\n{limit if name == "job" else ""}'
            for name in self.names)
        search = f'[search]\nempty_regions = "{draw.choice(["allow", "forbid"])}"\n'
        self.write("project.toml", f'[private]\npath = "private.csv"\n[public]\npath = "public.csv"\n[delta]\n'
                   f'min = "{self.delta[0]}"\nmax = "{self.delta[1]}"\n{search}{attributes}')

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def path(self, name):
        return str(self.folder / name)

    def run(self, *arguments):
        return subprocess.run([PALMTOP, *arguments], cwd=self.folder, check=True, capture_output=True, text=True).stdout

    def search(self):
        """The lines of the transcript; also writes the release and the classes."""
        self.run("anonymize", "project.toml", "--strategy", "simulatable", "--with", "transcript", "-o", "release.csv")
        self.write("classes.csv", self.run("classes", "project.toml", "--strategy", "simulatable", "--format", "csv"))
        return (self.folder / "release.transcript.txt").read_text(encoding="utf-8").splitlines()[1:]

    def belongs(self, lines):
        """What `palmtop audit` finds about the transcript. A malformed transcript is an error."""
        self.write("audited.tsv", "\n".join([HEADER, *lines, ""]))
        try:
            found = json.loads(self.run("audit", "project.toml", "audited.tsv", "--strategy", "simulatable",
                                        "--format", "json"))
        except subprocess.CalledProcessError:
            return False
        self.audit = found["knows_algorithm"]
        return found["transcript"]

    def check(self, lines, private=True, classes=True, members=None):
        """The exit status of the checker, and its message."""
        self.write("changed.tsv", "\n".join([HEADER, *lines, ""]))
        options = types.SimpleNamespace(
            transcript=self.path("changed.tsv"), public=self.path("public.csv"), count=None, delta=self.delta,
            hierarchy=[f"{name}={self.path(name)}.csv" for name in self.names],
            private=self.path("private.csv") if private else None, members=members or len(self.private),
            classes=self.path("classes.csv") if classes else None,
            release=self.path("release.csv") if classes else None)
        try:
            return SAFE, check_transcript.check(options)
        except Unsafe as error:
            return UNSAFE, str(error)
        except Wrong as error:
            return WRONG, str(error)

    def goes_left(self, question, person):
        name, sign, label = question.split(" ", 2)
        value = self.public[person][self.names.index(name)]
        if name == "job":
            order = sorted(JOBS, key=lambda job: GROUPS[job])
            group = [job for job in order if label in (job, GROUPS[job])]
            return value in group if sign == "is" else order.index(value) < order.index(group[0])
        number = int(label.removeprefix("from "))
        last = number + 1 if label.startswith("from ") else number
        return number <= value <= last if sign == "is" else value < number

    def brute_force(self, lines, private=True):
        """The true status of a transcript of cuts, and its last regions: by a list of all tables."""
        low, high = map(Fraction, self.delta)
        possible = [frozenset(T) for T in itertools.combinations(range(len(self.public)), len(self.private))]
        regions, following = {0: frozenset(range(len(self.public)))}, 1
        for line in lines:
            region, question, accepted, answer = line.split("\t")
            people = regions.get(int(region))
            if people is None:
                return WRONG, None
            left = frozenset(person for person in people if self.goes_left(question, person))
            bounds = [[int(bound) for bound in part.split("-")] for part in accepted.split(" ")]
            numbers = [number for ends in bounds for number in range(ends[0], ends[-1] + 1)]
            if not left or left == people or numbers != sorted(set(numbers)):
                return WRONG, None
            if any(len(ends) == 2 and ends[0] >= ends[1] for ends in bounds):
                return WRONG, None
            if answer != "failed" and int(answer) not in numbers:
                return WRONG, None
            truth = len(self.private & left)
            if private and answer != (str(truth) if truth in numbers else "failed"):
                return WRONG, None
            outcomes = {}
            for T in possible:
                number = len(T & left)
                outcomes.setdefault(number if number in numbers else "failed", []).append(T)
            if any(number not in outcomes for number in numbers) or answer == "failed" and "failed" not in outcomes:
                return WRONG, None
            for tables in outcomes.values():
                for person in range(len(self.public)):
                    if not low <= Fraction(sum(person in T for T in tables), len(tables)) <= high:
                        return UNSAFE, None
            possible = outcomes[answer if answer == "failed" else int(answer)]
            if answer != "failed":
                del regions[int(region)]
                regions |= {following: left, following + 1: people - left}
                following += 2
        return SAFE, {(people, len(possible[0] & people)) for people in regions.values()}


def changes(lines, draw, project):
    """Changed transcripts, each with the kind of its change and the changed line."""
    for index, line in enumerate(lines):
        region, question, accepted, answer = line.split("\t")
        fields = lambda **new: "\t".join({"region": region, "question": question, "accepted": accepted,
                                          "answer": answer, **new}.values())
        first, last = int(accepted.replace("-", " ").split()[0]), int(accepted.replace("-", " ").split()[-1])
        names = {"accepted": [f"{first}-{last + 1}", f"{first + 1}-{last}", f"{max(0, first - 1)}-{last}", str(first), str(last)],
                 "answer": ["failed", *map(str, range(first, last + 1)), str(last + 1)],
                 "region": [str(int(region) + 1), str(max(0, int(region) - 1)), "99"],
                 "question": [f"age before {draw.randint(1, 7)}", "age before from 4", f"job is {draw.choice(JOBS)}", "job before nurse", "in part 0"]}
        for field, values in names.items():
            for value in values:
                changed = fields(**{field: value})
                parts = value.split("-")
                if field == "accepted" and len(parts) == 2 and parts[0] == parts[1]:
                    changed = fields(accepted=parts[0])
                if changed != line and not (field == "question" and value.split()[0] not in [*project.names, "in"]):
                    yield field, index, [*lines[:index], changed, *lines[index + 1:]]
        yield "dropped", index, [*lines[:index], *lines[index + 1:]]
        yield "duplicated", index, [*lines[:index], line, *lines[index:]]


class RandomTranscripts(unittest.TestCase):
    def test_the_checker_agrees_with_a_list_of_all_tables(self):
        """Random questions with random accepted numbers, most of them unsafe; no search is involved."""
        seen = {SAFE: 0, UNSAFE: 0, WRONG: 0}
        for seed in range(10 * TABLES):
            draw = random.Random(seed)
            with tempfile.TemporaryDirectory() as folder:
                project = Project(folder, draw)
                if seed % 2:
                    project.delta = ("0", "9/10")
                lines, regions, following = [], [0], 1
                for _ in range(draw.randint(1, 5)):
                    name = draw.choice(project.names)
                    label = {"age": str(draw.randrange(8)), "job": draw.choice(JOBS), "floor": str(draw.randrange(3))}[name]
                    question = f"{name} {draw.choice(['before', 'is'])} {label}"
                    region = draw.choice(regions)
                    numbers = sorted(draw.sample(range(5), draw.randint(1, 2)))
                    # Complete the line so that it is possible, if there is such a line.
                    status, best = WRONG, None
                    for answer in draw.sample(["failed", *map(str, numbers)], len(numbers) + 1):
                        ends = [numbers[0], numbers[-1]]
                        accepted = f"{ends[0]}-{ends[1]}" if ends[1] == ends[0] + 1 else " ".join(map(str, numbers))
                        line = f"{region}\t{question}\t{accepted}\t{answer}"
                        status, _ = project.brute_force([*lines, line], private=False)
                        best = best or line
                        if status != WRONG:
                            best = line
                            break
                    if status == WRONG and draw.random() < 0.8:
                        continue
                    lines.append(best)
                    if not best.endswith("failed"):
                        regions = [known for known in regions if known != region] + [following, following + 1]
                        following += 2
                expected, _ = project.brute_force(lines, private=False)
                self.assertEqual(project.check(lines, private=False, classes=False)[0], expected, (seed, lines))
                seen[expected] += 1
        self.assertTrue(all(seen.values()), seen)


@unittest.skipUnless(PALMTOP, "PALMTOP is not set: it is the path of the program")
class TranscriptsOfPalmtop(unittest.TestCase):
    def test_they_are_safe_and_changed_ones_are_refused(self):
        counted = {"tables": 0, "questions": 0, "changes": 0, "brute force": 0, "left to the audit": 0}
        for seed in range(TABLES):
            draw = random.Random(1_000_000 + seed)
            with self.subTest(seed=seed), tempfile.TemporaryDirectory() as folder:
                project = Project(folder, draw)
                lines = project.search()
                counted["tables"] += 1
                counted["questions"] += len(lines)
                self.assertEqual(project.check(lines)[0], SAFE, project.check(lines))
                self.assertTrue(project.belongs(lines))
                self.assertEqual((project.audit["verdict"], project.audit["beyond"]), ("exact", 0))
                has_parts = any(line.split("\t")[1].startswith("in part") for line in lines)
                if not has_parts:
                    self.assertEqual(project.check(lines, private=False, classes=False)[0], SAFE)
                    expected = project.brute_force(lines)
                    self.assertEqual(expected[0], SAFE)
                for change, index, changed in changes(lines, draw, project):
                    self.refuse(project, lines, change, index, changed, None if has_parts else expected[1], counted)
                self.assertNotEqual(project.check(lines, private=False, members=len(project.private) + 1)[0], SAFE)
        print(counted)

    def refuse(self, project, lines, change, index, changed, regions, counted):
        counted["changes"] += 1
        status, message = project.check(changed)
        is_cut = not lines[index].split("\t")[1].startswith("in part")
        has_part = any(line.split("\t")[1].startswith("in part") for line in changed)
        if change in ("answer", "duplicated") and is_cut:
            self.assertNotEqual(status, SAFE, (change, changed))
        if regions is not None and not has_part:
            counted["brute force"] += 1
            expected, last = project.brute_force(changed)
            if expected == SAFE and last != regions:
                expected = WRONG
            self.assertEqual(status, expected, (change, changed, message))
        # The transcript does not say who is in a part. There, another answer means another T.
        if status == SAFE and (is_cut or change != "answer"):
            # It is a safe transcript with T's answers and these classes, but not of this search.
            counted["left to the audit"] += 1
            self.assertFalse(project.belongs(changed), (change, changed))

    def test_a_changed_table_is_refused(self):
        for seed in range(0, TABLES, 4):
            draw = random.Random(2_000_000 + seed)
            with self.subTest(seed=seed), tempfile.TemporaryDirectory() as folder:
                project = Project(folder, draw)
                lines = project.search()
                project.write("public.csv", csv(project.names, project.public[1:]))
                self.assertNotEqual(project.check(lines)[0], SAFE)

    def test_the_practice_project(self):
        """20,000 people, 800 members, six quasi-identifiers, about 870 questions, in whole numbers."""
        names = ["zip", "age", "sex", "education", "occupation", "nationality"]
        clinic = ROOT / "sample-data" / "clinic"
        with tempfile.TemporaryDirectory() as folder:
            path = lambda name: str(Path(folder) / name)
            run = lambda *arguments: subprocess.run([PALMTOP, *arguments], check=True, capture_output=True, text=True).stdout
            run("anonymize", "@clinic", "--strategy", "simulatable", "--with", "transcript", "-o", path("release.csv"))
            classes = run("classes", "@clinic", "--strategy", "simulatable", "--format", "csv")
            Path(path("classes.csv")).write_text(classes, encoding="utf-8")
            for name in names:
                run("hierarchy", "export", "@clinic", name, "-o", path(f"{name}.csv"))
            options = types.SimpleNamespace(
                transcript=path("release.transcript.txt"), public=str(clinic / "public.csv"), private=str(clinic / "private.csv"),
                count=None, members=None, delta=("0", "1/10"), classes=path("classes.csv"), release=path("release.csv"),
                hierarchy=[f"{name}={path(name)}.csv" for name in names])
            self.assertIn("all from 0 to 1/10", check_transcript.check(options))


class FivePeople(unittest.TestCase):
    """The example of docs/proof.md: ages 31 to 35, two members, δ 0 to 1/2."""

    def check(self, *lines):
        with tempfile.TemporaryDirectory() as folder:
            project = Project(folder, random.Random(0))
            project.names, project.public = ["age"], [(age,) for age in range(31, 36)]
            project.private, project.delta = frozenset({1, 3}), ("0", "1/2")
            project.write("public.csv", csv(["age"], project.public))
            project.write("age.csv", "".join(f"{age};*\n" for age in range(31, 36)))
            status, message = project.check(lines, private=False, classes=False)
            if status != WRONG:
                self.assertEqual(project.brute_force(lines, private=False)[0], status)
            return status, message

    def test_a_question_of_which_every_answer_is_safe(self):
        self.assertEqual(self.check("0\tage before 33\t1\t1")[0], SAFE)
        self.assertEqual(self.check("0\tage before 33\t1\tfailed")[0], SAFE)

    def test_a_question_of_which_an_accepted_number_is_unsafe(self):
        for answer in ["1", "2", "failed"]:
            status, message = self.check(f"0\tage before 33\t1-2\t{answer}")
            self.assertEqual((status, "answer 2: 2 people have the posterior 1" in message), (UNSAFE, True), message)

    def test_a_question_of_which_only_failed_is_unsafe(self):
        for answer in ["0", "failed"]:
            status, message = self.check(f"0\tage before 32\t0\t{answer}")
            self.assertEqual((status, "answer failed: 1 people" in message), (UNSAFE, True), message)

    def test_a_second_question_after_a_failure(self):
        self.assertEqual(self.check("0\tage before 33\t1\tfailed", "0\tage before 34\t1\t1")[0], UNSAFE)

    def test_malformed_lines(self):
        for line in ["", "0\tage before 33\t1", "0\tage before 33\t2-1\t1", "0\tage before 33\t1 1\t1",
                     "0\tage before 33\t01\t1", "0\tage before 33\t1-1\t1", "0\tage before 99\t1\t1",
                     "0\tage before 31\t1\t1", "0\tage after 33\t1\t1", "0\tage before 33\t1\t2",
                     "0\tage before 33\t1\tyes", "1\tage before 33\t1\t1", "0\tage before 33\t0-9\t1",
                     "0\tage before 33\t0-2\tfailed", "0\tin part 0\t0-1\t1"]:
            self.assertEqual(self.check(line)[0], WRONG, line)
        self.assertEqual(self.check("0\tage before 33\t1\t1", "0\tage before 33\t1\t1")[0], WRONG)


class Parts(unittest.TestCase):
    """Six people of the ages 31 to 36, one member, δ 0 to 1/3: questions about parts."""

    def check(self, lines, *classes, delta=("0", "1/3")):
        with tempfile.TemporaryDirectory() as folder:
            project = Project(folder, random.Random(0))
            project.names, project.public = ["age"], [(age,) for age in range(31, 37)]
            project.private, project.delta = frozenset({0}), delta
            project.write("public.csv", csv(["age"], project.public))
            project.write("private.csv", csv(["age"], [(31,)]))
            project.write("age.csv", "".join(f"{age};*\n" for age in range(31, 37)))
            rows = [f'"[{first}, {last}]",{members},{last - first + 1}' for first, last, members in classes]
            project.write("classes.csv", "\n".join(["age,private,public", *rows, ""]))
            project.write("release.csv", csv(["age"], [(row.split(",1,")[0],) for row in rows if ",1," in row]))
            return project.check(lines, classes=bool(classes))

    def test_large_parts_are_safe(self):
        for answer in "01":
            status, message = self.check([f"0\tin part 0\t0-1\t{answer}"], (31, 33, 1), (34, 36, 0))
            self.assertEqual(status, SAFE, message)

    def test_a_small_part_is_unsafe_with_or_without_the_member(self):
        for member in (0, 1):
            status, _ = self.check(["0\tin part 0\t0-1\t1"], (31, 32, member), (33, 36, 1 - member))
            self.assertEqual(status, UNSAFE)

    def test_what_is_no_question_about_a_part(self):
        parts = [(31, 33, 1), (34, 36, 0)]
        for lines in [["0\tin part 1\t0-1\t1"], ["0\tin part 0\t0\t0"], ["0\tin part 0\t0-1\tfailed"],
                      ["0\tin part 0\t0-1\t0", "0\tin part 1\t0-1\t1"], ["1\tin part 0\t0-1\t1"],
                      ["0\tin part 0\t0-1\t1"] * 2, ["0\tin part 0\t0-1\t1", "0\tage before 34\t0-1\t1"], []]:
            self.assertEqual(self.check(lines, *parts)[0], WRONG, lines)
        line = ["0\tin part 0\t0-1\t1"]
        self.assertEqual(self.check(line)[0], WRONG)
        self.assertEqual(self.check(line, (31, 33, 1))[0], WRONG)
        self.assertEqual(self.check(line, (31, 33, 1), (33, 36, 0))[0], WRONG)
        self.assertEqual(self.check(line, (31, 33, 0), (34, 36, 0))[0], WRONG)

    def test_a_missing_question(self):
        parts = [(31, 33, 1), (34, 36, 0)]
        self.assertEqual(self.check(["0\tin part 0\t0-1\t0"], *parts)[0], SAFE)
        three = [(31, 32, 1), (33, 34, 0), (35, 36, 0)]
        lines = ["0\tin part 0\t0-1\t0", "0\tin part 1\t0-1\t0"]
        self.assertEqual(self.check(lines[:1], *three, delta=("0", "1/2"))[0], WRONG)
        self.assertEqual(self.check(lines, *three, delta=("0", "1/2"))[0], SAFE)


if __name__ == "__main__":
    unittest.main()
