"""What people should do next, in full sentences: a headline, a detail, and what the page awaits. Pure.

The display says the same in 21 columns. Which situation comes first is decided once, by `snapshot.situation`; this
module only finds the words. What a player may not know yet, such as points under a silent referee, is not in the
situation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.cribbage.cards import LETTERS
from firmware_host.cribbage.options import FirstDealer
from firmware_host.cribbage.play import ANY_CARD_FITS_TO
from firmware_host.cribbage.rules import Margin, Seat, Side
from firmware_host.cribbage.series import FULL_COUNT
from firmware_host.game.auction import highest, is_bidding, next_bidder
from firmware_host.game.known_scores import known_cards
from firmware_host.game.rematch import next_games_dealer
from firmware_host.game.state import Deal, Phase, Table
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.keys import input_state as k
from firmware_host.ui.keys.count_questions import parts_of
from firmware_host.ui.situation import Situation, Topic
from firmware_host.ui.texts.count_parts import QUESTIONS
from firmware_host.ui.texts.fault_messages import cannot_save
from firmware_host.ui.texts.messages import with_suit_symbol
from firmware_host.ui.translator import Translator, untranslated
from web_panel.views.hand_question import question_label
from web_panel.views.peg_sentences import PegMove, PegSentences, fault_sentences, points_sentences


class Tone(StrEnum):
    """How the sentences are meant, and so how they are shown."""

    NEXT = "next"
    """Somebody has to act."""
    WAIT = "wait"
    """Something happens elsewhere: on the board, at the keys."""
    ERROR = "error"
    """Something is wrong and has to be put right."""
    WIN = "win"
    IDLE = "idle"
    """No game."""


class Expects(StrEnum):
    """What the page waits for."""

    PEG = "peg"
    CARD = "card"
    SUIT = "suit"
    HAND = "hand"
    CONFIRM = "confirm"
    """A button."""
    NOTHING = "nothing"


class Guidance(Struct, frozen=True):
    """One headline, one detail, and what is awaited of whom."""

    headline: str
    detail: str = ""
    tone: Tone = Tone.NEXT
    expects: Expects = Expects.NOTHING
    side: int | None = None
    """The side whose move it is."""
    peg: PegMove | None = None
    """The one peg move that is awaited."""
    waits_for: str = ""
    """What the outline in the place of the primary button says while the page can only wait."""
    topic: Topic = Topic.PHASE


def guidance(snapshot: Snapshot, tr: Translator = untranslated) -> Guidance:
    """What people should do next, in the language of `_`."""
    found = snapshot.situation
    guided = _guided(snapshot, found, tr)
    return replace(guided, topic=found.topic)


def _guided(snapshot: Snapshot, found: Situation, tr: Translator) -> Guidance:
    match found.topic:
        case Topic.CALIBRATION if snapshot.calibration:
            step = snapshot.fault_message(tr) or snapshot.calibration(tr)
            return Guidance(tr("The wiring is being calibrated."), step, Tone.WAIT, waits_for=tr("Go on at the board"))
        case Topic.PAIRING:
            return _pairing(snapshot, tr)
        case Topic.FAULT:
            return _fault(snapshot, tr)
        case Topic.SETUP:
            detail = tr("The game waits. The owner goes on, or ends it, on the page Device.")
            return Guidance(tr("The board is being set up."), detail, Tone.WAIT, waits_for=tr("Waiting for the set-up"))
        case Topic.NOTICE if snapshot.notice:
            below = _guided(snapshot, snapshot.situation_of_game, tr)
            return replace(below, headline=snapshot.notice(tr), detail=below.headline)
    return _guided_in_game(snapshot, found, tr)


def _guided_in_game(snapshot: Snapshot, found: Situation, tr: Translator) -> Guidance:
    table = None if snapshot.shown is None else snapshot.shown.table
    if found.topic is Topic.TYPING:
        return _typing(snapshot.input_state, table, tr)
    if table is None:
        detail = tr("Start one here, or press ENTER on the board.")
        return Guidance(tr("No game is on."), detail, Tone.IDLE)
    if found.topic is Topic.PEGS_ASTRAY and found.astray:
        return _pegs(fault_sentences(snapshot, table, found.astray, tr), found.astray.track, tr)
    if found.topic is Topic.PENDING and found.leap:
        name = table.side_name(found.leap.side)
        points = found.leap.points
        headline = tr.counted("{name} moves {points} hole.", "{name} moves {points} holes.", points)
        said = Guidance(headline.format(name=name, points=points), tr("It counts as soon as the peg holds still."))
        return replace(said, expects=Expects.CONFIRM, side=found.leap.side)
    if found.topic is Topic.POINTS and found.side is not None:
        return _pegs(
            points_sentences(snapshot, table, found.side, tr), found.side, tr, follow_up=_next_player(table, tr)
        )
    return IN_PHASE[table.phase](table, tr)


def _pegs(said: PegSentences, side: int, tr: Translator, *, follow_up: str = "") -> Guidance:
    tone = Tone.ERROR if said.is_error else Tone.NEXT
    detail = said.detail if said.is_error else f"{said.detail} {follow_up}".rstrip()
    return Guidance(said.headline, detail, tone, Expects.PEG, side, said.move, said.waits_for)


def _pairing(snapshot: Snapshot, tr: Translator) -> Guidance:
    headline = tr("{name} asks to join.").format(name=snapshot.pairing_state.requested_by)
    detail = tr("On the board, ENTER adds this phone and UNDO refuses it.")
    return Guidance(headline, detail, Tone.WAIT, waits_for=tr("Answer on the board"))


def _fault(snapshot: Snapshot, tr: Translator) -> Guidance:
    message = snapshot.fault_message
    detail = (
        tr("Moves are not kept if the board is switched off now.") if message is cannot_save else tr("Scores are kept.")
    )
    return Guidance(message(tr), detail, Tone.ERROR, waits_for=tr("Waiting for the board"))


def _typing(entered: k.InputState, table: Table | None, tr: Translator) -> Guidance:
    """Somebody types on the sixteen keys of the board."""
    detail = tr("Answer with the board’s keys.")
    waits_for = tr("Answer on the board")
    return Guidance(_typed(entered, table, tr), detail, Tone.WAIT, waits_for=waits_for)


def _typed(entered: k.InputState, table: Table | None, tr: Translator) -> str:
    match entered:
        case k.TypingStarter(rank=rank):
            return tr("The starter is {rank}. Which suit?").format(rank=LETTERS[rank - 1].replace("T", "10"))
        case k.TypingHand(cards=cards, question=question) if table is not None and table.to_count is not None:
            seat, is_crib = table.to_count
            sentence = tr("{name}’s crib: {cards}.") if is_crib else tr("{name}’s hand: {cards}.")
            typed = " ".join(map(with_suit_symbol, cards))
            return question_label(question, table, tr) or sentence.format(name=table.names[seat], cards=typed)
        case k.AskingCount():
            return tr(QUESTIONS[parts_of(entered)[entered.number]])
        case k.TypingPoints(side=side) if table is not None:
            return tr("How many points does {name} take?").format(name=table.side_name(side))
        case k.TypingClaim():
            return tr("How many points were missed?")
        case k.TypingBid() if table is not None and table.deal is not None:
            return tr("{name}: your bid?").format(name=table.names[next_bidder(table, table.deal)])
        case k.RemovingPhone(phone=phone):
            return tr("Remove {name}’s phone?").format(name=phone.name)
        case k.TypingJoinCode():
            return tr("Somebody types the code of the club night.")
        case k.SeatOffered(start=start):
            names = tr("{list} and {last}").format(list=", ".join(start.names[:-1]), last=start.names[-1])
            return tr("{names}: do you sit here?").format(names=names)
        case k.TypingDeal():
            return tr("Somebody asks the board for advice.")
        case k.Choosing():
            return tr("The menu of the board is open.")
        case _:
            return tr("The board’s keys are in use.")


def _in_cut(table: Table, tr: Translator) -> Guidance:
    rule = table.rules.first_dealer
    if rule is FirstDealer.MANUAL:
        headline = tr("Who deals first?")
        detail = tr("Agree on it, then choose the name.")
    else:
        low = rule is FirstDealer.LOWEST
        headline = tr("Cut the cards: the lowest deals.") if low else tr("Cut the cards: the highest deals.")
        detail = tr("Cut again if two are equal. Who deals?")
    return Guidance(headline, detail, expects=Expects.CONFIRM, waits_for=tr("Choose who deals"))


def _in_deal(table: Table, tr: Translator) -> Guidance:
    deal = _deal_of(table)
    if is_bidding(table, deal):
        return _in_bid(table, tr)
    name = table.names[deal.dealer]
    numbers = {table.rules.cards_discarded(seat, deal.dealer) for seat in table.rules.seats}
    if len(numbers) == 1 and (number := numbers.pop()):
        discard = tr.counted(
            "Each player discards {number} card to the crib. Then cut, and enter the starter.",
            "Each player discards {number} cards to the crib. Then cut, and enter the starter.",
            number,
        ).format(number=number)
    else:
        discard = tr("Fill the crib, cut, and enter the starter.")
    waits_for = tr("Waiting for the starter")
    return Guidance(tr("{name} deals.").format(name=name), discard, expects=Expects.CARD, waits_for=waits_for)


def _in_bid(table: Table, tr: Translator) -> Guidance:
    deal = _deal_of(table)
    seat = next_bidder(table, deal)
    best = highest(deal)
    name = table.names[seat]
    detail = tr("Bid {number} or more for the crib, or pass.").format(number=best[1] + 1 if best else 1)
    return _of_seat(table, seat, tr("{name}, your bid.").format(name=name), detail, Expects.CONFIRM, tr("Bid or pass"))


def _in_play(table: Table, tr: Translator) -> Guidance:
    deal = _deal_of(table)
    assert table.to_play is not None
    seat = table.to_play
    count = deal.play.count if deal.play else 0
    name = table.names[seat]
    waits_for = tr("Waiting for {name}’s card").format(name=name)
    if count:
        return _of_seat(table, seat, _next_player(table, tr), _of_count(count, tr), Expects.CARD, waits_for)
    headline = tr("{name} leads.").format(name=name)
    detail = tr("The count starts again at 0.") if table.is_followed else _of_starter(table, deal, tr)
    return _of_seat(table, seat, headline, detail, Expects.CARD, waits_for)


def _of_count(count: int, tr: Translator) -> str:
    """The count of the series, and the highest card that fits where not every card does."""
    if count <= ANY_CARD_FITS_TO:
        return tr("The count is {count}.").format(count=count)
    highest_card = LETTERS[FULL_COUNT - count - 1]
    return tr("The count is {count}: {card} or lower, or go.").format(count=count, card=highest_card)


def _of_starter(table: Table, deal: Deal, tr: Translator) -> str:
    owner = table.names[deal.dealer if deal.owner is None else deal.owner]
    said = tr("{name} has the crib.").format(name=owner)
    if deal.starter is None:
        return said
    starter = tr("The starter is {card}.").format(card=with_suit_symbol(deal.starter))
    return f"{said} {starter}"


def _next_player(table: Table, tr: Translator) -> str:
    """Who plays the next card; empty outside a play whose cards are entered."""
    if table.to_play is None or not table.is_followed:
        return ""
    return tr("{name} plays next.").format(name=table.names[table.to_play])


def _in_show(table: Table, tr: Translator) -> Guidance:
    assert table.to_count is not None
    seat, is_crib = table.to_count
    name = table.names[seat]
    headline = (tr("Count {name}’s crib.") if is_crib else tr("Count {name}’s hand.")).format(name=name)
    if known_cards(table, seat, is_crib):
        return _of_seat(table, seat, headline, tr("All its cards are known."), Expects.CONFIRM, "")
    if _deal_of(table).starter is None:
        detail = tr("The board knows no starter: count it yourselves, and peg.")
        return _of_seat(table, seat, headline, detail, Expects.PEG, tr("Waiting for {name}’s peg").format(name=name))
    detail = (
        tr("Enter the four cards of the crib.") if is_crib else tr("Enter its cards, or count it yourselves and peg.")
    )
    waits_for = tr("Waiting for the cards")
    return _of_seat(table, seat, headline, detail, Expects.HAND, waits_for)


def _in_gather(table: Table, tr: Translator) -> Guidance:
    dealer = table.names[table.rules.next_dealer(_deal_of(table).dealer)]
    detail = tr("{name} deals next.").format(name=dealer)
    return Guidance(tr("This deal is over."), detail, expects=Expects.CONFIRM)


def _in_over(table: Table, tr: Translator) -> Guidance:
    assert table.winner is not None
    name = table.side_name(table.winner)
    losers = [side for side in range(len(table.sides)) if side != table.winner]
    margin = max((table.rules.margin(table.scores[side]) for side in losers), key=list(Margin).index)
    headlines = {
        Margin.SKUNK: tr("{name} wins, and it is a skunk!"),
        Margin.LURCH: tr("{name} wins, and it is a lurch!"),
        Margin.DOUBLE_SKUNK: tr("{name} wins, and it is a double skunk!"),
    }
    headline = headlines.get(margin, tr("{name} wins!")).format(name=name)
    if len(losers) == 1:
        detail = tr("{score} to {other}.").format(score=table.sides[table.winner].target, other=table.scores[losers[0]])
    else:
        sides = sorted(range(len(table.sides)), key=lambda side: -table.scores[side])
        detail = ", ".join(f"{table.side_name(side)} {table.scores[side]}" for side in sides) + "."
    if table.to_confirm is not None:
        detail += " " + tr("{name}, is that right?").format(name=table.side_name(table.to_confirm))
    elif table.club_game is not None:
        detail += " " + tr("Both players confirmed the result.")
    elif (dealer := next_games_dealer(table)) is not None:
        detail += " " + tr("{name} deals next.").format(name=table.names[dealer])
    return Guidance(headline, detail, Tone.WIN, Expects.CONFIRM, table.winner)


def _of_seat(table: Table, seat: Seat, headline: str, detail: str, expects: Expects, waits_for: str) -> Guidance:
    side: Side = table.rules.side_of(seat)
    return Guidance(headline, detail, expects=expects, side=side, waits_for=waits_for)


def _deal_of(table: Table) -> Deal:
    """The deal of a phase that always has one."""
    assert table.deal is not None
    return table.deal


IN_PHASE: Mapping[Phase, Callable[[Table, Translator], Guidance]] = {
    Phase.CUT: _in_cut,
    Phase.DEAL: _in_deal,
    Phase.BID: _in_bid,
    Phase.PLAY: _in_play,
    Phase.SHOW: _in_show,
    Phase.GATHER: _in_gather,
    Phase.OVER: _in_over,
}
"""Phase -> what it waits for."""
