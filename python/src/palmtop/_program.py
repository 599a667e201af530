"""Finding the program and running it."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Callable, Iterator, Sequence

from ._errors import ProgramNotFound

Progress = Callable[[float, str], None]
"""Called with the share that is done, from 0 to 1, and with what the program does."""


def find_program() -> str:
    """Returns the path of the program.

    The first of these that exists: the environment variable PALMTOP, the folder of the scripts of
    this Python, PATH.

    Raises:
        ProgramNotFound: if PALMTOP names no program, or if there is none anywhere.
    """
    named = os.environ.get("PALMTOP")
    if named:
        if os.path.isfile(named) and os.access(named, os.X_OK):
            return os.path.abspath(named)
        raise ProgramNotFound(f"the environment variable PALMTOP is {named!r}, which is no program")
    name = "palmtop.exe" if os.name == "nt" else "palmtop"
    script = Path(sysconfig.get_path("scripts")) / name
    if script.is_file() and os.access(script, os.X_OK):
        return str(script)
    found = shutil.which("palmtop")
    if found is None:
        raise ProgramNotFound(
            "the program `palmtop` was not found: set the environment variable PALMTOP to its "
            f"path, or install it in {script.parent} or in a folder of PATH"
        )
    return os.path.abspath(found)


def version() -> str:
    """Returns the version of the program, such as `palmtop 0.1.0`."""
    done = subprocess.run(
        [find_program(), "--version"], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@dataclass(frozen=True)
class Finished:
    """What a run of the program gave."""

    status: int
    stdout: str
    records: Sequence[dict[str, Any]]
    """The messages of the program without those of progress; each has a `kind` and a `text`."""

    def message(self) -> str:
        """Returns the text of the error, or else the messages that are no cautions."""
        kinds = ("error",) if any(each["kind"] == "error" for each in self.records) else ("message",)
        return "\n".join(each["text"] for each in self.records if each["kind"] in kinds)

    def positions(self) -> list[dict[str, Any]]:
        """Returns the positions of the error: files, rows, columns, values."""
        errors = [each for each in self.records if each["kind"] == "error"]
        return [position for each in errors for position in each["positions"]]

    def questions(self) -> list[str]:
        """Returns the doubtful choices of `init` with their alternatives, and the cautions."""
        questions = [
            f"{each['text']}: {each['remedy']}"
            for each in self.records
            if each["kind"] == "question"
        ]
        return questions + [each["text"] for each in self.records if each["kind"] == "caution"]


def run(folder: Path, arguments: Sequence[str], progress: Progress | None = None) -> Finished:
    """Runs the program in `folder`. An interrupt stops it, and it then writes nothing."""
    process = subprocess.Popen(
        [find_program(), *arguments, "--messages", "json"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        umask=0o077 if os.name == "posix" else -1,
    )
    messages = _Messages(progress)
    output: list[bytes] = []
    readers = [
        threading.Thread(target=_read, args=(process.stdout, output.append), daemon=True),
        threading.Thread(target=_read, args=(process.stderr, messages.feed), daemon=True),
    ]
    try:
        for reader in readers:
            reader.start()
        # A wait without a limit would not be interrupted on every system.
        while any(reader.is_alive() for reader in readers):
            for reader in readers:
                reader.join(0.05)
            messages.show()
        status = process.wait()
    except BaseException:
        _stop(process)
        raise
    finally:
        for reader in readers:
            # An interrupt may come before a reader is started.
            if reader.ident is not None:
                reader.join()
    records = _without_folder(messages.end(), f"{folder}{os.sep}")
    return Finished(status, b"".join(output).decode("utf-8"), records)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _read(pipe: Any, feed: Callable[[bytes], None]) -> None:
    with pipe:
        for chunk in iter(lambda: pipe.read1(65536), b""):
            feed(chunk)


def _without_folder(value: Any, folder: str) -> Any:
    """Returns the same value; its texts name files of the private folder by their names."""
    if isinstance(value, str):
        return value.replace(folder, "")
    if isinstance(value, list):
        return [_without_folder(each, folder) for each in value]
    if isinstance(value, dict):
        return {key: _without_folder(each, folder) for key, each in value.items()}
    return value


class _Messages:
    """Reads the messages of the program, one JSON object a line."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._text = b""
        self._records: list[dict[str, Any]] = []
        self._step: tuple[float, str] | None = None
        self._shown: tuple[float, str] | None = None

    def show(self) -> None:
        """Calls the callback with the newest step, in the thread of the caller."""
        step = self._step
        if self._progress is None or step is None or step == self._shown:
            return
        self._shown = step
        try:
            self._progress(*step)
        except Exception as error:  # A broken bar must not stop a release.
            self._progress = None
            print(f"palmtop: the progress bar failed: {error}", file=sys.stderr)

    def feed(self, chunk: bytes) -> None:
        *lines, self._text = (self._text + chunk).split(b"\n")
        for line in lines:
            self._line(line)

    def end(self) -> list[dict[str, Any]]:
        """Returns the messages without those of progress."""
        self._line(self._text)
        self._text = b""
        return self._records

    def _line(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            record = json.loads(line)
            kind, text = record["kind"], record["text"]
        except (ValueError, TypeError, KeyError):
            # An internal error, or a line of the system.
            record = {"kind": "message", "text": line.decode("utf-8", "replace")}
            kind, text = record["kind"], record["text"]
        if kind == "progress":
            total = record["total"]
            self._step = (min(1.0, record["done"] / total) if total else 0.0, text)
        else:
            self._records.append(record)


@contextmanager
def progress_bar(choice: bool | Progress | None) -> Iterator[Progress | None]:
    """Yields the callback of the argument `progress` of the verbs.

    None means a bar in a notebook, and a bar of tqdm on a terminal, if tqdm is installed.
    """
    if choice is not None and not isinstance(choice, bool):
        yield choice
        return
    bar: Any = None
    if choice is not False:
        if _in_notebook():
            bar = _NotebookBar()
        elif choice or sys.stderr.isatty():
            bar = _terminal_bar()
    try:
        yield None if bar is None else bar.show
    finally:
        if bar is not None:
            bar.close()


class _NotebookBar:
    """A bar that vanishes when it is closed. It needs no widgets."""

    def __init__(self) -> None:
        ipython: Any = importlib.import_module("IPython.display")
        self._html = ipython.HTML
        self._handle = ipython.display(self._html(""), display_id=True)

    def show(self, share: float, text: str) -> None:
        bar = f'<progress value="{share:.2f}" max="1"></progress> {escape(text)}'
        self._handle.update(self._html(bar))

    def close(self) -> None:
        self._handle.update(self._html(""))


class _TerminalBar:
    def __init__(self, tqdm: Any) -> None:
        self._bar = tqdm(total=100, leave=False, bar_format="{desc} {bar} {n_fmt} % {elapsed}")

    def show(self, share: float, text: str) -> None:
        self._bar.set_description_str(text, refresh=False)
        self._bar.n = round(100 * share)
        self._bar.refresh()

    def close(self) -> None:
        self._bar.close()


def _terminal_bar() -> _TerminalBar | None:
    try:
        from tqdm import tqdm
    except ImportError:
        return None
    return _TerminalBar(tqdm)


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    current = shell.get_ipython() if shell is not None else None
    return type(current).__name__ == "ZMQInteractiveShell"
