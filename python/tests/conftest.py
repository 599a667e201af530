"""Frames for the tests. What is not installed is skipped with a message."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Callable

import pytest

import palmtop

CLINIC = Path(__file__).parents[2] / "sample-data" / "clinic"
ROLES = {"patient": "identifier", "diagnosis": "sensitive"}
LIBRARIES = ["pandas", "polars", "pyarrow"]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("filterwarnings", "ignore::palmtop.CautionWarning")
    config.addinivalue_line("markers", "no_program: runs without the program")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    try:
        palmtop.find_program()
    except palmtop.ProgramNotFound as error:
        for item in items:
            if item.get_closest_marker("no_program") is None:
                item.add_marker(pytest.mark.skip(reason=str(error)))


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files; a test sees what is left in it."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    pytest.importorskip(name, reason=f"{name} is not installed")
    if name == "pandas":
        pytest.importorskip("pyarrow", reason="pandas needs PyArrow, which is not installed")
    return name


@pytest.fixture
def read(library: str) -> Callable[[str], Any]:
    """Reads a table of the practice clinic as a frame of texts and whole numbers."""
    return lambda name: read_clinic(library, name)


def read_clinic(library: str, name: str) -> Any:
    path = CLINIC / f"{name}.csv"
    if library == "pandas":
        import pandas

        return pandas.read_csv(path, dtype={"zip": str, "resident": str})
    if library == "polars":
        import polars

        return polars.read_csv(path, schema_overrides={"zip": polars.String})
    import pyarrow
    import pyarrow.csv

    options = pyarrow.csv.ConvertOptions(column_types={"zip": pyarrow.string()})
    return pyarrow.csv.read_csv(path, convert_options=options)


def column(frame: Any, name: str) -> list[Any]:
    """The cells of a column; None for a missing cell."""
    if hasattr(frame, "column_names"):
        return list(frame[name].to_pylist())
    if hasattr(frame, "to_series"):
        return list(frame[name].to_list())
    cells = frame[name].astype(object)
    return [None if missing else cell for cell, missing in zip(cells, cells.isna())]


os.environ.setdefault("JUPYTER_PLATFORM_DIRS", "1")
