"""What the paper rules refuse. A refusal names what was expected, what came, where, and the mend, on one line.

That line is for records, logs and programs. What hands at the board or a phone can provoke has a sentence for people
besides, and the evidence that fills its places; what only a program can provoke has none.
"""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import ClassVar

_LONGEST_QUOTE = 40


def quoted(value: object) -> str:
    """`value` as a person may be shown it: one line, and never longer than a line can hold."""
    try:
        text = reprlib.repr(value)
    except ValueError:  # Python writes no more digits than 4300
        text = "a number of thousands of digits"
    return text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 3]}..."


class Refusal(Exception):
    """A person asked for something the rules do not allow now. Shown, never logged as a fault."""

    kind: ClassVar[str] = "refused"
    sentence: str = ""
    """What people are told, with places for `got` and the evidence. Empty: only a program can provoke it."""
    sentence_of_many: ClassVar[str] = ""
    """The sentence where the `number` of the evidence is not 1; empty where it makes no difference."""

    def __init__(self, expected: str, got: str, where: str = "", mend: str = "", **evidence: object) -> None:
        line = f"expected {expected}, got {got}"
        super().__init__((f"{where}: " if where else "") + line + (f"; {mend}" if mend else ""))
        self.expected, self.got, self.where, self.mend = expected, got, where, mend
        self.evidence = evidence


class NotACard(Refusal, ValueError):
    """The text names no card."""

    kind = "not_a_card"
    sentence = "{got} is no card: write the rank, then the letter of the suit"


class DuplicateCard(Refusal, ValueError):
    """The same card twice, or five of one rank: not from one pack."""

    kind = "duplicate_card"
    sentence = "These cards are not of one pack: look again"


class WrongNumberOfCards(Refusal, ValueError):
    """A hand or crib of a size that this game does not know."""

    kind = "wrong_number_of_cards"
    sentence = "{number} card is needed"
    sentence_of_many = "{number} cards are needed"


class UnknownVariant(Refusal, LookupError):
    """No game of that name."""

    kind = "unknown_variant"


class UnknownOption(Refusal, LookupError):
    """No option of that name."""

    kind = "unknown_option"


class UnknownChoice(Refusal, ValueError):
    """The option exists, but has no such value."""

    kind = "unknown_choice"


class OptionsClash(Refusal, ValueError):
    """Each value is fine alone, but they cannot be played together."""

    kind = "options_clash"
    sentence = "These house rules do not go together"


class OverThirtyOne(Refusal):
    """The card would take the count past 31."""

    kind = "over_31"
    sentence = "That card makes more than 31"


class FalseGo(Refusal):
    """Go was said by a seat that can lay a card. `playable` is for who may see the hand; the sentence is for all."""

    kind = "false_go"
    sentence = "No go: a card can still be played"

    def __init__(
        self, expected: str, got: str, where: str = "", mend: str = "", *, playable: Sequence[object] = ()
    ) -> None:
        super().__init__(expected, got, where, mend)
        self.playable = tuple(playable)


class PlayIsOver(Refusal):
    """Every card of the deal is played, or the only series is closed."""

    kind = "play_is_over"
    sentence = "The play is over: count the hands"
