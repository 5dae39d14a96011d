"""The sentences that a game says again and again: rendered before they are needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_host.ui.messages import capitalized
from firmware_host.ui.spoken_words import ended, number_in_words, rank_in_words
from firmware_host.ui.translator import Translator


def fixed_sentences(names: Sequence[str], tr: Translator) -> Iterator[str]:
    """Counts, prompts with and without a name, the echo of the keys, and cards; the most urgent first."""
    for name in names:
        yield from (tr("{name} to play.").format(name=name), tr("{name} leads.").format(name=name))
    yield from (f"{capitalized(number_in_words(count, tr))}." for count in range(1, 32))
    yield from (tr("Starter card?"), ended(tr("ENTER: next deal")), tr("Undone."))
    for name in names:
        for sentence in (
            tr("{name} deals."),
            tr("{name} says go."),
            tr("Count {name}’s hand."),
            tr("Count {name}’s crib."),
        ):
            yield sentence.format(name=name)
    yield from (f"{rank_in_words(rank, tr)}." for rank in range(1, 14))
    for name in names:
        yield from (tr("{name}: {cards}.").format(name=name, cards=rank_in_words(rank, tr)) for rank in range(1, 14))
    yield from (tr("No game is on."), tr("Who deals first?"), tr("Which suit?"))
