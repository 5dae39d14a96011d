"""The game in words: one sentence for what happened, one for what the table waits for.

Every sentence goes through `_`, so that a catalogue can put it into another language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import singledispatch

from firmware_host.board.plan import BoardPlan
from firmware_host.board.readings import Fault, PegsAstray
from firmware_host.cribbage.cards import LETTERS
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.show import count_show
from firmware_host.table import entries as k
from firmware_host.table import events as e
from firmware_host.table.auction import next_bidder
from firmware_host.table.cadence import count_in_words, scores_in_words
from firmware_host.table.chronicle import Turn
from firmware_host.table.lights import Leap
from firmware_host.table.manner import Manner
from firmware_host.table.state import Phase, Table
from firmware_host.table.words import Words, as_written


def say_turn(turn: Turn, _: Words = as_written, manner: Manner = Manner.TEACHER) -> str:
    """What one turn brought, as people at the table would say it; a referee who tells no counts keeps them back."""
    said = (
        say(event, turn.table, _) if may_say(event, manner) else kept_short(event, turn.table, _)
        for event in turn.events
    )
    return " ".join(filter(None, said))


def may_say(event: e.Event, manner: Manner) -> bool:
    return manner.tells_counts or not isinstance(event, e.PointsDue | e.PointsMissed | e.HandCounted)


def kept_short(event: e.Event, table: Table, _: Words) -> str:
    """A hand that is shown, without its count."""
    return whose_cards(event, table, _) if isinstance(event, e.HandCounted) else ""


@singledispatch
def say(event: object, table: Table, _: Words) -> str:
    """A sentence for one event, with the table as it stood after the turn; empty where there is nothing to tell."""
    return ""


@say.register
def _started(event: e.GameStarted, table: Table, _: Words) -> str:
    names = ", ".join(event.names)
    return _("A game to {target}: {names}.").format(target=event.rules.target, names=names)


@say.register
def _deal_began(event: e.DealBegan, table: Table, _: Words) -> str:
    return _("{name} deals.").format(name=table.names[event.dealer])


@say.register
def _bid(event: e.BidMade, table: Table, _: Words) -> str:
    sentence = _("{name} bids {points}.") if event.points else _("{name} passes.")
    return sentence.format(name=table.names[event.seat], points=event.points)


@say.register
def _sold(event: e.CribSold, table: Table, _: Words) -> str:
    sentence = _("{name} buys the crib for {points}.") if event.price else _("{name} keeps the crib.")
    return sentence.format(name=table.names[event.seat], points=event.price)


@say.register
def _starter(event: e.StarterCut, table: Table, _: Words) -> str:
    return _("The starter is {card}.").format(card=pretty(event.card))


@say.register
def _played(event: e.CardPlayed, table: Table, _: Words) -> str:
    return _("{name} plays {card}.").format(name=table.names[event.seat], card=pretty(event.card))


@say.register
def _go(event: e.GoSaid, table: Table, _: Words) -> str:
    return _("{name} says go.").format(name=table.names[event.seat])


@say.register
def _counted(event: e.HandCounted, table: Table, _: Words) -> str:
    said = whose_cards(event, table, _)
    count = count_show(event.cards, event.starter, table.rules, is_crib=event.is_crib)
    return f"{said} {capital(count_in_words(count, _))}."


def whose_cards(event: e.HandCounted, table: Table, _: Words) -> str:
    sentence = _("{name}'s crib: {cards}.") if event.is_crib else _("{name}'s hand: {cards}.")
    return sentence.format(name=table.names[event.seat], cards=" ".join(map(pretty, event.cards)))


@say.register
def _due(event: e.PointsDue, table: Table, _: Words) -> str:
    if event.source is e.Source.SHOW:
        return ""
    return _("{name}: {scores}.").format(name=table.names[event.seat], scores=scores_in_words(event.scores, _))


@say.register
def _leapt(event: e.PegLeapt, table: Table, _: Words) -> str:
    if not table.is_moved_by_hand(event.side):
        return ""
    points = event.pegs.front - event.pegs.back
    sentence = _.counted("{name} pegs {points} point, to {score}.", "{name} pegs {points} points, to {score}.", points)
    return sentence.format(name=table.side_name(event.side), points=points, score=event.pegs.front)


@say.register
def _adjusted(event: e.PegAdjusted, table: Table, _: Words) -> str:
    return _("{name} moves the peg to {score}.").format(name=table.side_name(event.side), score=event.pegs.front)


@say.register
def _allowed(event: e.PegsAllowed, table: Table, _: Words) -> str:
    return _("{name}'s pegs stand as they are.").format(name=table.side_name(event.side))


@say.register
def _missed(event: e.PointsMissed, table: Table, _: Words) -> str:
    sentence = _.counted("{name} missed {points} point.", "{name} missed {points} points.", event.points)
    return sentence.format(name=table.names[event.seat], points=event.points)


@say.register
def _muggins(event: e.MugginsTaken, table: Table, _: Words) -> str:
    sentence = _.counted("Muggins: {points} point to {name}.", "Muggins: {points} points to {name}.", event.points)
    return sentence.format(name=table.side_name(event.side), points=event.points)


@say.register
def _overran(event: e.PegsOverran, table: Table, _: Words) -> str:
    return _("{name} moved {points} too far.").format(name=table.side_name(event.side), points=event.points)


@say.register
def _penalty(event: e.PenaltyGiven, table: Table, _: Words) -> str:
    why = _(BREACHES[event.breach])
    return _("{points} to {name}: {why}.").format(name=table.side_name(event.side), points=event.points, why=why)


@say.register
def _set_back(event: e.PegsSetBack, table: Table, _: Words) -> str:
    return _("{name} goes back {points}.").format(name=table.side_name(event.side), points=event.points)


@say.register
def _renege(event: e.RenegeFound, table: Table, _: Words) -> str:
    if table.phase is Phase.PLAY:  # the cards are still in the hand, which is nobody else's
        return _("{name} could have played a card.").format(name=table.names[event.seat])
    cards = ", ".join(map(pretty, event.cards))
    return _("{name} could have played {cards}.").format(name=table.names[event.seat], cards=cards)


@say.register
def _corrected(event: e.ScoreCorrected, table: Table, _: Words) -> str:
    return _("{name} is set to {score}: {reason}.").format(
        name=table.side_name(event.side), score=event.score, reason=event.reason
    )


@say.register
def _won(event: e.GameWon, table: Table, _: Words) -> str:
    return _("{name} wins the game.").format(name=table.side_name(event.side))


def capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def pretty(card: object) -> str:
    """A card with the sign of its suit: 5♥."""
    return str(card).translate(str.maketrans("SHDC", "♠♥♦♣"))


QUESTIONS = {
    k.Question.MENU: "Choose, or UNDO",
    k.Question.DEALER: "Who deals?",
    k.Question.GAME: "Which game?",
    k.Question.BOARD: "Which board?",
    k.Question.TARGET: "To how many?",
    k.Question.READY: "All set?",
    k.Question.OPTION: "Which house rule?",
    k.Question.MOVER: "Whose points?",
    k.Question.CRIB: "Whose crib?",
    k.Question.MANNER: "The referee?",
    k.Question.PHONES: "Whose phone?",
}

BREACHES = {
    e.Breach.OVERRUN: "pegs moved too far",
    e.Breach.FALSE_GAME: "a false claim of the game",
    e.Breach.FALSE_CLAIM: "a wrong claim",
    e.Breach.RENEGE: "a card held back",
    e.Breach.FOREIGN_PEG: "a peg of the other side moved",
}

FAULTS = {
    Fault.BOTH_OUT: "{name}: both pegs are out",
    Fault.FRONT_OUT: "{name}: the front peg is out",
    Fault.PEG_UNSEEN: "{name}: a peg is not seen",
    Fault.THIRD_PEG: "{name}: a third peg",
    Fault.FOREIGN_LANE: "{name}: a foreign peg",
    Fault.OFF_LAP: "{name}: no leap ends there",
    Fault.MISPLACED: "{name}: pegs to the lights",
    Fault.DEAD_HOLE: "{name}: a hole is dead",
    Fault.STUCK_HOLE: "{name}: a hole is stuck",
    Fault.WEAK_HOLE: "{name}: a hole is weak",
}


def fault_in_words(plan: BoardPlan, odd: PegsAstray, _: Words = as_written) -> str:
    """A worn hole by its name on the board: `red: a hole is stuck (red 37)`."""
    holes = ", ".join(plan.name_of(odd.track, hole) for hole in odd.holes)
    return f"{_(FAULTS[odd.fault]).format(name=plan.inlays[odd.track].name)} ({holes})"


def key_is_stuck(key: str, _: Words = as_written) -> str:
    return _("Key {key} is stuck").format(key=key)


def waiting_for(
    table: Table | None,
    entry: k.Entry,
    pending: Iterable[Leap],
    astray: Iterable[PegsAstray],
    trouble: str,
    _: Words = as_written,
    manner: Manner = Manner.TEACHER,
) -> str:
    """The next thing to do: trouble first, then odd pegs, then what is half typed, then points, then the game."""
    if trouble:
        return trouble
    for odd in astray:
        if table is not None:
            return _(FAULTS[odd.fault]).format(name=table.side_name(odd.track))
    if asked := asked_of_keys(entry, table, _):
        return asked
    for leap in pending:
        assert table is not None
        return _("{name} +{points}?").format(name=table.side_name(leap.side), points=leap.points)
    if table is None:
        return _("ENTER: new game")
    return (manner.tells_counts and points_to_move(table, _)) or WAITING[table.phase](table, _)


def points_to_move(table: Table, _: Words) -> str:
    if table.phase is Phase.OVER:
        return ""
    for side, owed in enumerate(table.owed):
        if owed:
            sentence = _("{name}: {points} to {score}") if owed > 0 else _("{name}: {points} back to {score}")
            return sentence.format(name=table.side_name(side), points=abs(owed), score=table.rightful[side])
    return ""


def asked_of_keys(entry: k.Entry, table: Table | None, _: Words) -> str:
    """The question that the next key answers; empty where nothing is half typed."""
    match entry:
        case k.Idle(is_shifted=True):
            return _("FN_")
        case k.TypingStarter(rank=rank):
            return _("Starter {rank}_ suit?").format(rank=LETTERS[rank - 1])
        case k.TypingHand(asking=k.Asking.FLUSH):
            return _("One suit? 0: no")
        case k.TypingHand(asking=k.Asking.NOBS):
            assert table is not None and table.deal is not None and table.deal.starter is not None
            suit = pretty(table.deal.starter)[-1]
            return _("Jack of {suit}? 0: no").format(suit=suit)
        case k.TypingHand(cards=cards):
            return _("{whose} {cards}_").format(whose=whose_turn(table, _), cards=" ".join(c.letter for c in cards))
        case k.Choosing(question=question, game=game):
            return game.option.replace("_", " ") if question is k.Question.VALUE else _(QUESTIONS[question])
        case k.TypingDeal(cards=cards):
            return _("Dealt: {cards}_").format(cards=" ".join(card.letter for card in cards))
        case k.TypingPoints(points=points):
            return _("How many? {points}_").format(points=points or "")
        case k.TypingClaim(points=points):
            return _("Muggins? {points}_").format(points=points or "")
        case k.TypingBid(points=points):
            return _("Bid? {points}_").format(points=points)
        case k.SendingAway(guest=guest):
            return _("Send off {name}? ENTER").format(name=guest.name)
        case _:
            return ""


def whose_turn(table: Table | None, _: Words) -> str:
    """`Ann`, or `Ann's crib`: whose hand is counted next."""
    assert table is not None and table.to_count is not None
    name = table.names[table.to_count.seat]
    return _("{name}'s crib").format(name=name) if table.to_count.is_crib else name


def _in_cut(table: Table, _: Words) -> str:
    return _("Cut: who deals?")


def _in_deal(table: Table, _: Words) -> str:
    return _("{name} deals. Starter?").format(name=table.names[dealer(table)])


def _in_bid(table: Table, _: Words) -> str:
    assert table.deal is not None
    return _("{name} bids? (ENTER)").format(name=table.names[next_bidder(table, table.deal)])


def _in_play(table: Table, _: Words) -> str:
    if not table.is_followed:
        return _("Play. ENTER: show")
    assert table.to_play is not None and table.deal is not None and table.deal.play is not None
    return _("{name} at {count}").format(name=table.names[table.to_play], count=table.deal.play.count)


def _in_show(table: Table, _: Words) -> str:
    return _("{whose}? ENTER").format(whose=whose_turn(table, _))


def _in_gather(table: Table, _: Words) -> str:
    return _("ENTER: next deal")


def _in_over(table: Table, _: Words) -> str:
    assert table.winner is not None
    return _("{name} wins! ENTER").format(name=table.side_name(table.winner))


WAITING: dict[Phase, Callable[[Table, Words], str]] = {
    Phase.CUT: _in_cut,
    Phase.DEAL: _in_deal,
    Phase.BID: _in_bid,
    Phase.PLAY: _in_play,
    Phase.SHOW: _in_show,
    Phase.GATHER: _in_gather,
    Phase.OVER: _in_over,
}


def dealer(table: Table) -> Seat:
    assert table.deal is not None
    return table.deal.dealer
