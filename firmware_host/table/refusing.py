"""A refusal in the words of the people at the table: one calm sentence, made of its own evidence.

The sentences stand with the refusals themselves. A kind without one keeps its technical line, which is English.
"""

from __future__ import annotations

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.refusals import Refusal
from firmware_host.table.wording import pretty
from firmware_host.table.words import Words, as_written


def say_refused(refusal: Refusal, _: Words = as_written) -> str:
    if not refusal.sentence:
        return str(refusal)
    one, many, number = refusal.sentence, refusal.sentence_of_many, refusal.evidence.get("number")
    sentence = _.counted(one, many, number) if many and isinstance(number, int) else _(one)
    told = {name: pretty(it) if isinstance(it, Card) else it for name, it in refusal.evidence.items()}
    return sentence.format(**{"got": refusal.got} | told)
