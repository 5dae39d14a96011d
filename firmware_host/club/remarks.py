"""Remarks on a game beside its score."""

from __future__ import annotations

from firmware_host.club.state import Club, Game
from firmware_host.ui.translator import Translator


def remark(club: Club, game: Game, tr: Translator) -> str:
    """What is special about a game: a correction, a missing confirmation, or a head start."""
    if game.reason:
        return tr("corrected: {reason}").format(reason=game.reason)
    if game.scores and not game.is_official:
        waiting = [club.name(player) for player in game.players if player not in game.confirmed_by]
        return tr("not confirmed by {names}").format(names=", ".join(waiting))
    if game.head_start and not game.scores:
        name = club.name(game.players[game.head_start < 0])
        holes = abs(game.head_start)
        text = tr.counted("{name} starts {number} hole ahead", "{name} starts {number} holes ahead", holes)
        return text.format(name=name, number=holes)
    return ""
