"""Every message of the board in every language: in the catalogue, filled in, and short enough for the OLED."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

import pytest
from msgspec.structs import replace

from firmware_host.board.course import Hole, TrackPegs
from firmware_host.config.board_plans import load_plan
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.config.settings import SETTINGS
from firmware_host.cribbage.cards import PACK, parse_card, parse_cards
from firmware_host.cribbage.last_holes import Withheld
from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.game import events as e
from firmware_host.game.commands import (
    Bid,
    Command,
    CountHand,
    CutStarter,
    DealHand,
    DealPack,
    DiscardCards,
    PlayCard,
    ShufflePack,
    StartGame,
    TurnStarter,
)
from firmware_host.game.disclosure import ClosedMiss
from firmware_host.game.due_points import Miss
from firmware_host.game.history import History
from firmware_host.game.pack import deal_from
from firmware_host.game.state import Phase, Table
from firmware_host.tracking.readings import Fault, TrackFault
from firmware_host.ui.club_night import ClubNight, ClubState, state_message
from firmware_host.ui.display.oled_page import COLUMNS, PROMPT_LINES, question_lines, wrap_text
from firmware_host.ui.display.prompts import game_prompt
from firmware_host.ui.keys import input_state as k
from firmware_host.ui.lights.lights import PendingLeap
from firmware_host.ui.pairing_prompt import PairedPhone, PairingState, pairing_prompt
from firmware_host.ui.shown import shown_of
from firmware_host.ui.situation import game_situation
from firmware_host.ui.texts.fault_messages import (
    HOLE_FAULTS,
    PEG_FAULTS,
    UNREAD,
    board_not_read,
    cannot_save,
    cards_clash,
    hole_fault_message,
    internal_error,
    magnet_too_close,
    only_in_memory,
    settings_are_right,
    stuck_key_message,
    wrong_setting,
)
from firmware_host.ui.texts.messages import closed_miss_message, event_message
from firmware_host.ui.translator import Translator
from tests.game.random_player import play_game
from tests.translations.catalogue import forms, template
from tests.translations.recording_translator import RecordingTranslator

SIX_CARD = VARIANTS["six_card"]
NAMES = ("Ann", "Ann")
FOUR, FIVE = parse_cards("5H 5S 5D JC"), parse_card("5C")
FIFTEEN = (Score(ScoreKind.FIFTEEN, 2),)
PHONE = PairedPhone("1f", "Ann")
OFFER = k.OfferedBoard("classic-61", 2, (61, 121))
MOST_POINTS = 29
"""The best hand: the widest number of points that a leap can have."""

CLUB_GAME = e.ClubGame(1, 12, 25)
CLUB_START = StartGame(SIX_CARD, NAMES, scores=(0, 12), club_game=CLUB_GAME)

EVENTS: tuple[e.Event, ...] = (
    e.GameStarted(SIX_CARD, NAMES, "classic-61", 2, False, (0, 0), is_demo=False),
    e.ClubGameBegan(CLUB_GAME),
    e.ProgramDeals(),
    e.OpponentJoined(Seat(1), Level.EXPERT),
    e.DealBegan(Seat(0)),
    e.PackShuffled(PACK, "0" * 64, "0" * 64),
    e.PackDealt(("", None)),
    e.HandDealt(Seat(0), FOUR),
    e.CardsDiscarded(Seat(0), FOUR),
    e.StarterCut(FIVE),
    e.CardPlayed(Seat(0), FIVE),
    e.GoSaid(Seat(0)),
    e.PlayEnded(is_followed=True),
    e.HandCounted(Seat(0), False, FOUR, FIVE, 29),
    e.HandCounted(Seat(0), True, FOUR, FIVE, 29),
    e.HandCounted(Seat(0), False, FOUR, FIVE, 28, is_minimum=True),
    e.CountSkipped(Seat(0), is_crib=False),
    e.CountSkipped(Seat(0), is_crib=True),
    e.PointsDue(0, Seat(0), e.Source.PLAY, FIFTEEN),
    e.PointsWithheld(0, Seat(0), (Score(ScoreKind.LAST_CARD, 1, ()),), Withheld.STINKHOLE),
    e.PointsWithheld(0, Seat(0), (Score(ScoreKind.LAST_CARD, 1, ()),), Withheld.GO_LIMIT),
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
    e.ClaimsEnded(0),
    e.MugginsTaken(0, 1, 2),
    e.ScoreCorrected(0, 60, "ACC 8.3"),
    e.GameWon(0),
    e.ResultConfirmed(0),
    e.TurnUndone(),
    e.TurnRedone(),
)

INPUT_STATES: tuple[k.InputState, ...] = (
    k.Idle(),
    k.Idle(is_shifted=True),
    k.TypingStarter(10),
    *(k.Choosing(question, k.NewGame(SIX_CARD, OFFER, "crib_flush")) for question in k.MenuQuestion),
    k.TypingDeal(own_crib=True, cards=(*FOUR, FIVE)),
    k.Scoring(0),
    k.AskingStarter(),
    k.TypingPoints(0, MOST_POINTS),
    k.TypingClaim(MOST_POINTS),
    k.TypingBid(MOST_POINTS),
    k.TypingDiscard(Seat(0), (FIVE,), 2),
    k.TypingDiscard(Seat(0), (FIVE, FIVE), 2),
    k.ReadingHand(Seat(1), FOUR),
    k.ShowingHand(Seat(0)),
    k.RemovingPhone(PHONE),
    k.ConfirmingNextDeal(1),
    k.TypingJoinCode("12345"),
    k.TypingJoinCode("123456"),
    *(k.SeatOffered(CLUB_START, bracket) for bracket in ("", "main", "consolation")),
    k.AskingCount(CountHand(FOUR), FOUR, number=2, typed=MOST_POINTS, verdict="low"),
)
HANDS = tuple(k.TypingHand(FOUR, question) for question in k.HandQuestion)

MODULES = ("messages", "prompts", "fault_messages", "oled_page", "club_night")

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


def tables() -> Iterator[Table]:
    """The table at each turn of a game, from the cut on, and once during an auction."""
    cut = History()
    for history in (cut.after(cut.decide(StartGame(SIX_CARD, NAMES))), *play_game(SIX_CARD, seed=3)):
        assert history.table is not None
        yield replace(history.table, names=NAMES, sides_on_board=2)
    yield from tables_of_dealt_cards()
    yield from tables_of_a_read_hand()
    yield from tables_of_dealt_cards((None, None), shown_to=("", ""))
    sold = cut.after(cut.decide(StartGame(VARIANTS["auction"], NAMES, dealer=Seat(0), scores=(50, 50))))
    bidding = sold.after(sold.decide(Bid(4))).table
    assert bidding is not None
    yield bidding
    assert history.table is not None
    over = replace(history.table, names=NAMES, sides_on_board=2, club_game=CLUB_GAME)
    yield from (replace(over, confirmed=sides) for sides in ((), (0,), (0, 1)))


def tables_of_dealt_cards(
    levels: tuple[Level | None, ...] = (None, Level.EXPERT), shown_to: tuple[str, ...] = ()
) -> Iterator[Table]:
    """The table while the program deals: before the shuffle, before the deal, before and after discards, and in the
    play."""
    history = History()
    begin = StartGame(SIX_CARD, NAMES, dealer=Seat(0), is_dealt=True, levels=levels)
    hands = deal_from(PACK, SIX_CARD, Seat(0)).hands
    discards = (DiscardCards(seat, hands[seat][:2]) for seat in SIX_CARD.seats)
    dealt = DealPack(shown_to)
    play = PlayCard(hands[1][2], Seat(1))
    commands: tuple[Command, ...] = (begin, ShufflePack(PACK, "0" * 64), dealt, *discards, TurnStarter(), play)
    for command in commands:
        history = history.after(history.decide(command))
        assert history.table is not None
        yield history.table


def tables_of_a_read_hand() -> Iterator[Table]:
    """The table while people deal to the program: before its cards are read, before its discard, and in the play."""
    history = History()
    row = PACK[6:12]
    begin = StartGame(SIX_CARD, NAMES, dealer=Seat(0), levels=(None, Level.EXPERT))
    read = DealHand(Seat(1), row)
    commands = (begin, read, DiscardCards(Seat(1), row[:2]), CutStarter(PACK[12]), PlayCard(row[2], Seat(1)))
    for command in commands:
        history = history.after(history.decide(command))
        assert history.table is not None
        yield history.table


TABLES = tuple(tables())
READ = tuple(tables_of_a_read_hand())


def prompt(
    tr: Translator,
    table: Table | None,
    input_state: k.InputState | None = None,
    pending: Sequence[PendingLeap] = (),
    astray: Sequence[TrackFault] = (),
) -> str:
    """The line of the display."""
    shown = None if table is None else shown_of(table)
    entered = input_state or k.Idle()
    return game_prompt(game_situation(shown, entered, pending, astray), shown, entered, tr)


def prompts(tr: Translator) -> Iterator[str]:
    """Every prompt without a fault, with the widest numbers."""
    yield prompt(tr, None)
    for table in TABLES:
        yield from (prompt(tr, table, input_state) for input_state in INPUT_STATES)
        if table.phase is Phase.SHOW:
            yield from (prompt(tr, table, input_state) for input_state in HANDS)
    yield pairing_prompt(PairingState(requested_by="Ann"), tr)
    first, far = TABLES[1], TrackPegs(MOST_POINTS, 100)
    yield prompt(tr, first, pending=[PendingLeap(0, 121, MOST_POINTS)])
    yield prompt(tr, first, pending=[PendingLeap(0, 92, -MOST_POINTS)])
    for rightful in (100 - MOST_POINTS, 100 + MOST_POINTS):
        one, other = (replace(side, pegs=far, settled=far, rightful=100) for side in first.sides)
        stands = replace(first, sides=(replace(one, rightful=rightful), other))
        yield prompt(tr, stands)
    yield prompt(tr, replace(stands, levels=(Level.CLUB, None)))
    slipped = replace(first, sides=(replace(one, pegs=far.slid_to(90)), other))
    yield prompt(tr, slipped)


def faults(tr: Translator) -> Iterator[str]:
    for fault in Fault:
        if fault.is_hardware:
            yield tr(PEG_FAULTS[fault]).format(name="Ann")
        else:
            yield prompt(tr, TABLES[1], astray=[TrackFault(0, fault)])
    for state in ClubState:
        message = state_message(ClubNight(state, 25, problem="crib_flush"))
        yield message(tr) if message else ""
    yield from (cannot_save(tr), only_in_memory(tr), cards_clash(tr))
    yield from (settings_are_right(tr), wrong_setting(0, "", tr), wrong_setting(12, "port", tr))
    yield from (magnet_too_close(tr), internal_error(tr), stuck_key_message("ENTER", tr))
    yield from (board_not_read(f"{device} 101", "", tr) for device in UNREAD)


def hole_faults(tr: Translator) -> Iterator[str]:
    """For the page, so of any length."""
    plan = load_plan("classic-61")
    for fault in HOLE_FAULTS:
        yield hole_fault_message(plan, TrackFault(0, fault, (Hole(1), plan.game_hole)), tr)


def turns(tr: Translator) -> Iterator[str]:
    yield from (event_message(event, TABLES[1], tr) for event in EVENTS)
    yield event_message(e.CardPlayed(Seat(1), PACK[8]), READ[-1], tr)
    yield event_message(e.CardsDiscarded(Seat(1), PACK[6:8]), READ[-1], tr)
    yield event_message(e.RenegeFound(Seat(0), FOUR[:2]), replace(TABLES[1], phase=Phase.PLAY), tr)
    for points, taken_by in ((1, None), (2, 1)):
        miss = Miss(0, Seat(0), e.Source.PLAY, points, FIFTEEN, (1,))
        yield closed_miss_message(ClosedMiss(miss, taken_by), TABLES[1], tr)


def choices(tr: Translator) -> Iterator[str]:
    context = k.InputContext(TABLES[1], False, (OFFER,), tuple(VARIANTS.values()), NAMES, PairingState(phones=(PHONE,)))
    joined = replace(context, club=ClubNight(ClubState.JOINED, 25, CLUB_START))
    for input_state in INPUT_STATES:
        yield from question_lines(input_state, context, tr)
        yield from question_lines(input_state, joined, tr)


@in_every_language
def test_a_prompt_fits_the_first_line(language: str) -> None:
    assert {prompt for prompt in prompts(translator(language)) if len(prompt) > COLUMNS} == set()


@in_every_language
def test_a_fault_fits_two_lines(language: str) -> None:
    for fault in faults(translator(language)):
        lines = [text for text, _ in wrap_text(fault, 3)]
        assert len(lines) <= 2 and max(map(len, lines)) <= COLUMNS, fault


@in_every_language
def test_the_longest_setting_with_a_fault_fits_the_display(language: str) -> None:
    message = wrong_setting(999, max(SETTINGS, key=len), translator(language))
    lines = [text for text, _ in wrap_text(message, PROMPT_LINES + 1)]
    assert len(lines) <= PROMPT_LINES and max(map(len, lines)) <= COLUMNS, message


@in_every_language
def test_a_choice_fits_its_line(language: str) -> None:
    assert {choice for choice in choices(translator(language)) if len(choice) > COLUMNS} == set()


@in_every_language
def test_every_message_is_filled_in_and_in_the_catalogue(language: str) -> None:
    recorder = RecordingTranslator(translator(language))
    messages = [*prompts(recorder), *faults(recorder), *turns(recorder), *choices(recorder)]
    assert not any("{" in sentence for sentence in messages)
    assert recorder.requested <= {forms(message.id) for message in template()}


def test_these_tests_cover_every_sentence_of_the_board() -> None:
    """Each event, input state and phase, and so each sentence in the modules of prompts and pages."""
    assert {type(event) for event in EVENTS} == set(get_args(e.Event))
    assert {type(input_state) for input_state in (*INPUT_STATES, *HANDS)} == set(get_args(k.InputState))
    assert {table.phase for table in TABLES} == set(Phase)
    recorder = RecordingTranslator(translator("en"))
    assert [*prompts(recorder), *faults(recorder), *turns(recorder), *choices(recorder), *hole_faults(recorder)]
    in_modules = {
        forms(message.id)
        for message in template()
        for file, _line in message.locations
        if file in (f"firmware_host/ui/{name}.py" for name in MODULES)
    }
    assert in_modules - recorder.requested == set()


def test_a_no_break_space_holds_a_line_together() -> None:
    assert [text for text, _ in wrap_text("Quelle planchette est-ce\N{NO-BREAK SPACE}?", 2)] == [
        *("Quelle planchette", "est-ce\N{NO-BREAK SPACE}?")
    ]
