"""Finding the program and running it."""

from __future__ import annotations

import importlib
import os
import re
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
    stderr: str
    """Messages without the lines of progress."""

    def message(self) -> str:
        """Returns stderr without the name of the program and without its hint at --help."""
        lines = [line.removeprefix("palmtop: ") for line in self.stderr.splitlines()]
        lines = [line for line in lines if not line.startswith("For more information, try")]
        return "\n".join(lines).strip()


def run(folder: Path, arguments: Sequence[str], progress: Progress | None = None) -> Finished:
    """Runs the program in `folder`. An interrupt stops it, and it then writes nothing.

    With `progress`, stderr is a pseudo-terminal, because the program shows progress only there.
    """
    command = [find_program(), *arguments]
    environment = {**os.environ, "NO_COLOR": "1"}
    watched = progress is not None and os.name == "posix"
    main, other = _open_terminal() if watched else (None, None)
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if other is None else other,
            umask=0o077 if os.name == "posix" else -1,
        )
    except BaseException:
        _close(main)
        raise
    finally:
        _close(other)
    screen = _Screen(progress)
    output: list[bytes] = []
    readers = [
        threading.Thread(target=_read, args=(None, process.stdout, output.append), daemon=True),
        threading.Thread(target=_read, args=(main, process.stderr, screen.feed), daemon=True),
    ]
    try:
        for reader in readers:
            reader.start()
        # A wait without a limit would not be interrupted on every system.
        while any(reader.is_alive() for reader in readers):
            for reader in readers:
                reader.join(0.05)
            screen.show()
        status = process.wait()
    except BaseException:
        _stop(process)
        raise
    finally:
        for reader in readers:
            # An interrupt may come before a reader is started.
            if reader.ident is not None:
                reader.join()
        _close(main)
    messages = screen.messages().replace(f"{folder}{os.sep}", "")
    return Finished(status, b"".join(output).decode("utf-8"), messages)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _open_terminal() -> tuple[int | None, int | None]:
    """Opens a pseudo-terminal that is wide enough for a line of progress."""
    try:
        import fcntl
        import pty
        import struct
        import termios

        main, other = pty.openpty()
        # With 96 columns the bar is short, and a message is never wrapped by a terminal of ours.
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 96, 0, 0))
        mode = termios.tcgetattr(other)
        mode[1] &= ~termios.OPOST
        termios.tcsetattr(other, termios.TCSANOW, mode)
        return main, other
    except (ImportError, OSError):
        return None, None


def _close(descriptor: int | None) -> None:
    if descriptor is not None:
        os.close(descriptor)


def _read(terminal: int | None, pipe: Any, feed: Callable[[bytes], None]) -> None:
    if terminal is None:
        with pipe:
            for chunk in iter(lambda: pipe.read1(65536), b""):
                feed(chunk)
        return
    while True:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # The program has closed its end.
            return
        if not chunk:
            return
        feed(chunk)


_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PROGRESS = re.compile(r"^\S (.*?) [█▉▊▋▌▍▎▏░ ]*\s(\d+) % \S+$")


class _Screen:
    """Separates the lines of progress from the messages."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._text = b""
        self._lines: list[str] = []
        self._step: tuple[int, str] | None = None
        self._shown: tuple[int, str] | None = None

    def show(self) -> None:
        """Calls the callback with the newest step, in the thread of the caller."""
        step = self._step
        if self._progress is None or step is None or step == self._shown:
            return
        self._shown = step
        try:
            self._progress(step[0] / 100, step[1])
        except Exception as error:  # A broken bar must not stop a release.
            self._progress = None
            print(f"palmtop: the progress bar failed: {error}", file=sys.stderr)

    def feed(self, chunk: bytes) -> None:
        self._text += chunk
        parts = re.split(rb"[\r\n]", self._text)
        self._text = parts.pop()
        for part in parts:
            self._line(part)

    def messages(self) -> str:
        self._line(self._text)
        self._text = b""
        return "\n".join(self._lines)

    def _line(self, part: bytes) -> None:
        line = _ESCAPE.sub("", part.decode("utf-8", "replace"))
        found = _PROGRESS.match(line)
        if found is None:
            if line.strip():
                self._lines.append(line)
            return
        self._step = (int(found.group(2)), found.group(1).strip())


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
