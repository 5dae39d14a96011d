"""The nine variants and the presets by name, and `rules_for`, which applies options to them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.cribbage import options as choice
from firmware_host.cribbage.compatibility import Objection, Verdict, objections_to
from firmware_host.cribbage.options import OPTIONS, Seating, Skunks
from firmware_host.cribbage.rule_errors import (
    OptionsClash,
    PointlessOption,
    UnknownOption,
    UnknownVariant,
    did_you_mean,
    quoted,
)
from firmware_host.cribbage.rules import RuleSet, Seat, Sides

STANDARD_LINES = {61: (31,), 121: (91, 61), 181: (91,)}
"""Target -> the scores below which a loser is skunked, and doubly skunked."""


def _sides_of(seating: Seating, players: int) -> Sides:
    count = {Seating.SINGLE: players, Seating.TWO_SIDES: 2, Seating.THREE_SIDES: 3}[seating]
    return tuple(tuple(Seat(seat) for seat in range(side, players, count)) for side in range(count))


def _singles(players: int) -> Sides:
    return _sides_of(Seating.SINGLE, players)


_SIX_CARD = RuleSet("six_card", 2, _singles(2), dealt=(6, 6), discards=(2, 2))
_FOUR_SINGLE = RuleSet("four_single", 4, _singles(4), dealt=(5,) * 4, discards=(1,) * 4)

VARIANTS: Mapping[str, RuleSet] = {
    rules.variant: rules
    for rules in (
        _SIX_CARD,
        RuleSet(
            "five_card",
            2,
            _singles(2),
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
            _singles(2),
            dealt=(7, 7),
            discards=(2, 2),
            hand_size=5,
            target=181,
            skunk_lines=STANDARD_LINES[181],
        ),
        replace(_SIX_CARD, variant="auction", bidding=True),
        RuleSet("three_hand", 3, _singles(3), dealt=(5,) * 3, discards=(1,) * 3, from_stock=1),
        replace(_FOUR_SINGLE, variant="four_partners", sides=_sides_of(Seating.TWO_SIDES, 4)),
        _FOUR_SINGLE,
        RuleSet("five_hand", 5, _singles(5), dealt=(4, 5, 5, 5, 5), discards=(0, 1, 1, 1, 1)),
        RuleSet("six_hand", 6, _singles(6), dealt=(4, 5, 5, 5, 5, 4), discards=(0, 1, 1, 1, 1, 0)),
    )
}
"""The nine variants. With five and six players the dealer, and of six also the seat on the dealer's right, gets a card
less."""

_DEALT_LIKE = {2: "six_card", 3: "three_hand", 4: "four_single"}
"""Number of players -> the variant whose deal the auction game uses."""


class Preset(Struct, frozen=True):
    """A variant and a set of options under one name, with a label for menus, at most 19 letters, and a sentence."""

    variant: str
    label: str
    sentence: str
    options: Mapping[str, object]

    def rules(self) -> RuleSet:
        """The RuleSet of the preset."""
        return rules_for(self.variant, self.options)


PRESETS: Mapping[str, Preset] = {
    "family": Preset("six_card", "At home", "Mistakes are corrected and cost nothing.", {}),
    "acc": Preset(
        "six_card",
        "Tournament (ACC)",
        "Tournament rules of the American Cribbage Congress (ACC). Muggins by claim.",
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
        "Pub game to 61",
        "A short game to 61. Muggins in the show.",
        {"target": 61, "muggins_mode": "claim", "muggins_scope": "show"},
    ),
    "traditional": Preset(
        "five_card",
        "Five cards, to 61",
        "Five cards, to 61. The player who does not deal first starts with three points.",
        {},
    ),
    "kitchen": Preset(
        "six_card",
        "Kitchen table",
        "Near the end only a good card wins: no go above 115, no heels and no go from 120. A misdeal costs two points.",
        {"stinkhole": "heels_and_go", "go_limit": "115", "misdeal": "two_points"},
    ),
}


REMOVED_OPTIONS = frozenset({"start_ends"})
"""Options of earlier versions. They never changed a score, so old journals and records are read without them."""


def rules_for(variant: str, options: Mapping[str, object] | None = None) -> RuleSet:
    """The RuleSet of a variant with options that somebody chooses now, by their names in `OPTIONS`.

    Raises UnknownVariant, UnknownOption, UnknownChoice, OptionsClash when values do not go together, or PointlessOption
    when one changes nothing beside the others.
    """
    rules = _built(variant, options)
    _refuse(objections_to(rules, options_of(rules)) if options else ())
    return rules


def recorded_rules(variant: str, options: Mapping[str, object] | None = None) -> RuleSet:
    """`rules_for`, for journals and records that an earlier version may have written: REMOVED_OPTIONS are ignored, and
    what only `compatibility.py` objects to is accepted."""
    return _built(variant, {name: value for name, value in (options or {}).items() if name not in REMOVED_OPTIONS})


class Consistent(NamedTuple):
    """Rules without the options that do not go with the others, and what was against those."""

    rules: RuleSet
    left_out: tuple[Objection, ...]


def consistent_rules(variant: str, options: Mapping[str, object], chosen: Collection[str] = ()) -> Consistent:
    """The RuleSet without earlier choices that do not go with the others. `chosen`: the options that somebody chooses
    now, which are refused instead. Raises what `rules_for` raises."""
    kept = dict(options)
    left_out: tuple[Objection, ...] = ()
    while True:
        rules = _built(variant, kept)
        found = objections_to(rules, options_of(rules))
        _refuse(tuple(objection for objection in found if objection.need.option in chosen))
        if not found:
            return Consistent(rules, left_out)
        left_out += found[:1]
        del kept[found[0].need.option]


def _refuse(objections: tuple[Objection, ...]) -> None:
    """Raises OptionsClash or PointlessOption for the first one."""
    for objection in objections:
        need = objection.need
        kind = PointlessOption if need.verdict is Verdict.POINTLESS else OptionsClash
        expected = f"{need.other} {' or '.join(need.allowed)}"
        refusal = kind(expected, objection.other_choice, f"{need.option}={objection.choice}", need.sentence)
        refusal.sentence = need.sentence
        raise refusal


def _built(variant: str, options: Mapping[str, object] | None) -> RuleSet:
    """The RuleSet with these options, whatever they mean together. Raises OptionsClash where they make no game."""
    if not isinstance(variant, str) or variant not in VARIANTS:
        meant = did_you_mean(variant, VARIANTS)
        raise UnknownVariant(f"one of {', '.join(VARIANTS)}", quoted(variant), "variant", meant)
    if not options:
        return VARIANTS[variant]
    chosen = _read(options)
    rules = _with_players(VARIANTS[variant], chosen.pop("players", None))
    sides = chosen.pop("sides", None)
    lines = chosen.pop("skunk_lines", Skunks.STANDARD)
    rules = replace(rules, **chosen)
    rules = _with_sides(rules, sides)
    return _with_skunk_lines(rules, lines)


_DERIVED = ("sides", "skunk_lines")
"""Options whose default follows from the other options."""


def options_of(rules: RuleSet) -> dict[str, object]:
    """The options in which `rules` differ from their variant, as JSON values.

    The inverse of `recorded_rules`: `recorded_rules(rules.variant, options_of(rules)) == rules`.
    """
    chosen: dict[str, object] = {}
    for is_derived in (False, True):
        usual = _built(rules.variant, chosen)
        for option in OPTIONS:
            value = getattr(rules, option.field)
            if (option.name in _DERIVED) == is_derived and value != getattr(usual, option.field):
                chosen[option.name] = _to_json(value)
    return chosen


def _to_json(value: object) -> object:
    match value:
        case choice.Choice():
            return value.value
        case ():
            return Skunks.NONE.value  # of the options with lists, only skunk_lines can be empty
        case tuple():
            return [_to_json(item) for item in value]
        case _:
            return value


def _read(options: Mapping[str, object]) -> dict[str, Any]:
    known = {option.name: option for option in OPTIONS}
    chosen = {}
    for name, value in options.items():
        if name not in known:
            raise UnknownOption(f"one of {', '.join(known)}", quoted(name), "option", did_you_mean(name, known))
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
        _check_captain(rules)
    if isinstance(sides, Seating):
        sides = _sides_of(sides, rules.players)
    elif sides is None:
        sides = ((Seat(0),), (Seat(1), Seat(2))) if rules.captain else rules.sides
    _check_sides(sides, rules)
    return replace(rules, sides=sides)


def _check_captain(rules: RuleSet) -> None:
    if rules.players != 3:
        raise OptionsClash("three players for captain", str(rules.players), rules.variant, "choose three_hand")
    if rules.target != 121:
        raise OptionsClash("a captain's 61 against 121", f"target {rules.target}", "captain", "leave the target out")


def _check_sides(sides: Sides, rules: RuleSet) -> None:
    """Raises OptionsClash unless the sides have all seats once, and equally many, or one against two with a captain."""
    sizes = sorted(len(side) for side in sides)
    fair = sizes == [1, 2] if rules.captain else len(sizes) > 1 and sizes[0] == sizes[-1]
    if not fair or sorted(seat for side in sides for seat in side) != list(rules.seats):
        expected = "one seat against two" if rules.captain else f"equal sides of the seats 0 to {rules.players - 1}"
        raise OptionsClash(expected, quoted([list(side) for side in sides]), "sides")


def _with_skunk_lines(rules: RuleSet, lines: Skunks | tuple[int, ...]) -> RuleSet:
    if isinstance(lines, Skunks):
        plain = not (rules.lowball or rules.captain)  # no skunk where the score means something else
        lines = STANDARD_LINES[rules.target] if lines is Skunks.STANDARD and plain else ()
    if len(lines) > 2 or list(lines) != sorted(set(lines), reverse=True) or any(line > rules.target for line in lines):
        raise OptionsClash(f"two falling lines at most, none over {rules.target}", quoted(list(lines)), "skunk_lines")
    return replace(rules, skunk_lines=lines)
