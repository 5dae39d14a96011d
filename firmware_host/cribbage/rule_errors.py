"""Refusals by the rules. The text of a refusal says on one line what was expected, what came, where, and how to fix it.

That text is for records, logs and programs. A refusal that people can cause at the board or on a phone also has a
translated sentence, and the values that fill its placeholders; one that only a program can cause has none.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Sequence
from typing import ClassVar

_LONGEST_QUOTE = 40


def quoted(value: object) -> str:
    """`value` as text of one line, of 40 characters at most."""
    try:
        text = reprlib.repr(value)
    except ValueError:  # Python converts no integer of more than 4300 digits
        text = "a number of thousands of digits"
    return text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 3]}..."


def did_you_mean(text: object, known: Iterable[str]) -> str:
    """`did you mean six_card?` for a mistyped word; empty where no known word is near it."""
    if not isinstance(text, str):
        return ""
    from difflib import get_close_matches  # only for a mistyped word

    word = text[:_LONGEST_QUOTE].strip().lower().replace("-", "_").replace(" ", "_")
    near = get_close_matches(word, known, n=1)
    return f"did you mean {near[0]}?" if near else ""


class Refusal(Exception):
    """A command that the rules do not allow now. It is shown to people, never logged as a fault."""

    kind: ClassVar[str] = "refused"
    sentence: str = ""
    """The sentence for people, with placeholders for `got` and the evidence. Empty: only a program can cause it."""
    sentence_of_many: ClassVar[str] = ""
    """The plural of the sentence, where the `number` of the evidence is not 1. Empty: there is no plural."""

    def __init__(self, expected: str, got: str, where: str = "", fix: str = "", **evidence: object) -> None:
        line = f"expected {expected}, got {got}"
        super().__init__((f"{where}: " if where else "") + line + (f"; {fix}" if fix else ""))
        self.expected = expected
        self.got = got
        self.where = where
        self.fix = fix
        self.evidence = evidence


class NotACard(Refusal, ValueError):
    """The text is no card."""

    kind = "not_a_card"
    sentence = "{got} is not a card. Example: 5H."


class DuplicateCard(Refusal, ValueError):
    """A card twice, or five cards of one rank."""

    kind = "duplicate_card"
    sentence = "The same card appears twice."


class WrongNumberOfCards(Refusal, ValueError):
    """A hand or crib has the wrong size for this game."""

    kind = "wrong_number_of_cards"
    sentence = "Enter {number} card."
    sentence_of_many = "Enter {number} cards."


class UnknownVariant(Refusal, LookupError):
    """There is no variant of that name."""

    kind = "unknown_variant"


class UnknownOption(Refusal, LookupError):
    """There is no option of that name."""

    kind = "unknown_option"


class UnknownChoice(Refusal, ValueError):
    """The option has no such value."""

    kind = "unknown_choice"


class OptionsClash(Refusal, ValueError):
    """The values cannot be combined."""

    kind = "options_clash"
    sentence = "These house rules conflict. Change one of them."


class PointlessOption(OptionsClash):
    """The option changes nothing beside the others."""

    kind = "pointless_option"
    sentence = "Beside the other house rules this changes nothing."


class OverThirtyOne(Refusal):
    """The card would take the count past 31."""

    kind = "over_31"
    sentence = "That makes more than 31. Play lower or say go."


class FalseGo(Refusal):
    """A go by a seat that can play a card. `playable` names the cards: show it only to who may see the hand."""

    kind = "false_go"
    sentence = "No go yet. A card can still be played."

    def __init__(
        self, expected: str, got: str, where: str = "", fix: str = "", *, playable: Sequence[object] = ()
    ) -> None:
        super().__init__(expected, got, where, fix)
        self.playable = tuple(playable)


class PlayIsOver(Refusal):
    """The play has ended: all cards are played, or the only series is closed."""

    kind = "play_is_over"
    sentence = "The play is over. Count the hands."
