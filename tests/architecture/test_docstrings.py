"""A docstring names errors that exist: after a renaming nobody looks for one that is gone."""

from __future__ import annotations

import builtins
import re
from pathlib import Path
from subprocess import CalledProcessError

import click

ROOT = Path(__file__).parents[2]
PACKAGES = ("firmware_host", "board_drivers", "web_panel", "hardware", "release")
CLASS = re.compile(r"^\s*class (\w+)", re.MULTILINE)
DOCSTRING = re.compile(r'"""(.*?)"""', re.DOTALL)
RAISED = re.compile(r"[Rr]aises ([^.]*)")
ERROR = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b")


def test_errors_in_docstrings_exist() -> None:
    files = [file for top in PACKAGES for file in sorted((ROOT / top).rglob("*.py"))]
    texts = {file.relative_to(ROOT): file.read_text(encoding="utf-8") for file in files}
    defined = {name for text in texts.values() for name in CLASS.findall(text)}
    known = {*defined, *dir(builtins), *dir(click), CalledProcessError.__name__}
    found = [
        (file, name)
        for file, text in texts.items()
        for docstring in DOCSTRING.findall(text)
        for raised in RAISED.findall(docstring)
        for name in ERROR.findall(raised)
    ]
    assert len(found) > 400
    assert [(file, name) for file, name in found if name not in known] == []
