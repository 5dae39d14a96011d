"""Cards that the program deals: the commitment, the deal, and what can no longer be undone."""

from __future__ import annotations

from hashlib import sha256
from random import Random

import pytest
from msgspec.structs import replace

from firmware_host.cribbage.cards import PACK, parse_cards
from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import VARIANTS, rules_for
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.auction import next_bidder
from firmware_host.game.history import History
from firmware_host.game.pack import Pack, deal_from
from firmware_host.game.rematch import next_game
from firmware_host.game.rule_errors import (
    CardsAreEntered,
    CardsWereSeen,
    NotAPack,
    NotASeat,
    OpponentHasNoCards,
    ProgramDealsCards,
    WrongPhase,
)
from firmware_host.game.state import Phase, Table
from firmware_host.storage.event_codec import decode, encode

NONCE = "0f" * 32
ORDER = tuple(Random(1).sample(PACK, 52))


class DealtGame:
    """A game that the program deals, unless people do, played by its commands."""

    def __init__(
        self, variant: str = "six_card", levels: tuple[Level | None, ...] = (), *, is_dealt: bool = True
    ) -> None:
        rules = rules_for(variant)
        names = tuple(f"P{seat}" for seat in rules.seats)
        self.history = History()
        self.do(c.StartGame(rules, names, dealer=Seat(0), is_dealt=is_dealt, levels=levels))

    @property
    def table(self) -> Table:
        assert self.history.table
        return self.history.table

    def do(self, *commands: c.Command) -> None:
        for command in commands:
            self.history = self.history.after(self.history.decide(command))

    def refuses(self, kind: type[Refusal], *commands: c.Command) -> None:
        for command in commands:
            with pytest.raises(kind):
                self.history.decide(command)

    def discard_all(self) -> None:
        """Every seat discards its first cards, and nobody buys the crib."""
        table = self.table
        for seat in table.rules.seats:
            assert table.deal
            number = table.rules.cards_discarded(seat, table.deal.dealer)
            if number:
                self.do(c.DiscardCards(seat, table.deal.dealt[seat][:number]))
        while self.table.phase is Phase.BID:
            assert self.table.deal
            self.do(c.Bid(None, next_bidder(self.table, self.table.deal)))

    def play_all(self) -> None:
        """Every seat plays the first card that fits; then all hands are counted."""
        while self.table.phase is Phase.PLAY:
            deal = self.table.deal
            assert deal and deal.play and deal.play.turn is not None
            count = deal.play.count
            card = next(card for card in deal.in_hand(deal.play.turn) if card.pips + count <= 31)
            self.do(c.PlayCard(card, deal.play.turn))
        while self.table.phase is Phase.SHOW:
            self.do(c.CountHand())


def test_commitment_is_the_sha256_of_the_proof() -> None:
    pack = Pack(PACK, NONCE)
    lines = pack.proof.split("\n")
    assert lines == ["cribboard deal 1", " ".join(map(str, PACK)), NONCE, ""]
    assert pack.commitment == sha256(pack.proof.encode()).hexdigest()


def test_another_order_or_nonce_has_another_commitment() -> None:
    pack = Pack(PACK, NONCE)
    swapped = replace(pack, order=(PACK[1], PACK[0], *PACK[2:]))
    assert len({pack.commitment, swapped.commitment, replace(pack, nonce="0e" * 32).commitment}) == 3


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_pack_deals_every_variant_and_the_game_goes_on_with_its_cards(variant: str) -> None:
    game = DealtGame(variant)
    rules = game.table.rules
    game.do(c.ShufflePack(ORDER, NONCE), c.DealPack())
    deal = game.table.deal
    assert deal
    dealt = [card for hand in deal.dealt for card in hand]
    assert sorted([*dealt, *deal.stock]) == sorted(ORDER[: len(dealt) + rules.from_stock])
    assert [len(hand) for hand in deal.dealt] == [rules.cards_dealt(seat, Seat(0)) for seat in rules.seats]
    game.discard_all()
    game.do(c.TurnStarter())
    assert game.table.deal and game.table.deal.starter == ORDER[len(dealt) + rules.from_stock]
    game.play_all()
    assert game.table.phase in (Phase.GATHER, Phase.OVER)


def test_cards_are_dealt_one_by_one_from_the_dealers_left() -> None:
    dealt = deal_from(ORDER, rules_for("six_card"), Seat(0))
    assert dealt.hands[1] == ORDER[0:12:2]
    assert dealt.hands[0] == ORDER[1:12:2]
    assert dealt.starter == ORDER[12]


def test_nothing_that_showed_cards_is_undone() -> None:
    game = DealtGame()
    for command in (c.ShufflePack(ORDER, NONCE), c.DealPack()):
        game.do(command)
        assert not game.history.can_undo
        game.refuses(CardsWereSeen, c.Undo())
    before = game.table
    game.discard_all()
    game.do(c.Undo(), c.Undo())
    assert game.table == before
    game.refuses(CardsWereSeen, c.Undo())
    game.discard_all()
    game.do(c.TurnStarter())
    game.refuses(CardsWereSeen, c.Undo())


def test_a_played_card_can_be_taken_back() -> None:
    game = DealtGame()
    game.do(c.ShufflePack(ORDER, NONCE), c.DealPack())
    game.discard_all()
    game.do(c.TurnStarter())
    before = game.table
    assert before.deal
    game.do(c.PlayCard(before.deal.in_hand(Seat(1))[0]), c.Undo())
    assert game.table == before


def test_nobody_throws_in_a_bad_hand_or_enters_another() -> None:
    game = DealtGame()
    game.do(c.ShufflePack(ORDER, NONCE), c.DealPack())
    hand = parse_cards("AS 2S 3S 4S 5S 6S")
    game.refuses(ProgramDealsCards, c.Misdeal(), c.NextDeal(), c.DealHand(Seat(0), hand), c.CutStarter(hand[0]))
    game.refuses(ProgramDealsCards, c.FillCrib(hand[:1]))
    game.refuses(CardsAreEntered, c.DealPack(), c.ShufflePack(ORDER, NONCE))
    game.refuses(WrongPhase, c.TurnStarter())
    game.discard_all()
    game.do(c.TurnStarter())
    game.refuses(ProgramDealsCards, c.EndPlay())


def test_a_count_takes_the_cards_that_were_dealt_whatever_is_entered() -> None:
    game = DealtGame()
    game.do(c.ShufflePack(ORDER, NONCE), c.DealPack())
    game.discard_all()
    game.do(c.TurnStarter())
    while game.table.phase is Phase.PLAY:
        deal = game.table.deal
        assert deal and deal.play and deal.play.turn is not None
        game.do(c.PlayCard(next(x for x in deal.in_hand(deal.play.turn) if x.pips + deal.play.count <= 31)))
    game.do(c.CountHand(parse_cards("5S 5H 5D JC")))
    assert game.table.last_count and game.table.deal
    assert game.table.last_count.cards == game.table.deal.kept[1]


def test_people_who_deal_cannot_use_the_programs_pack() -> None:
    game = DealtGame()
    game.do(c.StartGame(game.table.rules, ("A", "B"), dealer=Seat(0)))
    game.refuses(CardsAreEntered, c.ShufflePack(ORDER, NONCE), c.DealPack(), c.TurnStarter())


@pytest.mark.parametrize(("order", "nonce"), [(ORDER[1:], NONCE), ((*ORDER[1:], ORDER[1]), NONCE), (ORDER, "0f")])
def test_a_pack_has_all_cards_and_a_long_nonce(order: tuple[object, ...], nonce: str) -> None:
    DealtGame().refuses(NotAPack, c.ShufflePack(order, nonce))  # type: ignore[arg-type]


def test_a_hand_of_the_program_is_shown_to_nobody() -> None:
    game = DealtGame(levels=(None, Level.CLUB))
    game.do(c.ShufflePack(ORDER, NONCE), c.DealPack(("a phone", "a phone")))
    assert game.table.deal and game.table.deal.shown_to == ("a phone", None)
    assert game.table.opponents == (1,)


def test_somebody_plays_against_the_program() -> None:
    rules = rules_for("six_card")
    for levels in ((Level.CLUB, Level.CLUB), (Level.CLUB,)):
        with pytest.raises(NotASeat):
            History().decide(c.StartGame(rules, ("A", "B"), is_dealt=True, levels=levels))


def test_nobody_bids_before_the_cards_are_dealt() -> None:
    game = DealtGame("auction")
    game.refuses(WrongPhase, c.Bid(None))
    game.do(c.ShufflePack(ORDER, NONCE))
    game.refuses(WrongPhase, c.Bid(None), c.Bid(1))
    game.do(c.DealPack())
    game.refuses(WrongPhase, c.Bid(None))
    game.discard_all()
    assert game.table.can_turn_starter


def test_program_gets_its_hand_of_a_real_pack_before_the_starter() -> None:
    game = DealtGame(is_dealt=False, levels=(None, Level.CLUB))
    row = ORDER[:6]
    assert game.table.hand_to_read == 1
    with pytest.raises(OpponentHasNoCards):
        game.do(c.CutStarter(ORDER[20]))
    game.do(c.DealHand(Seat(1), row))
    assert game.table.hand_to_read is None
    with pytest.raises(OpponentHasNoCards):
        game.do(c.CutStarter(ORDER[20]))
    game.do(c.DiscardCards(Seat(1), row[1:3]), c.CutStarter(ORDER[20]))
    assert [game.table.place_in_row(Seat(1), card) for card in row] == [1, 2, 3, 4, 5, 6]
    assert game.table.place_in_row(Seat(1), ORDER[20]) == 0


def test_the_next_game_is_dealt_to_the_same_players() -> None:
    again = next_game(DealtGame(levels=(None, Level.EXPERT)).table)
    assert again.is_dealt and again.levels == (None, Level.EXPERT)


def test_journal_keeps_what_was_dealt() -> None:
    game = DealtGame(levels=(None, Level.CLUB))
    game.do(c.ShufflePack(ORDER, NONCE), c.DealPack())
    events = [event for turn in game.history.turns_back() for event in turn.events]
    assert any(isinstance(event, e.PackShuffled) for event in events)
    assert [decode(*encode(event)) for event in events] == events
