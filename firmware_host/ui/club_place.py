"""Where a game of a club night is played, in words: its round or its bracket, and the table."""

from __future__ import annotations

from firmware_host.ui.translator import Translator


def place_in_words(round: int, table: int, bracket: str, tr: Translator) -> str:
    """Where a game is. `bracket` is `main` or `consolation` for a game of a match, and empty for one of a round."""
    if bracket == "main":
        return tr("Play-offs, table {table}").format(table=table)
    if bracket == "consolation":
        return tr("Consolation, table {table}").format(table=table)
    return tr("Round {round}, table {table}").format(round=round, table=table)
