"""Readers of outside data take no true or false for a number, as the class patterns `int()` and `float()` do."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.architecture.test_imports import MODULES, imports_of

GUARD = "are_integers"


def numbers_in(case: ast.match_case) -> set[str]:
    """The names that patterns such as `int(score)` bind."""
    return {
        name.name
        for node in ast.walk(case.pattern)
        if isinstance(node, ast.MatchClass) and isinstance(node.cls, ast.Name) and node.cls.id in ("int", "float")
        for name in node.patterns
        if isinstance(name, ast.MatchAs) and name.name
    }


def checked_in(case: ast.match_case) -> set[str]:
    """The names that the guard of the case passes to `are_integers`."""
    calls = [node for node in ast.walk(case.guard) if isinstance(node, ast.Call)] if case.guard else []
    by_guard = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == GUARD]
    return {name.id for call in by_guard for name in call.args if isinstance(name, ast.Name)}


def readers() -> list[tuple[str, Path]]:
    return [(module, file) for module, file in MODULES if "json" in imports_of(module, file)]


def test_readers_of_json_take_no_boolean_for_a_number() -> None:
    cases = [
        (module, node)
        for module, file in readers()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.match_case) and numbers_in(node)
    ]
    assert len(cases) >= 5
    unchecked = {module: sorted(numbers_in(case) - checked_in(case)) for module, case in cases}
    assert {module: names for module, names in unchecked.items() if names} == {}
