"""Writes everything that the voice says in one game, in four languages, to build/heard.md: `make heard`.

Two players who only hear and feel play the game. Each language has a narrator of its own, which follows the same
snapshots.
"""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.cribbage.variants import rules_for
from firmware_host.host.snapshot import Snapshot
from firmware_host.speech.narrator import Narrator, Speech
from tests.speech.blind_players import BlindPlayers, Mishaps
from tests.speech.blind_table import BlindTable

PAGE = Path(__file__).parents[2] / "build" / "heard.md"
SEED = 3
HEAD = """# What the voice says in one game

Two players play with closed eyes: five cards, to 61. They count wrong and bump pegs now and then. Each text is here
once, in the order in which it was first said. `make heard` writes this page.
"""


class FourNarrators:
    """A narrator for each language. `heard`: each line that was said, by language."""

    def __init__(self) -> None:
        self._narrators = {language: Narrator(translator) for language in LANGUAGES}
        self.heard = dict[tuple[str, ...], None]()

    def speech_for(self, snapshot: Snapshot) -> Speech | None:
        """What the first language says."""
        speeches = {each: self._narrators[each].speech_for(in_language(snapshot, each)) for each in LANGUAGES}
        lines = [speech.lines if speech else () for speech in speeches.values()]
        for line in zip(*lines, strict=True):
            self.heard[tuple(spoken.text for spoken in line)] = None
        return speeches[LANGUAGES[0]]


class TableOfFour(BlindTable):
    """A table at which four narrators listen."""

    def switch_on(self) -> None:
        super().switch_on()
        self.narrators = FourNarrators()
        self._narrator = self.narrators  # type: ignore[assignment]


def in_language(snapshot: Snapshot, language: str) -> Snapshot:
    """The snapshot of a board whose voice speaks this language."""
    context = snapshot.input_context
    return replace(snapshot, input_context=replace(context, voice=replace(context.voice, language=language)))


def page() -> str:
    """The whole page."""
    table = TableOfFour(rules_for("five_card", {}))
    try:
        BlindPlayers(table, SEED, Mishaps(wrong_count=0.05, bumped=0.03)).play()
    finally:
        table.close()
    rows = [f"| {' | '.join(texts)} |" for texts in table.narrators.heard]
    return "\n".join([HEAD, f"| {' | '.join(LANGUAGES)} |", "|" + " --- |" * len(LANGUAGES), *rows, ""])


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE)
