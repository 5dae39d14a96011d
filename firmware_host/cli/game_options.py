"""The options by which a command is told which game is played, and by which house rules."""

from __future__ import annotations

import click

USUAL_VARIANT = "six_card"


def _read_house_rules(context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> dict[str, str]:
    return dict(map(_key_and_value, texts))


def _key_and_value(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"expected an option such as crib_flush=four_ok, got {text!r}")
    return key.strip(), value.strip()


variant_option = click.option("--variant", help=f"The game, such as five_card or auction.  [default: {USUAL_VARIANT}]")
house_rules_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="K=V",
    callback=_read_house_rules,
    help="A house rule, such as crib_flush=four_ok.",
)
