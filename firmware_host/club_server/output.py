"""Where the program of a club writes what happens: a command has a terminal, a test has a list."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from firmware_host.ui.translator import Translator


class Output(Struct, frozen=True):
    """The language, and what takes one line: `say` for what the organiser expects, `warn` for what went wrong."""

    tr: Translator
    say: Callable[[str], None]
    warn: Callable[[str], None]
