"""What a person may sensibly ask for now: the buttons of the page, each an order with its body.

Rule: an offer is advice, the host decides. Nothing here is refused, and nothing that is not offered is forbidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from firmware_host.cribbage.options import MugginsMode
from firmware_host.cribbage.play import ANY_CARD_FITS_TO
from firmware_host.cribbage.variants import options_of
from firmware_host.snapshot import Snapshot
from firmware_host.table.auction import is_on, next_bidder
from firmware_host.table.game_entry import next_game
from firmware_host.table.showing import known_cards
from firmware_host.table.state import Phase, Table
from firmware_host.table.wording import whose_turn
from firmware_host.table.words import Words, as_written


@dataclass(frozen=True, slots=True)
class Offer:
    """A button. `order` is its name on the wire; `is_next`: it is what the game waits for; `seats`: whose word it is,
    anybody's where there are none."""

    order: str
    label: str
    is_next: bool = False
    body: Mapping[str, object] = field(default_factory=dict)
    seats: tuple[int, ...] = ()


def offers(snapshot: Snapshot, _: Words = as_written) -> tuple[Offer, ...]:
    """What the game waits for comes first, what takes a turn back last."""
    table = snapshot.table
    on_the_table = [] if table is None else [*_of_pegs(snapshot, table, _), *_of_cards(table, _)]
    return (*sorted(on_the_table, key=lambda offer: not offer.is_next), *_of_past(snapshot, _))


def _of_pegs(snapshot: Snapshot, table: Table, _: Words) -> Iterator[Offer]:
    for leap in snapshot.pending:
        name = table.side_name(leap.side)
        yield Offer("settle", _("{name} +{points} stands").format(name=name, points=leap.points), is_next=True)
    if any(table.owed) and table.phase is not Phase.OVER:
        yield Offer("let-it-stand", _("It stands"))


def _of_cards(table: Table, _: Words) -> Iterator[Offer]:
    """Nothing but the winning peg counts once a side is out; with muggins its points may still be taken."""
    if table.going_out is None or table.phase is Phase.OVER or table.rules.muggins_mode is not MugginsMode.OFF:
        yield from IN_PHASE[table.phase](table, _)


def _of_past(snapshot: Snapshot, _: Words) -> Iterator[Offer]:
    if snapshot.chronicle.can_undo:
        yield Offer("undo", _("Undo"))
    if snapshot.chronicle.undone:
        yield Offer("redo", _("Redo"))


def _in_cut(table: Table, _: Words) -> Iterator[Offer]:
    for seat, name in enumerate(table.names):
        yield Offer("dealer", _("{name} deals").format(name=name), is_next=True, body={"seat": seat})


def _in_deal(table: Table, _: Words) -> Iterator[Offer]:
    if table.deal is not None and is_on(table, table.deal):
        yield from _in_bid(table, _)
    yield Offer("next-deal", _("Next deal"))


def _in_bid(table: Table, _: Words) -> Iterator[Offer]:
    assert table.deal is not None
    seat = next_bidder(table, table.deal)
    yield Offer("bid", _("{name} passes").format(name=table.names[seat]), body={"points": None}, seats=(seat,))


def _in_play(table: Table, _: Words) -> Iterator[Offer]:
    if table.to_play is not None and count(table) > ANY_CARD_FITS_TO:
        label = _("{name} says go").format(name=table.names[table.to_play])
        yield Offer("go", label, is_next=True, seats=(table.to_play,))
    yield Offer("show", _("To the show"), is_next=not table.is_followed)


def count(table: Table) -> int:
    """What the cards on the table add up to. Whether the hand in turn fits is not asked: a button must not tell."""
    return table.deal.play.count if table.deal and table.deal.play else 0


def _in_show(table: Table, _: Words) -> Iterator[Offer]:
    assert table.deal is not None and table.to_count is not None
    if table.deal.starter and known_cards(table, *table.to_count):
        label = _("Count {whose}").format(whose=whose_turn(table, _))
        yield Offer("count", label, is_next=True, seats=(table.to_count.seat,))
    yield Offer("skip", _("{whose} is counted").format(whose=whose_turn(table, _)))
    yield Offer("next-deal", _("Next deal"))


def _in_gather(table: Table, _: Words) -> Iterator[Offer]:
    yield Offer("next-deal", _("Next deal"), is_next=True)


def _in_over(table: Table, _: Words) -> Iterator[Offer]:
    again = next_game(table)
    body = {
        "variant": again.rules.variant,
        "options": options_of(again.rules),
        "names": list(again.names),
        "board": again.board,
        "dealer": again.dealer,
    }
    yield Offer("new-game", _("Play again"), is_next=True, body=body)


IN_PHASE: Mapping[Phase, Callable[[Table, Words], Iterator[Offer]]] = {
    Phase.CUT: _in_cut,
    Phase.DEAL: _in_deal,
    Phase.BID: _in_bid,
    Phase.PLAY: _in_play,
    Phase.SHOW: _in_show,
    Phase.GATHER: _in_gather,
    Phase.OVER: _in_over,
}
