"""The help page: the lights, a deal in five steps, the words of the game, and the keys."""

from __future__ import annotations

from flask import Blueprint

from web_panel.board_input import BoardInput
from web_panel.rendering import render


def make_help(board_input: BoardInput | None) -> Blueprint:
    """The page /help. Pegs to drag and keys to type are explained where they are on the screen."""
    pages = Blueprint("help", __name__)

    @pages.get("/help")
    def help_page() -> str:
        moves_pegs = board_input is not None and board_input.moves_pegs
        return render("help.html", has_keys=board_input is not None, moves_pegs=moves_pegs, pretty=str)

    return pages
