"""What a notebook shows: what was verified, what was not, and no markup of the data."""

from __future__ import annotations

from typing import Any

import pytest

import palmtop

MARKUP = "<script>alert('x')</script>"


@pytest.fixture(scope="module")
def release() -> palmtop.Release:
    polars = pytest.importorskip("polars", reason="Polars is not installed")
    public = {"job": [MARKUP, "b", "c & d", "e"] * 100}
    public["age"] = [str(row % 50) for row in range(400)]
    private = {name: cells[::9][:40] for name, cells in public.items()}
    private["dx"] = [MARKUP, "y", "z", "z"] * 10
    project = palmtop.init(
        polars.DataFrame(private),
        polars.DataFrame(public),
        roles={"dx": "sensitive"},
        delta="1/4",
        name=MARKUP,
    )
    assert project._repr_html_()
    return project.anonymize(strategy="n1", warn=False)


def parts(release: palmtop.Release) -> dict[str, Any]:
    project = release.project
    return {
        "release": release,
        "verdict": release.verdict,
        "classes": release.classes(),
        "classes of a node": project.classes(),
        "check": project.check(),
        "project": project,
        "risk": release.risk(),
        "utility": release.utility(),
        "composition": palmtop.compose(release, release),
    }


def test_nothing_of_the_data_is_markup(release: palmtop.Release) -> None:
    for name, part in parts(release).items():
        text = part._repr_html_()
        assert "<script" not in text, name
        assert text.startswith("<div"), name
        assert repr(part)
    assert "&lt;script&gt;" in release._repr_html_()


def test_a_verdict_says_what_was_verified_and_what_not(release: palmtop.Release) -> None:
    text = release.verdict._repr_html_()
    for words in (
        "✓ verified: a faithful release",
        "Recounted from the raw tables: 40 rows",
        "knows the public table&#x27;s columns exactly and nothing else",
        "Not verified:",
        "several releases",
        release.sha256,
    ):
        assert words in text
    wrong = release.project.verify(release.content + release.content.splitlines(True)[1])
    assert "✗ NOT verified" in wrong._repr_html_()
    assert "✓ verified" not in wrong._repr_html_()


def test_a_class_table_has_both_counts_and_their_ratio(release: palmtop.Release) -> None:
    text = release.classes()._repr_html_()
    for words in ("<th>private</th>", "<th>public</th>", "<th>presence</th>", "<td>ok</td>"):
        assert words in text
    assert "is verified" in text
