"""The exceptions of this package, and the warning for a caution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Sequence

if TYPE_CHECKING:
    from ._project import Project
    from ._verdict import Caution, Verdict


class PalmtopError(Exception):
    """An error that the program or this package reports.

    Attributes:
        text: the complete message of the program.
        file: the file with the error, or None. `private.parquet` is T, and `public.parquet` is P.
        line: the line of that file, or the row of the table, both from 1, or None.
        column: the column with the error, or None.
        value: the first value that was refused, or None.
        expected: what is allowed there, or None.
        remedy: what to do, or None.
        positions: all positions of the error as the program gave them, each with some of the keys
            `file`, `line`, `row`, `column`, `value`, `problem`, `expected`, `remedy`.
        table: `"T"`, `"P"` or None, by `file`.
        status: the exit status of the program, or None if it did not run.
    """

    def __init__(
        self,
        text: str,
        status: int | None = None,
        positions: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        super().__init__(text)
        self.text = text
        self.status = status
        self.positions = tuple(positions)
        first: Mapping[str, Any] = positions[0] if positions else {}
        self.file: str | None = first.get("file")
        self.line: int | None = first.get("line", first.get("row"))
        self.column: str | None = first.get("column")
        self.value: str | None = first.get("value")
        self.expected: str | None = first.get("expected")
        self.remedy: str | None = first.get("remedy")
        self.table = _table_of(self.file)


class ProgramNotFound(PalmtopError):
    """The program `palmtop` is not installed where this package looks for it."""


class UsageError(PalmtopError):
    """An argument is wrong, such as a strategy that does not exist."""


class FrameError(PalmtopError):
    """A frame has a column that the program cannot read without a loss."""

    def __init__(self, text: str, table: str | None = None, column: str | None = None) -> None:
        super().__init__(text)
        self.table = table
        self.column = column


class IncompleteProject(PalmtopError):
    """`init` proposed a project that the program refuses.

    Attributes:
        project: the proposal. Change its `text`, or call `init` again with other arguments.
    """

    def __init__(
        self,
        text: str,
        status: int,
        project: Project,
        positions: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        super().__init__(text, status, positions)
        self.project = project


class PolicyFailure(PalmtopError):
    """There is no release that may be used. No frame exists.

    Attributes:
        result: what the program printed as JSON, or None.
    """

    def __init__(
        self, text: str, status: int | None = None, result: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(text, status)
        self.result = result


class NoRelease(PolicyFailure):
    """No release keeps δ and the policy.

    Attributes:
        reason: why the search ended: `infeasible`, `none`, `time`, or None.
    """

    def __init__(
        self, text: str, status: int | None = None, result: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(text, status, result)
        search = (result or {}).get("search") or {}
        self.reason: str | None = search.get("stop")


class UnansweredCautions(PolicyFailure):
    """A severe caution has no answer, so the program wrote nothing.

    Attributes:
        cautions: the severe cautions without an answer. Apply the remedy, or pass
            `accept={caution.name: "a reason in one sentence"}`.
    """

    def __init__(
        self,
        text: str,
        status: int,
        result: Mapping[str, Any] | None,
        cautions: Sequence[Caution],
    ) -> None:
        super().__init__(text, status, result)
        self.cautions = tuple(cautions)


class NotVerified(PolicyFailure):
    """The recount of a written release from the raw tables did not confirm it.

    Attributes:
        verdict: the verdict with the problems, or None.
    """

    def __init__(
        self, text: str, status: int | None = None, verdict: Verdict | None = None
    ) -> None:
        super().__init__(text, status, verdict.result if verdict is not None else None)
        self.verdict = verdict


class CautionWarning(UserWarning):
    """A caution of the program: a fact that the signer of a release must know."""


def _table_of(file: str | None) -> str | None:
    name = (file or "").rsplit("/", 1)[-1].split(".", 1)[0]
    return {"private": "T", "public": "P"}.get(name)
