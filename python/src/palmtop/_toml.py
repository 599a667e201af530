"""The project file: reading it, and writing single lines into it."""

from __future__ import annotations

import datetime
import json
import re
import sys
from typing import Any, Mapping

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Value = Any


def parse(text: str) -> dict[str, Any]:
    """Parses a project file.

    Raises:
        ValueError: if it is no TOML.
    """
    content: dict[str, Any] = tomllib.loads(text)
    return content


def value_text(value: Value) -> str:
    """Returns a value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(value_text(item) for item in value)}]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {value_text(item)}" for key, item in value.items()) + " }"
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def with_values(text: str, section: str, values: Mapping[str, Value]) -> str:
    """Sets keys of a section, or of the top if `section` is empty.

    A section that the text lacks is put before the first attribute.
    """
    lines = text.splitlines()
    if section:
        header = next((i for i, line in enumerate(lines) if line.strip() == f"[{section}]"), None)
        if header is None:
            attributes = (i for i, line in enumerate(lines) if line.strip() == "[[attribute]]")
            header = _start_of_comment(lines, next(attributes, len(lines)))
            lines[header:header] = [f"[{section}]", ""]
        start = header + 1
    else:
        start = next((i for i, line in enumerate(lines) if line and line[0] not in "#"), 0)
    for key, value in reversed(list(values.items())):
        line = f"{key} = {value_text(value)}"
        end = next((i for i in range(start, len(lines)) if lines[i].startswith("[")), len(lines))
        written = re.compile(rf"\s*{re.escape(key)}\s*=")
        found = next((i for i in range(start, end) if written.match(lines[i])), None)
        if found is None:
            lines.insert(start, line)
        else:
            lines[found] = line
    if not section and values:
        lines.insert(start + len(values), "")
    return "\n".join(lines) + "\n"


def with_absolute_paths(text: str, absolute: Any) -> str:
    """Replaces each path in the text by `absolute(path)`."""
    key = re.compile(r'^(\s*(?:path|hierarchy|belief)\s*=\s*)"([^"\\]*)"', re.MULTILINE)
    return key.sub(lambda found: found.group(1) + value_text(absolute(found.group(2))), text)


def _start_of_comment(lines: list[str], index: int) -> int:
    while index > 0 and lines[index - 1].startswith("#"):
        index -= 1
    return index
