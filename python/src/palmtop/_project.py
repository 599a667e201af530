"""A project: T, P, and what is decided about them."""

from __future__ import annotations

import copy
import json
import os
import re
import sys
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence, Union

from . import _html, _toml
from ._delta import Delta, delta_texts, fraction_of
from ._errors import (
    CautionWarning,
    IncompleteProject,
    NoRelease,
    NotVerified,
    PalmtopError,
    UnansweredCautions,
    UsageError,
)
from ._folder import private_folder, write_private
from ._program import Finished, Progress, progress_bar, run
from ._tables import Table, TableLike, take_tables
from ._verdict import (
    Caution,
    Check,
    ClassTable,
    Composition,
    Measures,
    Verdict,
    cautions_of,
)

if TYPE_CHECKING:
    from fractions import Fraction

    from ._release import Release

FILE = "project.toml"
HISTORY = "project.history.toml"
# What palmtop 0.1.0 kept, which the program takes over into the history.
_EARLIER = "project.releases.toml"

Bar = Union[bool, Progress, None]
"""`False` for no progress, a callback of a share and a text, or None for a bar if possible."""


class Project:
    """T and P, and what is decided about them: roles, hierarchies, δ, policy.

    `init` makes a project, and `Project.open` reads one from disk. A project has a copy of both
    tables; it does not change if the frames change afterwards.

    Attributes:
        text: the project file, in TOML. You may change it.
        hierarchies: the files of the hierarchies by their paths.
        questions: what `init` proposed and is not sure of.
    """

    def __init__(
        self,
        text: str,
        hierarchies: Mapping[str, bytes],
        private: Table | None,
        public: Table,
        *,
        questions: Sequence[str] = (),
        is_delta_decided: bool = True,
    ) -> None:
        self.text = text
        self.hierarchies = dict(hierarchies)
        self.questions = tuple(questions)
        self._private = private
        self._public = public
        self._history: dict[str, bytes] = {}
        self._is_delta_decided = is_delta_decided

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], T: TableLike | None = None, P: TableLike | None = None
    ) -> Project:
        """Reads a project file that the program or `save` wrote.

        Frames in `T` and `P` replace the tables that the project names.
        """
        file = Path(path).absolute()
        text = file.read_text("utf-8")
        text = _toml.with_absolute_paths(text, lambda name: os.path.join(file.parent, name))
        content = _toml.parse(text)
        if P is None:
            P = _path_of(content, "public")
        if T is None and "path" in content.get("private", {}):
            T = _path_of(content, "private")
        private, public = take_tables(T, P)
        for section, table in (("private", private), ("public", public)):
            if table is not None:
                text = _toml.with_values(text, section, {"path": table.file_name})
        project = cls(text, {}, private, public)
        for name in (HISTORY, _EARLIER):
            kept = file.with_name(name.replace("project", file.stem, 1))
            if kept.is_file():
                project._history[name] = kept.read_bytes()
        return project

    # What is decided.

    @property
    def attributes(self) -> list[dict[str, Any]]:
        """The `[[attribute]]` entries of the project file."""
        return list(_toml.parse(self.text).get("attribute", []))

    @property
    def delta(self) -> tuple[Fraction, Fraction] | None:
        """The δ that was decided, or None. The proposal of `init` is not a decision."""
        section = _toml.parse(self.text).get("delta")
        if section is None or not self._is_delta_decided:
            return None
        return fraction_of(str(section.get("min", 0))), fraction_of(str(section["max"]))

    def decide(self, delta: Delta) -> None:
        """Writes δ into the project. Decide δ before the first search.

        One value is δmax; δmin is then the project's if δ was decided before, else 0.
        """
        low, high = delta_texts(delta)
        if low is None:
            decided = self.delta
            low = str(decided[0]) if decided is not None else "0"
        if fraction_of(low) > fraction_of(high):
            raise ValueError(f"δmin {low} is above δmax {high}")
        # The comment of `init` calls δ a starting point, which it no longer is.
        comment = r"^# (A starting point, not|`palmtop advise) .*\n"
        text = re.sub(comment, "", self.text, flags=re.MULTILINE)
        self.text = _toml.with_values(text, "delta", {"min": low, "max": high})
        self._is_delta_decided = True
        self.questions = tuple(line for line in self.questions if not line.startswith("δmax"))

    def save(self, folder: str | os.PathLike[str], *, tables: bool = True) -> Path:
        """Writes the project file, the hierarchies, T, P and the history.

        The files have the mode 0600, and no file is overwritten. A report names the tables by
        their SHA-256: keep this folder, so that `palmtop verify` can recount the release later.

        Returns:
            the path of the project file.
        """
        target = Path(folder)
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        files = self._files()
        if not tables:
            files = {name: each for name, each in files.items() if not name.endswith(".parquet")}
        taken = [name for name in files if (target / name).exists()]
        if taken:
            raise FileExistsError(f"{target / taken[0]} exists already")
        for name, content in files.items():
            write_private(target / name, content)
        return target / FILE

    # The verbs.

    def check(self) -> Check:
        """Loads all tables and describes them: rows, hierarchies, feasibility, cautions.

        Raises:
            PalmtopError: if the program refuses the project or a table.
        """
        with self._folder() as folder:
            done = run(folder, ["check", FILE, "--format", "json"])
        return Check(_json_of(done), done.status)

    def anonymize(
        self,
        delta: Delta | None = None,
        strategy: str = "simulatable",
        *,
        node: Sequence[int] | None = None,
        metric: str | None = None,
        budget: str | None = None,
        seed: int | None = None,
        accept: Mapping[str, str] | None = None,
        beside: Release | None = None,
        audit: bool = False,
        file: str | None = None,
        warn: bool = True,
        progress: Bar = None,
    ) -> Release:
        """Searches a release, writes it, and verifies the written file with a second run.

        Args:
            delta: δmax or (δmin, δmax); by default the δ of the project. The first δ that is given
                becomes the project's.
            strategy: the search; see the page about strategies.
            budget: when the search stops: `"5s"`, or for `best` `"40rounds"` or `"120steps"`.
            node: releases this node instead: a level for each quasi-identifier.
            accept: answers to severe cautions: a sentence for each `caution.name`.
            beside: an earlier release of the same T. Both together then keep δ.
            file: the name of the file in the reports; by default `release.csv`, `release-2.csv`
                and so on. The program knows earlier releases of the project by their names.
            warn: whether each caution is also a Python warning.

        Raises:
            NoRelease: if no release keeps δ and the policy.
            UnansweredCautions: if a severe caution has no answer.
            NotVerified: if the second run does not confirm the written file.
        """
        from ._release import Release

        options = self._decide_or_options(delta)
        file = self._new_name(file)
        arguments = ["anonymize", FILE, "-o", file, "--with", "report", "--format", "json"]
        if node is not None:
            arguments += ["--node", ",".join(str(level) for level in node)]
        else:
            arguments.append(f"--strategy={strategy}")
        for name, value in (
            ("metric", metric),
            ("budget", budget),
            ("seed", seed),
        ):
            if value is not None:
                arguments.append(f"--{name}={value}")
        for key, reason in (accept or {}).items():
            arguments.append(f"--accept={key}={reason}")
        arguments += ["--audit"] if audit else []
        earlier = {}
        if beside is not None:
            earlier = {f"earlier-{beside.file}": beside.content}
            arguments += ["--beside", *earlier]
        with self._folder(earlier) as folder:
            with progress_bar(progress) as show:
                done = run(folder, [*arguments, *options], show)
            _refuse_release(done)
            content = (folder / file).read_bytes()
            report = (folder / report_name(file)).read_bytes()
            self._history = {**self._history, HISTORY: (folder / HISTORY).read_bytes()}
        release = Release(self._copy(), file, content, report, tuple(options))
        if release.run.get("output_sha256") != release.sha256:
            raise NotVerified("the file is not the file that the program wrote and hashed")
        verdict = release.verify()
        if not verdict:
            raise NotVerified(f"{verdict}\n{verdict.details}".strip(), verdict.status, verdict)
        if warn:
            warn_of(release.cautions)
        return release

    def verify(
        self, release: Release | str | os.PathLike[str] | bytes, delta: Delta | None = None
    ) -> Verdict:
        """Recounts a written release from the raw tables.

        Args:
            release: a release, the path of a written file, or its bytes. A frame has no bytes, so
                it cannot be verified.
            delta: the δ that judges it; by default the one of the release or of the project.

        Raises:
            PalmtopError: if the program cannot judge the file. The file is then not verified.
        """
        from ._release import Release

        if isinstance(release, Release):
            file, content, options = release.file, release.content, list(release._options)
        elif isinstance(release, bytes):
            file, content, options = "release.csv", release, []
        elif isinstance(release, (str, os.PathLike)):
            file, content, options = Path(release).name, Path(release).read_bytes(), []
        else:
            raise TypeError(
                "verify judges a written file: pass a Release, a path or bytes, not "
                f"{type(release).__name__}"
            )
        if delta is not None:
            options = self._options(delta)
        elif not options and self.delta is None:
            raise UsageError("δ is not decided: pass `delta`, or call `decide`")
        return self._verify(file, content, options)

    def risk(self, *what: str | Release, worst: int | None = None) -> Measures:
        """Measures risks besides δ: of releases, of strategies, or of nodes such as `"3,2,2"`."""
        return self._measures("risk", what, worst)

    def utility(self, *what: str | Release, worst: int | None = None) -> Measures:
        """Measures what releases, the releases of strategies, or nodes can be used for."""
        return self._measures("utility", what, worst)

    def compose(
        self,
        *releases: Release,
        change: str = "same",
        delta: Delta | None = None,
    ) -> Composition:
        """Judges releases of one T together, in the order in which they were made.

        Args:
            change: how T may have changed between them: `same`, `added` or `removed`.

        Raises:
            PalmtopError: if the releases cannot be combined. They are then not judged.
        """
        files = {f"{number}-{each.file}": each.content for number, each in enumerate(releases, 1)}
        options = self._options(delta) if delta is not None else _common_options(releases)
        options += ["--change", change]
        with self._folder(files) as folder:
            done = run(folder, ["compose", FILE, *files, "--format", "json", *options])
        return Composition(_json_of(done), done.status)

    def classes(
        self, node: Sequence[int] | None = None, strategy: str | None = None
    ) -> ClassTable:
        """Lists the classes of a node, by default of the finest, or of the release of a strategy.

        The worst class is first. Classes without members are listed, too.
        """
        arguments = ["classes", FILE, "--format", "json"]
        if node is not None:
            arguments += ["--node", ",".join(str(level) for level in node)]
        if strategy is not None:
            arguments.append(f"--strategy={strategy}")
        with self._folder() as folder:
            done = run(folder, arguments)
        result = _json_of(done)
        labels = [entry["name"] for entry in self.attributes if entry.get("role") == "quasi"]
        note = "This table is no verdict of a written file; verify gives one."
        return ClassTable(tuple(_with_fraction(row) for row in result["rows"]), tuple(labels), note)

    # What notebooks show.

    def __str__(self) -> str:
        decided = self.delta
        delta = f"δ {decided[0]} to {decided[1]}" if decided else "δ is not decided"
        return f"A project of {len(self.attributes)} columns; {delta}"

    def __repr__(self) -> str:
        return f"<{self}>"

    def _repr_html_(self) -> str:
        return _html.project(self)

    # Running the program.

    def _copy(self) -> Project:
        other = copy.copy(self)
        other.hierarchies = dict(self.hierarchies)
        return other

    def _new_name(self, file: str | None) -> str:
        """Returns the name of the next release, or `file` if no release has this name."""
        known = [_toml.parse(content.decode("utf-8")) for content in self._history.values()]
        taken = {str(entry.get("file")) for each in known for entry in each.get("release", [])}
        if file is None:
            numbers = range(2, len(taken) + 2)
            names = ["release.csv", *(f"release-{number}.csv" for number in numbers)]
            return next(name for name in names if name not in taken)
        if "/" in file or not file.endswith(".csv") or file.startswith("."):
            raise ValueError(f"file is the name of a CSV file without a folder, not {file!r}")
        if file in taken:
            raise UsageError(f"the project has a release {file} already: choose another name")
        return file

    def _use(self, private: Table | None, public: Table) -> None:
        """Replaces both tables."""
        self._private, self._public = private, public
        for section, table in (("private", private), ("public", public)):
            if table is not None:
                self.text = _toml.with_values(self.text, section, {"path": table.file_name})

    def _files(self) -> dict[str, bytes]:
        files = {FILE: self.text.encode("utf-8"), **self.hierarchies}
        for table in (self._private, self._public):
            if table is not None and table.content is not None:
                files[table.file_name] = table.content
        return {**files, **self._history}

    @contextmanager
    def _folder(self, files: Mapping[str, bytes] | None = None) -> Iterator[Path]:
        with private_folder({**self._files(), **(files or {})}) as folder:
            yield folder

    def _verify(self, file: str, content: bytes, options: Sequence[str]) -> Verdict:
        from ._release import sha256_of

        with self._folder({file: content}) as folder:
            done = run(folder, ["verify", FILE, file, "--format", "json", *options])
        result = _json_of(done)
        sha256 = sha256_of(content)
        return Verdict(result, done.status, file, sha256, done.message(), self.delta)

    def _decide_or_options(self, delta: Delta | None) -> list[str]:
        """Decides the first δ; a later one is given to the program as options."""
        if delta is None:
            if self.delta is None:
                raise UsageError(
                    "δ is not decided: pass `delta`. The δ that `init` wrote is only a starting "
                    "point"
                )
            return []
        if self.delta is None:
            self.decide(delta)
            return []
        return self._options(delta)

    def _options(self, delta: Delta) -> list[str]:
        low, high = delta_texts(delta)
        decided = self.delta
        if low is None:
            low = str(decided[0]) if decided is not None else "0"
        if decided == (fraction_of(low), fraction_of(high)):
            return []
        return ["--delta-min", low, "--delta-max", high]

    def _measures(
        self, what_is_shown: str, what: Sequence[str | Release], worst: int | None
    ) -> Measures:
        from ._release import Release

        files = {}
        names = []
        releases = [each for each in what if isinstance(each, Release)]
        for number, each in enumerate(what, 1):
            if isinstance(each, Release):
                name = each.file if len(releases) == 1 else f"{number}-{each.file}"
                files[name] = each.content
                names.append(f"./{name}")
            else:
                names.append(each)
        options = _common_options(releases)
        options += [] if worst is None else ["--worst", str(worst)]
        with self._folder(files) as folder:
            done = run(folder, ["compare", FILE, *names, "--show", what_is_shown, "--format", "json", *options])
        result = _json_of(done)
        for entry in result[what_is_shown]:
            entry["of"] = str(entry["of"]).removeprefix("./")
        return Measures(what_is_shown, result)

    def _unchanged_columns(self) -> list[str]:
        """T's names of the columns that a release publishes unchanged."""
        return [
            str(entry.get("private_column", entry["name"]))
            for entry in self.attributes
            if entry.get("role") in ("sensitive", "insensitive", "undecided") and "publish" not in entry
        ]

    def _frame_of(self, content: bytes) -> Any:
        table = self._private or self._public
        return table.frame_of(content, self._unchanged_columns())


def init(
    T: TableLike | None,
    P: TableLike,
    *,
    roles: Mapping[str, str] | None = None,
    delta: Delta | None = None,
    policy: Mapping[str, Any] | None = None,
    hierarchies: str | os.PathLike[str] | None = None,
    member: str | None = None,
    not_in_public: str | None = None,
    limits: bool = True,
    name: str | None = None,
    report: Mapping[str, Any] | None = None,
    settings: Sequence[str] = (),
) -> Project:
    """Proposes a project for T and P, as `palmtop init --yes` does. Read the proposal.

    Args:
        T: the private table, or None if `member` names the column of P that marks its members.
        P: the public table, which an attacker may know.
        roles: a role for each column that you decide: `withheld` (never published), `identifier`
            (never published, and each value is one person), `quasi`,
            `sensitive` or `insensitive` (published unchanged). A published column of T whose role
            nobody decided stops every release.
        delta: δ, if it is decided.
        policy: what is enforced besides δ: `{"k": 11, "l": {"distinct": 2}}`.
        hierarchies: a folder in which fitting hierarchies may be found.
        not_in_public: what happens to people of T whom P lacks: `"drop"` or `"add"`. By default
            they are an error.
        limits: whether the proposed `terms` and `borders` stay. They keep texts short, and a
            release `beside` an earlier one cannot have them.
        name: the name of the project in the reports.
        report: what the reports state, such as `{"responsible": "R. Berg, data protection"}`.
        settings: `TABLE.KEY=VALUE`, as `palmtop init --set` takes it.

    Raises:
        FrameError: if a column cannot be read without a loss.
        IncompleteProject: if the program refuses the proposal, for example because P lacks
            people of T.

    >>> project = palmtop.init(T, P, roles={"patient": "identifier", "dx": "sensitive"})
    """
    private, public = take_tables(T, P)
    arguments = ["init", "--yes", "-o", FILE, "--public", public.file_name]
    if private is not None:
        arguments += ["--private", private.file_name]
    if member is not None:
        arguments.append(f"--member={member}")
    for column, role in (roles or {}).items():
        arguments.append(f"--role={column}={role}")
    if hierarchies is not None:
        arguments += ["--hierarchies", str(Path(hierarchies).absolute())]
    for setting in settings:
        arguments.append(f"--set={setting}")
    files = {each.file_name: each.content for each in (private, public) if each and each.content}
    with private_folder({key: each for key, each in files.items() if each is not None}) as folder:
        done = run(folder, arguments)
        written = folder / FILE
        if not written.is_file():
            raise _error_of(done)
        text = written.read_text("utf-8")
        built = {
            str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.glob("project-hierarchies/*"))
        }
    for section, table in (("private", private), ("public", public)):
        if table is not None:
            text = _toml.with_values(text, section, {"path": table.file_name})
    if not limits:
        text = re.sub(r"^(terms|borders) = .*\n", "", text, flags=re.MULTILINE)
    if not_in_public is not None:
        text = _toml.with_values(text, "private", {"not_in_public": not_in_public})
    for section, values in (("policy", policy), ("report", report)):
        if values:
            text = _toml.with_values(text, section, values)
    if name is not None:
        text = _toml.with_values(text, "", {"name": name})
    questions = done.questions()
    project = Project(
        text, built, private, public, questions=questions, is_delta_decided=False
    )
    if delta is not None:
        project.decide(delta)
    with project._folder() as folder:
        checked = run(folder, ["check", FILE, "--format", "json"])
    if checked.status not in (0, 3):
        hint = "\nIn Python: `init(…, not_in_public=\"drop\")`, or change `project.text`"
        text = checked.message()
        text += hint if "not_in_public" in text else ""
        raise IncompleteProject(text, checked.status, project, checked.positions())
    warn_of([line for line in questions if not line.startswith("δmax")])
    return project


def warn_of(cautions: Sequence[Caution | str]) -> None:
    """Warns of each caution at the line that called this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("palmtop"):
        level, frame = level + 1, frame.f_back
    for caution in cautions:
        warnings.warn(str(caution), CautionWarning, stacklevel=level)


def _json_of(done: Finished) -> dict[str, Any]:
    """Returns the JSON of a run, whatever its verdict.

    Raises:
        PalmtopError: if the program failed.
    """
    if done.status not in (0, 3) or not done.stdout.strip():
        raise _error_of(done)
    try:
        result = json.loads(done.stdout)
    except ValueError as error:
        raise PalmtopError(f"the program printed no JSON: {error}", done.status) from error
    if not isinstance(result, dict):
        raise PalmtopError("the program printed no JSON object", done.status)
    return result


def report_name(file: str) -> str:
    """Returns the name of the result that `--with report` writes beside a release."""
    return f"{Path(file).stem}.report.json"


def _error_of(done: Finished) -> PalmtopError:
    text = done.message() or f"the program ended with the exit status {done.status}"
    if done.status == 2:
        return UsageError(text, done.status, done.positions())
    return PalmtopError(text, done.status, done.positions())


def _refuse_release(done: Finished) -> None:
    """Raises an exception unless the program wrote a release that keeps δ and the policy."""
    if done.status == 3:
        result = json.loads(done.stdout) if done.stdout.strip() else {}
        unanswered = [caution for caution in cautions_of(result) if caution.is_open]
        if result.get("present") is True and unanswered:
            names = ", ".join(caution.name for caution in unanswered)
            hint = f"In Python: decide `roles` in `init`, or pass `accept` with reasons for {names}"
            text = f"{done.message()}\n{hint}"
            raise UnansweredCautions(text, done.status, result, unanswered)
        raise NoRelease(done.message() or "no release exists", done.status, result)
    if _json_of(done).get("present") is not True:
        raise NoRelease("the release does not keep δ and the policy", done.status)


def _common_options(releases: Sequence[Release]) -> list[str]:
    """Returns the options of δ of the releases, which must agree."""
    choices = {tuple(release._options) for release in releases}
    if len(choices) > 1:
        raise UsageError("the releases have different δ: pass `delta`")
    return list(choices.pop()) if choices else []


def _with_fraction(row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "presence": fraction_of(row["presence"])}


def _path_of(content: Mapping[str, Any], section: str) -> str:
    path = content.get(section, {}).get("path")
    if not isinstance(path, str) or re.search(r"[*?\[]", path):
        raise PalmtopError(f"[{section}] does not name one file: pass the table as a frame")
    return path
