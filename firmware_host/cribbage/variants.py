"""The games by name: nine variants, four presets, and `rules_for`, which adds the table's own agreements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from firmware_host.cribbage import options as choice
from firmware_host.cribbage.options import OPTIONS, Seating, Skunks
from firmware_host.cribbage.refusals import OptionsClash, UnknownOption, UnknownVariant, quoted
from firmware_host.cribbage.rules import RuleSet, Seat, Sides

STANDARD_LINES = {61: (31,), 121: (91, 61), 181: (91,)}
"""Target -> the scores below which a loser is skunked, then doubly skunked."""


def _seated(seating: Seating, players: int) -> Sides:
    count = {Seating.SINGLE: players, Seating.TWO_SIDES: 2, Seating.THREE_SIDES: 3}[seating]
    return tuple(tuple(Seat(seat) for seat in range(side, players, count)) for side in range(count))


def _each_alone(players: int) -> Sides:
    return _seated(Seating.SINGLE, players)


_SIX_CARD = RuleSet("six_card", 2, _each_alone(2), dealt=(6, 6), discards=(2, 2))
_FOUR_SINGLE = RuleSet("four_single", 4, _each_alone(4), dealt=(5,) * 4, discards=(1,) * 4)

VARIANTS: Mapping[str, RuleSet] = {
    rules.variant: rules
    for rules in (
        _SIX_CARD,
        RuleSet(
            "five_card",
            2,
            _each_alone(2),
            dealt=(5, 5),
            discards=(2, 2),
            hand_size=3,
            target=61,
            skunk_lines=STANDARD_LINES[61],
            play_extent=choice.PlayExtent.ONE_SERIES,
            three_for_last=choice.ThreeForLast.ONCE,
        ),
        RuleSet(
            "seven_card",
            2,
            _each_alone(2),
            dealt=(7, 7),
            discards=(2, 2),
            hand_size=5,
            target=181,
            skunk_lines=STANDARD_LINES[181],
        ),
        replace(_SIX_CARD, variant="auction", bidding=True),
        RuleSet("three_hand", 3, _each_alone(3), dealt=(5,) * 3, discards=(1,) * 3, from_stock=1),
        replace(_FOUR_SINGLE, variant="four_partners", sides=_seated(Seating.TWO_SIDES, 4)),
        _FOUR_SINGLE,
        RuleSet("five_hand", 5, _each_alone(5), dealt=(4, 5, 5, 5, 5), discards=(0, 1, 1, 1, 1)),
        RuleSet("six_hand", 6, _each_alone(6), dealt=(4, 5, 5, 5, 5, 4), discards=(0, 1, 1, 1, 1, 0)),
    )
}
"""The nine games. The dealer, and of six players also the seat at the dealer's right, may get a card less."""

_DEALT_LIKE = {2: "six_card", 3: "three_hand", 4: "four_single"}
"""How the auction game is dealt to so many players."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A variant and a set of agreements under one name."""

    variant: str
    sentence: str
    options: Mapping[str, object]

    def rules(self) -> RuleSet:
        return rules_for(self.variant, self.options)


PRESETS: Mapping[str, Preset] = {
    "family": Preset("six_card", "Mistakes are set right and cost nothing.", {}),
    "acc": Preset(
        "six_card",
        "Tournament rules of the American Cribbage Congress, muggins by claim.",
        {
            "pegging_policy": "acc",
            "renege": "acc",
            "front_peg_removed": "becomes_rear",
            "foreign_peg": "penalty",
            "heels": "forfeit",
            "muggins_mode": "claim",
        },
    ),
    "pub": Preset(
        "six_card",
        "Once round the board, muggins in the show.",
        {"target": 61, "muggins_mode": "claim", "muggins_scope": "show"},
    ),
    "traditional": Preset("five_card", "Five cards to 61, three points to the first pone.", {}),
}


def rules_for(variant: str, options: Mapping[str, object] | None = None) -> RuleSet:
    """The RuleSet of a variant with the table's own agreements, by their names in `OPTIONS`.

    Raises UnknownVariant, UnknownOption, UnknownChoice, or OptionsClash when values do not go together.
    """
    if not isinstance(variant, str) or variant not in VARIANTS:
        raise UnknownVariant(f"one of {', '.join(VARIANTS)}", quoted(variant), "variant")
    if not options:
        return VARIANTS[variant]
    chosen = _read(options)
    rules = _with_players(VARIANTS[variant], chosen.pop("players", None))
    sides, lines = chosen.pop("sides", None), chosen.pop("skunk_lines", Skunks.STANDARD)
    rules = replace(rules, **chosen)
    rules = _with_sides(rules, sides)
    return _with_skunk_lines(rules, lines)


_DERIVED = ("sides", "skunk_lines")
"""Options whose usual value follows from the others."""


def options_of(rules: RuleSet) -> dict[str, object]:
    """The agreements in which `rules` differ from their variant, fit for JSON.

    The inverse of `rules_for`: `rules_for(rules.variant, options_of(rules)) == rules`.
    """
    chosen: dict[str, object] = {}
    for is_derived in (False, True):
        usual = rules_for(rules.variant, chosen)
        for option in OPTIONS:
            value = getattr(rules, option.field)
            if (option.name in _DERIVED) == is_derived and value != getattr(usual, option.field):
                chosen[option.name] = _written(value)
    return chosen


def _written(value: object) -> object:
    match value:
        case choice.Choice():
            return value.value
        case ():
            return Skunks.NONE.value  # of all that lists say, only skunk lines can be none
        case tuple():
            return [_written(item) for item in value]
        case _:
            return value


def _read(options: Mapping[str, object]) -> dict[str, Any]:
    known = {option.name: option for option in OPTIONS}
    chosen = {}
    for name, value in options.items():
        if name not in known:
            raise UnknownOption(f"one of {', '.join(known)}", quoted(name), "option")
        chosen[known[name].field] = known[name].read(value)
    return chosen


def _with_players(rules: RuleSet, players: int | None) -> RuleSet:
    if players is None or players == rules.players:
        return rules
    if not rules.bidding or players not in _DEALT_LIKE:
        expected = "2, 3 or 4 players" if rules.bidding else f"{rules.players} players"
        raise OptionsClash(expected, str(players), rules.variant, "choose another variant")
    like = VARIANTS[_DEALT_LIKE[players]]
    return replace(
        rules,
        players=players,
        sides=like.sides,
        dealt=like.dealt,
        discards=like.discards,
        from_stock=like.from_stock,
    )


def _with_sides(rules: RuleSet, sides: Seating | Sides | None) -> RuleSet:
    if rules.captain:
        _must_suit_a_captain(rules)
    if isinstance(sides, Seating):
        sides = _seated(sides, rules.players)
    elif sides is None:
        sides = ((Seat(0),), (Seat(1), Seat(2))) if rules.captain else rules.sides
    _must_be_fair(sides, rules)
    return replace(rules, sides=sides)


def _must_suit_a_captain(rules: RuleSet) -> None:
    if rules.players != 3:
        raise OptionsClash("three players for captain", str(rules.players), rules.variant, "choose three_hand")
    if rules.target != 121:
        raise OptionsClash("a captain's 61 against 121", f"target {rules.target}", "captain", "leave the target out")


def _must_be_fair(sides: Sides, rules: RuleSet) -> None:
    """Sides share out all seats, and are equal unless a captain plays against two."""
    sizes = sorted(len(side) for side in sides)
    fair = sizes == [1, 2] if rules.captain else len(sizes) > 1 and sizes[0] == sizes[-1]
    if not fair or sorted(seat for side in sides for seat in side) != list(rules.seats):
        expected = "one seat against two" if rules.captain else f"equal sides of the seats 0 to {rules.players - 1}"
        raise OptionsClash(expected, quoted([list(side) for side in sides]), "sides")


def _with_skunk_lines(rules: RuleSet, lines: Skunks | tuple[int, ...]) -> RuleSet:
    if isinstance(lines, Skunks):
        plain = not (rules.lowball or rules.captain)  # scores that mean something else know no skunk
        lines = STANDARD_LINES[rules.target] if lines is Skunks.STANDARD and plain else ()
    if len(lines) > 2 or list(lines) != sorted(set(lines), reverse=True) or any(line > rules.target for line in lines):
        raise OptionsClash(f"two falling lines at most, none over {rules.target}", quoted(list(lines)), "skunk_lines")
    return replace(rules, skunk_lines=lines)
