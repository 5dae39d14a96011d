"""Pages that most evenings nobody opens, such as past games, the coach and the settings.

Each group is imported when somebody opens one of its pages. A start is a tenth shorter for it, and the program smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from flask import Blueprint

from web_panel.lazy_pages import LazyPages

if TYPE_CHECKING:
    from firmware_host.config.settings_editor import SettingsEditor
    from firmware_host.game.state import Table
    from firmware_host.host.loop import Host
    from firmware_host.stats.archive import Archive
    from firmware_host.stats.learners_file import LearnersFile
    from firmware_host.stats.people_file import PeopleFile
    from firmware_host.stats.reviews import Reviews
    from web_panel.board_input import BoardInput
    from web_panel.pages.downloads import Downloads
    from web_panel.pages.trust import Authority

ROUTES: Mapping[str, tuple[str, ...]] = {
    "advice": ("GET /score-breakdown", "GET /advice"),
    "backups": (
        "GET /backups",
        "GET /cribboard.sqlite3",
        "POST /api/v1/backup/chunks",
        "POST /api/v1/backup/restore",
        "GET /api/v1/backup/restore",
        "POST /api/v1/backup/cancel",
    ),
    "coach": ("GET /coach", "GET /coach/play", "GET /coach/discard"),
    "coach_api": ("POST /api/v1/coach/hand",),
    "deals": ("GET /deals/<game>", "GET /deals/<game>/<int:deal>.txt"),
    "history": ("GET /history", "GET /history/<int:game>", "GET /player", "GET /head-to-head"),
    "history_downloads": ("GET /history.csv", "GET /players.csv", "GET /history.json"),
    "new_game": ("GET /new-game",),
    "review": ("GET /review",),
    "scorecards": (
        "GET /scorecards",
        "GET /scorecards.csv",
        "GET /scorecards.json",
        "POST /api/v1/people/merge",
        "POST /api/v1/people/unmerge",
    ),
    "settings": ("GET /settings", "GET /api/v1/settings", "POST /api/v1/settings"),
    "setup_wizard": (
        "GET /setup",
        "GET /api/v1/setup",
        *(f"POST /api/v1/setup/{step}" for step in ("open", "close", "step", "repeat", "answer", "hole")),
        *("POST /api/v1/setup/sound", "POST /api/v1/setup/wiring", "POST /api/v1/setup/club"),
    ),
    "trust": ("GET /trust", "GET /trust/cribboard.crt"),
}
"""Group of pages, a method of PagesOnDemand -> its routes."""


class PagesOnDemand:
    """Makes the blueprint of each group. See `create_panel` for the arguments."""

    def __init__(
        self,
        host: Host,
        archive: Callable[[], Archive],
        people_file: Callable[[], PeopleFile],
        learners_file: Callable[[], LearnersFile],
        settings_editor: SettingsEditor | None,
        board_input: BoardInput | None,
        gives_advice: Callable[[Table | None], bool],
        authority: Authority | None,
    ) -> None:
        self._host = host
        self._settings_editor = settings_editor
        self._board_input = board_input
        self._archive = archive
        self._people_file = people_file
        self._learners_file = learners_file
        self._gives_advice = gives_advice
        self._authority = authority

    def blueprints(self) -> list[LazyPages]:
        """All groups; none of them is imported yet."""
        return [LazyPages(group, routes, getattr(self, group)) for group, routes in ROUTES.items()]

    @cached_property
    def _downloads(self) -> Downloads:
        from web_panel.pages.downloads import Downloads

        return Downloads()

    @cached_property
    def _reviews(self) -> Reviews:
        from firmware_host.stats.reviews import Reviews  # with the engine, when the first review is shown

        return Reviews(self._archive())

    def advice(self) -> Blueprint:
        """What the best discards are, and where points came from."""
        from web_panel.pages.advice import make_advice

        return make_advice(self._host, self._gives_advice)

    def backups(self) -> Blueprint:
        """Save and restore the journal."""
        from web_panel.pages.backups import make_backups

        return make_backups(self._host, self._archive(), self._people_file(), self._learners_file(), self._downloads)

    def coach(self) -> Blueprint:
        """Exercises."""
        from web_panel.pages.coach import make_coach

        return make_coach(self._learners_file())

    def coach_api(self) -> Blueprint:
        """Hands to count."""
        from web_panel.api.coach import make_coach_api

        return make_coach_api(self._learners_file())

    def deals(self) -> Blueprint:
        """The proofs of dealt packs."""
        from web_panel.pages.deals import make_deals

        return make_deals(self._host, self._archive())

    def history(self) -> Blueprint:
        """Past games and players."""
        from web_panel.pages.history import make_history

        return make_history(self._archive(), self._host, self._people_file(), lambda: self._reviews)

    def history_downloads(self) -> Blueprint:
        """Past games and players as files."""
        from web_panel.pages.history_downloads import make_history_downloads

        return make_history_downloads(self._archive(), self._host, self._people_file(), self._downloads)

    def new_game(self) -> Blueprint:
        """Who plays what with whom."""
        from web_panel.pages.new_game import make_new_game

        return make_new_game(self._host, self._settings_editor)

    def review(self) -> Blueprint:
        """The choices and missed points of a finished game."""
        from web_panel.pages.review import make_review

        return make_review(self._host, self._archive(), lambda: self._reviews)

    def scorecards(self) -> Blueprint:
        """Scorecards, and which names are one player."""
        from web_panel.pages.scorecard import make_scorecard

        return make_scorecard(self._archive(), self._people_file(), self._downloads)

    def settings(self) -> Blueprint:
        """The settings file."""
        from web_panel.pages.settings import make_settings

        return make_settings(self._settings_editor)

    def setup_wizard(self) -> Blueprint:
        """Setting up a board that was just built."""
        from web_panel.pages.setup_wizard import make_setup_wizard

        return make_setup_wizard(self._host, self._board_input, self._settings_editor)

    def trust(self) -> Blueprint:
        """How a phone trusts the certificate of this board."""
        from web_panel.pages.trust import make_trust

        return make_trust(self._authority)
