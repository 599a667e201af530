"""Releases of tables of people whose presence in the table is sensitive.

A release of T is δ-present if an attacker who knows the public table P believes of each person,
with a probability within δ, that the person is in T. This package runs the program `palmtop` on
frames of Polars, pandas and PyArrow. No data leave the machine.

    import palmtop
    roles = {"patient": "identifier", "diagnosis": "sensitive"}
    release = palmtop.anonymize(T, P, "1/10", roles=roles)
    assert release.verify()
    release.report("signer.html")
    release.report("recipient.html", reader="recipient")
"""

from __future__ import annotations

from typing import Any, Mapping, Sequence

from ._delta import Bound, Delta
from ._errors import (
    CautionWarning,
    FrameError,
    IncompleteProject,
    NoRelease,
    NotVerified,
    PalmtopError,
    PolicyFailure,
    ProgramNotFound,
    UnansweredCautions,
    UsageError,
)
from ._program import Progress, find_program, version
from ._project import Bar, Project, init
from ._release import Release
from ._tables import Frame, TableLike, take_tables
from ._verdict import Caution, Check, ClassTable, Composition, Measures, Verdict

__version__ = "0.1.0"

__all__ = [
    "Bound",
    "Caution",
    "CautionWarning",
    "Check",
    "ClassTable",
    "Composition",
    "Delta",
    "Frame",
    "FrameError",
    "IncompleteProject",
    "Measures",
    "NoRelease",
    "NotVerified",
    "PalmtopError",
    "PolicyFailure",
    "ProgramNotFound",
    "Progress",
    "Project",
    "Release",
    "TableLike",
    "UnansweredCautions",
    "UsageError",
    "Verdict",
    "anonymize",
    "check",
    "compose",
    "find_program",
    "init",
    "risk",
    "utility",
    "verify",
    "version",
]


def check(T: TableLike | None, P: TableLike, project: Project | None = None) -> Check:
    """Loads both tables and describes them. Without a project, `init` proposes one.

    >>> bool(palmtop.check(T, P))
    True
    """
    return _project_of(T, P, project, {}).check()


def anonymize(
    T: TableLike | None,
    P: TableLike,
    delta: Delta | None = None,
    strategy: str = "simulatable",
    project: Project | None = None,
    *,
    roles: Mapping[str, str] | None = None,
    policy: Mapping[str, Any] | None = None,
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
    """Searches a release of T, writes it, and verifies it. See `Project.anonymize`.

    Without a project, `init` proposes one with `roles` and `policy`.

    >>> release = palmtop.anonymize(T, P, "1/10", roles={"dx": "sensitive"})
    >>> release.frame.head()
    """
    if project is not None and (roles or policy):
        raise UsageError("roles and policy are those of the project: pass them to `init`")
    proposal = {"roles": roles, "policy": policy}
    return _project_of(T, P, project, proposal).anonymize(
        delta,
        strategy,
        node=node,
        metric=metric,
        budget=budget,
        seed=seed,
        accept=accept,
        beside=beside,
        audit=audit,
        file=file,
        warn=warn,
        progress=progress,
    )


def verify(release: Release, delta: Delta | None = None) -> Verdict:
    """Recounts a release from the raw tables. `Project.verify` takes a written file, too.

    >>> assert palmtop.verify(release)
    """
    return release.verify(delta)


def risk(*releases: Release, worst: int | None = None) -> Measures:
    """Measures the risks of releases of one project besides δ, side by side.

    >>> palmtop.risk(release)["k"]
    3
    """
    return _project_of_releases(releases).risk(*releases, worst=worst)


def utility(*releases: Release, worst: int | None = None) -> Measures:
    """Measures what releases of one project can be used for, side by side.

    >>> palmtop.utility(release)["query_error"]
    0.3934
    """
    return _project_of_releases(releases).utility(*releases, worst=worst)


def compose(
    *releases: Release, change: str = "same", delta: Delta | None = None
) -> Composition:
    """Judges releases of one T together. See `Project.compose`.

    >>> if not palmtop.compose(first, second):
    ...     print("an attacker who has both can be surer than δ permits")
    """
    project = _project_of_releases(releases)
    return project.compose(*releases, change=change, delta=delta)


def _project_of(
    T: TableLike | None, P: TableLike, project: Project | None, proposal: Mapping[str, Any]
) -> Project:
    if project is None:
        return init(T, P, **proposal)
    private, public = take_tables(T, P)
    project._use(private, public)
    return project


def _project_of_releases(releases: Sequence[Release]) -> Project:
    if not releases:
        raise UsageError("no release was given")
    return releases[-1].project
