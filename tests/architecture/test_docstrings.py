"""A docstring names errors that exist: after a renaming nobody looks for one that is gone."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from pathlib import Path
from subprocess import CalledProcessError

import click

ROOT = Path(__file__).parents[2]
TREES = [
    (file.relative_to(ROOT), ast.parse(file.read_text(encoding="utf-8")))
    for top in ("firmware_host", "board_drivers", "web_panel", "hardware", "release")
    for file in sorted((ROOT / top).rglob("*.py"))
]
RAISED = re.compile(r"[Rr]aises ([^.]*)")
ERROR = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b")


def errors_in_docstrings() -> Iterator[tuple[Path, str]]:
    for file, tree in TREES:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.Module) and (text := ast.get_docstring(node)):
                yield from ((file, name) for raised in RAISED.findall(text) for name in ERROR.findall(raised))


def test_errors_in_docstrings_exist() -> None:
    defined = {node.name for _, tree in TREES for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    known = {*defined, *dir(builtins), *dir(click), CalledProcessError.__name__}
    found = list(errors_in_docstrings())
    assert len(found) > 400
    assert [(file, name) for file, name in found if name not in known] == []
