"""What just happened, written for the ear: a sentence for each event, for the board, phones and screen readers.

`messages.py` has the same events for the eye. Here numbers and cards are words, the count comes as players call it, and
terse speech leaves out what the players did themselves. What may be announced is decided in one place for both
(`messages.is_announced`), so that nothing private is said, and muggins by claim betrays nothing.
"""

from __future__ import annotations

from functools import singledispatch

from firmware_host.cribbage.score import ScoreKind
from firmware_host.cribbage.series import FULL_COUNT
from firmware_host.cribbage.show import count_show
from firmware_host.game import events as e
from firmware_host.game.disclosure import ClosedMiss, closed_misses
from firmware_host.game.history import Turn
from firmware_host.game.state import Phase, Table
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.texts.cadence import NINETEEN, hand_in_words, scores_in_words
from firmware_host.ui.texts.messages import BREACHES, capitalized, is_announced, with_losses_joined, withheld_message
from firmware_host.ui.texts.side_names import side_in_words
from firmware_host.ui.texts.spoken_words import card_in_words, for_ear, number_in_words, ranks_in_words, together
from firmware_host.ui.texts.win_margin import margin_sentence
from firmware_host.ui.translator import Translator
from firmware_host.ui.voice import Verbosity

COUNT_OF_HAND = "{count}.{total:.0}"
"""A counted hand. Where the running total is no habit, the translation ends with the sum; English leaves it out: a
precision of 0 prints nothing."""


def spoken_turn(
    turn: Turn,
    tr: Translator,
    referee_mode: RefereeMode = RefereeMode.TEACHER,
    now: Table | None = None,
    verbosity: Verbosity = Verbosity.FULL,
) -> tuple[str, ...]:
    """The sentences of one turn. `now` is the game as it is now, if turns came after this one."""
    before = turn.before.table if turn.before else None
    events = tuple(with_losses_joined(turn.events))
    announced = [event for event in events if is_announced(event, referee_mode, now or turn.table)]
    called = {score.kind for event in announced if isinstance(event, e.PointsDue) for score in event.scores}
    spoken = Speaker(before, turn.table, tr, verbosity, frozenset(called))
    sentences = [spoken.event(event) if event in announced else spoken.without_count(event) for event in events]
    if referee_mode.announces_counts:
        sentences += [spoken.closed_miss(closed) for closed in closed_misses(before, turn.events, turn.table)]
    return tuple(sentence for sentence in sentences if sentence)


class Speaker:
    """Says the events of one turn: `table` is the state after it, `before` the one before it, if there is one. `called`
    are the kinds of the scores that are announced in the turn."""

    def __init__(
        self, before: Table | None, table: Table, tr: Translator, verbosity: Verbosity, called: frozenset[ScoreKind]
    ) -> None:
        self.before = before
        self.table = table
        self.tr = tr
        self.verbosity = verbosity
        self.called = called

    def event(self, event: e.Event) -> str:
        """Empty for an event that needs no sentence."""
        return _spoken(event, self)

    def without_count(self, event: e.Event) -> str:
        """What may be said of an event whose points are hidden: the cards of a hand that is shown."""
        return self.hand_label(event) if isinstance(event, e.HandCounted) else ""

    def number(self, number: int) -> str:
        """A number in words."""
        return number_in_words(number, self.tr)

    def player(self, seat: int) -> str:
        """The name of a player."""
        return self.table.names[seat]

    def side(self, side: int) -> str:
        """The players of a side: "Ann and Cora"."""
        return side_in_words(self.table, side, self.tr)

    def people(self, side: int) -> int:
        """How many players a side has."""
        return self.table.rules.people(side)

    def hand_label(self, event: e.HandCounted) -> str:
        """Whose hand or crib it is; the cards too, unless the speech is terse."""
        return self.of_hand(event, ranks_in_words(event.cards, self.tr))

    def of_hand(self, event: e.HandCounted, what: str) -> str:
        """Whose hand or crib it is, and `what` it has."""
        tr = self.tr
        sentence = tr("{name}’s crib: {cards}.") if event.is_crib else tr("{name}’s hand: {cards}.")
        return sentence.format(name=self.player(event.seat), cards=what)

    def closed_miss(self, closed: ClosedMiss) -> str:
        """What was missed, once nobody can claim it any more."""
        tr = self.tr
        miss = closed.miss
        sentences = [missed_in_words(self, miss.seat, miss.points)]
        if miss.source is e.Source.PLAY and miss.scores:
            sentences.insert(0, earned(self, miss.seat, scores_in_words(miss.scores, tr)))
        if closed.taken_by is None:
            sentences.append(tr("Nobody claimed muggins."))
        return " ".join(sentences)


@singledispatch
def _spoken(event: object, says: Speaker) -> str:
    return ""


@_spoken.register
def _started(event: e.GameStarted, says: Speaker) -> str:
    tr = says.tr
    target = says.number(event.rules.target)
    names = ", ".join(event.names)
    return tr("New game, target {target}: {names}.").format(target=target, names=names)


@_spoken.register
def _deal_began(event: e.DealBegan, says: Speaker) -> str:
    tr = says.tr
    return tr("{name} deals.").format(name=says.player(event.dealer))


@_spoken.register
def _bid(event: e.BidMade, says: Speaker) -> str:
    tr = says.tr
    sentence = tr("{name} bids {points}.") if event.points else tr("{name} passes.")
    return sentence.format(name=says.player(event.seat), points=says.number(event.points))


@_spoken.register
def _sold(event: e.CribSold, says: Speaker) -> str:
    tr = says.tr
    sentence = tr("{name} buys the crib for {points}.") if event.price else tr("{name} keeps the crib.")
    return sentence.format(name=says.player(event.seat), points=says.number(event.price))


@_spoken.register
def _starter(event: e.StarterCut, says: Speaker) -> str:
    tr = says.tr
    sentence = tr("The starter is the {card}.") if event.card.suit else tr("The starter is {card}.")
    return sentence.format(card=card_in_words(event.card, tr))


@_spoken.register
def _discarded(event: e.CardsDiscarded, says: Speaker) -> str:
    """Only where people discard for the program."""
    tr = says.tr
    places = sorted(place for card in event.cards if (place := says.table.place_in_row(event.seat, card)))
    if not places:
        return ""
    cards = ", ".join(map(says.number, places))
    return tr("{name} discards from its row: {cards}.").format(name=says.player(event.seat), cards=cards)


@_spoken.register
def _played(event: e.CardPlayed, says: Speaker) -> str:
    """The card, unless terse about cards that lie on the table, and the count. A fifteen or thirty-one is called with
    its points instead."""
    tr = says.tr
    sentences = list[str]()
    if says.verbosity.is_full or says.table.is_dealt or event.seat in says.table.opponents:
        sentence = tr("{name}: {cards}.")
        card = card_in_words(event.card, tr)
        sentences.append(sentence.format(name=says.player(event.seat), cards=card))
    if place := says.table.place_in_row(event.seat, event.card):
        sentences.append(tr("Number {place} in its row.").format(place=says.number(place)))
    count = count_after(says.before, event)
    if count and not says.called & {ScoreKind.FIFTEEN, ScoreKind.THIRTY_ONE}:
        sentences.append(f"{capitalized(says.number(count))}.")
    return " ".join(sentences)


def count_after(before: Table | None, event: e.CardPlayed) -> int:
    """The count that this card makes, 1 to 31; 0 if it is not known. A card that passes 31 was led: the gos that end
    the series before it are in the same turn."""
    if before is None or before.deal is None or before.deal.play is None:
        return 0
    pips = event.card.pips
    count = before.deal.play.count + pips
    return count if count <= FULL_COUNT else pips


@_spoken.register
def _go(event: e.GoSaid, says: Speaker) -> str:
    tr = says.tr
    return tr("{name} says go.").format(name=says.player(event.seat))


@_spoken.register
def _counted(event: e.HandCounted, says: Speaker) -> str:
    """In full the cards and the count in cadence; terse the total."""
    tr = says.tr
    table = says.table
    total = says.number(event.points)
    if not says.verbosity.is_full:
        return says.of_hand(event, total)
    count = spoken_count(event, table, tr)
    if event.is_minimum:
        return together(says.hand_label(event), tr("{count}, perhaps more.").format(count=count))
    if count == capitalized(tr(NINETEEN)):
        return together(says.hand_label(event), f"{count}.")
    return together(says.hand_label(event), tr(COUNT_OF_HAND).format(count=count, total=total))


def spoken_count(event: e.HandCounted, table: Table, tr: Translator) -> str:
    """The count in cadence, without a full stop."""
    return capitalized(hand_in_words(count_show(event.cards, event.starter, table.rules, is_crib=event.is_crib), tr))


@_spoken.register
def _skipped(event: e.CountSkipped, says: Speaker) -> str:
    tr = says.tr
    sentence = tr("{name}’s crib is skipped.") if event.is_crib else tr("{name}’s hand is skipped.")
    return sentence.format(name=says.player(event.seat))


@_spoken.register
def _due(event: e.PointsDue, says: Speaker) -> str:
    if event.source is e.Source.SHOW or not event.scores:
        return ""
    return earned(says, event.seat, scores_in_words(event.scores, says.tr))


@_spoken.register
def _withheld(event: e.PointsWithheld, says: Speaker) -> str:
    return withheld_message(event, says.table, says.tr, says.number)


def earned(says: Speaker, seat: int, scores: str) -> str:
    """ "Fifteen for two, Ann." """
    tr = says.tr
    return capitalized(tr("{scores}, {name}.").format(scores=scores, name=says.player(seat)))


@_spoken.register
def _leapt(event: e.PegLeapt, says: Speaker) -> str:
    tr = says.tr
    table = says.table
    score = event.pegs.front
    if table.is_by_hand:
        moved = says.number(score - max(0, event.pegs.back))
        texts = {"name": says.side(event.side), "points": moved, "score": says.number(score)}
        if table.is_programs(event.side):
            return tr("Peg for {name}: {points}, to {score}.").format(**texts)
        return tr("{name}, peg {points}, to {score}.").format(**texts)
    if not table.is_moved_by_hand(event.side):
        return ""
    if event.pegs == table.sides[event.side].pegs and table.sides[event.side].is_astray:
        return adjusted(says, event.side, score)
    name = says.side(event.side)
    at = says.number(score)
    if not says.verbosity.is_full:
        return tr("{name}: {cards}.").format(name=name, cards=at)
    points = says.number(score - event.pegs.back)
    sentence = tr.counted(
        "{name} moves {points}, to {score}.", "{name} move {points}, to {score}.", says.people(event.side)
    )
    return sentence.format(name=name, points=points, score=at)


@_spoken.register
def _adjusted(event: e.PegAdjusted, says: Speaker) -> str:
    return adjusted(says, event.side, event.pegs.front)


def adjusted(says: Speaker, side: int, score: int) -> str:
    """A peg was moved, and nothing was earned by that."""
    tr = says.tr
    sentence = tr.counted("{name} moves the peg to {score}.", "{name} move the peg to {score}.", says.people(side))
    return sentence.format(name=says.side(side), score=says.number(score))


@_spoken.register
def _allowed(event: e.PegsAllowed, says: Speaker) -> str:
    tr = says.tr
    return tr("{name}’s pegs are accepted as they are.").format(name=says.side(event.side))


@_spoken.register
def _missed(event: e.PointsMissed, says: Speaker) -> str:
    return missed_in_words(says, event.seat, event.points)


def missed_in_words(says: Speaker, seat: int, points: int) -> str:
    """Points that a player did not peg in time."""
    tr = says.tr
    return tr("{name} missed {points}.").format(name=says.player(seat), points=says.number(points))


@_spoken.register
def _muggins(event: e.MugginsTaken, says: Speaker) -> str:
    tr = says.tr
    sentence = tr.counted("Muggins: {name} takes {points}.", "Muggins: {name} take {points}.", says.people(event.side))
    return sentence.format(name=says.side(event.side), points=says.number(event.points))


@_spoken.register
def _overran(event: e.PegsOverran, says: Speaker) -> str:
    tr = says.tr
    sentence = tr("{name} moved {points} too far.")
    return sentence.format(name=says.side(event.side), points=says.number(event.points))


@_spoken.register
def _penalty(event: e.PenaltyGiven, says: Speaker) -> str:
    tr = says.tr
    texts = {"name": says.side(event.side), "points": says.number(event.points), "why": tr(BREACHES[event.breach])}
    sentence = tr.counted("{why}. {name} gets {points}.", "{why}. {name} get {points}.", says.people(event.side))
    return sentence.format(**texts)


@_spoken.register
def _set_back(event: e.PegsSetBack, says: Speaker) -> str:
    tr = says.tr
    sentence = tr.counted("{name} goes back {points}.", "{name} go back {points}.", says.people(event.side))
    return sentence.format(name=says.side(event.side), points=says.number(event.points))


@_spoken.register
def _renege(event: e.RenegeFound, says: Speaker) -> str:
    tr = says.tr
    name = says.player(event.seat)
    if says.table.phase is Phase.PLAY:  # the cards are still in the hand, so only its owner may know them
        return tr("False go: {name} could play a card.").format(name=name)
    cards = ", ".join(card_in_words(card, tr) for card in event.cards)
    return tr("False go, {name}: {cards}.").format(name=name, cards=cards)


@_spoken.register
def _corrected(event: e.ScoreCorrected, says: Speaker) -> str:
    tr = says.tr
    texts = {"name": says.side(event.side), "score": says.number(event.score), "reason": for_ear(event.reason, tr)}
    return tr("Corrected: {name} {score} ({reason}).").format(**texts)


@_spoken.register
def _won(event: e.GameWon, says: Speaker) -> str:
    tr = says.tr
    won = tr.counted("{name} wins the game!", "{name} win the game!", says.people(event.side))
    return together(won.format(name=says.side(event.side)), margin_sentence(says.table, event.side, tr))


@_spoken.register
def _confirmed(event: e.ResultConfirmed, says: Speaker) -> str:
    tr = says.tr
    return tr("{name} confirms the result.").format(name=says.side(event.side))
