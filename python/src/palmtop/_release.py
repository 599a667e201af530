"""A release that was written and verified."""

from __future__ import annotations

import functools
import hashlib
import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any, Mapping, overload

from . import _html
from ._delta import Bound, Delta, bound_text
from ._errors import NotVerified, UsageError
from ._folder import write_private
from ._program import run
from ._project import FILE, Project, _error_of, report_name
from ._verdict import Caution, ClassTable, Measures, Verdict, cautions_of

class Release:
    """A release that was written and verified.

    Attributes:
        project: the project as it was then, with the copies of T and P.
        file: the name of the file.
        content: the bytes of the file: what was verified, and what may be sent.
        run: how the release was made, as the program reports it. For you, not for the recipient.
    """

    def __init__(
        self, project: Project, file: str, content: bytes, report: bytes, options: tuple[str, ...]
    ) -> None:
        self.project = project
        self.file = file
        self.content = content
        self.run: Mapping[str, Any] = json.loads(report)
        self._report = report
        self._options = options
        self._verdict: Verdict | None = None

    @functools.cached_property
    def frame(self) -> Any:
        """The release as a frame of the kind of T.

        Columns that were published unchanged have their types again. Of a categorical, the order
        remains, and categories that the release lacks are dropped. Generalized columns are texts.
        Send the file that `write` makes, not the frame.
        """
        return self.project._frame_of(self.content)

    @property
    def sha256(self) -> str:
        """The SHA-256 of the file."""
        return sha256_of(self.content)

    @property
    def delta(self) -> tuple[Fraction, Fraction]:
        """The δ that the release keeps."""
        return Fraction(self.run["delta"]["min"]), Fraction(self.run["delta"]["max"])

    @property
    def strategy(self) -> str:
        """The strategy that found the release, or `node`."""
        return str(self.run["strategy"])

    @property
    def loss(self) -> float:
        """The mean loss of the quasi-identifiers: 0 as loaded, 1 everything `*`."""
        return float(self.run["metrics"]["loss"])

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """The facts that the signer must know. The verdict does not include them."""
        return cautions_of(self.run)

    @property
    def verdict(self) -> Verdict:
        """The verdict of the last `verify`."""
        return self._verdict if self._verdict is not None else self.verify()

    def verify(self, delta: Delta | None = None) -> Verdict:
        """Recounts the file from the raw tables again. The verdict is true or false.

        With `delta`, the file is judged by another δ.
        """
        verdict = self.project.verify(self, delta)
        if delta is None:
            self._verdict = verdict
        return verdict

    def write(self, path: str | os.PathLike[str], *, force: bool = False) -> Path:
        """Writes the file: exactly the bytes that were verified, with the mode 0600.

        Raises:
            FileExistsError: if the file exists and `force` is not given.
        """
        write_private(Path(path), self.content, force)
        return Path(path)

    @overload
    def report(
        self,
        path: None = None,
        reader: str = "signer",
        *,
        prior: Bound | None = None,
        misuse: Bound | None = None,
        force: bool = False,
    ) -> Mapping[str, Any]: ...

    @overload
    def report(
        self,
        path: str | os.PathLike[str],
        reader: str = "signer",
        *,
        prior: Bound | None = None,
        misuse: Bound | None = None,
        force: bool = False,
    ) -> Path: ...

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        reader: str = "signer",
        *,
        prior: Bound | None = None,
        misuse: Bound | None = None,
        force: bool = False,
    ) -> Path | Mapping[str, Any]:
        """Writes the report for the `signer` or for the `recipient`, as HTML or JSON by the ending.

        The program counts every figure anew. With `prior` and `misuse`, the report states the δ
        that follows from them. Without a path, the content of the JSON is returned.

        Raises:
            NotVerified: if the report says REFUSED. The file is written all the same.
            FileExistsError: if the file exists and `force` is not given.
        """
        arguments = ["--for", reader]
        for option, value in (("prior", prior), ("misuse", misuse)):
            if value is not None:
                arguments += [f"--{option}", bound_text(value)]
        if path is None:
            name = "report.json"
            status, message, content = self._documents([*arguments, "-o", name], name)
            if status != 0:
                raise NotVerified(f"the report says REFUSED: {message}", status)
            parsed: Mapping[str, Any] = json.loads(content)
            return parsed
        target = Path(path)
        if not force and target.exists():
            raise FileExistsError(f"{target} exists already: pass force=True to replace it")
        name = "report.json" if target.suffix == ".json" else "report.html"
        status, message, content = self._documents([*arguments, "-o", name], name)
        write_private(target, content, force)
        if status != 0:
            raise NotVerified(f"{target} says REFUSED: {message}", status)
        return target

    def membership(self) -> dict[str, Any]:
        """Measures how much the release reveals about who is in T, also as an attack.

        The figures are those of the signer's report, as fractions: the share of members (`prior`),
        the highest posterior, the lift, the best `attack` by classes with its expected precision,
        recall and F1, and the `bound` that δmax alone sets. For you, not for the recipient.
        """
        section = dict(self.report()["disclosures"]["membership"])
        lift = section["lift"]
        del section["lift_decimal"]
        section["lift"] = None if lift is None else Fraction(lift)
        fractions: dict[str, Any] = _fractions(section)
        return fractions

    def codebook(self, path: str | os.PathLike[str], *, force: bool = False) -> Path:
        """Writes the code list: what each text of the release means.

        The ending selects the form: `.csv` or `.json`. The list has counts of P.
        """
        target = Path(path)
        if not force and target.exists():
            raise FileExistsError(f"{target} exists already: pass force=True to replace it")
        form = target.suffix.lower()
        if form not in (".csv", ".json"):
            raise UsageError(f"{target}: the ending selects the form: .csv or .json")
        name = f"{Path(self.file).stem}.codebook{form}"
        status, message, content = self._documents(["--with", f"codebook{form}"], name)
        if status != 0:
            raise NotVerified(message, status)
        write_private(target, content, force)
        return target

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Writes the file, how it was made, and the project with both tables. For you only.

        `palmtop verify project.toml release.csv` in that folder recounts the release in a year.
        """
        target = self.project.save(folder).parent
        self.write(target / self.file)
        write_private(target / report_name(self.file), self._report)
        return target

    def risk(self, *, worst: int | None = None) -> Measures:
        """Measures the risks of the release besides δ."""
        return self.project.risk(self, worst=worst)

    def utility(self, *, worst: int | None = None) -> Measures:
        """Measures what the release can be used for."""
        return self.project.utility(self, worst=worst)

    def classes(self) -> ClassTable:
        """Lists the released classes with their members and their people of P.

        The last row has the people of P who match no row of the release.
        """
        measures = self.risk(worst=max(1, int(self.run["released_classes"])))
        names = self._label_names()
        low, high = self.delta
        rows = [
            _class_row(dict(zip(names, entry["labels"])), entry["t"], entry["n"], low, high)
            for entry in measures["worst"]
        ]
        rows.sort(key=lambda row: (-row["presence"], [row[name] for name in names]))
        unmatched = int(self.verdict.result["unmatched"])
        if unmatched > 0:
            withdrawn = int(self.verdict.result.get("suppressed") or 0)
            labels = {name: "no row" for name in names}
            rows.append(_class_row(labels, withdrawn, unmatched, low, high))
        note = f"Counted in {self.file}, which is {'' if self.verdict else 'NOT '}verified."
        return ClassTable(tuple(rows), tuple(names), note)

    def _label_names(self) -> list[str]:
        return [each["name"] for each in self.project.attributes if each.get("role") == "quasi"]

    def _documents(self, arguments: list[str], name: str) -> tuple[int, str, bytes]:
        with self.project._folder({self.file: self.content}) as folder:
            options = [*arguments, *self._options]
            done = run(folder, ["report", FILE, self.file, *options])
            written = folder / name
            if done.status not in (0, 3) or not written.is_file():
                raise _error_of(done)
            return done.status, done.message(), written.read_bytes()

    def __len__(self) -> int:
        return int(self.run["rows"])

    def __repr__(self) -> str:
        return (
            f"<Release {self.file}: {len(self)} rows by {self.strategy}. {self.verdict}; "
            f"{len(self.cautions)} cautions>"
        )

    def _repr_html_(self) -> str:
        return _html.release(self)


def _fractions(value: Any) -> Any:
    """Replaces each figure with its fraction."""
    if not isinstance(value, dict):
        return value
    if value.keys() == {"exact", "percent"}:
        return Fraction(value["exact"])
    return {key: _fractions(each) for key, each in value.items()}


def sha256_of(content: bytes) -> str:
    """Returns the SHA-256 of bytes as hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def _class_row(
    labels: dict[str, str], private: int, public: int, low: Fraction, high: Fraction
) -> dict[str, Any]:
    presence = Fraction(private, public)
    verdict = "over" if presence > high else "under" if presence < low else "ok"
    counts = {"private": private, "public": public, "presence": presence, "verdict": verdict}
    return {**labels, **counts}
