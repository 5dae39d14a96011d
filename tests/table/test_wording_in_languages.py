"""Every sentence of the table in every language: in the catalogue, whole, and short enough for the scoreboard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest

from firmware_host.board.course import TrackPegs
from firmware_host.board.readings import Fault, PegsAstray
from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.languages import LANGUAGES, words
from firmware_host.table import entries as k
from firmware_host.table import events as e
from firmware_host.table.chronicle import Chronicle
from firmware_host.table.door import Door, Guest, asked_at_door
from firmware_host.table.hindrances import UNREAD, board_unread, cannot_save, fault_inside, magnet_near
from firmware_host.table.lights import Leap
from firmware_host.table.orders import Bid, StartGame
from firmware_host.table.scoreboard import COLUMNS, choices_of, wrapped
from firmware_host.table.state import Phase, Table
from firmware_host.table.wording import FAULTS, key_is_stuck, say, waiting_for
from firmware_host.table.words import Words
from tests.table.random_player import play_game
from tests.translations.catalogue import forms, template
from tests.translations.hearing import Hearing

SIX_CARD = VARIANTS["six_card"]
NAMES = ("Ann", "Ann")
FOUR, FIVE = parse_cards("5H 5S 5D JC"), parse_card("5C")
FIFTEEN = (Score(ScoreKind.FIFTEEN, 2),)
GUEST = Guest("1f", "Ann")
OFFER = k.BoardOffer("classic-61", 2, (61, 121))
LONG_WAY = 29
"""The best hand: no leap has more figures."""

EVENTS: tuple[e.Event, ...] = (
    e.GameStarted(SIX_CARD, NAMES, "classic-61", 2, False, (0, 0), is_demo=False),
    e.DealBegan(Seat(0)),
    e.HandDealt(Seat(0), FOUR),
    e.CardsLaidAway(Seat(0), FOUR),
    e.StarterCut(FIVE),
    e.CardPlayed(Seat(0), FIVE),
    e.GoSaid(Seat(0)),
    e.PlayEnded(is_followed=True),
    e.HandCounted(Seat(0), False, FOUR, FIVE, 29),
    e.HandCounted(Seat(0), True, FOUR, FIVE, 29),
    e.CountSkipped(Seat(0), is_crib=False),
    e.PointsDue(0, Seat(0), e.Source.PLAY, FIFTEEN),
    e.PegLeapt(0, TrackPegs(92, 121), stands=False),
    e.PegAdjusted(0, TrackPegs(92, 120), stands=False),
    e.PegsAllowed(0),
    e.PointsMissed(0, Seat(0), e.Source.PLAY, 2, FIFTEEN, is_lost=True),
    e.CribFilled(FOUR[:1]),
    e.BidMade(Seat(0), 4),
    e.BidMade(Seat(0), 0),
    e.CribSold(Seat(0), 4),
    e.CribSold(Seat(0), 0),
    e.PegsOverran(0, 3),
    *(e.PenaltyGiven(0, 3, breach) for breach in e.Breach),
    e.PegsSetBack(0, 15, e.Breach.FALSE_GAME),
    e.RenegeFound(Seat(0), FOUR[:2]),
    e.MugginsTaken(0, 1, 2),
    e.ScoreCorrected(0, 60, "ACC 8.3"),
    e.GameWon(0),
    e.TurnUndone(),
    e.TurnRedone(),
)

ENTRIES: tuple[k.Entry, ...] = (
    k.Idle(),
    k.Idle(is_shifted=True),
    k.TypingStarter(10),
    *(k.Choosing(question, k.NewGame(SIX_CARD, OFFER, "crib_flush")) for question in k.Question),
    k.TypingDeal(own_crib=True, cards=(*FOUR, FIVE)),
    k.TypingPoints(0, LONG_WAY),
    k.TypingClaim(LONG_WAY),
    k.TypingBid(LONG_WAY),
    k.SendingAway(GUEST),
)
HANDS = (k.TypingHand(FOUR), k.TypingHand(FOUR, k.Asking.FLUSH), k.TypingHand(FOUR, k.Asking.NOBS))

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


def tables() -> Iterator[Table]:
    """Every state of a game from the cut on."""
    cut = Chronicle()
    for chronicle in (cut.after(cut.decide(StartGame(SIX_CARD, NAMES))), *play_game(SIX_CARD, seed=3)):
        assert chronicle.table is not None
        yield chronicle.table._replace(names=NAMES, sides_on_board=2)
    sold = cut.after(cut.decide(StartGame(VARIANTS["auction"], NAMES, dealer=Seat(0), scores=(50, 50))))
    bidding = sold.after(sold.decide(Bid(4))).table
    assert bidding is not None
    yield bidding


TABLES = tuple(tables())


def prompts(_: Words) -> Iterator[str]:
    """All that line 1 asks for while everything is in order, with the longest numbers there are."""
    yield waiting_for(None, k.Idle(), (), (), "", _)
    for table in TABLES:
        yield from (waiting_for(table, entry, (), (), "", _) for entry in ENTRIES)
        if table.phase is Phase.SHOW:
            yield from (waiting_for(table, entry, (), (), "", _) for entry in HANDS)
    yield asked_at_door(Door(knocking="Ann"), _)
    first, far = TABLES[1], TrackPegs(LONG_WAY, 100)
    yield waiting_for(first, k.Idle(), [Leap(0, 121, LONG_WAY)], (), "", _)
    for rightful in (100 - LONG_WAY, 100 + LONG_WAY):
        yield waiting_for(first._replace(pegs=(far, far), rightful=(rightful, 100)), k.Idle(), (), (), "", _)


def faults(_: Words) -> Iterator[str]:
    for fault in Fault:
        if fault.is_wear:
            yield _(FAULTS[fault]).format(name="Ann")
        else:
            yield waiting_for(TABLES[1], k.Idle(), (), [PegsAstray(0, fault)], "", _)
    yield from (cannot_save(_), magnet_near(_), fault_inside(_), key_is_stuck("ENTER", _))
    yield from (board_unread(f"{device} 101", "", _) for device in UNREAD)


def turns(_: Words) -> Iterator[str]:
    yield from (say(event, TABLES[1], _) for event in EVENTS)
    yield say(e.RenegeFound(Seat(0), FOUR[:2]), TABLES[1]._replace(phase=Phase.PLAY), _)


def choices(_: Words) -> Iterator[str]:
    around = k.Surroundings(TABLES[1], False, (OFFER,), tuple(VARIANTS.values()), NAMES, Door(guests=(GUEST,)))
    for entry in ENTRIES:
        yield from choices_of(entry, around, _)


@in_every_language
def test_a_prompt_fits_the_first_line(language: str) -> None:
    assert {prompt for prompt in prompts(words(language)) if len(prompt) > COLUMNS} == set()


@in_every_language
def test_a_fault_fits_two_lines(language: str) -> None:
    for fault in faults(words(language)):
        lines = [text for text, _ in wrapped(fault, 3)]
        assert len(lines) <= 2 and max(map(len, lines)) <= COLUMNS, fault


@in_every_language
def test_a_choice_fits_its_line(language: str) -> None:
    assert {choice for choice in choices(words(language)) if len(choice) > COLUMNS} == set()


@in_every_language
def test_all_that_is_said_is_in_the_catalogue_and_has_no_empty_places(language: str) -> None:
    hearing = Hearing(words(language))
    said = [*prompts(hearing), *faults(hearing), *turns(hearing), *choices(hearing)]
    assert not any("{" in sentence for sentence in said)
    assert hearing.heard <= {forms(message.id) for message in template()}


def test_nothing_of_the_table_goes_unsaid_here() -> None:
    """Each event, each entry, each phase, and so each sentence that the table's own files spell out."""
    assert {type(event) for event in EVENTS} == set(get_args(e.Event))
    assert {type(entry) for entry in (*ENTRIES, *HANDS)} == set(get_args(k.Entry))
    assert {table.phase for table in TABLES} == set(Phase)
    hearing = Hearing(words("en"))
    assert [*prompts(hearing), *faults(hearing), *turns(hearing), *choices(hearing)]
    spelled_out = {
        forms(message.id)
        for message in template()
        for file, _line in message.locations
        if file in ("firmware_host/table/wording.py", "firmware_host/table/scoreboard.py")
    }
    assert spelled_out - hearing.heard == set()


def test_a_no_break_space_holds_a_line_together() -> None:
    assert [text for text, _ in wrapped("Quelle planchette est-ce\N{NO-BREAK SPACE}?", 2)] == [
        *("Quelle planchette", "est-ce\N{NO-BREAK SPACE}?")
    ]
