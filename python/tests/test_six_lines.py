"""Six lines lead from a frame to a verified release and both reports."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Callable

import pytest

PAGES = ["docs/python.md", "python/README.md"]


def lines_of(page: str) -> str:
    text = (Path(__file__).parents[2] / page).read_text("utf-8")
    found = re.search(r"```python\n(import palmtop\n.*?)```", text, re.DOTALL)
    assert found is not None, page
    return found.group(1)


@pytest.mark.parametrize("page", PAGES)
def test_six_lines_make_a_verified_release_and_both_reports(
    page: str, read: Callable[[str], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code = lines_of(page)
    assert len(code.splitlines()) == 6
    names: dict[str, Any] = {"T": read("private"), "P": read("public")}
    exec(compile(code, page, "exec"), names)
    assert names["release"].verdict.is_verified
    assert len(names["release"].frame) == 800
    signer, recipient = (tmp_path / f"{name}.html" for name in ("signer", "recipient"))
    assert "VERIFIED" in signer.read_text("utf-8")
    assert "VERIFIED" in recipient.read_text("utf-8")
    assert names["release"].sha256 in signer.read_text("utf-8")
    for report in (signer, recipient):
        assert report.stat().st_mode & 0o777 == 0o600
