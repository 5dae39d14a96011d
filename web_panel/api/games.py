"""Games to look at again: the short game for visitors, the replay of a game, and the result of a finished one."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Blueprint, Response, json
from msgspec import Struct

from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import NoSuchPlan, load_plan
from firmware_host.config.languages import translator
from firmware_host.game.events import Event
from firmware_host.game.history import History
from firmware_host.game.state import Phase, Table
from firmware_host.host.loop import Host
from firmware_host.ui.referee_mode import RefereeMode
from web_panel.errors import Problem
from web_panel.language import language_now
from web_panel.views.replay import history_of, replay
from web_panel.views.watched_game import watched_game

if TYPE_CHECKING:
    from firmware_host.stats.archive import Archive

CURRENT = "current"
"""Stands for the number of the game that is on, or was played last."""
WATCHED_BOARD = "classic-61"


class FoundGame(Struct, frozen=True):
    """A game of the journal, or the current one."""

    history: History
    table: Table
    referee_mode: RefereeMode
    is_latest: bool
    """Whether no other game was begun: undo can go back into it."""

    @property
    def turns(self) -> tuple[tuple[Event, ...], ...]:
        """Its turns that were not undone, oldest first."""
        return tuple(turn.events for turn in self.history.turns_back())[::-1]

    @property
    def is_finished(self) -> bool:
        """Whether a side has won. What was hidden in its deals may then be shown."""
        return self.table.winner is not None


def make_games(host: Host, archive: Callable[[], Archive]) -> Blueprint:
    """The routes under /api/v1/games."""
    api = Blueprint("games", __name__, url_prefix="/api/v1/games")

    @api.get("/watched")
    def watched() -> Response:
        """A short game for visitors to watch: frames with captions."""
        return json_response(watched_json(language_now()))

    @api.get("/<game>/replay")
    def replay_of(game: str) -> Response:
        """A game turn by turn: a number of the journal, or `current`."""
        found = find_game(host, archive(), game)
        frames = replay(found.history, plan_of(host, found.table), found.referee_mode, translator(language_now()))
        return json_response(json.dumps(frames, ensure_ascii=False, separators=(",", ":")))

    @api.get("/<game>/result")
    def result(game: str) -> Response:
        """The result of a finished game: a number of the journal, or `current`."""
        found = find_game(host, archive(), game)
        if not found.is_finished:
            raise Problem(HTTPStatus.NOT_FOUND, "expected a finished game, got one that is not finished")
        # Not needed before a game has ended.
        from firmware_host.stats.result import result_of
        from web_panel.views.result import result_view

        return json_response(json.dumps(result_view(result_of(found.turns), translator(language_now()))))

    return api


@lru_cache(maxsize=8)
def watched_json(language: str) -> str:
    """The short game as JSON, played once for each language."""
    frames = watched_game(load_plan(WATCHED_BOARD), translator(language))
    return json.dumps(frames, ensure_ascii=False, separators=(",", ":"))


def find_game(host: Host, archive: Archive, game: str) -> FoundGame:
    """The current game, or one of the journal by its number. Raises Problem (404), JournalError."""
    snapshot = host.snapshot
    if game == CURRENT:
        if snapshot.table is None:
            raise Problem(HTTPStatus.NOT_FOUND, "no game yet")
        is_over = snapshot.table.phase is Phase.OVER
        mode = RefereeMode.TEACHER if is_over else snapshot.referee_mode
        return FoundGame(snapshot.history, snapshot.table, mode, is_latest=True)
    with archive.open_reader() as journal:
        turns = journal.turns_of(int(game)) if game.isdecimal() and len(game) < 10 else ()
        is_latest = game.isdecimal() and int(game) >= journal.last_game
    history = history_of(turns)
    if history.table is None or history.table.is_demo:
        raise Problem(HTTPStatus.NOT_FOUND, f"expected {CURRENT!r} or the number of a game, got {ascii(game)}")
    is_current = history.table == snapshot.table and history.table.phase is not Phase.OVER
    mode = snapshot.referee_mode if is_current else RefereeMode.TEACHER
    return FoundGame(history, history.table, mode, is_latest)


def plan_of(host: Host, table: Table) -> BoardPlan:
    """The board of a game. Raises Problem (404) where its plan is not known any more."""
    plan = find_plan(host, table.board)
    if plan is None or table.rules.target not in plan.targets:
        raise Problem(HTTPStatus.NOT_FOUND, f"no plan of the board {ascii(table.board)}")
    return plan


def find_plan(host: Host, board: str) -> BoardPlan | None:
    """A board that is available here, or else a built-in one; None for any other."""
    for plan in host.setup.plans:
        if plan.id == board:
            return plan
    try:
        return None if board.endswith(".toml") else load_plan(board)
    except NoSuchPlan:
        return None


def json_response(text: str) -> Response:
    """A response of this JSON text, which no cache keeps."""
    return Response(text, mimetype="application/json", headers={"Cache-Control": "no-store"})
