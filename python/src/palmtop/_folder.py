"""A private folder for one run of the program."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, Mapping


@contextmanager
def private_folder(files: Mapping[str, bytes]) -> Iterator[Path]:
    """A new folder with these files, for this user only. It is deleted afterwards, also after an
    exception.

    The folder is in the folder for temporary files, which the variable TMPDIR changes. It has the
    mode 0700, and its files have 0600.
    """
    with tempfile.TemporaryDirectory(prefix="palmtop-") as name:
        folder = Path(name)
        for path, content in files.items():
            write_private(folder / path, content)
        yield folder


def write_private(path: Path, content: bytes, force: bool = False) -> None:
    """Writes a file with the mode 0600. It overwrites a file only with `force`.

    Raises:
        FileExistsError: if the file exists.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if force:
        path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
