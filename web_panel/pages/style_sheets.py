"""The style of a page in one request: browsers wait for a style sheet before they draw anything."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

from flask import Blueprint, Response

from web_panel.errors import Problem
from web_panel.pages.board import revalidated

FOLDER = Path(__file__).parents[1] / "static" / "css"
SEPARATOR = "-"
"""Between the names of sheets in an address. No name contains it."""


def make_style_sheets() -> Blueprint:
    """`/styles/tokens-base-game.css` is the files `tokens`, `base` and `game` of FOLDER, one after the other."""
    pages = Blueprint("style_sheets", __name__)
    known = {file.stem: file for file in FOLDER.glob("*.css")}

    @pages.get("/styles/<names>.css")
    def styles(names: str) -> Response:
        wanted = names.split(SEPARATOR)
        if len(set(wanted)) < len(wanted) or not known.keys() >= set(wanted):
            raise Problem(HTTPStatus.NOT_FOUND, "no such style sheet")
        return revalidated(b"\n".join(known[name].read_bytes() for name in wanted), "text/css")

    return pages
