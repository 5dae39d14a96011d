"""The start of a game and of a deal: the dealer, the hands, the discards, the starter."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.cribbage.cards import PACK, Card, all_suits_known, no_duplicates, without
from firmware_host.cribbage.options import AuctionWhen, Misdeal, ThreeForLast
from firmware_host.cribbage.rule_errors import WrongNumberOfCards, quoted
from firmware_host.cribbage.rules import Seat, Side
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.auction import close_unsold, next_bidder, score_heels
from firmware_host.game.deal import Deal
from firmware_host.game.decision import Decision
from firmware_host.game.missed_points import proceed
from firmware_host.game.pack import NONCE_DIGITS, Pack, deal_from
from firmware_host.game.rule_errors import (
    CardNotHeld,
    CardsAreEntered,
    CardSeenElsewhere,
    NotAPack,
    NotASeat,
    OpponentHasNoCards,
    ProgramDealsCards,
    WrongDeal,
    WrongDiscard,
    WrongPhase,
)
from firmware_host.game.state import Phase, Table

MISDEAL_POINTS = 2
"""What the opponent gets for a wrong number of cards, by `misdeal=two_points`."""


def start_game(decision: Decision, command: c.StartGame) -> None:
    """Raises NotASeat where names, sides, scores or levels do not fit the rules. No side may start at its target."""
    rules = command.rules
    names = command.names
    if len(names) != rules.players:
        raise NotASeat(f"{rules.players} names for {rules.variant}", str(len(names)))
    if not 0 <= command.sides_on_board <= len(rules.sides):
        raise NotASeat(f"pegs for {len(rules.sides)} sides at most", str(command.sides_on_board))
    scores = (0,) * len(rules.sides) if command.scores is None else command.scores
    last = [rules.target_of(Side(side)) - 1 for side in range(len(rules.sides))]
    if len(scores) != len(last) or not all(0 <= score <= most for score, most in zip(scores, last, strict=True)):
        raise NotASeat(f"a score from 0 to {' and '.join(map(str, last))} for each side", quoted(list(scores)))
    if command.dealer is not None:
        check_seat(command.dealer, rules.players)
    check_levels(command)
    decision.apply(
        e.GameStarted(
            rules,
            names,
            command.board,
            command.sides_on_board,
            command.points_are_entered,
            scores,
            command.is_demo,
            command.nonce,
        )
    )
    if command.club_game is not None:
        decision.apply(e.ClubGameBegan(command.club_game))
    if command.is_dealt:
        decision.apply(e.ProgramDeals())
    for seat, level in enumerate(command.levels):
        if level is not None:
            decision.apply(e.OpponentJoined(Seat(seat), level))
    if command.dealer is not None:
        begin_deal(decision, command.dealer)


def check_levels(command: c.StartGame) -> None:
    """Raises NotASeat unless there is a level, or none, for each seat, and at least one person plays."""
    levels = command.levels
    if levels and (len(levels) != command.rules.players or all(level is not None for level in levels)):
        raise NotASeat(f"{command.rules.players} levels, one of them empty for a person", str(len(levels)))


def choose_dealer(decision: Decision, command: c.ChooseDealer) -> None:
    """Raises WrongPhase once something was dealt or scored, NotASeat."""
    table = decision.table
    deal = table.deal
    is_untouched = (
        table.phase is Phase.DEAL
        and deal is not None
        and not deal.seen
        and not any(side.dues for side in table.sides)
        and table.fronts == deal.fronts
    )
    if table.phase is not Phase.CUT and not is_untouched:
        raise WrongPhase("who deals before anything is dealt or scored", table.phase, fix="undo as far as that")
    check_seat(command.seat, len(table.names))
    begin_deal(decision, command.seat)


def begin_deal(decision: Decision, dealer: Seat) -> None:
    """Starts a deal; where the rules give the pone three points for not dealing, they are scored first. Points
    that are given once a game are not given where it begins with scores."""
    is_first = decision.table.deal is None and not any(decision.table.scores)
    decision.apply(e.DealBegan(dealer))
    rules = decision.table.rules
    if rules.three_for_last is ThreeForLast.EVERY_DEAL or (is_first and rules.three_for_last is ThreeForLast.ONCE):
        decision.score(rules.pone(dealer), e.Source.PONES_THREE, (Score(ScoreKind.PONES_THREE, 3, ()),))


def shuffle_pack(decision: Decision, command: c.ShufflePack) -> None:
    """Raises WrongPhase, CardsAreEntered unless the program deals and has not shuffled yet, NotAPack."""
    deal_before_starter(decision.table, "a pack shuffled")
    if not decision.table.awaits_pack:
        raise CardsAreEntered("a deal that waits for a pack", "another")
    if sorted(command.order) != sorted(PACK):
        raise NotAPack("all 52 cards, each once", f"{len(set(command.order))} different cards")
    if len(command.nonce) != NONCE_DIGITS or not set(command.nonce) <= set("0123456789abcdef"):
        raise NotAPack(f"a nonce of {NONCE_DIGITS} hex digits", str(len(command.nonce)))
    pack = Pack(command.order, command.nonce)
    decision.apply(e.PackShuffled(pack.order, pack.nonce, pack.commitment))


def deal_pack(decision: Decision, command: c.DealPack) -> None:
    """Raises WrongPhase, CardsAreEntered unless a shuffled pack waits, NotASeat."""
    table = decision.table
    deal = deal_before_starter(table, "the cards dealt")
    if not table.can_deal or deal.pack is None:
        raise CardsAreEntered("a shuffled pack", "none")
    seats = len(table.names)
    shown_to = command.shown_to or ("",) * seats
    if len(shown_to) != seats:
        raise NotASeat(f"who sees each of {seats} hands", str(len(shown_to)))
    decision.apply(e.PackDealt(tuple(None if seat in table.opponents else to for seat, to in enumerate(shown_to))))
    dealt = deal_from(deal.pack.order, table.rules, deal.dealer)
    for seat, hand in enumerate(dealt.hands):
        decision.apply(e.HandDealt(Seat(seat), hand))
    if dealt.stock:
        decision.apply(e.CribFilled(dealt.stock))


def turn_starter(decision: Decision, command: c.TurnStarter) -> None:
    """Raises WrongPhase, CardsAreEntered where people deal, GameHoleFirst."""
    table = decision.table
    deal = deal_before_starter(table, "the starter")
    if deal.pack is None:
        raise CardsAreEntered("a pack that the program dealt", "none")
    if table.phase is Phase.DEAL and not table.can_turn_starter:
        raise WrongPhase("every discard before the starter", table.phase)
    cut(decision, deal_from(deal.pack.order, table.rules, deal.dealer).starter)


def check_people_deal(table: Table | None) -> None:
    """Raises ProgramDealsCards where the program deals."""
    if table is not None and table.is_dealt:
        raise ProgramDealsCards("a command of a game with dealt cards", "cards entered, or thrown in")


def deal_hand(decision: Decision, command: c.DealHand) -> None:
    """Raises WrongPhase, NotASeat, WrongDeal, DuplicateCard, CardSeenElsewhere."""
    table = decision.table
    check_people_deal(table)
    deal = deal_before_starter(decision.table, "a hand dealt")
    check_seat(command.seat, len(table.names))
    if not command.cards:
        decision.apply(e.HandDealt(command.seat, ()))
        return
    expected = table.rules.cards_dealt(command.seat, deal.dealer)
    is_kept = len(command.cards) == table.rules.hand_size != expected
    if len(command.cards) != expected and not is_kept:
        who = table.names[command.seat]
        raise WrongDeal(
            f"{expected} cards dealt to {who}",
            str(len(command.cards)),
            fix="enter all of them again",
            name=who,
            number=expected,
        )
    others = [card for seat, hand in enumerate(deal.dealt) if seat != command.seat for card in hand]
    check_unseen(command.cards, () if command.is_blind else [*others, *deal.stock])
    decision.apply(e.HandDealt(command.seat, command.cards))
    if is_kept:
        decision.apply(e.CardsDiscarded(command.seat, ()))


def fill_crib(decision: Decision, command: c.FillCrib) -> None:
    """Raises WrongPhase, WrongNumberOfCards, DuplicateCard, CardSeenElsewhere."""
    table = decision.table
    check_people_deal(table)
    deal = deal_before_starter(decision.table, "cards from the stock")
    if len(command.cards) != table.rules.from_stock:
        number = table.rules.from_stock
        raise WrongNumberOfCards(f"{number} cards from the stock", str(len(command.cards)), number=number)
    check_unseen(command.cards, [card for hand in deal.dealt for card in hand])
    decision.apply(e.CribFilled(command.cards))


def misdeal(decision: Decision, command: c.Misdeal) -> None:
    """Raises WrongPhase once the starter is cut or the crib is sold."""
    check_people_deal(decision.table)
    deal = deal_before_starter(decision.table, "a misdeal")
    if command.deal not in (None, deal.number):
        return
    if deal.is_sold:
        raise WrongPhase("a misdeal before the crib is sold", Phase.BID, "one after it", "undo the bids first")
    decision.apply(e.DealBegan(deal.dealer))
    rules = decision.table.rules
    if rules.misdeal is Misdeal.TWO_POINTS and not command.is_exposed:
        taker = decision.table.left_of(rules.side_of(deal.dealer))
        decision.award(e.PenaltyGiven(taker, MISDEAL_POINTS, e.Breach.MISDEAL), taker)


def discard_cards(decision: Decision, command: c.DiscardCards) -> None:
    """Raises WrongPhase, NotASeat, WrongDiscard, CardNotHeld."""
    table = decision.table
    deal = deal_before_starter(decision.table, "a discard")
    check_seat(command.seat, len(table.names))
    expected = table.rules.cards_discarded(command.seat, deal.dealer)
    who = table.names[command.seat]
    if len(command.cards) != expected:
        got = str(len(command.cards))
        raise WrongDiscard(f"{expected} cards discarded by {who}", got, name=who, number=expected)
    if deal.dealt[command.seat] and len(deal.dealt[command.seat]) != table.rules.cards_dealt(command.seat, deal.dealer):
        raise WrongPhase(
            f"a discard of {who} before the kept cards are entered", table.phase, "one after", "deal again"
        )
    for card in without(command.cards, deal.dealt[command.seat]):
        raise CardNotHeld(f"a card that was dealt to {who}", str(card), name=who, card=card)
    decision.apply(e.CardsDiscarded(command.seat, command.cards))


def cut_starter(decision: Decision, command: c.CutStarter) -> None:
    """Raises WrongPhase, OpponentHasNoCards, DuplicateCard, CardSeenElsewhere, GameHoleFirst."""
    table = decision.table
    check_people_deal(table)
    deal = deal_before_starter(decision.table, "the starter")
    check_opponents_hold_cards(table, deal)
    if table.phase is not Phase.BID:
        check_unseen((command.card,), () if command.is_blind else deal.seen)
    cut(decision, command.card)


def check_opponents_hold_cards(table: Table, deal: Deal) -> None:
    """Raises OpponentHasNoCards unless the program knows the cards of its seats, and has discarded."""
    for seat in table.opponents:
        if not deal.kept[seat]:
            name = table.names[seat]
            fix = "lay its cards on the card reader" if not deal.dealt[seat] else "wait for its discard"
            raise OpponentHasNoCards(f"the cards that {name} keeps", "the starter", fix=fix, name=name)


def cut(decision: Decision, card: Card) -> None:
    """The starter is known. Raises WrongPhase in the auction, GameHoleFirst."""
    table = decision.table
    deal = deal_before_starter(table, "the starter")
    if table.phase is Phase.BID:
        bidder = table.names[next_bidder(table, deal)]
        raise WrongPhase(f"a bid or a pass by {bidder}", table.phase, f"{card} as starter")
    if table.rules.auction_when is AuctionWhen.BEFORE_STARTER:
        close_unsold(decision)
    if proceed(decision, acting_side=table.rules.side_of(deal.dealer)):  # who may have pegged heels already
        decision.apply(e.StarterCut(card))
        score_heels(decision)


def deal_before_starter(table: Table, what: str) -> Deal:
    """The deal, whose starter is not cut yet. Raises WrongPhase, which names `what` was expected."""
    if table.phase not in (Phase.DEAL, Phase.BID) or table.deal is None or table.deal.starter:
        raise WrongPhase(f"{what} while the cards are dealt", table.phase)
    return table.deal


def check_seat(seat: int, seats: int) -> None:
    """Raises NotASeat unless 0 <= seat < seats."""
    if not 0 <= seat < seats:
        raise NotASeat(f"a seat from 0 to {seats - 1}", str(seat))


def check_unseen(cards: tuple[Card, ...], seen: list[Card] | tuple[Card, ...]) -> None:
    """Raises CardSeenElsewhere for a card that was seen already, DuplicateCard for a fifth card of one rank."""
    no_duplicates(cards)
    if not set(cards).isdisjoint(seen):
        for card in cards:
            if card in seen and card.suit is not None:
                expected = "a card that was not seen in this deal"
                fix = "check the cards"
                raise CardSeenElsewhere(expected, str(card), fix=fix, card=card)
    if all_suits_known(cards) and all_suits_known(seen):
        return
    ranks = {card.rank for card in cards}  # the cards seen may clash among themselves: hands are entered blind
    no_duplicates((*{card for card in seen if card.suit and card.rank in ranks}, *_without_suit(seen), *cards))


def _without_suit(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(card for card in cards if card.suit is None)
