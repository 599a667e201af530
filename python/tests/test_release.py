"""Verdicts, failures, documents: a release is verified, or there is none."""

from __future__ import annotations

import json
import os
import subprocess
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import palmtop
from palmtop._program import find_program

from .conftest import CLINIC, ROLES, read_clinic


@pytest.fixture(scope="module")
def frames() -> tuple[Any, Any]:
    for library in ("polars", "pandas"):
        try:
            return read_clinic(library, "private"), read_clinic(library, "public")
        except ImportError:
            continue
    pytest.skip("neither Polars nor pandas is installed")


@pytest.fixture
def project(frames: tuple[Any, Any]) -> palmtop.Project:
    return palmtop.init(*frames, roles=ROLES, delta="1/10")


@pytest.fixture(scope="module")
def release(frames: tuple[Any, Any]) -> palmtop.Release:
    return palmtop.anonymize(*frames, "1/10", roles=ROLES)


def test_a_release_has_its_frame_its_verdict_and_its_cautions(release: palmtop.Release) -> None:
    assert release.verdict
    assert release.delta == (Fraction(0), Fraction(1, 10))
    assert release.verdict.achieved == (Fraction(0), Fraction(1, 10))
    assert release.strategy == "simulatable"
    assert 0 < release.loss < 1
    assert "patient" not in list(release.frame.columns)
    assert {"knows_member", "certain_absent"} <= {each.key for each in release.cautions}


def test_each_caution_is_a_warning_at_the_line_of_the_caller(project: palmtop.Project) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        release = project.anonymize()
    assert [str(each.message) for each in caught] == [str(each) for each in release.cautions]
    assert {each.filename for each in caught} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        project.anonymize(warn=False)


def test_a_changed_file_is_not_verified(project: palmtop.Project, tmp_path: Path) -> None:
    content = project.anonymize().content
    assert project.verify(content)
    changed = content.replace(b"asthma", b"pneumonia", 1)
    verdict = project.verify(changed)
    assert not verdict and not verdict.is_faithful
    assert verdict.problems
    assert str(verdict).startswith("✗ NOT verified")
    file = tmp_path / "changed.csv"
    file.write_bytes(changed)
    assert not project.verify(file)
    with pytest.raises(TypeError, match="written file"):
        project.verify(object())  # type: ignore[arg-type]


def test_a_faithful_file_that_breaks_delta_is_not_verified(release: palmtop.Release) -> None:
    verdict = release.verify("1/20")
    assert verdict.is_faithful and not verdict
    assert "breaks presence" in str(verdict)
    assert release.verdict  # By its own δ.


def test_a_file_that_is_no_release_is_no_verdict_at_all(project: palmtop.Project) -> None:
    try:
        verdict = project.verify(b"\xff\x00")
    except palmtop.PalmtopError:
        return
    assert not verdict


@pytest.mark.parametrize("delta", ["1/1000", (0.05, "1/10")])
def test_an_infeasible_delta_is_an_exception(frames: tuple[Any, Any], delta: Any) -> None:
    with pytest.raises(palmtop.NoRelease, match="infeasible") as caught:
        palmtop.anonymize(*frames, delta, "spalm", roles=ROLES)
    assert (caught.value.reason, caught.value.status) == ("infeasible", 3)
    assert isinstance(caught.value, palmtop.PolicyFailure)


def test_a_policy_that_no_release_keeps_is_an_exception(frames: tuple[Any, Any]) -> None:
    with pytest.raises(palmtop.NoRelease) as caught:
        palmtop.anonymize(*frames, "1/10", "spalm", roles=ROLES, policy={"k": 801})
    assert caught.value.status == 3
    private, public = frames
    with pytest.raises(palmtop.NoRelease):
        palmtop.anonymize(private, public, "1/10", node=[0, 0, 0, 0, 0, 0], roles=ROLES)


def test_a_role_that_nobody_decided_stops_the_release(frames: tuple[Any, Any]) -> None:
    roles = {"patient": "identifier"}
    with pytest.raises(palmtop.UnansweredCautions) as caught:
        palmtop.anonymize(*frames, "1/10", roles=roles)
    assert [each.name for each in caught.value.cautions] == ["undecided:diagnosis"]
    project = palmtop.init(*frames, roles=roles, delta="1/10")
    accept = {"undecided:diagnosis": "This is a test without real people."}
    release = project.anonymize(accept=accept)
    accepted = [each.accepted for each in release.cautions if each.key == "undecided"]
    assert accepted == list(accept.values())


def test_delta_must_be_decided(frames: tuple[Any, Any]) -> None:
    project = palmtop.init(*frames, roles=ROLES)
    assert project.delta is None
    with pytest.raises(palmtop.UsageError, match="starting point"):
        project.anonymize()
    project.anonymize("1/10", "spalm")
    assert project.delta == (Fraction(0), Fraction(1, 10))
    looser = project.anonymize("1/5", "spalm")
    assert "looser_delta" in {each.key for each in looser.cautions}
    assert looser.verify().delta == (Fraction(0), Fraction(1, 5))
    assert "1/5, which is LOOSER than the project's 0 to 1/10" in str(looser.verdict)
    assert "LOOSER" not in str(project.anonymize("1/20", "spalm").verdict)


def test_errors_have_their_fields(project: palmtop.Project) -> None:
    project.text = project.text.replace('role = "quasi"', 'rule = "quasi"', 1)
    with pytest.raises(palmtop.PalmtopError, match="unknown field") as caught:
        project.check()
    line = project.text.splitlines().index('rule = "quasi"') + 1
    assert (caught.value.file, caught.value.line) == ("project.toml", line)
    assert caught.value.status == 1
    assert caught.value.positions[0]["line"] == line
    with pytest.raises(palmtop.UsageError, match="unknown strategy"):
        project.anonymize(strategy="fast")


def test_people_whom_p_lacks_are_left_out_with_a_warning_or_are_an_error(
    frames: tuple[Any, Any],
) -> None:
    private, public = frames
    short = public.head(19000)
    with pytest.warns(palmtop.CautionWarning, match="people of T are not in P"):
        project = palmtop.init(private, short, roles=ROLES, delta="1/10")
    assert 'not_in_public = "drop"' in project.text
    release = project.anonymize(strategy="spalm")
    assert 0 < release.run["dropped"] < 60
    assert len(release) == 800 - release.run["dropped"]
    assert "left_out" in {each.key for each in release.cautions}
    with pytest.raises(palmtop.IncompleteProject, match="not_in_public") as caught:
        palmtop.init(private, public.head(1000), roles=ROLES)
    assert caught.value.table == "T"
    assert caught.value.project.attributes


def test_reports_and_codes_are_written_once(release: palmtop.Release, tmp_path: Path) -> None:
    report = release.report(tmp_path / "signer.json", prior="4%", misuse=0.06)
    content = json.loads(report.read_text("utf-8"))
    assert content["verdict"]["verified"] is True
    assert content["release"]["sha256"] == release.sha256
    assert content["made_by"]["strategy"] == "simulatable"
    with pytest.raises(FileExistsError):
        release.report(report)
    release.report(report, force=True)
    codes = release.codebook(tmp_path / "codes.csv").read_text("utf-8")
    assert codes.startswith("column,")


def test_membership_is_that_of_the_report(release: palmtop.Release) -> None:
    membership = release.membership()
    assert membership["within"] is True
    assert membership["prior"] == Fraction(1, 25)
    assert membership["highest"] == membership["threshold"] == Fraction(1, 10)
    assert membership["lift"] == Fraction(5, 2)
    # 2 · 1/10/(1 + 1/10), and (2/11 − 1/25)/(1 − 1/25).
    assert membership["bound"]["f1"] == Fraction(2, 11)
    assert membership["bound"]["f1_relative"] == Fraction(13, 88)
    assert membership["bound"]["knows_algorithm"] is True
    # The best attack by classes, counted again from the list of classes.
    called, found, best = 0, 0, Fraction(0)
    for row in release.classes():
        called, found = called + row["public"], found + row["private"]
        best = max(best, Fraction(2 * found, 800 + called))
    attack = membership["attack"]
    assert attack["f1"] == best <= membership["bound"]["f1"]
    assert attack["precision"] == Fraction(attack["members"], attack["people"])
    report = release.report()
    assert report["disclosures"]["membership"]["attack"]["f1"]["exact"] == str(best)


def test_a_saved_release_is_verified_by_the_program_alone(
    release: palmtop.Release, tmp_path: Path
) -> None:
    folder = release.save(tmp_path / "kept")
    assert {path.stat().st_mode & 0o777 for path in folder.glob("*.*")} == {0o600}
    command = [find_program(), "verify", "project.toml", "release.csv"]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("✓")
    again = palmtop.Project.open(folder / "project.toml")
    assert again.verify(folder / "release.csv")
    with pytest.raises(FileExistsError):
        release.save(folder)


def test_a_project_of_the_program_takes_frames(frames: tuple[Any, Any]) -> None:
    project = palmtop.Project.open(CLINIC / "clinic.toml", *frames)
    assert project.delta == (Fraction(0), Fraction(1, 10))
    assert project.check()
    release = project.anonymize(strategy="spalm")
    assert type(release.frame) is type(frames[0])
    assert project.classes(node=[5, 5, 0, 3, 3, 2])


def test_two_releases_are_judged_together(project: palmtop.Project) -> None:
    first = project.anonymize(strategy="spalm")
    second = project.anonymize(strategy="n2")
    assert "earlier_release" in {each.key for each in second.cautions}
    both = palmtop.compose(first, second)
    assert not both
    assert both.expected > 0 or both.certain > 0
    measures = palmtop.risk(first, second)
    assert [each["of"] for each in measures.releases] == ["1-release.csv", "2-release-2.csv"]
    with pytest.raises(palmtop.UsageError, match="already"):
        project.anonymize(strategy="n1", file="release.csv")


def test_a_second_release_keeps_delta_beside_the_first(frames: tuple[Any, Any]) -> None:
    project = palmtop.init(*frames, roles=ROLES, delta="1/10", limits=False)
    first = project.anonymize(strategy="spalm")
    second = project.anonymize(strategy="n2", beside=first)
    assert palmtop.compose(first, second)


def test_classes_add_up(release: palmtop.Release) -> None:
    table = release.classes()
    assert sum(row["private"] for row in table) == 800
    assert sum(row["public"] for row in table) == 20000
    assert {row["verdict"] for row in table} == {"ok"}
    assert max(row["presence"] for row in table) == Fraction(1, 10)


def test_measures_have_figures(release: palmtop.Release) -> None:
    assert palmtop.risk(release)["k"] == 1
    assert 0 < palmtop.utility(release)["distance"] < 1
    assert release.project.risk("spalm", "5,5,0,3,3,2").releases[1]["of"] == "node 5,5,0,3,3,2"


def test_nothing_is_left_in_the_temporary_folder(
    frames: tuple[Any, Any], temporary: Path
) -> None:
    release = palmtop.anonymize(*frames, "1/10", "spalm", roles=ROLES)
    assert release.verify() and release.classes() and len(release.frame) == 800
    with pytest.raises(palmtop.NoRelease):
        palmtop.anonymize(*frames, "1/1000", "spalm", roles=ROLES)
    assert list(temporary.iterdir()) == []


def test_files_are_private_while_the_program_runs(
    project: palmtop.Project, temporary: Path
) -> None:
    modes = {}
    with project._folder() as folder:
        modes = {path: path.stat().st_mode & 0o777 for path in folder.rglob("*")}
        assert folder.parent == temporary
        assert folder.stat().st_mode & 0o777 == 0o700
    folders = {path.name for path, mode in modes.items() if mode == 0o700}
    assert folders == {"project-hierarchies"}
    assert {mode for path, mode in modes.items() if path.name not in folders} == {0o600}
    with pytest.raises(ZeroDivisionError), project._folder():
        raise ZeroDivisionError
    assert list(temporary.iterdir()) == []
    assert os.listdir(temporary) == []


def test_a_member_column_marks_t(frames: tuple[Any, Any]) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    public = pandas.DataFrame({"age": [row % 60 for row in range(600)]})
    public["member"] = [row % 7 == 0 for row in range(600)]
    project = palmtop.init(None, public, member="member", delta="1/2")
    assert project.anonymize(strategy="n1").verify()


def test_an_error_of_a_value_has_its_row_its_column_and_the_value(
    tmp_path: Path,
) -> None:
    polars = pytest.importorskip("polars", reason="Polars is not installed")
    private = polars.read_csv(CLINIC / "private.csv", infer_schema=False)
    public = polars.read_csv(CLINIC / "public.csv", infer_schema=False)
    project = palmtop.init(private, public, roles=ROLES, delta="1/10")
    path = project.save(tmp_path / "kept")
    wrong = private.with_columns(
        polars.when(polars.int_range(polars.len()) == 6)
        .then(polars.lit("no such sex"))
        .otherwise(polars.col("sex"))
        .alias("sex")
    )
    with pytest.raises(palmtop.PalmtopError) as caught:
        palmtop.Project.open(path, wrong, public).check()
    error = caught.value
    assert (error.table, error.line, error.column) == ("T", 7, "sex")
    assert error.value == "no such sex"
    assert error.remedy and error.positions[0]["row"] == 7
