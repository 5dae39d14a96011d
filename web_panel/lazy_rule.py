"""A route that compiles how its address is built when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from werkzeug.routing import Rule


class LazyRule(Rule):
    """Compiles the functions that build its address when the first address is built.

    Werkzeug compiles two functions for each route. The panel has 90 routes and builds addresses for a few of them, and
    compiling took most of the time to create the panel. Requests are matched without these functions.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compile_now = super()._compile_builder
        compiled: list[Callable[..., tuple[str, str]]] = []  # list[..]() would evaluate the type each time

        def build(rule: Rule, /, **values: Any) -> tuple[str, str]:
            if not compiled:
                compiled.append(compile_now(append_unknown))
            return compiled[0](rule, **values)

        return build
