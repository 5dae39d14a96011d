"""Finds the line of a setting in the text of a settings file, for messages.

tomlkit knows no line numbers, and tomllib tells them in its errors only. So the text is searched line by line: a key of
TOML that is written in an unusual way, such as in several lines, is not found, and the message goes without its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

TABLES = ("mqtt",)
"""Tables of a settings file whose keys may be written without their prefix: `host` in `[mqtt]` is `mqtt_host`."""

_TABLE = re.compile(r"\s*\[\s*([\w-]+)\s*\]")
_KEY = re.compile(r"""\s*["']?([\w-]+)["']?\s*[=.]""")
_IN_ERROR = re.compile(r"at line (\d+)")


def line_of(text: str, name: str) -> int:
    """The line of a setting, from 1; of a table, such as `options`, its first line. 0: it was not found."""
    return next((number for number, key in _keys(text) if key == name), 0)


def line_in(error: str, text: str) -> int:
    """The line that an error of tomllib names, from 1; the last one for `at end of document`. 0: it names none."""
    if found := _IN_ERROR.search(error):
        return int(found[1])
    return len(text.splitlines()) if "at end of document" in error else 0


def name_in(text: str, line: int) -> str:
    """The name before the `=` of a line, which need not be TOML; empty if there is none."""
    return next((key for number, key in _keys(text) if number == line), "")


def _keys(text: str) -> Iterator[tuple[int, str]]:
    """Line and setting of each line that begins with one."""
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := _TABLE.match(line):
            table = header[1]
            yield number, table
        elif key := _KEY.match(line):
            yield number, f"{table}_{key[1]}" if table in TABLES else table or key[1]
