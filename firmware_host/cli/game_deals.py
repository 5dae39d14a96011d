"""One past game, deal by deal, in sentences or as JSON.

Rule: no card is shown that its holder did not lay on the table. Hands as dealt and discards are left out; a crib is
shown once it is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from firmware_host.cli.game_tables import game_heading
from firmware_host.cli.jsonl import Record
from firmware_host.cli.scorekeeper import scores_by_name, sentences
from firmware_host.cribbage.rules import Seat
from firmware_host.game import events as e
from firmware_host.game.history import fold
from firmware_host.game.record_answer import Answer
from firmware_host.game.state import Table
from firmware_host.storage.game_summary import Events, GameSummary, effective_turns

PRIVATE = (e.HandDealt, e.CardsDiscarded, e.CribFilled)
"""Events with cards that the other players have not seen."""


class PlayedDeal(Struct):
    """One deal of a game: its turns, each as the answer that a record would get. `dealer` is None before the first."""

    dealer: Seat | None
    turns: list[Answer] = field(default_factory=list)

    @property
    def table(self) -> Table:
        """The state of the game after the deal."""
        table = self.turns[-1].table
        assert table is not None
        return table

    @property
    def events(self) -> Iterator[e.Event]:
        """The events of the deal, in order."""
        for turn in self.turns:
            yield from turn.events

    @property
    def is_empty(self) -> bool:
        """Whether nothing was played, pegged or counted: the deal was only begun, or begun again."""
        return all(isinstance(event, (e.GameStarted, e.DealBegan, *PRIVATE)) for event in self.events)


def played_deals(turns: Iterable[Events]) -> list[PlayedDeal]:
    """The deals of a game in order. Turns that were undone, and deals in which nothing happened, are left out."""
    deals = [PlayedDeal(None)]
    table = None
    hands = list[e.HandCounted]()
    for turn in effective_turns(turns):
        for events in _split_at_deals(turn):
            for event in events:
                if isinstance(event, e.DealBegan):
                    deals.append(PlayedDeal(event.dealer))
                    hands = []
            after = fold(table, events)
            deals[-1].turns.append(Answer(table, after, events, hands=tuple(hands)))
            hands += [event for event in events if isinstance(event, e.HandCounted)]
            table = after
    return [deal for deal in deals if not deal.is_empty]


def _split_at_deals(turn: Events) -> Iterator[Events]:
    """The turn in parts, each of which begins a deal but the first."""
    starts = [place for place, event in enumerate(turn) if isinstance(event, e.DealBegan)]
    for start, end in zip([0, *starts], [*starts, len(turn)], strict=True):
        if turn[start:end]:
            yield turn[start:end]


def deals_in_words(game: GameSummary, deals: Sequence[PlayedDeal]) -> Iterator[str]:
    """A heading, then for each deal who dealt, a line a turn, and the scores."""
    yield game_heading(game)
    for number, deal in enumerate(deals, start=1):
        yield ""
        dealer = "nobody has dealt" if deal.dealer is None else f"{game.names[deal.dealer]} deals"
        yield f"Deal {number}, {dealer}"
        yield from (f"  {line}" for line in _lines(deal))
        yield f"  [{scores_by_name(deal.table)}]"


def _lines(deal: PlayedDeal) -> Iterator[str]:
    for turn in deal.turns:
        events = tuple(event for event in turn.events if not isinstance(event, (e.GameStarted, e.DealBegan)))
        table = fold(turn.before, turn.events[:1]) if turn.events[0] not in events else turn.before
        if line := " ".join(sentences(table, events, turn.hands, are_hands_open=False)):
            yield line


def deal_record(game: int, number: int, deal: PlayedDeal) -> Record:
    """One deal as a JSON object; its lists have the entries of the answers in RECORDS.md."""
    starters = [event.card for event in deal.events if isinstance(event, e.StarterCut)]
    return {
        "game": game,
        "deal": number,
        "dealer": deal.dealer,
        "starter": str(starters[-1]) if starters else None,
        "played": [entry for turn in deal.turns for entry in turn.played()],
        "counted": [entry for turn in deal.turns for entry in turn.counted()],
        "due": [entry for turn in deal.turns for entry in turn.due()],
        "missed": [entry for turn in deal.turns for entry in turn.missed()],
        "pegged": [
            {"side": event.side, "score": event.pegs.front}
            for event in deal.events
            if isinstance(event, e.PegLeapt | e.PegAdjusted)
        ],
        "scores": list(deal.table.scores),
        "winner": deal.table.winner,
    }
