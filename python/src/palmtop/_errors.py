"""The exceptions of this package, and the warning for a caution."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Mapping, Sequence

if TYPE_CHECKING:
    from ._project import Project
    from ._verdict import Caution, Verdict


class PalmtopError(Exception):
    """An error that the program or this package reports.

    Attributes:
        text: the complete message of the program.
        file: the file that the message names, or None. `private.parquet` is T, and
            `public.parquet` is P.
        line: the line or the row in that file, or None.
        column: the column that the message names, or None.
        table: `"T"`, `"P"` or None, by `file`.
        status: the exit status of the program, or None if it did not run.
    """

    def __init__(self, text: str, status: int | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.status = status
        self.file, self.line, self.column = _parse_position(text)
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

    def __init__(self, text: str, status: int, project: Project) -> None:
        super().__init__(text, status)
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


_FILE = re.compile(r"(?<![\w/])([\w./-]+\.(?:toml|csv|parquet|arrow|json))\b")
_LINE = re.compile(r"\b(?:line|row|rows) (?:of [^\n]*?: )?(\d+)")
_COLUMN = re.compile(r"\bcolumns? `([^`]+)`")


def _parse_position(text: str) -> tuple[str | None, int | None, str | None]:
    """Returns the file, the line or row, and the column of the first lines of a message."""
    file = _FILE.search(text)
    line = _LINE.search(text)
    column = _COLUMN.search(text)
    return (
        file.group(1) if file else None,
        int(line.group(1)) if line else None,
        column.group(1) if column else None,
    )


def _table_of(file: str | None) -> str | None:
    name = (file or "").rsplit("/", 1)[-1].split(".", 1)[0]
    return {"private": "T", "public": "P"}.get(name)
