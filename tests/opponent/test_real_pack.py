"""A game with a real pack of tagged cards: the program's hand is read face down, and people play it by its places."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from random import Random

import pytest
from msgspec.structs import replace

from board_drivers.simulated import SimulatedBoard
from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.cards import PACK, Card
from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.deal import Deal
from firmware_host.game.rule_errors import NotForPeople, OpponentHasNoCards, OpponentNeedsDealtCards
from firmware_host.game.state import Phase, Table
from firmware_host.opponent.player import Opponent
from firmware_host.strategy.table_view import view_of
from firmware_host.ui.keys.input_state import (
    Choosing,
    InputContext,
    KeyResult,
    MenuQuestion,
    NewGame,
    OfferedBoard,
    TypingHand,
)
from firmware_host.ui.keys.menus import while_choosing
from firmware_host.ui.texts.messages import turn_message, with_suit_symbol
from tests.opponent.listener import HeardHost
from tests.opponent.person import Person
from tests.simulation.stepped_host import SteppedHost
from web_panel.views.guidance import guidance

SIX = rules_for("six_card", {"target": 61})
NAMES = ("Ann", "The board")
BOARD = Seat(1)
OFFER = OfferedBoard("classic-61", 2, (61, 121))
PLACES = re.compile(r"The board discards from its row: (\d), (\d)\.")
PLAYED = re.compile(r"The board plays (\S+), number (\d) in its row\.")
KEYS = {"T": "10"}


class Reader:
    """A card reader: each call returns the tag that was laid on it next."""

    def __init__(self) -> None:
        self.queue: deque[str] = deque()

    def tags(self) -> Sequence[str]:
        return [self.queue.popleft()] if self.queue else ()


class WithPack(Person):
    """Shuffles and deals a real pack, and never looks at the cards of the program before they are turned up: what to
    do with them is said by their places. `by_keys`: own cards are typed, by rank alone."""

    def __init__(self, host: SteppedHost, seed: int, level: Level, *, by_keys: bool = False) -> None:
        self.host = host
        self.reader = Reader()
        host._use_setup(replace(host.setup, card_reader=self.reader))
        host.submit(c.StartGame(SIX, NAMES, host.plan.id, levels=(None, level)))
        self.opponent = Opponent(host, Random(seed), wait=host.pass_time, clock=lambda: host.now_s)
        self.random = Random(seed)
        self.by_keys = by_keys
        self.number = 0
        self.hand, self.row, self.crib = list[Card](), list[Card | None](), list[Card]()
        self.starter = PACK[0]
        self.followed = 0
        self.texts = set[str]()

    def deal(self) -> None:
        pack = self.random.sample(PACK, 13)
        self.hand, self.row, self.starter = pack[:6], [*pack[6:12]], pack[12]
        self.crib = [self.hand.pop() for _ in range(2)]

    def scan(self, *cards: Card | None) -> None:
        for card in cards:
            self.reader.queue.append(str(card))
            self.host.pass_time(0.1)
            self.watch()

    def press(self, key: str) -> None:
        board = self.host.board
        assert isinstance(board, SimulatedBoard)
        board.tap(key)
        self.host.pass_time(0.1)

    def watch(self) -> None:
        """Keeps every text of the display."""
        snapshot = self.host.snapshot
        self.texts.update(text for text, _scale in (snapshot.own_page or snapshot.oled_page))

    def follow(self) -> None:
        """Does with the row what the program said since."""
        history = self.host.snapshot.history
        for turn in reversed([turn for turn in history.turns_back() if turn.number > self.followed]):
            self.followed = turn.number
            said = turn_message(turn)
            if discard := PLACES.search(said):
                self.crib += [self.take(int(place)) for place in discard.groups()]
            if played := PLAYED.search(said):
                assert with_suit_symbol(self.take(int(played[2]))) == played[1]

    def take(self, place: int) -> Card:
        card = self.row[place - 1]
        assert card is not None, "that place of the row is empty"
        self.row[place - 1] = None
        return card

    def act(self) -> None:
        table = self.table
        self.watch()
        self.follow()
        if table.owed[0]:
            self.peg(0)
        table = self.table
        deal = table.deal
        if any(table.owed) or table.winner is not None or deal is None:
            return
        if deal.number != self.number:
            self.number = deal.number
            self.deal()
        if table.hand_to_read is not None:
            self.scan(*self.row)
        elif table.phase is Phase.DEAL and deal.kept[BOARD]:
            self.scan(self.starter)
        elif table.phase is Phase.PLAY and table.to_play == 0 and deal.play:
            self.play_one(deal.play.count)
        elif table.phase is Phase.SHOW and table.to_count:
            self.count(table)
        elif table.phase is Phase.GATHER:
            self.press("ENTER")

    def play_one(self, count: int) -> None:
        fits = [card for card in self.hand if card.pips + count <= 31]
        if not fits:
            self.press("ENTER")
            return
        self.hand.remove(fits[0])
        if self.by_keys:
            self.press(KEYS.get(fits[0].letter, fits[0].letter))
        else:
            self.scan(fits[0])

    def count(self, table: Table) -> None:
        assert table.to_count is not None
        if table.to_count.is_crib:
            assert len(self.crib) == 4
            self.scan(*self.crib)
        elif table.to_count.seat == 0:
            self.press("ENTER")
            if isinstance(self.host.snapshot.input_state, TypingHand):
                self.press("10")  # the suits do not matter


def with_pack(seed: int = 1, level: Level = Level.BEGINNER, *, by_keys: bool = False) -> WithPack:
    return WithPack(SteppedHost(load_plan("classic-61")), seed, level, by_keys=by_keys)


def read_hand(person: WithPack) -> None:
    """Deals, and lays the hand of the program on the reader."""
    for _ in range(50):
        person.opponent.act(person.host.snapshot)
        person.host.pass_time(0.1)
        person.act()
        if person.table.deal and person.table.deal.dealt[BOARD]:
            return
    raise AssertionError(person.host.snapshot.prompt)


@pytest.mark.parametrize("by_keys", [False, True], ids=["scanned", "typed"])
def test_a_whole_game_is_played_with_a_real_pack(by_keys: bool) -> None:
    person = with_pack(by_keys=by_keys)
    person.play()
    assert max(person.table.scores) == 61 and not person.host.snapshot.peg_faults


@pytest.mark.slow
@pytest.mark.parametrize("level", Level)
def test_every_level_plays_with_a_real_pack(level: Level) -> None:
    person = with_pack(2, level)
    person.play()
    assert max(person.table.scores) == 61


def test_display_and_voice_tell_the_number_of_cards_and_no_card() -> None:
    host = HeardHost(load_plan("classic-61"))
    person = WithPack(host, 1, Level.CLUB)
    read_hand(person)
    row = [card for card in person.row if card]
    told = " ".join([*person.texts, *host.heard, str(host.snapshot.prompt)])
    assert "Cards for The board?" in told and "Read: 3 of 6" in told and "Three." in host.heard
    assert not any(with_suit_symbol(card) in told for card in row)
    assert "Nobody looks at them" in told


def test_the_engine_sees_its_own_hand_and_no_other() -> None:
    person = with_pack(3, Level.EXPERT)
    read_hand(person)
    view = view_of(person.table, BOARD)
    assert list(view.hand) == [card for card in person.row if card]
    assert not {*view.seen} & {*person.hand, *person.crib}


def test_a_card_laid_twice_is_read_once_and_undo_takes_the_last_one_back() -> None:
    person = with_pack()
    person.opponent.act(person.host.snapshot)
    person.host.pass_time(2.0)
    person.deal()
    person.scan(person.row[0], person.row[1], person.row[1], person.starter)
    person.press("UNDO")
    assert person.host.snapshot.prompt == "Read: 2 of 6"
    person.scan(*person.row[2:])
    assert person.table.deal and list(person.table.deal.dealt[BOARD]) == person.row


def play_on(person: WithPack, until: Callable[[Deal], object]) -> Deal:
    """Plays until this is true of the deal."""
    for _ in range(300):
        person.opponent.act(person.host.snapshot)
        person.host.pass_time(0.1)
        deal = person.table.deal
        if deal and until(deal):
            return deal
        person.act()
    raise AssertionError(person.host.snapshot.prompt)


def test_a_card_of_the_program_near_the_reader_again_changes_and_tells_nothing() -> None:
    person = with_pack(4)
    deal = play_on(person, lambda deal: deal.played(BOARD))
    for card in deal.dealt[BOARD]:
        before = person.table
        person.scan(card)
        assert person.table.deal == before.deal and not person.host.snapshot.notice
    assert not any(with_suit_symbol(card) in " ".join(person.texts) for card in deal.in_hand(BOARD))


def test_nor_before_the_starter() -> None:
    person = with_pack(4)
    deal = play_on(person, lambda deal: deal.kept[BOARD])
    person.scan(*deal.dealt[BOARD])
    assert person.table.deal == deal and not person.host.snapshot.notice


def test_the_voice_names_places_and_no_card_before_it_is_played() -> None:
    host = HeardHost(load_plan("classic-61"))
    play_on(WithPack(host, 1, Level.CLUB), lambda deal: deal.played(BOARD))
    said = " ".join(host.heard)
    assert re.search(r"The board discards from its row: \w+, \w+\.", said)
    assert re.search(r"The board: [a-z ]+\. Number \w+ in its row\.", said)


def test_nobody_enters_cards_for_the_program_and_no_starter_comes_before_them() -> None:
    person = with_pack()
    person.opponent.act(person.host.snapshot)
    person.host.pass_time(2.0)
    with pytest.raises(NotForPeople):
        person.host.submit(c.DealHand(BOARD, PACK[:6]))
    with pytest.raises(OpponentHasNoCards):
        person.host.submit(c.CutStarter(PACK[0]))
    person.deal()
    person.scan(*person.row)
    with pytest.raises(OpponentHasNoCards):
        person.host.submit(c.CutStarter(person.starter))  # it has not discarded


def test_the_page_says_where_the_cards_of_the_program_lie() -> None:
    person = with_pack(4)
    play_on(person, lambda deal: deal.kept[BOARD])
    found = guidance(person.host.snapshot)
    assert PLACES.fullmatch(found.headline) and "into the crib" in found.detail
    play_on(person, lambda deal: deal.play and deal.played(BOARD) and deal.play.laid[-1][0] == BOARD)
    assert PLAYED.search(guidance(person.host.snapshot).detail)


def question_of(result: KeyResult) -> Choosing:
    assert isinstance(result.input_state, Choosing)
    return result.input_state


def test_the_menu_asks_who_deals_where_there_is_a_reader() -> None:
    chosen = Choosing(MenuQuestion.READY, NewGame(SIX, OFFER))
    without = InputContext(None, False, (OFFER,), (SIX,), NAMES)
    context = replace(without, has_card_reader=True)
    assert question_of(while_choosing(chosen, "3", without)).question is MenuQuestion.LEVEL
    cards = question_of(while_choosing(chosen, "3", context))
    assert cards.question is MenuQuestion.CARDS
    for key, is_dealt in (("A", True), ("2", False)):
        level = question_of(while_choosing(cards, key, context))
        start = while_choosing(level, "2", context).command
        assert isinstance(start, c.StartGame) and start.levels == (None, Level.CLUB) and start.is_dealt is is_dealt


def test_without_a_reader_the_program_needs_dealt_cards() -> None:
    host = SteppedHost(load_plan("classic-61"))
    with pytest.raises(OpponentNeedsDealtCards):
        host.submit(c.StartGame(SIX, NAMES, host.plan.id, levels=(None, Level.CLUB)))


def test_undo_takes_the_whole_hand_back() -> None:
    person = with_pack()
    read_hand(person)
    person.opponent.act(person.host.snapshot)
    person.press("UNDO")
    assert person.table.hand_to_read == BOARD
    events = [event for turn in person.host.snapshot.history.turns_back() for event in turn.events]
    assert not any(isinstance(event, e.HandDealt) for event in events)
