"""Frames in, files for the program, and frames out.

A frame comes by the Arrow PyCapsule interface (`__arrow_c_stream__`). Polars or PyArrow, whichever
is installed, writes it as Parquet, so types and missing cells survive.
"""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterable, Mapping, Protocol, Union

from ._errors import FrameError

Frame = Any
"""A frame of Polars, pandas or PyArrow, or any object with `__arrow_c_stream__`."""

TableLike = Union[Frame, str, "os.PathLike[str]"]
"""A frame, or the path of a file. A Parquet file is read as a frame; others are not copied."""


@dataclass(frozen=True)
class Column:
    """What matters of a column before the program reads it.

    Attributes:
        kind: `text`, `number`, `flag`, `day`, `time`, or None if the program cannot read it.
        type: the type, as its library names it.
        has_missing, has_empty: whether a cell is missing; whether one is the text "".
        has_nan: whether a number is NaN and not missing.
        is_midnight: of a `time`: whether all cells are at midnight.
    """

    kind: str | None
    type: str
    has_missing: bool = False
    has_empty: bool = False
    has_nan: bool = False
    is_midnight: bool = False


class Backend(Protocol):
    """A library that reads frames and writes Parquet."""

    def take(self, frame: Frame) -> Any: ...
    def open(self, path: Path) -> Any: ...
    def columns(self, native: Any) -> dict[str, Column]: ...
    def parquet(self, native: Any, days: set[str]) -> bytes: ...
    def empty(self, native: Any, frame: Frame) -> Any: ...
    def restore(self, text: bytes, like: Any, missing: Mapping[str, bool]) -> Frame: ...


@dataclass(frozen=True)
class Table:
    """T or P: a copy of the frame as a Parquet file in memory, or the path of a file.

    A table does not change if the frame changes afterwards.
    """

    name: str
    content: bytes | None
    path: Path | None
    columns: Mapping[str, Column]
    like: Any = None
    backend: Backend | None = None

    @property
    def file_name(self) -> str:
        """The name in the folder of a project; for a file its absolute path."""
        if self.path is not None:
            return str(self.path)
        return "private.parquet" if self.name == "T" else "public.parquet"

    def frame_of(self, text: bytes, unchanged: Iterable[str]) -> Frame:
        """Returns a release as a frame of this kind.

        The columns in `unchanged` get the type that they have in this table. All others are texts.
        """
        backend = self.backend or _any_backend()
        missing = {
            name: self.columns[name].has_missing for name in unchanged if name in self.columns
        }
        return backend.restore(text, self.like, missing)


def take_tables(private: TableLike | None, public: TableLike) -> tuple[Table | None, Table]:
    """Copies T and P.

    A column of timestamps that are all at midnight has days, and is written as dates. If both
    tables have the column with timestamps, this must hold in both.

    Raises:
        FrameError: if a column cannot be read without a loss.
    """
    parts = {"T": private, "P": public}
    read = {name: _read(name, table) for name, table in parts.items() if table is not None}
    of_private = read["T"][2] if "T" in read else None
    for name, (_, _, columns) in read.items():
        shared = columns if name == "T" or of_private is None else set(columns) & set(of_private)
        _refuse(name, {column: columns[column] for column in shared})
    tables = {}
    for name, (backend, native, columns) in read.items():
        if backend is None:
            tables[name] = Table(name, None, native, columns)
            continue
        others = [facts for other, (_, _, facts) in read.items() if other != name]
        days = {
            column
            for column, facts in columns.items()
            if facts.is_midnight
            and all(
                other[column].kind != "time" or other[column].is_midnight
                for other in others
                if column in other
            )
        }
        content = backend.parquet(native, days)
        like = backend.empty(native, parts[name])
        tables[name] = Table(name, content, None, columns, like, backend)
    return tables.get("T"), tables["P"]


def _read(name: str, table: TableLike) -> tuple[Backend | None, Any, dict[str, Column]]:
    if isinstance(table, (str, os.PathLike)):
        path = Path(table).absolute()
        if not path.is_file():
            raise FrameError(f"{name}: there is no file {path}", name)
        if any(letter in str(path) for letter in "*?["):
            raise FrameError(f"{name}: the program reads {path} as a pattern: rename it", name)
        if path.suffix != ".parquet":
            return None, path, {}
        backend = _any_backend()
        native = backend.open(path)
        return backend, native, backend.columns(native)
    known = _is_of(table, "pandas") or _is_of(table, "polars")
    if not hasattr(table, "__arrow_c_stream__") and not known:
        raise FrameError(
            f"{name} is a {type(table).__name__}: expected a frame of Polars, pandas or PyArrow, "
            "another object with `__arrow_c_stream__`, or the path of a file",
            name,
        )
    backend = _backend_of(table)
    try:
        native = backend.take(table)
    except FrameError as error:
        raise FrameError(f"{name}: {error}", name, error.column) from error
    return backend, native, backend.columns(native)


def _refuse(name: str, columns: Mapping[str, Column]) -> None:
    for column, facts in columns.items():
        where = f"{name}, column `{column}`: "
        if facts.kind is None:
            raise FrameError(
                f"{where}the type {facts.type} is not a text, a number, a flag, a day or a time "
                "without a zone: convert the column, or drop it",
                name,
                column,
            )
        if facts.has_nan:
            raise FrameError(
                f"{where}some cells are NaN, which is a number and not a missing cell: replace "
                "them by missing cells",
                name,
                column,
            )
        if facts.has_empty and facts.has_missing:
            raise FrameError(
                f'{where}some cells are missing and others are the text "", and the program reads '
                "both as one value: replace one of them",
                name,
                column,
            )


def _is_of(frame: Frame, library: str) -> bool:
    return any(base.__module__.split(".")[0] == library for base in type(frame).__mro__)


def _installed(library: str) -> Any | None:
    try:
        return importlib.import_module(library)
    except ImportError:
        return None


def _backend_of(frame: Frame) -> Backend:
    if _is_of(frame, "polars"):
        from ._polars import Polars

        return Polars()
    if _is_of(frame, "pandas") and _installed("pyarrow") is None:
        raise FrameError("frames of pandas need PyArrow: pip install pyarrow")
    return _any_backend(_is_of(frame, "pandas"))


def _any_backend(pandas: bool = False) -> Backend:
    if _installed("pyarrow") is not None:
        from ._arrow import Arrow

        return Arrow(pandas)
    if _installed("polars") is not None:
        from ._polars import Polars

        return Polars()
    raise FrameError("frames need Polars or PyArrow: pip install polars, or pip install pyarrow")
