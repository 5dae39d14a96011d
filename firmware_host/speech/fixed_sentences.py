"""The sentences that a game says again and again: rendered before they are needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_host.ui.messages import capitalized
from firmware_host.ui.spoken_words import ended, number_in_words, rank_in_words
from firmware_host.ui.translator import Translator


def fixed_sentences(names: Sequence[str], _: Translator) -> Iterator[str]:
    """Counts, prompts with and without a name, the echo of the keys, and cards; the most urgent first."""
    for name in names:
        yield from (_("{name} to play.").format(name=name), _("{name} leads.").format(name=name))
    yield from (f"{capitalized(number_in_words(count, _))}." for count in range(1, 32))
    yield from (_("Starter card?"), ended(_("ENTER: next deal")), _("Undone."))
    for name in names:
        for sentence in (
            _("{name} deals."),
            _("{name} says go."),
            _("Count {name}’s hand."),
            _("Count {name}’s crib."),
        ):
            yield sentence.format(name=name)
    yield from (f"{rank_in_words(rank, _)}." for rank in range(1, 14))
    for name in names:
        yield from (_("{name}: {cards}.").format(name=name, cards=rank_in_words(rank, _)) for rank in range(1, 14))
    yield from (_("No game is on."), _("Who deals first?"), _("Which suit?"))
