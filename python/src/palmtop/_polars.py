"""Frames by Polars, also if PyArrow is not installed."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any, Mapping

import polars as pl

from ._errors import FrameError
from ._tables import Column, Frame


class Polars:
    """Polars."""

    def take(self, frame: Frame) -> pl.DataFrame:
        if isinstance(frame, pl.LazyFrame):
            frame = frame.collect()
        if isinstance(frame, pl.DataFrame):
            return frame
        try:
            return pl.DataFrame(frame)
        except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
            raise FrameError(f"Polars cannot read the frame: {error}") from error

    def open(self, path: Path) -> pl.DataFrame:
        return pl.read_parquet(path, hive_partitioning=False)

    def columns(self, native: pl.DataFrame) -> dict[str, Column]:
        return {column.name: _facts(column) for column in native}

    def parquet(self, native: pl.DataFrame, days: set[str]) -> bytes:
        columns = []
        for column in native:
            if column.name in days:
                column = column.cast(pl.Date)
            elif isinstance(column.dtype, (pl.Categorical, pl.Enum)):
                column = column.cast(pl.String)
            columns.append(column)
        file = io.BytesIO()
        pl.DataFrame(columns).write_parquet(file)
        return file.getvalue()

    def empty(self, native: pl.DataFrame, frame: Frame) -> pl.Schema:
        return native.schema

    def restore(self, text: bytes, like: Any, missing: Mapping[str, bool]) -> pl.DataFrame:
        # The options of `read_csv` for empty cells differ between versions of Polars.
        lines = io.StringIO(text.decode("utf-8"), newline="")
        limit = csv.field_size_limit(max(csv.field_size_limit(), len(text)))
        try:
            names, *rows = csv.reader(lines, strict=True)
        finally:
            csv.field_size_limit(limit)
        cells = zip(*rows) if rows else [()] * len(names)
        table = pl.DataFrame(
            [pl.Series(name, each, dtype=pl.String) for name, each in zip(names, cells)]
        )
        schema = like if like is not None else {}
        return table.with_columns(
            [
                _restored(table[name], schema[name], missing[name])
                for name in table.columns
                if name in missing and name in schema
            ]
        )


def _facts(column: pl.Series) -> Column:
    kind, has_missing = column.dtype, column.null_count() > 0
    name = str(kind)
    if isinstance(kind, (pl.Categorical, pl.Enum)):
        column, kind = column.cast(pl.String), pl.String()
    if kind == pl.String:
        return Column("text", name, has_missing, bool((column == "").any()))
    if kind.is_float():
        return Column("number", name, has_missing, has_nan=bool(column.is_nan().any()))
    if kind.is_integer() or isinstance(kind, pl.Decimal):
        return Column("number", name, has_missing)
    if kind == pl.Boolean:
        return Column("flag", name, has_missing)
    if kind == pl.Date:
        return Column("day", name, has_missing)
    if isinstance(kind, pl.Datetime) and kind.time_zone is None:
        midnight = bool((column.dt.truncate("1d") == column).all())
        return Column("time", name, has_missing, is_midnight=midnight)
    if kind == pl.Null:
        return Column("text", name, True)
    return Column(None, name, has_missing)


def _restored(column: pl.Series, kind: Any, missing: bool) -> Any:
    if kind == pl.String and not missing:
        return column
    if not isinstance(kind, (pl.Categorical, pl.Enum)) or missing:
        column = pl.select(pl.when(column != "").then(column).alias(column.name)).to_series()
    if isinstance(kind, pl.Enum):
        present = set(column.drop_nulls().to_list())
        return column.cast(pl.Enum([name for name in kind.categories.to_list() if name in present]))
    if kind == pl.Boolean:
        return column.eq("true").alias(column.name)
    if kind == pl.Date:
        return column.str.to_date("%Y-%m-%d")
    if isinstance(kind, pl.Datetime):
        return _times(column, kind)
    if kind == pl.Null:
        return column
    return column.cast(kind)


def _times(column: pl.Series, kind: pl.Datetime) -> Any:
    if column.str.len_chars().max() == len("2024-01-05"):
        return column.str.to_date("%Y-%m-%d").cast(kind)
    return column.str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit=kind.time_unit)
