"""The notebook of the examples runs, and has no output in the repository."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import palmtop

NOTEBOOK = Path(__file__).parents[2] / "examples" / "registry.ipynb"


@pytest.mark.no_program
def test_the_notebook_has_no_outputs() -> None:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    assert all(not cell.get("outputs") for cell in cells)


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pandas", "pyarrow", "ipykernel"):
        pytest.importorskip(module, reason=f"{module} is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("PALMTOP", palmtop.find_program())
    monkeypatch.setenv("PYTHONPATH", str(Path(palmtop.__file__).parents[1]))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    resources = {"metadata": {"path": str(NOTEBOOK.parent)}}
    nbclient.NotebookClient(notebook, timeout=300, resources=resources).execute()
    shown = "".join(json.dumps(output_of(cell)) for cell in notebook.cells)
    for words in ("verified: a faithful release", "NOT verified", "infeasible", "text/html"):
        assert words in shown
    assert "Traceback" not in shown
    left = [path for path in tmp_path.iterdir() if path.name.startswith("palmtop-")]
    assert left == []


def output_of(cell: Any) -> Any:
    return cell.get("outputs", [])
