"""Compiles each route and each template of the panel once for all tests.

Werkzeug compiles two functions for each route of each application; they depend on the text of the route alone. Jinja
compiles each template for each application. A test has an application of its own, with 90 routes, and most of its time
was spent on compiling.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
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


class CompiledTemplates(BytecodeCache):
    """The code of templates in memory, for `jinja_env.bytecode_cache` of several applications."""

    def __init__(self) -> None:
        self._codes = dict[str, bytes]()

    def load_bytecode(self, bucket: Bucket) -> None:
        if code := self._codes.get(bucket.key):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._codes[bucket.key] = bucket.bytecode_to_string()


TEMPLATES = CompiledTemplates()
"""Of all applications in this process."""
