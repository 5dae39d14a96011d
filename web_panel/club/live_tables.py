"""The boards at the tables of the round on the screen and of matches: online or not, and the scores of their games."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from firmware_host.club.game import Game
from firmware_host.club.seating import round_on_screen
from firmware_host.club.state import Club, Round
from firmware_host.club_server.live_boards import LiveBoard
from firmware_host.config.languages import translator
from firmware_host.cribbage.names import name_key
from firmware_host.ui.translator import Translator
from web_panel.language import language_now


class LiveTables(Struct, frozen=True):
    """What the templates ask. `boards` is None while the program hears no boards."""

    club: Club
    round: Round | None
    boards: Mapping[str, LiveBoard] | None
    tr: Translator

    def board(self, name: str) -> LiveBoard | None:
        """A board that has joined; None while no board is heard."""
        return self.boards.get(name) if self.boards else None

    def board_at(self, game: Game) -> LiveBoard | None:
        """The board at the table of a game; None also for a game that is not on: of another round than the one on the
        screen, or of a match that is decided."""
        night = self.club.nights[-1]
        is_of_round = self.round is not None and game.round == self.round.number
        if not is_of_round and game not in night.open_match_games:
            return None
        at_table = (board for board, table in night.boards.items() if table == game.table)
        return self.board(next(at_table, ""))

    def scores(self, game: Game) -> tuple[int, int] | None:
        """The score of each player of a game that is on; None where the board is offline, or has another game."""
        board = self.board_at(game)
        if board is None or not board.is_online or game.scores:
            return None
        by_name = {name_key(name): score for name, score in board.scores.items()}
        first, second = (name_key(self.club.name(player)) for player in game.players)
        return (by_name[first], by_name[second]) if by_name.keys() == {first, second} else None

    def presence(self, board: LiveBoard) -> str:
        """Whether a board is online, in words, and since when if that is known."""
        tr = self.tr
        if board.since is None:
            return tr("Board online") if board.is_online else tr("Board offline")
        text = tr("Board online since {time}") if board.is_online else tr("Board offline since {time}")
        return text.format(time=f"{board.since:%H:%M}")

    def score_line(self, board: LiveBoard) -> str:
        """Such as "Ann 45, Ben 52", which may be another game than the club's; the last score of a board that is
        offline. Empty without a game that is on."""
        return ", ".join(f"{name} {score}" for name, score in board.scores.items())


def live_tables(club: Club, boards: Mapping[str, LiveBoard] | None) -> LiveTables:
    """The tables of the latest night."""
    round = round_on_screen(club.nights[-1]) if club.nights else None
    return LiveTables(club, round, boards, translator(language_now()))
