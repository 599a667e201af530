"""Finding the program and running it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Sequence

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
                reader.join(0.2)
        status = process.wait()
    except BaseException:
        _stop(process)
        raise
    finally:
        for reader in readers:
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
        self._last: tuple[int, str] | None = None

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
        step = (int(found.group(2)), found.group(1).strip())
        if self._progress is not None and step != self._last:
            self._last = step
            try:
                self._progress(step[0] / 100, step[1])
            except Exception as error:  # A broken bar must not stop a release.
                self._progress = None
                print(f"palmtop: the progress bar failed: {error}", file=sys.stderr)


def progress_of(choice: bool | Progress | None) -> Progress | None:
    """Returns the callback of the argument `progress` of the verbs.

    None means a bar of tqdm in a notebook or on a terminal, if tqdm is installed.
    """
    if choice is False:
        return None
    if callable(choice):
        return choice
    if choice is None and not (_in_notebook() or sys.stderr.isatty()):
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    bar = tqdm(total=100, leave=False, bar_format="{desc} {bar} {n_fmt} % {elapsed}")

    def show(share: float, text: str) -> None:
        bar.set_description_str(text)
        bar.n = round(100 * share)
        bar.refresh()

    show.close = bar.close  # type: ignore[attr-defined]
    return show


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    current = shell.get_ipython() if shell is not None else None
    return type(current).__name__ == "ZMQInteractiveShell"
