"""Where the program is found, its progress, and its interruption."""

from __future__ import annotations

import os
import signal
import stat
import sys
import threading
import time
from pathlib import Path

import pytest

import palmtop
from palmtop._program import find_program, run


def script(path: Path, code: str) -> Path:
    path.write_text(f"#!{sys.executable}\n{code}", "utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.mark.no_program
def test_the_program_is_that_of_the_variable_then_of_the_environment_then_of_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = {name: tmp_path / name for name in ("variable", "scripts", "path")}
    programs = {}
    for name, folder in folders.items():
        folder.mkdir()
        programs[name] = script(folder / "palmtop", "")
    monkeypatch.setenv("PALMTOP", str(programs["variable"]))
    monkeypatch.setenv("PATH", str(folders["path"]))
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(folders["scripts"]))
    assert find_program() == str(programs["variable"])
    monkeypatch.delenv("PALMTOP")
    assert find_program() == str(programs["scripts"])
    programs["scripts"].unlink()
    assert find_program() == str(programs["path"])
    programs["path"].unlink()
    with pytest.raises(palmtop.ProgramNotFound, match="PALMTOP"):
        find_program()
    monkeypatch.setenv("PALMTOP", str(tmp_path / "gone"))
    with pytest.raises(palmtop.ProgramNotFound, match="gone"):
        find_program()


def test_the_version_is_that_of_the_program() -> None:
    assert palmtop.version().startswith("palmtop ")


def test_progress_goes_to_a_callback_and_messages_do_not(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars", reason="Polars is not installed")
    public = polars.DataFrame({"a": [row % 977 for row in range(60000)]})
    public = public.with_columns(b=(polars.col("a") * 7919) % 1009, c=polars.col("a") % 13)
    steps: list[tuple[float, str]] = []
    project = palmtop.init(public.head(2000), public, delta="1/10")
    release = project.anonymize(
        strategy="best", budget="1s", warn=False, progress=lambda *step: steps.append(step)
    )
    assert release.verdict
    assert len(steps) >= 2
    assert all(0 <= share <= 1 for share, _ in steps)
    assert any("best" in text for _, text in steps)
    with pytest.raises(palmtop.NoRelease, match="infeasible") as caught:
        project.anonymize("1/1000", progress=lambda *step: steps.append(step))
    assert "{" not in caught.value.text and "kind" not in caught.value.text


@pytest.mark.no_program
def test_a_line_that_is_no_message_is_kept_as_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "import json, sys\n"
        "say = lambda **record: print(json.dumps(record), file=sys.stderr)\n"
        "say(kind='progress', text='n2', done=1, total=4)\n"
        "print('an internal error at main.rs:1', file=sys.stderr)\n"
        "print('[1, 2]', file=sys.stderr)\n"
        "say(kind='message', text='the end')\n"
    )
    monkeypatch.setenv("PALMTOP", str(script(tmp_path / "palmtop", code)))
    done = run(tmp_path, [])
    assert done.message() == "an internal error at main.rs:1\n[1, 2]\nthe end"
    assert done.positions() == []


@pytest.mark.no_program
@pytest.mark.skipif(os.name != "posix", reason="signals are of POSIX")
def test_an_interrupt_stops_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import time\nopen('began', 'w').close()\ntime.sleep(60)\n"
    monkeypatch.setenv("PALMTOP", str(script(tmp_path / "palmtop", code)))

    def interrupt() -> None:
        while not (tmp_path / "began").exists():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    began = time.monotonic()
    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, [])
    assert time.monotonic() - began < 20
