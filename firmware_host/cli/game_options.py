"""The command-line arguments for cards, the variant and the house rules."""

from __future__ import annotations

import click

DEFAULT_VARIANT = "six_card"


def _read_house_rules(context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> dict[str, str]:
    return dict(map(_key_and_value, texts))


def _key_and_value(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"expected an option such as crib_flush=four_ok, got {text!r}")
    return key.strip(), value.strip()


def cards_of(texts: tuple[str, ...]) -> tuple[str, ...]:
    """The cards of all arguments, one text each: `"5H 5S" 5D` is three cards, quoted or not."""
    return tuple(card for text in texts for card in text.replace(",", " ").split())


cards_argument = click.argument("cards", nargs=-1)
variant_option = click.option(
    "--variant", help=f"The game, such as five_card or auction.  [default: {DEFAULT_VARIANT}]"
)
house_rules_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="K=V",
    callback=_read_house_rules,
    help="A house rule, such as crib_flush=four_ok.",
)
