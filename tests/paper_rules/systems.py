"""The nine systems and their house rules, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace


class Rules(Struct, frozen=True):
    """A system with its house rules. The texts are the names by which settings know them."""

    system: str
    players: int = 2
    sides: tuple[tuple[int, ...], ...] = ()
    dealt: tuple[int, ...] = (6, 6)
    """Cards dealt, by distance from the dealer to the left. The next one likewise."""
    discarded: tuple[int, ...] = (2, 2)
    from_stock: int = 0
    hand: int = 4
    target: int = 121
    is_auction: bool = False
    direction: str = "clockwise"
    three_for_last: str = "off"
    play_extent: str = "all_cards"
    must_play: str = "always"
    go_points: str = "last_card"
    go_three_plus: str = "continue"
    crib_flush: str = "five_only"
    play_flush: str = "off"
    heels: str = "claimable"
    muggins_mode: str = "off"
    muggins_scope: str = "both"
    muggins_window: str = "acc"
    false_claim: str = "penalty"
    pegging_policy: str = "correct"
    renege: str = "correct"
    front_peg_removed: str = "restore"
    foreign_peg: str = "restore"
    auction_debt: str = "limit"
    auction_heels: str = "dealer"
    auction_when: str = "before_starter"
    lowball: bool = False
    captain: bool = False
    stinkhole: str = "off"
    go_limit: str = "none"
    misdeal: str = "redeal"

    def left(self, seat: int, steps: int = 1) -> int:
        """The seat whose turn comes `steps` after this one."""
        return (seat + (steps if self.direction == "clockwise" else -steps)) % self.players

    def distance(self, dealer: int, seat: int) -> int:
        """How many turns after the dealer this seat comes."""
        return (seat - dealer if self.direction == "clockwise" else dealer - seat) % self.players

    def side_of(self, seat: int) -> int:
        """The side that the seat plays for."""
        return next(number for number, seats in enumerate(self.sides) if seat in seats)

    def target_of(self, side: int) -> int:
        """The score that ends the game for this side; the captain, alone against two, needs 61."""
        return 61 if self.captain and len(self.sides[side]) == 1 else self.target

    def beneficiary(self, side: int) -> int:
        """Who gets what this side misses or has to give: the next side on its left. Seats count clockwise."""
        seats = [(self.sides[side][0] + step) % self.players for step in range(1, self.players)]
        return next(self.side_of(seat) for seat in seats if seat not in self.sides[side])


def _alone(players: int) -> tuple[tuple[int, ...], ...]:
    return tuple((seat,) for seat in range(players))


_FOUR = Rules("four_single", 4, _alone(4), (5,) * 4, (1,) * 4)
SYSTEMS = {
    "five_card": Rules(
        "five_card", 2, _alone(2), (5, 5), hand=3, target=61, three_for_last="once", play_extent="one_series"
    ),
    "six_card": Rules("six_card", 2, _alone(2)),
    "seven_card": Rules("seven_card", 2, _alone(2), (7, 7), hand=5, target=181),
    "auction": Rules("auction", 2, _alone(2), is_auction=True),
    "three_hand": Rules("three_hand", 3, _alone(3), (5,) * 3, (1,) * 3, from_stock=1),
    "four_partners": replace(_FOUR, system="four_partners", sides=((0, 2), (1, 3))),
    "four_single": _FOUR,
    "five_hand": Rules("five_hand", 5, _alone(5), (4, 5, 5, 5, 5), (0, 1, 1, 1, 1)),
    "six_hand": Rules("six_hand", 6, _alone(6), (4, 5, 5, 5, 5, 4), (0, 1, 1, 1, 1, 0)),
}


def rules_of(system: str, options: Mapping[str, Any] | None = None) -> Rules:
    """A system with options by their names. `players` is for the auction; `sides` are lists of seats."""
    chosen = dict(options or {})
    if "go_limit" in chosen:
        chosen["go_limit"] = str(chosen["go_limit"])
    rules = SYSTEMS[system]
    if players := chosen.pop("players", None):
        like = {2: "six_card", 3: "three_hand", 4: "four_single"}[players]
        rules = replace(SYSTEMS[like], system=system, is_auction=True)
    if "sides" in chosen:
        chosen["sides"] = tuple(tuple(seats) for seats in chosen["sides"])
    elif chosen.get("captain"):
        chosen["sides"] = ((0,), (1, 2))
    return replace(rules, **chosen)


def match_points(target: int, loser: int, scheme: str) -> int:
    """What a win is worth: `acc` 2, or 3 for a skunk; `games` 1, 2 for a skunk, 3 for a double one."""
    lines = {61: (31,), 121: (91, 61), 181: (91,)}[target]
    skunks = sum(loser < line for line in lines)
    return 2 + bool(skunks) if scheme == "acc" else 1 + skunks
