"""Frames by PyArrow: its tables, pandas, and objects with `__arrow_c_stream__`."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any, Mapping

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from ._errors import FrameError
from ._tables import Column, Frame


class Arrow:
    """PyArrow; with `pandas`, releases are frames of pandas."""

    def __init__(self, pandas: bool) -> None:
        self._pandas = pandas

    def take(self, frame: Frame) -> pa.Table:
        if self._pandas:
            frame = _with_plain_index(frame)
        try:
            if isinstance(frame, (pa.Table, pa.RecordBatch)) or not hasattr(
                frame, "__arrow_c_stream__"
            ):
                table = pa.table(frame)
            else:
                table = pa.RecordBatchReader.from_stream(frame).read_all()
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
            found = re.search(r"column (.+) with type", str(error))
            raise FrameError(
                f"PyArrow cannot read the frame: {'; '.join(map(str, error.args))}",
                column=found.group(1) if found else None,
            ) from error
        names = table.column_names
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise FrameError(f"two columns have the name `{twice}`", column=twice)
        return table.replace_schema_metadata(None)

    def open(self, path: Path) -> pa.Table:
        # Not `read_table`: it would add columns for the folders of the path.
        return self.take(pa.parquet.ParquetFile(path).read())

    def columns(self, native: pa.Table) -> dict[str, Column]:
        return {name: _facts(native[name]) for name in native.column_names}

    def parquet(self, native: pa.Table, days: set[str]) -> bytes:
        for index, field in enumerate(native.schema):
            column = _plain(native[index])
            if field.name in days:
                column = column.cast(pa.date32())
            elif _is_text(column.type):
                column = column.cast(pa.large_string())
            native = native.set_column(index, field.name, column)
        file = io.BytesIO()
        pa.parquet.write_table(native, file)
        return file.getvalue()

    def empty(self, native: pa.Table, frame: Frame) -> Any:
        """Returns the schema, with the order of categories, and the types of pandas."""
        categories = {
            field.name: native[field.name].unify_dictionaries().chunk(0).dictionary
            for field in native.schema
            if pa.types.is_dictionary(field.type) and len(native) > 0
        }
        return native.schema, categories, dict(frame.dtypes) if self._pandas else {}

    def restore(self, text: bytes, like: Any, missing: Mapping[str, bool]) -> Frame:
        schema, categories, dtypes = like if like is not None else (None, {}, {})
        names = pa.csv.open_csv(
            io.BytesIO(text), parse_options=pa.csv.ParseOptions(newlines_in_values=True)
        ).schema.names
        table = pa.csv.read_csv(
            io.BytesIO(text),
            parse_options=pa.csv.ParseOptions(newlines_in_values=True),
            convert_options=pa.csv.ConvertOptions(
                column_types={name: pa.string() for name in names},
                strings_can_be_null=False,
                quoted_strings_can_be_null=False,
            ),
        )
        columns = []
        for name in names:
            column = table[name]
            if schema is not None and name in missing:
                column = _restored(column, schema.field(name).type, missing[name])
                if name in categories:
                    column = _categorical(column, schema.field(name).type, categories[name])
            columns.append(column)
        table = pa.table(dict(zip(names, columns)))
        return self._pandas_of(table, dtypes, missing) if self._pandas else table

    @staticmethod
    def _pandas_of(table: pa.Table, dtypes: Mapping[Any, Any], missing: Mapping[str, bool]) -> Any:
        import pandas as pd

        series = {}
        for name in table.column_names:
            column = table[name]
            dtype = dtypes.get(name) if name in missing else None
            if isinstance(dtype, pd.CategoricalDtype):
                series[name] = column.to_pandas()
            elif dtype is not None and hasattr(dtype, "__from_arrow__"):
                array = dtype.__from_arrow__(column)
                series[name] = pd.Series(array)
            else:
                values = column.to_pandas()
                series[name] = values if dtype is None else values.astype(dtype)
        return pd.DataFrame(series)


def _with_plain_index(frame: Any) -> Any:
    """Makes a named index a column, and drops an index without a name."""
    wrong = next((name for name in frame.columns if not isinstance(name, str)), None)
    if wrong is not None:
        raise FrameError(f"the name of column {wrong!r} is not a text")
    names = [name for name in frame.index.names if name is not None]
    unnamed = [level for level, name in enumerate(frame.index.names) if name is None]
    twice = next((name for name in names if name in frame.columns), None)
    if twice is not None:
        raise FrameError(f"the index and a column have the name `{twice}`", column=str(twice))
    if names and unnamed:
        frame = frame.reset_index(level=unnamed, drop=True)
    return frame.reset_index(drop=not names)


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_dictionary(column.type):
        return column.cast(column.type.value_type)
    return column


def _is_text(kind: pa.DataType) -> bool:
    is_view = getattr(pa.types, "is_string_view", lambda _: False)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or is_view(kind))


def _facts(column: pa.ChunkedArray) -> Column:
    name, column = str(column.type), _plain(column)
    kind, has_missing = column.type, column.null_count > 0
    types = pa.types
    if _is_text(kind):
        has_empty = bool(pc.any(pc.equal(column.cast(pa.large_string()), "")).as_py())
        return Column("text", name, has_missing, has_empty)
    if types.is_float32(kind) or types.is_float64(kind):
        has_nan = bool(pc.any(pc.is_nan(column)).as_py())
        return Column("number", name, has_missing, has_nan=has_nan)
    if types.is_integer(kind) or types.is_decimal128(kind):
        return Column("number", name, has_missing)
    if types.is_boolean(kind):
        return Column("flag", name, has_missing)
    if types.is_date32(kind):
        return Column("day", name, has_missing)
    if types.is_timestamp(kind) and kind.tz is None:
        return Column("time", name, has_missing, is_midnight=_is_midnight(column))
    if types.is_null(kind):
        return Column("text", name, True)
    return Column(None, name, has_missing)


def _is_midnight(column: pa.ChunkedArray) -> bool:
    floor = pc.floor_temporal(column, unit="day")
    return bool(pc.all(pc.equal(column, floor)).as_py() is not False)


def _restored(column: pa.ChunkedArray, kind: pa.DataType, missing: bool) -> pa.ChunkedArray:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if _is_text(kind) and not missing:
        return column.cast(kind) if kind != column.type else column
    empty = pc.equal(column, "")
    column = pc.if_else(empty, pa.scalar(None, pa.string()), column)
    if pa.types.is_null(kind):
        return column.cast(pa.null()) if column.null_count == len(column) else column
    if pa.types.is_date32(kind):
        return column.cast(pa.date32())
    return column.cast(kind)


def _categorical(
    column: pa.ChunkedArray, kind: pa.DictionaryType, categories: pa.Array
) -> pa.ChunkedArray:
    """Keeps the order of the categories. Those that the release lacks are dropped."""
    present = categories.filter(pc.is_in(categories, pc.unique(column).drop_null()))
    if _is_text(present.type):
        column, present = column.cast(pa.large_string()), present.cast(pa.large_string())
    indices = pc.index_in(column.combine_chunks(), present)
    array = pa.DictionaryArray.from_arrays(
        indices.cast(kind.index_type), present.cast(kind.value_type), ordered=kind.ordered
    )
    return pa.chunked_array([array])
