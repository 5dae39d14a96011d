"""A function of bytes that takes them, or refuses in its own words."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(__file__).with_name("corpus")


@dataclass(frozen=True, slots=True)
class Target:
    """`takes` reads bytes, and may raise nothing but `refusals`. `words` mean something to it: a fuzzer tries them."""

    takes: Callable[[bytes], None]
    refusals: tuple[type[Exception], ...] = ()
    words: tuple[str, ...] = ()
    is_slow: bool = False
    """A reading takes more than some milliseconds."""

    def try_out(self, given: bytes) -> None:
        with suppress(*self.refusals):
            self.takes(given)

    @property
    def name(self) -> str:
        return self.takes.__name__

    @property
    def seeds(self) -> list[Path]:
        """Bytes that are kept: well-formed ones to begin with, and every finding there ever was."""
        return sorted((CORPUS / self.name).iterdir())


def text_of(given: bytes) -> str:
    """Any bytes as text; what is no UTF-8 becomes half a pair of surrogates, which JSON can bring too."""
    return given.decode("utf-8", "surrogateescape")


JSON = (*"{}[]:,", '"', '{"', '":', '":[', "null", "true", "-1", "1e400", "\\ud800")
TOML = (*"[]={}#", "[[", "]]\n", " = ", '"', "'''", "inf", "-nan", "true", "1979-05-27", "\n")
CARDS = ("5H", "JC", "10", "AS", "5", ",")
