"""What just happened, in sentences: one turn (`turn_message`), or one event of it (`event_message`).

Every sentence passes through the translator `tr`. What the board waits for is in `prompts.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import singledispatch
from itertools import groupby

from msgspec.structs import replace

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.last_holes import LAST_SCORE_FOR_A_GO, Withheld, stinkhole_of
from firmware_host.cribbage.rules import Seat, Side
from firmware_host.cribbage.show import count_show
from firmware_host.game import events as e
from firmware_host.game.disclosure import ClosedMiss, closed_misses, is_shown
from firmware_host.game.history import Turn
from firmware_host.game.state import Phase, Table
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.texts.cadence import hand_in_words, scores_in_words
from firmware_host.ui.texts.spoken_words import together
from firmware_host.ui.texts.win_margin import margin_sentence
from firmware_host.ui.translator import Translator, untranslated


def turn_message(
    turn: Turn,
    tr: Translator = untranslated,
    referee_mode: RefereeMode = RefereeMode.TEACHER,
    now: Table | None = None,
) -> str:
    """What happened in one turn, as one text: see `turn_sentences`."""
    return " ".join(turn_sentences(turn, tr, referee_mode, now))


def turn_sentences(turn: Turn, tr: Translator, referee_mode: RefereeMode, now: Table | None = None) -> list[str]:
    """What happened in one turn: a sentence for each event that may be announced.

    A mode that does not announce counts leaves them out; so do the rules of muggins (`game/disclosure.py`) while points
    may be missed. `now` is the game as it is now, if turns came after this one.
    """
    sentences = [
        event_message(event, turn.table, tr)
        if is_announced(event, referee_mode, now or turn.table)
        else message_without_count(event, turn.table, tr)
        for event in with_losses_joined(turn.events)
    ]
    if referee_mode.announces_counts:
        missed = closed_misses(turn.before.table if turn.before else None, turn.events, turn.table)
        sentences += [closed_miss_message(closed, turn.table, tr) for closed in missed]
    return [sentence for sentence in sentences if sentence]


def with_losses_joined(events: Iterable[e.Event]) -> Iterator[e.Event]:
    """The same events, but points that one seat loses one after the other in the play, or in the show, are one event:
    nobody wants to hear of each score again."""
    for (source, _seat), group in groupby(events, key=_loss_of):
        if source is None:
            yield from group
        else:
            first, *others = (event for event in group if isinstance(event, e.PointsMissed))
            yield replace(first, points=first.points + sum(event.points for event in others))


def _loss_of(event: e.Event) -> tuple[e.Source | None, Seat | None]:
    """What points that are lost have in common; the same for all other events."""
    if isinstance(event, e.PointsMissed) and event.is_lost:
        return event.source, event.seat
    return None, None


def is_announced(event: e.Event, referee_mode: RefereeMode, now: Table | None = None) -> bool:
    """Whether the event is announced: all modes but TEACHER are silent on points due or missed and counted hands, and
    muggins keeps some of them secret. `now` is the game as it is now; without it no muggins is played."""
    is_count = isinstance(event, e.PointsDue | e.PointsWithheld | e.PointsMissed | e.HandCounted)
    return (referee_mode.announces_counts or not is_count) and (now is None or is_shown(event, now))


@singledispatch
def event_message(event: object, table: Table, tr: Translator) -> str:
    """A sentence for one event; empty for an event that needs none. `table` is the state after the turn."""
    return ""


@event_message.register
def _started(event: e.GameStarted, table: Table, tr: Translator) -> str:
    names = ", ".join(event.names)
    return tr("New game to {target}: {names}.").format(target=event.rules.target, names=names)


@event_message.register
def _deal_began(event: e.DealBegan, table: Table, tr: Translator) -> str:
    return tr("{name} deals.").format(name=table.names[event.dealer])


@event_message.register
def _bid(event: e.BidMade, table: Table, tr: Translator) -> str:
    sentence = tr("{name} bids {points}.") if event.points else tr("{name} passes.")
    return sentence.format(name=table.names[event.seat], points=event.points)


@event_message.register
def _sold(event: e.CribSold, table: Table, tr: Translator) -> str:
    sentence = tr("{name} buys the crib for {points}.") if event.price else tr("{name} keeps the crib.")
    return sentence.format(name=table.names[event.seat], points=event.price)


@event_message.register
def _starter(event: e.StarterCut, table: Table, tr: Translator) -> str:
    return tr("The starter is {card}.").format(card=with_suit_symbol(event.card))


@event_message.register
def _played(event: e.CardPlayed, table: Table, tr: Translator) -> str:
    name = table.names[event.seat]
    in_row = played_from_row(table, event.seat, event.card, tr)
    return in_row or tr("{name} plays {card}.").format(name=name, card=with_suit_symbol(event.card))


def played_from_row(table: Table, seat: Seat, card: Card, tr: Translator) -> str:
    """Which card of its row the program plays, for people who turn it up; empty for any other card."""
    place = table.place_in_row(seat, card)
    if not place:
        return ""
    sentence = tr("{name} plays {card}, number {place} in its row.")
    return sentence.format(name=table.names[seat], card=with_suit_symbol(card), place=place)


@event_message.register
def _discarded(event: e.CardsDiscarded, table: Table, tr: Translator) -> str:
    """Only where people discard for the program: which cards of its row, not what they are."""
    return discarded_from_row(table, event.seat, event.cards, tr)


def discarded_from_row(table: Table, seat: Seat, discards: Iterable[Card], tr: Translator) -> str:
    """Which cards of its row the program discards, not what they are; empty for any other discard."""
    places = sorted(place for card in discards if (place := table.place_in_row(seat, card)))
    if not places:
        return ""
    cards = ", ".join(map(str, places))
    return tr("{name} discards from its row: {cards}.").format(name=table.names[seat], cards=cards)


@event_message.register
def _go(event: e.GoSaid, table: Table, tr: Translator) -> str:
    return tr("{name} says go.").format(name=table.names[event.seat])


@event_message.register
def _counted(event: e.HandCounted, table: Table, tr: Translator) -> str:
    hand = shown_hand(event, table, tr)
    return f"{hand} {hand_count(event, table, tr)}"


def hand_count(event: e.HandCounted, table: Table, tr: Translator) -> str:
    """The count of a hand in words. "At least", where a suit that nobody entered could add points."""
    words = hand_in_words(count_show(event.cards, event.starter, table.rules, is_crib=event.is_crib), tr)
    if event.is_minimum and event.points:
        return tr("At least {points}: {count}.").format(points=event.points, count=words)
    return f"{capitalized(words)}."


def shown_hand(event: e.HandCounted, table: Table, tr: Translator) -> str:
    """Whose hand or crib it is, and its cards."""
    sentence = tr("{name}’s crib: {cards}.") if event.is_crib else tr("{name}’s hand: {cards}.")
    return sentence.format(name=table.names[event.seat], cards=" ".join(map(with_suit_symbol, event.cards)))


@event_message.register
def _skipped(event: e.CountSkipped, table: Table, tr: Translator) -> str:
    sentence = tr("{name}’s crib is skipped.") if event.is_crib else tr("{name}’s hand is skipped.")
    return sentence.format(name=table.names[event.seat])


@event_message.register
def _due(event: e.PointsDue, table: Table, tr: Translator) -> str:
    if event.source is e.Source.SHOW:
        return ""
    return tr("{name}: {scores}.").format(name=table.names[event.seat], scores=scores_in_words(event.scores, tr))


@event_message.register
def _withheld(event: e.PointsWithheld, table: Table, tr: Translator) -> str:
    return withheld_message(event, table, tr, str)


def withheld_message(event: e.PointsWithheld, table: Table, tr: Translator, number: Callable[[int], str]) -> str:
    """Why points that the cards made do not count. `number` writes a score."""
    name = table.names[event.seat]
    if event.rule is Withheld.GO_LIMIT:
        limit = number(LAST_SCORE_FOR_A_GO)
        return tr("No point for {name}: a go scores only up to {score}.").format(name=name, score=limit)
    scores = scores_in_words(event.scores, tr)
    stinkhole = number(stinkhole_of(table.rules, Side(event.side)))
    return tr("{name}: {scores}. This does not count from {score}.").format(name=name, scores=scores, score=stinkhole)


@event_message.register
def _leapt(event: e.PegLeapt, table: Table, tr: Translator) -> str:
    if table.is_by_hand:
        texts = {"name": table.side_name(event.side), "start": max(0, event.pegs.back), "hole": event.pegs.front}
        return tr("{name}: peg {start} to {hole}.").format(**texts)
    if not table.is_moved_by_hand(event.side):
        return ""
    if event.pegs == table.sides[event.side].pegs and table.sides[event.side].is_astray:
        return adjusted_message(event.side, event.pegs.front, table, tr)  # nobody earned so many points
    points = event.pegs.front - event.pegs.back
    name = table.side_name(event.side)
    score = event.pegs.front
    sentence = tr.counted(
        "{name} pegs {points}: now {score}.", "{name} peg {points}: now {score}.", table.rules.people(event.side)
    )
    return sentence.format(name=name, points=points, score=score)


@event_message.register
def _adjusted(event: e.PegAdjusted, table: Table, tr: Translator) -> str:
    return adjusted_message(event.side, event.pegs.front, table, tr)


def adjusted_message(side: int, score: int, table: Table, tr: Translator) -> str:
    """A peg was moved, and nothing was earned by that."""
    sentence = tr.counted(
        "{name} moves the peg to {score}.", "{name} move the peg to {score}.", table.rules.people(side)
    )
    return sentence.format(name=table.side_name(side), score=score)


@event_message.register
def _allowed(event: e.PegsAllowed, table: Table, tr: Translator) -> str:
    return tr("{name}’s pegs are accepted as they are.").format(name=table.side_name(event.side))


@event_message.register
def _missed(event: e.PointsMissed, table: Table, tr: Translator) -> str:
    sentence = tr.counted("{name} missed {points} point.", "{name} missed {points} points.", event.points)
    return sentence.format(name=table.names[event.seat], points=event.points)


@event_message.register
def _muggins(event: e.MugginsTaken, table: Table, tr: Translator) -> str:
    sentence = tr.counted("Muggins: {points} point to {name}.", "Muggins: {points} points to {name}.", event.points)
    return sentence.format(name=table.side_name(event.side), points=event.points)


@event_message.register
def _overran(event: e.PegsOverran, table: Table, tr: Translator) -> str:
    return tr("{name} moved {points} too far.").format(name=table.side_name(event.side), points=event.points)


@event_message.register
def _penalty(event: e.PenaltyGiven, table: Table, tr: Translator) -> str:
    reason = tr(BREACHES[event.breach])
    return tr("{why}: {points} to {name}.").format(name=table.side_name(event.side), points=event.points, why=reason)


@event_message.register
def _set_back(event: e.PegsSetBack, table: Table, tr: Translator) -> str:
    sentence = tr.counted("{name} goes back {points}.", "{name} go back {points}.", table.rules.people(event.side))
    return sentence.format(name=table.side_name(event.side), points=event.points)


@event_message.register
def _renege(event: e.RenegeFound, table: Table, tr: Translator) -> str:
    if table.phase is Phase.PLAY:  # the cards are still in the hand, so only its owner may know them
        return tr("False go: {name} could play a card.").format(name=table.names[event.seat])
    cards = ", ".join(map(with_suit_symbol, event.cards))
    return tr("False go: {name} could play {cards}.").format(name=table.names[event.seat], cards=cards)


@event_message.register
def _corrected(event: e.ScoreCorrected, table: Table, tr: Translator) -> str:
    return tr("Corrected: {name} {score} ({reason}).").format(
        name=table.side_name(event.side), score=event.score, reason=event.reason
    )


@event_message.register
def _won(event: e.GameWon, table: Table, tr: Translator) -> str:
    won = tr.counted("{name} wins the game!", "{name} win the game!", table.rules.people(event.side))
    return together(won.format(name=table.side_name(event.side)), margin_sentence(table, event.side, tr))


@event_message.register
def _confirmed(event: e.ResultConfirmed, table: Table, tr: Translator) -> str:
    return tr("{name} confirms the result.").format(name=table.side_name(event.side))


def closed_miss_message(closed: ClosedMiss, table: Table, tr: Translator) -> str:
    """What was missed, once nobody can claim it any more: for what, how much, and whether somebody took it."""
    miss = closed.miss
    name = table.names[miss.seat]
    points = miss.points
    missed = tr.counted("{name} missed {points} point.", "{name} missed {points} points.", points)
    sentences = [missed.format(name=name, points=points)]
    if miss.source is e.Source.PLAY and miss.scores:
        scores = scores_in_words(miss.scores, tr)
        sentences.insert(0, tr("{name}: {scores}.").format(name=name, scores=scores))
    if closed.taken_by is None:
        sentences.append(tr("Nobody claimed muggins."))
    return " ".join(sentences)


def message_without_count(event: e.Event, table: Table, tr: Translator) -> str:
    """The cards of a hand that is shown, without their count; empty for any other event."""
    return shown_hand(event, table, tr) if isinstance(event, e.HandCounted) else ""


def capitalized(sentence: str) -> str:
    """The sentence with its first letter in upper case, and the others as they are (`str.capitalize` lowers them)."""
    return sentence[:1].upper() + sentence[1:]


def with_suit_symbol(card: object) -> str:
    """A card as people read it, in every language: 5H is 5♥, TS is 10♠. A card without a suit stays its rank.

    The letters A, J, Q and K are those of the keys and of international packs.
    """
    return str(card).translate(AS_READ)


AS_READ = str.maketrans({"S": "♠", "H": "♥", "D": "♦", "C": "♣", "T": "10"})


BREACHES = {
    e.Breach.OVERRUN: "Pegged too far",
    e.Breach.FALSE_GAME: "Pegged out too soon",
    e.Breach.FALSE_CLAIM: "Wrong claim",
    e.Breach.RENEGE: "False go",
    e.Breach.FOREIGN_PEG: "Other player’s peg moved",
    e.Breach.FRONT_PEG: "Front peg taken out",
    e.Breach.MISDEAL: "Misdeal",
}
