"""firmware_host/RULES.md, written from the rules themselves: `python -m tests.docs.rules_page` rewrites it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from firmware_host.cribbage.options import OPTIONS, Choice, Option
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import PRESETS, VARIANTS

PAGE = Path(__file__).parents[2] / "firmware_host" / "RULES.md"

INTRODUCTION = """\
# The games and the agreements

Written from the program by `python -m tests.docs.rules_page`; a test fails when the two differ. Variants and options
are named like this everywhere: in settings, on the command line and in game records.
"""


def rules_page() -> str:
    parts = (INTRODUCTION, *systems(), *agreements(), *presets())
    return "\n".join(parts) + "\n"


def systems() -> Iterator[str]:
    yield "## Nine games\n"
    yield from table(
        ("game", "players", "sides", "dealt", "to the crib", "hand", "target", "skunked below", "besides"),
        ((f"`{rules.variant}`", *facts(rules)) for rules in VARIANTS.values()),
    )
    yield "\nWhere seats differ, they are listed from the dealer round to the left. The crib has four cards.\n"


def facts(rules: RuleSet) -> tuple[str, ...]:
    return (
        str(rules.players),
        "each alone"
        if len(rules.sides) == rules.players
        else " v ".join(" and ".join(map(str, s)) for s in rules.sides),
        alike_or_all(rules.dealt),
        alike_or_all(rules.discards) + (f", {rules.from_stock} from the stock" if rules.from_stock else ""),
        str(rules.hand_size),
        str(rules.target),
        ", ".join(map(str, rules.skunk_lines)),
        " ".join(peculiarities(rules)) or "",
    )


def alike_or_all(numbers: Sequence[int]) -> str:
    return str(numbers[0]) if len(set(numbers)) == 1 else " ".join(map(str, numbers))


def peculiarities(rules: RuleSet) -> Iterator[str]:
    """What is agreed on otherwise than in most games."""
    if rules.bidding:
        yield "The crib is sold to the highest bidder, who leads and shows first."
    for option in OPTIONS:
        value = getattr(rules, option.field)
        if isinstance(value, Choice) and value is not option.values[option.default]:
            yield value.sentence


def agreements() -> Iterator[str]:
    yield "## Agreements\n"
    yield "The first choice is the usual one; some games and presets have another.\n"
    for option in OPTIONS:
        yield f"### `{option.name}`\n\n{option.sentence}\n"
        yield from (f"- `{text}`{explained(option, text)}" for text in option.choices)
        if option.freely:
            yield f"- or a list, such as `{EXAMPLES[option.name]}`"
        yield ""


EXAMPLES: Mapping[str, str] = {"sides": "[[0, 2], [1, 3]]", "skunk_lines": "[91, 61]"}


def explained(option: Option, text: str) -> str:
    value = option.values[text]
    return f": {value.sentence}" if isinstance(value, Choice) else ""


def presets() -> Iterator[str]:
    yield "## Presets\n"
    yield from table(
        ("preset", "game", "meaning", "agreements"),
        (
            (f"`{name}`", f"`{preset.variant}`", preset.sentence, agreed(preset.options))
            for name, preset in PRESETS.items()
        ),
    )


def agreed(options: Mapping[str, object]) -> str:
    return ", ".join(f"`{name}={value}`" for name, value in options.items()) or "all as usual"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    PAGE.write_text(rules_page(), encoding="utf-8")
