"""What the program found out: cautions, verdicts, classes, measures."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Iterator, Mapping, Sequence

from . import _html


@dataclass(frozen=True)
class Caution:
    """A fact that the signer of a release must know.

    Attributes:
        key: the stable key, such as `betrays`.
        subject: the column that it is about, or None.
        severity: `severe` or `note`. A severe caution stops a release until it has an answer.
        sentence: the fact with its figures.
        remedy: what to do.
        accepted: the reason with which it was accepted, or None.
    """

    key: str
    subject: str | None
    severity: str
    sentence: str
    remedy: str
    accepted: str | None = None

    @property
    def name(self) -> str:
        """The key and the subject, as `accept` takes them: `betrays:birth_year`."""
        return self.key if self.subject is None else f"{self.key}:{self.subject}"

    @property
    def is_open(self) -> bool:
        """Whether it is severe and has no answer."""
        return self.severity == "severe" and self.accepted is None

    def __str__(self) -> str:
        return f"{self.name}: {self.sentence} {self.remedy}"


def cautions_of(result: Mapping[str, Any]) -> tuple[Caution, ...]:
    """Returns the cautions of a JSON result of the program."""
    names = ("key", "subject", "severity", "sentence", "remedy", "accepted")
    return tuple(
        Caution(**{name: caution.get(name) for name in names})
        for caution in result.get("cautions") or []
    )


@dataclass(frozen=True)
class Verdict:
    """Whether a written release was verified: recounted from the raw tables.

    It is true if and only if the file is a faithful release of T, keeps δ and the whole policy, and
    the program ended with the exit status 0.

    >>> if release.verify():
    ...     send(release)
    """

    result: Mapping[str, Any]
    status: int
    file: str
    sha256: str
    details: str = ""
    """What the program wrote to stderr: values of the wrong lines. Not for the recipient."""
    project_delta: tuple[Fraction, Fraction] | None = None
    """The δ of the project, which may be another one than `delta`."""

    @property
    def is_verified(self) -> bool:
        """Whether the release is faithful and keeps δ and the whole policy."""
        return self.status == 0 and self.is_faithful and self.result.get("present") is True

    @property
    def is_faithful(self) -> bool:
        """Whether the file is a release of T, whatever its δ."""
        return self.result.get("faithful") is True

    @property
    def delta(self) -> tuple[Fraction, Fraction]:
        """The δ that judges the file."""
        return Fraction(self.result["delta"]["min"]), Fraction(self.result["delta"]["max"])

    @property
    def is_looser(self) -> bool:
        """Whether the δ that judges the file is looser than that of the project."""
        if self.project_delta is None:
            return False
        (low, high), (least, most) = self.delta, self.project_delta
        return low < least or high > most

    @property
    def achieved(self) -> tuple[Fraction, Fraction] | None:
        """The lowest and the highest presence of a class, or None if they could not be counted."""
        found = self.result.get("achieved") or {}
        if found.get("min") is None or found.get("max") is None:
            return None
        return Fraction(found["min"]), Fraction(found["max"])

    @property
    def headline(self) -> str | None:
        """What δ means for one person, in words."""
        headline = self.result.get("headline")
        return None if headline is None else str(headline)

    @property
    def problems(self) -> tuple[str, ...]:
        """Why the file is not verified."""
        return tuple(self.result.get("problems") or ())

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """The cautions of the file. They are not part of the verdict."""
        return cautions_of(self.result)

    def __bool__(self) -> bool:
        return self.is_verified

    def __str__(self) -> str:
        parts = [_html.conclusion(self), *(f"  {problem}" for problem in self.problems)]
        return "\n".join(parts)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return _html.verdict(self)


@dataclass(frozen=True)
class Check:
    """What `check` says of a project. It is true if a release can keep δ and the policy."""

    result: Mapping[str, Any]
    status: int

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """The cautions of the project."""
        return cautions_of(self.result)

    @property
    def share(self) -> Fraction:
        """|T|/|P|. No release exists if δ does not include it."""
        return Fraction(self.result["share"])

    def __bool__(self) -> bool:
        return self.status == 0 and self.result.get("feasible") is True

    def __str__(self) -> str:
        result, mark = self.result, "feasible" if self else "NOT feasible"
        return (
            f"T {result['private']['people']} people, P {result['public']['people']} people, "
            f"|T|/|P| = {result['share']}, δ {result['delta']['min']} to {result['delta']['max']}: "
            f"{mark}; a release is made and verified by `anonymize`"
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return _html.check(self)


@dataclass(frozen=True)
class ClassTable(Sequence[Mapping[str, Any]]):
    """Equivalence classes: their labels, `private`, `public`, `presence` and `verdict`.

    A class is a dict; `presence` is a `Fraction`. `pandas.DataFrame(table)` makes a frame.
    """

    rows: tuple[Mapping[str, Any], ...]
    labels: tuple[str, ...]
    note: str = ""

    def __getitem__(self, index: Any) -> Any:
        return self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self.rows)

    def __repr__(self) -> str:
        return f"<{len(self.rows)} classes. {self.note}>"

    def _repr_html_(self) -> str:
        return _html.classes(self)


@dataclass(frozen=True)
class Measures:
    """Risks or utility of releases. They are no verdict, and they reveal facts about T.

    Attributes:
        what: `risk` or `utility`.
        releases: one dict for each release, with the keys of the program's JSON.
    """

    what: str
    result: Mapping[str, Any]
    releases: tuple[Mapping[str, Any], ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "releases", tuple(self.result[self.what]))

    def __getitem__(self, key: str) -> Any:
        """Returns a figure of the only release."""
        if len(self.releases) != 1:
            raise KeyError(f"there are {len(self.releases)} releases: use `releases[i][{key!r}]`")
        return self.releases[0][key]

    def __repr__(self) -> str:
        return "\n".join(
            f"{release['of']}: "
            + ", ".join(f"{name} {value}" for name, value in _html.figures(release))
            for release in self.releases
        )

    def _repr_html_(self) -> str:
        return _html.measures(self)


@dataclass(frozen=True)
class Composition:
    """What an attacker who has several releases can infer.

    It is true if nobody was found outside δ, by bounds or by expectation.
    """

    result: Mapping[str, Any]
    status: int

    @property
    def holds(self) -> bool:
        """Whether nobody was found outside δ, and the estimates converged."""
        return self.status == 0 and self.result.get("holds") is True

    @property
    def certain(self) -> int:
        """The number of people who are outside δ whatever the attacker believes beforehand."""
        return int(self.result["certain"]["people"])

    @property
    def expected(self) -> int:
        """The number of people who are outside δ by expectation, exact and estimated parts."""
        parts = self.result["expected"]
        return sum(int(parts[part]["people"]) for part in ("exact", "estimated"))

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        if self.holds:
            return "✓ together within δ: nobody was found outside δ"
        return (
            f"✗ NOT within δ together: {self.certain} people are outside δ with certainty, "
            f"{self.expected} by expectation"
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return _html.composition(self)
