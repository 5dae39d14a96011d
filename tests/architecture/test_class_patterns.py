"""Readers of outside data take no true or false for a number, as `int()` in a class pattern does: types of msgspec."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.architecture.test_imports import MODULES, imports_of


def numbers_in(case: ast.match_case) -> set[str]:
    """The class patterns of numbers, such as `int(score)`."""
    return {
        ast.unparse(node)
        for node in ast.walk(case.pattern)
        if isinstance(node, ast.MatchClass) and isinstance(node.cls, ast.Name) and node.cls.id in ("int", "float")
    }


def readers() -> list[tuple[str, Path]]:
    naming = [(module, file) for module, file in MODULES if "json" in file.read_text(encoding="utf-8")]
    return [(module, file) for module, file in naming if imports_of(module, file) & {"json", "msgspec.json.Decoder"}]


def test_readers_of_json_have_no_class_pattern_of_a_number() -> None:
    assert len(readers()) > 20
    found = {
        module: sorted(numbers_in(node))
        for module, file in readers()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.match_case) and numbers_in(node)
    }
    assert found == {}
