"""Types, missing cells, dates and categories survive, or are refused."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pytest

import palmtop

from .conftest import column

DAY = datetime.date(2024, 1, 5)
TIME = datetime.datetime(2024, 1, 5, 10, 30, 0, 125000)
# 400 people; every eighth is in T.
AREAS = ["01067", "01069", None, "02708"] * 100
BORN = [datetime.date(1950 + row % 40, 1, 1) for row in range(400)]
AGES = [None if row % 50 == 7 else row % 90 for row in range(400)]


def tables(library: str) -> tuple[Any, Any]:
    public: dict[str, Any] = {"area": AREAS, "age": AGES, "born": BORN}
    private = {name: cells[::8] for name, cells in public.items()}
    private |= {
        "text": ["a", "", "ü,\n\"q\"", "007", "NA"] * 10,
        "maybe": ["x", None, "y", None, "x"] * 10,
        "count": [1, 2, None, 4, 2**60] * 10,
        "dose": [0.1, None, 1e-7, 2.0, 3.5] * 10,
        "price": [Decimal("1.50"), Decimal("2.00"), None, Decimal("0.10"), Decimal("9.99")] * 10,
        "flag": [True, False, None, True, True] * 10,
        "day": [DAY, None, DAY, DAY, DAY] * 10,
        "time": [TIME, TIME, None, TIME, TIME] * 10,
        "grade": ["low", "high", None, "low", "mid"] * 10,
    }
    if library == "polars":
        import polars

        grade = polars.Enum(["low", "mid", "high", "never"])
        schema: dict[str, Any] = {"price": polars.Decimal(5, 2), "grade": grade}
        return polars.DataFrame(private, schema_overrides=schema), polars.DataFrame(public)
    import pyarrow

    grade = pyarrow.DictionaryArray.from_arrays(
        pyarrow.array([0, 2, None, 0, 1] * 10, pyarrow.int8()),
        pyarrow.array(["low", "mid", "high", "never"]),
        ordered=True,
    )
    arrow = pyarrow.table({**private, "grade": grade}), pyarrow.table(public)
    if library == "pyarrow":
        return arrow
    import pandas

    frame = arrow[0].to_pandas()
    frame["count"] = pandas.array(private["count"], dtype="Int64")
    frame["born"] = pandas.to_datetime(frame["born"])
    return frame, arrow[1].to_pandas()


ROLES = {
    name: "insensitive"
    for name in ("text", "maybe", "count", "dose", "price", "flag", "day", "time", "grade")
}
REASON = "This is a test without real people."


def test_types_and_missing_cells_survive(library: str) -> None:
    private, public = tables(library)
    project = palmtop.init(private, public, roles=ROLES, delta="1/2", policy={})
    cautions = {"certain": REASON, **{f"betrays:{name}": REASON for name in ROLES}}
    release = release_with(project, cautions)
    frame = release.frame
    assert type(frame) is type(private)
    for name in ROLES:
        before, after = column(private, name), column(frame, name)
        assert sorted(map(repr, before)) == sorted(map(repr, after)), name
    if library == "polars":
        kinds = {name: frame.schema[name] for name in ROLES if name != "grade"}
        assert kinds == {name: private.schema[name] for name in kinds}
        assert frame["grade"].dtype.categories.to_list() == ["low", "mid", "high"]
    elif library == "pyarrow":
        for name in set(ROLES) - {"grade"}:
            assert frame.schema.field(name).type == private.schema.field(name).type
        assert frame["grade"].type == private["grade"].type
        assert frame["grade"].chunk(0).dictionary.to_pylist() == ["low", "mid", "high"]
    else:
        for name in set(ROLES) - {"grade"}:
            assert frame[name].dtype == private[name].dtype, name
        assert frame["grade"].cat.ordered
        assert list(frame["grade"].cat.categories) == ["low", "mid", "high"]


def release_with(project: palmtop.Project, cautions: dict[str, str]) -> palmtop.Release:
    """Accepts those of the cautions that the program has."""
    try:
        return project.anonymize(strategy="spalm")
    except palmtop.UnansweredCautions as error:
        open_ones = {each.name: cautions[each.name] for each in error.cautions}
        return project.anonymize(strategy="spalm", accept=open_ones)


def test_days_as_timestamps_are_days(library: str) -> None:
    private, public = tables(library)
    project = palmtop.init(private, public, roles=ROLES, delta="1/2")
    born = next(entry for entry in project.attributes if entry["name"] == "born")
    assert born["kind"] == "date"


def test_codes_keep_their_zeros_and_missing_codes_are_missing(library: str) -> None:
    private, public = tables(library)
    project = palmtop.init(private, public, roles=ROLES, delta="1/2")
    labels = {row["area"] for row in project.classes()}
    assert labels == {"01067", "01069", "02708", "unknown"}


def frame_of(library: str, cells: list[Any]) -> tuple[Any, Any]:
    import importlib

    module = importlib.import_module(library)
    make = module.table if library == "pyarrow" else module.DataFrame
    public = {"age": [str(row % 5) for row in range(len(cells) * 4)]}
    private = {"age": public["age"][: len(cells)], "c": cells}
    return make(private), make(public)


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (["a", "", None, "b"], "missing"),
        ([[1], [2], [3], [4]], "type"),
        ([datetime.timedelta(1)] * 4, "type"),
        ([b"x"] * 4, "type"),
    ],
)
def test_a_column_that_would_lose_something_is_refused(
    library: str, cells: list[Any], words: str
) -> None:
    private, public = frame_of(library, cells)
    with pytest.raises(palmtop.FrameError, match=words) as caught:
        palmtop.init(private, public)
    assert (caught.value.table, caught.value.column) == ("T", "c")


def test_nan_is_refused_where_it_is_not_a_missing_cell(library: str) -> None:
    private, public = frame_of(library, [1.5, float("nan"), 2.5, 3.5])
    if library == "pandas":  # There, NaN is a missing cell.
        palmtop.init(private, public)
        return
    with pytest.raises(palmtop.FrameError, match="NaN"):
        palmtop.init(private, public)


def test_a_zone_is_refused() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    private, public = frame_of("pandas", ["2024-01-05"] * 4)
    private["c"] = pandas.to_datetime(private["c"]).dt.tz_localize("UTC")
    with pytest.raises(palmtop.FrameError, match="zone"):
        palmtop.init(private, public)


def test_a_filtered_frame_of_pandas_has_no_column_for_its_index() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    private, public = tables("pandas")
    project = palmtop.init(private[private.index > 3], public, roles=ROLES)
    assert {entry["name"] for entry in project.attributes} == set(private.columns)
    named = private.rename_axis("patient")
    project = palmtop.init(named, public, roles={**ROLES, "patient": "identifier"})
    assert project.attributes[0]["name"] == "patient"


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(palmtop.FrameError, match="expected a frame"):
        palmtop.init([1, 2], {"a": [1]})
    with pytest.raises(palmtop.FrameError, match="no file"):
        palmtop.init("no.csv", "no.parquet")


def test_an_object_with_a_capsule_is_a_frame() -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="PyArrow is not installed")

    class Foreign:
        def __init__(self, table: Any) -> None:
            self.table = table

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return self.table.__arrow_c_stream__(requested_schema)

    private, public = tables("pyarrow")
    project = palmtop.init(Foreign(private), Foreign(public), roles=ROLES, delta="1/2")
    reasons = {f"betrays:{name}": REASON for name in ROLES}
    release = release_with(project, {"certain": REASON, **reasons})
    assert isinstance(release.frame, pyarrow.Table)


def test_parquet_files_lazy_frames_and_csv_files_are_tables(tmp_path: Any) -> None:
    polars = pytest.importorskip("polars", reason="Polars is not installed")
    private, public = tables("polars")
    private = private.select("area", "age", "born", "flag")
    files = tmp_path / "T=1.parquet", tmp_path / "P.parquet"
    private.with_columns(polars.col("born").cast(polars.Datetime)).write_parquet(files[0])
    public.write_parquet(files[1])
    private.write_csv(tmp_path / "T.csv")
    public.write_csv(tmp_path / "P.csv")
    pairs = [files, (private.lazy(), public.lazy()), (tmp_path / "T.csv", tmp_path / "P.csv")]
    for pair in pairs:
        project = palmtop.init(*pair, roles={"flag": "sensitive"}, delta="1/2")
        release = release_with(project, {"certain": REASON, "betrays:flag": REASON})
        assert release.verify()
        assert len(release.frame) == 50
