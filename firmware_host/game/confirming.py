"""The result of a game of a club night: each side confirms it."""

from __future__ import annotations

from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.decision import Decision
from firmware_host.game.rule_errors import NothingToConfirm


def confirm_result(decision: Decision, command: c.ConfirmResult) -> None:
    """The side agrees with the scores. Raises NothingToConfirm unless a game of a club night is over, and the side has
    not confirmed it yet."""
    table = decision.table
    if table.to_confirm is None or command.side in table.confirmed or not 0 <= command.side < len(table.sides):
        raise NothingToConfirm("the result of a club game that this side has not confirmed", f"side {command.side}")
    decision.apply(e.ResultConfirmed(command.side))
