"""Compiles each route of the panel once for all tests.

Werkzeug compiles two functions for each route of each application. They depend on the text of the route alone. A test
has an application of its own, with 90 routes, and compiling them took three quarters of its set-up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from werkzeug.routing import Rule

_compile_builder = Rule._compile_builder
_compiled = dict[tuple[str, str, bool], Callable[..., tuple[str, str]]]()


def _compile_once(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
    key = rule.rule, repr(rule.defaults), append_unknown
    if key not in _compiled:
        _compiled[key] = _compile_builder(rule, append_unknown)
    return _compiled[key]


def share_compiled_routes() -> None:
    """For this process, from now on."""
    owner: Any = Rule
    owner._compile_builder = _compile_once
