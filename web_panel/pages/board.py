"""The main page, the large scores, the drawings of the boards, and the chart of the game under way."""

from __future__ import annotations

import json
from functools import lru_cache
from http import HTTPStatus

from flask import Blueprint, Response, redirect, request
from flask.typing import ResponseReturnValue

from board_drivers.ports import KEY_ROWS
from firmware_host.board.drawing.drawing import draw
from firmware_host.board.plan import BoardPlan, UnsupportedTarget
from firmware_host.config.languages import translator
from firmware_host.config.settings_editor import SettingsEditor
from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.variants import options_of, rules_for
from firmware_host.game.history import History
from firmware_host.host.loop import Host
from firmware_host.host.setup import HostSetup
from firmware_host.pairing.registry import Role
from firmware_host.ui.texts.side_names import in_other_language
from web_panel.api.games import find_plan
from web_panel.api.me import visitor_json
from web_panel.board_input import BoardInput
from web_panel.errors import Problem
from web_panel.language import language_now
from web_panel.pages.score_chart import draw_score_chart
from web_panel.rendering import render
from web_panel.security.identity import is_forgotten_phone
from web_panel.security.permissions import current_visitor, may_open
from web_panel.views.cache import StateCache
from web_panel.views.card_faces import card_faces
from web_panel.views.score_labels import names_in_words

ORIENTATIONS = {"landscape": False, "portrait": True}
"""Orientation of a drawing -> whether it stands upright, as a phone is held."""


def make_board_pages(
    host: Host, cache: StateCache, board_input: BoardInput | None, settings_editor: SettingsEditor | None
) -> Blueprint:
    """The pages / and /big, and the SVG drawings, cards and chart that they load."""
    pages = Blueprint("board", __name__)

    @pages.get("/")
    def board() -> ResponseReturnValue:
        is_first_start = host.snapshot.wizard is not None and host.snapshot.table is None
        if is_first_start and may_open("/setup"):
            return redirect("/setup")
        return render(
            "board.html",
            setup=host.setup,
            me=visitor_json(host.snapshot.table, host.pairing.registry),
            first_game=first_game(host.setup),
            board_game=board_game(host.setup),
            keys=KEY_ROWS if board_input else (),
            moves_pegs=board_input is not None and board_input.moves_pegs,
            display_language=display_language(settings_editor),
            loss=host.recovery,
            awaits_owner=is_first_start,
            is_forgotten=not is_first_start and is_forgotten_phone(host.pairing.registry),
            first_view=first_view(host, cache),
            asks_what_to_play_on=len(host.setup.peg_sources) > 1,
            usual_pegs=host.setup.peg_sources[0].value,
            is_by_hand=host.snapshot.table is not None and host.snapshot.table.is_by_hand,
        )

    @pages.get("/big")
    def big() -> str:
        return render("big.html")

    @pages.get("/boards/<board>/<int:target>/<orientation>.svg")
    def drawing(board: str, target: int, orientation: str) -> Response:
        plan = find_plan(host, board)
        if plan is None or orientation not in ORIENTATIONS:
            raise Problem(HTTPStatus.NOT_FOUND, "no such drawing")
        try:
            drawn = draw_board(plan, target, ORIENTATIONS[orientation], language_now())
            return revalidated(drawn, "image/svg+xml")
        except UnsupportedTarget as error:
            raise Problem(HTTPStatus.NOT_FOUND, str(error)) from error

    @pages.get("/cards.svg")
    def faces() -> Response:
        return revalidated(card_faces(), "image/svg+xml")

    @pages.get("/score-chart.svg")
    def score_chart() -> Response:
        """The chart of the game under way."""
        chart = chart_of(host.snapshot.history, language_now())
        if not chart:
            raise Problem(HTTPStatus.NOT_FOUND, "no game yet")
        return revalidated(chart.encode(), "image/svg+xml")

    return pages


def first_view(host: Host, cache: StateCache) -> str:
    """State and drawing of the game under way, as JSON for a script element: the page shows them without asking again.
    Empty without a game, and for visitors who may not watch."""
    plan = host.snapshot.plan
    table = host.snapshot.table
    if table is None or current_visitor().role is Role.STRANGER:
        return ""
    language = language_now()
    drawn = draw_board(plan, table.rules.target, False, language).decode()
    address = f"/boards/{plan.id}/{table.rules.target}/landscape.svg?lang={language}"  # as in static/board/board.js
    drawing = json.dumps({"address": address, "svg": drawn}, ensure_ascii=False)
    return f'{{"state":{cache.now(language).text},"drawing":{drawing}}}'.replace("<", "\\u003c")


def first_game(setup: HostSetup) -> dict[str, object]:
    """The game that Start begins at once: by the settings. `names` and `target` are for its label."""
    rules = setup.games[0]
    names = list(offered_names(setup)[: rules.players])
    body = {"variant": rules.variant, "options": options_of(rules), "names": names}
    text = names_in_words(names, translator(language_now()))
    return {"body": body, "names": text, "target": rules.target}


def board_game(setup: HostSetup) -> dict[str, object]:
    """The game of one person against the program, which deals the cards: by the settings, for two players."""
    rules = next(rules for rules in (*setup.games, rules_for("six_card")) if rules.players == 2)
    tr = translator(language_now())
    names = [offered_names(setup)[0], tr("The board")]
    levels = [None, Level.CLUB.value]
    options = options_of(rules)
    return {"variant": rules.variant, "options": options, "names": names, "is_dealt": True, "levels": levels}


def offered_names(setup: HostSetup) -> tuple[str, ...]:
    """A name for each seat. Where nobody chose one it is in the language that the display has after the start: the
    owner sets that to the language of the page."""
    if current_visitor().role is not Role.OWNER:
        return setup.names
    return in_other_language(setup.names, setup.translator, translator(language_now()))


def display_language(settings_editor: SettingsEditor | None) -> str:
    """The language of the board's display. A visitor who may not change it gets the language of the page."""
    is_owner = current_visitor().role is Role.OWNER
    return settings_editor.running.language if settings_editor and is_owner else language_now()


def chart_of(history: History, language: str) -> str:
    """The scores after each turn as SVG; empty without a game."""
    table = history.table
    if table is None:
        return ""
    turns = [turn.table.scores for turn in history.turns_back()][::-1]
    changes = [scores for place, scores in enumerate(turns) if place == 0 or scores != turns[place - 1]]
    names = [table.side_name(side) for side in range(len(table.sides))]
    return draw_score_chart(names, changes, table.rules.target, table.rules.skunk_lines, translator(language))


@lru_cache(maxsize=8)
def draw_board(plan: BoardPlan, target: int, is_portrait: bool, language: str) -> bytes:
    """The drawing of a board with its lettering in a language."""
    return draw(plan, target, portrait=is_portrait, word=translator(language)).encode()


def revalidated(content: bytes, mimetype: str) -> Response:
    """A response with an ETag that browsers revalidate each time; an unchanged one is 304."""
    response = Response(content, mimetype=mimetype, headers={"Cache-Control": "no-cache"})
    response.add_etag()
    response.make_conditional(request)
    return response
