"""The actions of the moment: what the page offers as buttons and input fields, each with the command it sends.

There is at most one primary action: what the game waits for, in the one place that never moves. A choice between
equals, such as who deals, is offered in the place of the card keys. Everything else is in the menu.

The list is advice. The host decides whether a command is accepted, and a command that is not listed may still be
accepted. An action names only cards that lie face up on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from msgspec.structs import replace

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.options import Misdeal, MugginsMode, PlayFlush
from firmware_host.cribbage.play import ANY_CARD_FITS_TO
from firmware_host.cribbage.rules import CRIB_SIZE, Seat
from firmware_host.cribbage.show import flush_needs_starter
from firmware_host.cribbage.unknown_suits import flush_is_open, hand_is_open, nobs_is_open, suits_for_all
from firmware_host.cribbage.variants import options_of
from firmware_host.game.auction import can_bid, is_bidding, least_bid, next_bidder
from firmware_host.game.commands import RuleBreach
from firmware_host.game.deal import Deal
from firmware_host.game.known_scores import known_cards
from firmware_host.game.muggins import can_claim_now
from firmware_host.game.rematch import next_game
from firmware_host.game.showing import shown_elsewhere
from firmware_host.game.side import Mover
from firmware_host.game.state import Phase, Table
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.keys.input_state import AskForGame
from firmware_host.ui.keys.next_deal import LossKind, loss_of_next_deal, next_deal_question
from firmware_host.ui.lights.lights import PendingLeap
from firmware_host.ui.phases.show import hand_label
from firmware_host.ui.shown import Shown
from firmware_host.ui.texts.ruling_labels import ruling_label
from firmware_host.ui.translator import Translator, untranslated
from web_panel.views.action import Action, Group, Input, InputKind, Place


def actions(snapshot: Snapshot, tr: Translator = untranslated) -> tuple[Action, ...]:
    """All actions of the moment: first what the game waits for, last undo and redo. Labels are translated by `tr`."""
    table = snapshot.table
    shown = snapshot.shown
    found = (
        []
        if table is None or shown is None
        else [
            *_of_pegs(snapshot.pending, snapshot.input_context.rulings, shown, tr),
            *_of_last_count(snapshot, table, tr),
            *_of_cards(table, tr),
            *_of_scores(table, tr),
            *([_of_asked_game(snapshot.asked_game, table, tr)] if snapshot.asked_game else []),
        ]
    )
    programs = table.opponents if table else ()
    asking = [_with_question(action, snapshot, tr) for action in found if not programs or not _is_of(action, programs)]
    return (*sorted(asking, key=lambda action: not action.is_next), *_of_history(snapshot, tr))


def _is_of(action: Action, seats: Collection[Seat]) -> bool:
    """Whether only these seats may take the action."""
    return bool(action.seats) and all(seat in seats for seat in action.seats)


def _with_question(action: Action, snapshot: Snapshot, tr: Translator) -> Action:
    """The next deal carries the number of the deal that it ends, and asks first where that loses something. While
    points are shown to be due, the page waits for the peg: then the button that loses them is a small one."""
    table = snapshot.table
    if table is None or table.deal is None or "next-deal" not in (action.command, action.input and action.input.first):
        return action
    loss = loss_of_next_deal(table, snapshot.referee_mode)
    asking = replace(action, question=next_deal_question(loss, tr) if loss else "")
    if loss and loss.kind is LossKind.POINTS and loss.points and action.place is Place.PRIMARY:
        label = tr("Next deal without them")
        asking = replace(asking, label=label, is_next=False, place=Place.SECONDARY, note="")
    return replace(asking, body={"deal": table.deal.number}) if action.command == "next-deal" else asking


def _of_pegs(
    pending: Iterable[PendingLeap], rulings: Iterable[RuleBreach], shown: Shown, tr: Translator
) -> Iterator[Action]:
    table = shown.table
    for leap in pending:
        name = table.side_name(leap.side)
        label = tr("Accept {name} +{points}") if leap.points > 0 else tr("Accept {name} −{points}")
        label = label.format(name=name, points=abs(leap.points))
        yield Action("settle", label, is_next=True, place=Place.PRIMARY)
    if table.phase is Phase.OVER:
        return
    for ruling in rulings:
        label = ruling_label(ruling, table, tr)
        body = {"side": ruling.side, "breach": ruling.breach.value, "owner": ruling.owner}
        yield Action("penalty", label, body=body, group=Group.CORRECTION, place=Place.SECONDARY)
    if shown.side_to_move is None:
        return
    question = tr("Accept the pegs as they are? Points that were not pegged are lost.")
    place = Place.SECONDARY if any(side.is_questioned for side in shown.sides) else Place.MENU
    label = tr("Accept pegs as they are")
    yield Action("accept-pegs", label, question=question, group=Group.CORRECTION, place=place)
    yield from _of_entered_points(shown, tr)


def _of_entered_points(shown: Shown, tr: Translator) -> Iterator[Action]:
    """The points that are due to sides without pegs."""
    for number, side in enumerate(shown.sides):
        if side.owed > 0 and shown.table.mover(number) is Mover.ENTRY:
            label = tr("{points} for {name}").format(points=side.owed, name=side.name)
            seats = tuple(shown.table.rules.sides[number])
            body = {"side": number, "points": side.owed}
            yield Action("move", label, is_next=True, body=body, seats=seats, place=Place.PRIMARY)


def _of_cards(table: Table, tr: Translator) -> Iterator[Action]:
    """Once a side has the points to go out, only its winning peg counts, so buttons that go on are left out.

    With muggins they stay: points that the other side missed may still be taken.
    """
    is_decided = table.going_out is not None and table.phase is not Phase.OVER
    has_buttons = not is_decided or table.rules.muggins_mode is not MugginsMode.OFF
    yield from (action for action in IN_PHASE[table.phase](table, tr) if action.input or has_buttons)


def _of_scores(table: Table, tr: Translator) -> Iterator[Action]:
    if can_claim_now(table):
        points = Input(InputKind.POINTS)
        for side in range(len(table.sides)):
            label = tr("Claim muggins: {name}").format(name=table.side_name(side))
            seats = tuple(table.rules.sides[side])
            yield Action("claim", label, body={"side": side}, seats=seats, input=points, place=Place.SECONDARY)
    score = Input(InputKind.SCORE, minimum=0)
    yield Action("correct", tr("Correct a score"), input=score, group=Group.CORRECTION)


def _of_asked_game(asked: AskForGame, table: Table, tr: Translator) -> Action:
    """The others agree to the new game that a player asks for; it begins with the first who does."""
    return Action(
        "agree-to-game",
        tr("Agree: new game"),
        seats=tuple(seat for seat in table.rules.seats if seat != asked.seat),
        is_for_seats_only=True,
        question=tr("{name} asks for a new game. This one ends.").format(name=asked.name),
        place=Place.SECONDARY,
    )


def _of_history(snapshot: Snapshot, tr: Translator) -> Iterator[Action]:
    if snapshot.history.can_undo:
        yield Action("undo", tr("Undo"), group=Group.CORRECTION)
    if snapshot.history.undone:
        yield Action("redo", tr("Redo"), group=Group.CORRECTION)


def _in_cut(table: Table, tr: Translator) -> Iterator[Action]:
    for seat, name in enumerate(() if table.opponents else table.names):
        yield Action(
            "dealer", tr("{name} deals").format(name=name), is_next=True, body={"seat": seat}, place=Place.CHOICE
        )


def _in_deal(table: Table, tr: Translator) -> Iterator[Action]:
    if is_bidding(table, _deal_of(table)):
        yield from _in_bid(table, tr)
    if table.is_dealt:
        yield from _of_pack(table, tr)
        return
    if all(_deal_of(table).kept[seat] for seat in table.opponents):
        starter = Input(InputKind.CARD)
        yield Action("starter", tr("Starter card"), is_next=True, input=starter, place=Place.PAD)
    yield _end_of_deal(table, tr)
    yield from _misdeals(table, tr)


def _misdeals(table: Table, tr: Translator) -> Iterator[Action]:
    """Where the dealer pays for a wrong number of cards; elsewhere the cards are gathered and dealt without a word."""
    if table.rules.misdeal is Misdeal.TWO_POINTS:
        deal = {"deal": _deal_of(table).number}
        yield Action("misdeal", tr("Misdeal: 2 points"), body=deal, group=Group.CORRECTION)
        yield Action("misdeal", tr("Card exposed"), body=deal | {"is_exposed": True}, group=Group.CORRECTION)


def _of_pack(table: Table, tr: Translator) -> Iterator[Action]:
    """The cards of the pack that the board shuffled."""
    if table.can_deal:
        yield Action("deal-cards", tr("Deal"), is_next=True, place=Place.PRIMARY)
    elif table.can_turn_starter:
        yield Action("turn-starter", tr("Turn up the starter"), is_next=True, place=Place.PRIMARY)


def _end_of_deal(table: Table, tr: Translator) -> Action:
    """Ends a deal before everything is counted. Where people keep score without cards every deal ends like this."""
    return _next_deal(table, tr) if table.is_by_hand else Action("next-deal", tr("End this deal"))


def _next_deal(table: Table, tr: Translator) -> Action:
    note = tr("{name} deals").format(name=table.names[table.rules.next_dealer(_deal_of(table).dealer)])
    return Action("next-deal", tr("Next deal"), note=note)


def _in_bid(table: Table, tr: Translator) -> Iterator[Action]:
    deal = _deal_of(table)
    seat = next_bidder(table, deal)
    name = table.names[seat]
    body = {"seat": seat}  # a pass that is sent twice is not one of the next seat as well
    passes = Action("bid", tr("{name} passes").format(name=name), body={"points": None, **body}, seats=(seat,))
    if not can_bid(table, deal, seat):
        yield replace(passes, is_next=True, place=Place.PRIMARY)
        return
    price = Input(InputKind.POINTS, minimum=least_bid(deal))
    label = tr("{name} bids").format(name=name)
    yield Action("bid", label, is_next=True, body=body, seats=(seat,), input=price, place=Place.CHOICE)
    yield replace(passes, place=Place.CHOICE)


def _in_play(table: Table, tr: Translator) -> Iterator[Action]:
    """Nothing where the program dealt: cards are played from the hand that shows them."""
    if table.is_dealt:
        return
    if (seat := table.to_play) is not None and seat not in table.opponents:
        name = table.names[seat]
        kind = InputKind.RANK if table.rules.play_flush is PlayFlush.OFF else InputKind.CARD
        label = tr("{name} plays").format(name=name)
        card = Input(kind)
        body = {"seat": seat}  # a card that is sent twice is not played for the next seat as well
        yield Action("play", label, is_next=True, body=body, seats=(seat,), input=card, place=Place.PAD)
        if _count(table) > ANY_CARD_FITS_TO:
            label = tr("{name}: go").format(name=name)
            yield Action("go", label, is_next=True, body=body, seats=(seat,), place=Place.PAD)
    if table.is_followed:
        yield Action("show", tr("Count hands"), question=tr("Count the hands now? The play ends here."))
    else:
        yield Action("show", tr("Count hands"), place=Place.SECONDARY)
        if table.is_by_hand:
            yield _next_deal(table, tr)


def _count(table: Table) -> int:
    """The count of the series. Whether the seat's hand fits is not checked: a button must not reveal a hand."""
    return table.deal.play.count if table.deal and table.deal.play else 0


def _in_show(table: Table, tr: Translator) -> Iterator[Action]:
    assert table.to_count is not None
    seat, is_crib = table.to_count
    if _deal_of(table).starter:
        yield _count_of(table, seat, is_crib, tr)
    yield _skip(table, tr)
    if not table.is_dealt:
        yield _end_of_deal(table, tr)


def _count_of(table: Table, seat: Seat, is_crib: bool, tr: Translator) -> Action:
    """The count of the next hand. Cards that only a phone knows are counted, but not named before."""
    sentence = tr("Count {name}’s crib") if is_crib else tr("Count {name}’s hand")
    count = Action("count", sentence.format(name=table.names[seat]), is_next=True, seats=(seat,))
    count = replace(count, body={"seat": seat, "is_crib": is_crib})
    if table.is_dealt:
        return replace(count, place=Place.PRIMARY)
    deal = _deal_of(table)
    size = CRIB_SIZE if is_crib else table.rules.hand_size
    known = known_cards(table, seat, is_crib)
    played = () if is_crib else deal.played(seat)
    assert deal.starter is not None
    if can_be_counted(known, played):
        count = replace(count, place=Place.PRIMARY)
        if len(played) < size:  # hidden cards, with their suits
            return count
        elsewhere = shown_elsewhere(table)
        asks_suits = hand_is_open(known, deal.starter, table.rules, is_crib=is_crib, elsewhere=elsewhere)
        hand = Input(InputKind.HAND, cards=tuple(map(str, played)), size=size)
        is_automatic = counts_are_announced(table) and not nobs_is_open(known, deal.starter, elsewhere)
        return replace(count, input=hand, asks_suits=asks_suits, is_automatic=is_automatic)
    return replace(count, place=Place.PAD, input=Input(InputKind.HAND, cards=tuple(map(str, played)), size=size))


def counts_are_announced(table: Table) -> bool:
    """Whether nobody has to claim points: the board may then count a hand as soon as it knows the cards."""
    return table.rules.muggins_mode in (MugginsMode.OFF, MugginsMode.COACH)


def _of_last_count(snapshot: Snapshot, table: Table, tr: Translator) -> Iterator[Action]:
    """A hand that was counted by rank alone may have been a flush: until it is pegged it can be counted again with its
    suit. So the usual hand costs no answer."""
    last = snapshot.history.last
    counted = table.last_count
    if last is None or counted is None or counted not in last.events or not snapshot.referee_mode.announces_counts:
        return
    rules = table.rules
    is_crib = counted.is_crib
    if not counted.is_minimum or not flush_is_open(counted.cards, counted.starter, rules, is_crib=is_crib):
        return
    possible = suits_for_all(counted.cards, counted.starter)
    if flush_needs_starter(rules, is_crib) and counted.starter.suit:
        possible = (counted.starter.suit,)
    if nobs_is_open(counted.cards, counted.starter):  # his nobs was asked about, and is not there
        possible = tuple(suit for suit in possible if suit is not counted.starter.suit)
    suits = tuple(suit.value for suit in possible)
    if not suits:
        return
    flush = Input(InputKind.FLUSH, tuple(card.letter for card in counted.cards), len(counted.cards), first="undo")
    body = {"seat": counted.seat, "is_crib": is_crib}
    place = Place.SECONDARY if any(table.owed) else Place.MENU
    action = Action("count", tr("All in one suit?"), body=body, seats=(counted.seat,), place=place)
    yield replace(action, input=replace(flush, suits=suits))


def can_be_counted(known: tuple[Card, ...], played: tuple[Card, ...]) -> bool:
    """Whether a button can count the hand: all its cards are known, and each lies face up or has its suit.

    The page could not ask about the suits of a hidden card without showing it, so such a hand is typed.
    """
    return bool(known) and (len(played) == len(known) or all(card.suit is not None for card in known))


def _skip(table: Table, tr: Translator) -> Action:
    """The button of the hand's owner, and of keepers."""
    assert table.to_count is not None
    seat, is_crib = table.to_count
    sentence = (
        tr("Skip {name}’s crib? It gets no points here.")
        if is_crib
        else tr("Skip {name}’s hand? It gets no points here.")
    )
    return Action(
        "skip",
        tr("Skip: {whose}").format(whose=hand_label(table, tr)),
        seats=(seat,),
        is_for_seats_only=True,
        question=sentence.format(name=table.names[seat]),
    )


def _in_gather(table: Table, tr: Translator) -> Iterator[Action]:
    yield replace(_next_deal(table, tr), is_next=True, place=Place.PRIMARY)
    if table.is_dealt:
        return
    starter = Input(InputKind.CARD, first="next-deal", first_body={"deal": _deal_of(table).number})
    yield Action("starter", tr("Starter of the next deal"), input=starter, place=Place.PAD)


def _in_over(table: Table, tr: Translator) -> Iterator[Action]:
    if table.club_game is not None:
        yield from _of_club_result(table, tr)
        return
    again = next_game(table)
    body: dict[str, object] = {
        "variant": again.rules.variant,
        "options": options_of(again.rules),
        "names": list(again.names),
        "board": again.board,
        "dealer": again.dealer,
    }
    if again.pegs is not None:
        body["pegs"] = again.pegs.value
    if again.is_dealt:
        body["is_dealt"] = True
    if again.levels:
        body["levels"] = [level and level.value for level in again.levels]
    note = "" if again.dealer is None else tr("{name} deals").format(name=again.names[again.dealer])
    yield Action("new-game", tr("Play again"), is_next=True, body=body, place=Place.PRIMARY, note=note)


def _of_club_result(table: Table, tr: Translator) -> Iterator[Action]:
    """Each side confirms for itself. The club says who plays next."""
    side = table.to_confirm
    if side is not None:
        yield Action(
            "confirm-result",
            tr("{name} confirms").format(name=table.side_name(side)),
            is_next=True,
            body={"side": side},
            seats=tuple(table.rules.sides[side]),
            is_for_seats_only=True,
            place=Place.PRIMARY,
        )


def _deal_of(table: Table) -> Deal:
    """The deal of a phase that always has one."""
    assert table.deal is not None
    return table.deal


IN_PHASE: Mapping[Phase, Callable[[Table, Translator], Iterator[Action]]] = {
    Phase.CUT: _in_cut,
    Phase.DEAL: _in_deal,
    Phase.BID: _in_bid,
    Phase.PLAY: _in_play,
    Phase.SHOW: _in_show,
    Phase.GATHER: _in_gather,
    Phase.OVER: _in_over,
}
"""Phase -> the actions with its cards."""
