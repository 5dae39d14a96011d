"""A fuzz target: a function that reads bytes, and may refuse them only with declared exceptions."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

CORPUS = Path(__file__).with_name("corpus")


class Target(Struct, frozen=True):
    """`read` takes bytes and may raise only `refusals`. `words` are tokens of its input format, for the fuzzer to try.

    The name of the function is the name of the target and of its folder in the corpus.
    """

    read: Callable[[bytes], None]
    refusals: tuple[type[Exception], ...] = ()
    words: tuple[str, ...] = ()
    is_slow: bool = False
    """One input takes more than a few milliseconds."""

    def run(self, data: bytes) -> None:
        """Read one input. Raises only what is a bug."""
        with suppress(*self.refusals):
            self.read(data)

    @property
    def name(self) -> str:
        return self.read.__name__

    @property
    def seeds(self) -> list[Path]:
        """The files of the corpus: valid inputs, and every input that ever broke the target."""
        return sorted((CORPUS / self.name).iterdir())


def text_of(data: bytes) -> str:
    """Any bytes as text. Invalid UTF-8 becomes lone surrogates, which JSON can contain too."""
    return data.decode("utf-8", "surrogateescape")


JSON = (*"{}[]:,", '"', '{"', '":', '":[', "null", "true", "-1", "1e400", "\\ud800")
TOML = (*"[]={}#", "[[", "]]\n", " = ", '"', "'''", "inf", "-nan", "true", "1979-05-27", "\n")
CARDS = ("5H", "JC", "10", "AS", "5", ",")
