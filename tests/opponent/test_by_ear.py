"""A game against the program by ear alone: its sentences lead through it, and say a hand only where that is private."""

from __future__ import annotations

import pytest

from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.host.spoken_situation import spoken_game
from firmware_host.ui.texts.spoken_words import card_in_words
from firmware_host.ui.translator import untranslated
from firmware_host.ui.voice import Verbosity
from tests.opponent.listener import HeardHost, Listener


@pytest.mark.parametrize(
    ("verbosity", "has_drawn_pegs"), [(Verbosity.FULL, False), (Verbosity.TERSE, True)], ids=["sensors", "drawn, terse"]
)
def test_a_whole_game_is_played_by_ear(verbosity: Verbosity, has_drawn_pegs: bool) -> None:
    """From the first key to the winner: nothing but the voice is heard, and nothing is seen. Where sensors read the
    pegs the person moves those of the program, too."""
    host = HeardHost(load_plan("classic-61"), verbosity, has_drawn_pegs=has_drawn_pegs)
    winner = Listener(host).play()
    table = host.snapshot.table
    assert table is not None and table.winner is not None
    assert winner == f"{table.names[table.winner]} wins the game!"
    assert any(text.startswith("Your cards: ") or " Your cards: " in text for text in host.heard)


def deal(levels: tuple[Level | None, ...], shown_to: tuple[str, ...]) -> HeardHost:
    """Deals the first hands of a game. `shown_to`: phones, empty for the board itself."""
    host = HeardHost(load_plan("classic-61"))
    rules = rules_for("six_card")
    host.submit(c.StartGame(rules, ("Ann", "Ben"), host.plan.id, dealer=Seat(0), is_dealt=True, levels=levels))
    host.pass_time(0.1)
    host.submit(c.DealPack(shown_to))
    host.pass_time(0.1)
    return host


def test_the_hand_is_said_to_a_person_alone_at_the_board_and_to_no_phone() -> None:
    host = deal((None, Level.CLUB), ("", ""))
    table = host.snapshot.table
    assert table and table.deal
    said = " ".join(host.heard)
    assert all(card_in_words(card, untranslated) in said for card in table.deal.dealt[0])
    public = spoken_game(host.snapshot, untranslated, in_full=True)
    assert public and not any(card_in_words(card, untranslated) in public.text for card in table.deal.dealt[0])
    assert not any(card_in_words(card, untranslated) in said for card in table.deal.dealt[1])


@pytest.mark.parametrize(
    ("levels", "shown_to"),
    [((), ("", "")), ((), ("", "phone")), ((None, Level.CLUB), ("phone", "phone"))],
    ids=["two people at the board", "one of two at the board", "alone with a phone"],
)
def test_no_hand_is_said_where_others_may_hear_it(levels: tuple[Level | None, ...], shown_to: tuple[str, ...]) -> None:
    host = deal(levels, shown_to)
    host.model.tap("FN")
    host.pass_time(0.1)
    host.model.tap("J")
    host.pass_time(0.1)
    assert any("discards." in text for text in host.heard)
    assert not any("Your cards" in text or " of hearts" in text for text in host.heard)
