"""Beginning a game and a deal: who deals, what each seat was dealt, what it laid away, the starter."""

from __future__ import annotations

from firmware_host.cribbage.cards import Card, no_duplicates, without
from firmware_host.cribbage.options import AuctionWhen, ThreeForLast
from firmware_host.cribbage.refusals import WrongNumberOfCards, quoted
from firmware_host.cribbage.rules import Seat, Side
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.table import events as e
from firmware_host.table import orders as o
from firmware_host.table.auction import close_unsold, next_bidder, score_heels
from firmware_host.table.muggins import go_on
from firmware_host.table.refusals import CardNotHeld, CardSeenElsewhere, NotASeat, WrongDeal, WrongDiscard, WrongPhase
from firmware_host.table.state import Deal, Phase, Table
from firmware_host.table.unfolding import Unfolding


def start_game(unfolding: Unfolding, order: o.StartGame) -> None:
    rules, names = order.rules, order.names
    if len(names) != rules.players:
        raise NotASeat(f"{rules.players} names for {rules.variant}", str(len(names)))
    if not 0 <= order.sides_on_board <= len(rules.sides):
        raise NotASeat(f"pegs for {len(rules.sides)} sides at most", str(order.sides_on_board))
    scores = (0,) * len(rules.sides) if order.scores is None else order.scores
    last = [rules.target_of(Side(side)) - 1 for side in range(len(rules.sides))]
    if len(scores) != len(last) or not all(0 <= score <= most for score, most in zip(scores, last, strict=True)):
        raise NotASeat(f"a score from 0 to {' and '.join(map(str, last))} for each side", quoted(list(scores)))
    if order.dealer is not None:
        check_seat(order.dealer, rules.players)
    unfolding.happen(
        e.GameStarted(rules, names, order.board, order.sides_on_board, order.is_told, scores, order.is_demo)
    )
    if order.dealer is not None:
        begin_deal(unfolding, order.dealer)


def choose_dealer(unfolding: Unfolding, order: o.ChooseDealer) -> None:
    table = unfolding.table
    deal = table.deal
    is_untouched = table.phase is Phase.DEAL and deal is not None and not deal.seen and not any(table.dues)
    if table.phase is not Phase.CUT and not is_untouched:
        raise WrongPhase("who deals before anything is dealt or scored", table.phase, mend="undo back to there")
    check_seat(order.seat, len(table.names))
    begin_deal(unfolding, order.seat)


def begin_deal(unfolding: Unfolding, dealer: Seat) -> None:
    is_first = unfolding.table.deal is None
    unfolding.happen(e.DealBegan(dealer))
    rules = unfolding.table.rules
    if rules.three_for_last is ThreeForLast.EVERY_DEAL or (is_first and rules.three_for_last is ThreeForLast.ONCE):
        unfolding.score(rules.pone(dealer), e.Source.PONES_THREE, (Score(ScoreKind.PONES_THREE, 3, ()),))


def deal_hand(unfolding: Unfolding, order: o.DealHand) -> None:
    table, deal = unfolding.table, deal_before_starter(unfolding.table, "a hand dealt")
    check_seat(order.seat, len(table.names))
    if not order.cards:
        unfolding.happen(e.HandDealt(order.seat, ()))
        return
    expected = table.rules.cards_dealt(order.seat, deal.dealer)
    is_kept = len(order.cards) == table.rules.hand_size != expected
    if len(order.cards) != expected and not is_kept:
        who = table.names[order.seat]
        raise WrongDeal(
            f"{expected} cards dealt to {who}",
            str(len(order.cards)),
            mend="tell them all again",
            name=who,
            number=expected,
        )
    others = [card for seat, hand in enumerate(deal.dealt) if seat != order.seat for card in hand]
    check_unseen(order.cards, [*others, *deal.stock])
    unfolding.happen(e.HandDealt(order.seat, order.cards))
    if is_kept:
        unfolding.happen(e.CardsLaidAway(order.seat, ()))


def fill_crib(unfolding: Unfolding, order: o.FillCrib) -> None:
    table, deal = unfolding.table, deal_before_starter(unfolding.table, "cards from the stock")
    if len(order.cards) != table.rules.from_stock:
        number = table.rules.from_stock
        raise WrongNumberOfCards(f"{number} cards from the stock", str(len(order.cards)), number=number)
    check_unseen(order.cards, [card for hand in deal.dealt for card in hand])
    unfolding.happen(e.CribFilled(order.cards))


def misdeal(unfolding: Unfolding, order: o.Misdeal) -> None:
    deal = deal_before_starter(unfolding.table, "a misdeal")
    if deal.is_sold:
        raise WrongPhase("a misdeal before the crib is sold", Phase.BID, "one after it", "undo the bids first")
    unfolding.happen(e.DealBegan(deal.dealer))


def lay_away(unfolding: Unfolding, order: o.LayAway) -> None:
    table, deal = unfolding.table, deal_before_starter(unfolding.table, "cards laid away")
    check_seat(order.seat, len(table.names))
    expected, who = table.rules.cards_laid_away(order.seat, deal.dealer), table.names[order.seat]
    if len(order.cards) != expected:
        got = str(len(order.cards))
        raise WrongDiscard(f"{expected} cards laid away by {who}", got, name=who, number=expected)
    if deal.dealt[order.seat] and len(deal.dealt[order.seat]) != table.rules.cards_dealt(order.seat, deal.dealer):
        raise WrongPhase(f"cards laid away by {who} before the rest is told", table.phase, "them after it", "deal anew")
    for card in without(order.cards, deal.dealt[order.seat]):
        raise CardNotHeld(f"a card that was dealt to {who}", str(card), name=who, card=card)
    unfolding.happen(e.CardsLaidAway(order.seat, order.cards))


def cut_starter(unfolding: Unfolding, order: o.CutStarter) -> None:
    table, deal = unfolding.table, deal_before_starter(unfolding.table, "the starter")
    if table.phase is Phase.BID:
        bidder = table.names[next_bidder(table, deal)]
        raise WrongPhase(f"a bid or a pass of {bidder}", table.phase, f"{order.card} as starter")
    check_unseen((order.card,), deal.seen)
    if table.rules.auction_when is AuctionWhen.BEFORE_STARTER:
        close_unsold(unfolding)
    if go_on(unfolding):
        unfolding.happen(e.StarterCut(order.card))
        score_heels(unfolding)


def deal_before_starter(table: Table, what: str) -> Deal:
    if table.phase not in (Phase.DEAL, Phase.BID) or table.deal is None or table.deal.starter:
        raise WrongPhase(f"{what} while the cards are dealt", table.phase)
    return table.deal


def check_seat(seat: int, seats: int) -> None:
    if not 0 <= seat < seats:
        raise NotASeat(f"a seat from 0 to {seats - 1}", str(seat))


def check_unseen(cards: tuple[Card, ...], seen: list[Card] | tuple[Card, ...]) -> None:
    """Raises where a card lies elsewhere already, or more than four of a rank would."""
    no_duplicates(cards)
    for card in cards:
        if card in seen and card.suit is not None:
            expected, mend = "a card that was not seen in this deal", "look at the cards again"
            raise CardSeenElsewhere(expected, str(card), mend=mend, card=card)
    no_duplicates((*seen, *cards))
