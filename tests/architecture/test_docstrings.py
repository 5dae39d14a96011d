"""A docstring names errors that exist: after a renaming nobody looks for one that is gone."""

from __future__ import annotations

import ast
import builtins
import re
from pathlib import Path
from subprocess import CalledProcessError

import click

ROOT = Path(__file__).parents[2]
PACKAGES = ("firmware_host", "board_drivers", "web_panel", "hardware", "release")
RAISED = re.compile(r"[Rr]aises ([^.]*)")
ERROR = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b")


def test_errors_in_docstrings_exist() -> None:
    files = [file for top in PACKAGES for file in sorted((ROOT / top).rglob("*.py"))]
    nodes = [(file, node) for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))]
    defined = {node.name for _, node in nodes if isinstance(node, ast.ClassDef)}
    known = {*defined, *dir(builtins), *dir(click), CalledProcessError.__name__}
    found = [
        (file.relative_to(ROOT), name)
        for file, node in nodes
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.Module)
        for raised in RAISED.findall(ast.get_docstring(node) or "")
        for name in ERROR.findall(raised)
    ]
    assert len(found) > 400
    assert [(file, name) for file, name in found if name not in known] == []
