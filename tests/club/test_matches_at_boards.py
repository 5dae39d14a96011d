"""Matches of the play-offs at boards and on phones: their games are seated and reported like those of rounds."""

from __future__ import annotations

import pytest

from firmware_host.club import decide as d
from firmware_host.club import events as e
from firmware_host.club.board_results import BoardResult, receive_result
from firmware_host.club.bracket import Match
from firmware_host.club.by_hand import free_tables, swap_match_tables
from firmware_host.club.conflicts import conflicts_of
from firmware_host.club.events import BracketKind
from firmware_host.club.evolve import evolve
from firmware_host.club.game import Game
from firmware_host.club.members import MemberId, NightSettings
from firmware_host.club.phones import join_phone, next_game, report_on_phone
from firmware_host.club.rule_errors import (
    BracketHasResults,
    GameHasScores,
    MatchDecided,
    NextMatchPlayed,
    NoSuchTable,
    NotAtTable,
    ResultIsFinal,
    SameTable,
)
from firmware_host.club.seating import join_board, seating_of, set_join_code
from firmware_host.club.standings import standings
from firmware_host.club.state import Club, Night
from firmware_host.cribbage.rule_errors import Refusal

CODE = "123456"
DAY = "2026-03-14"


class Playoffs:
    """Four players in a bracket after a night of one round, with a board at each of two tables."""

    def __init__(self, settings: NightSettings | None = None) -> None:
        self.club = Club()
        self.revision = 0
        self.apply(d.create_night(self.club, DAY, settings or NightSettings(games=1, qualify_one_in=1)))
        for number, name in enumerate(("Ann", "Bob", "Cat", "Dan"), start=1):
            self.apply(d.add_member(self.club, name, handicap=number))
            self.apply(d.enter_player(self.club, self.night, MemberId(number)))
        self.apply(set_join_code(self.night, CODE))
        for board in ("a", "b"):
            self.apply(join_board(self.club, board, CODE))
        self.apply(d.pair_round(self.club, self.night))
        for game in self.night.rounds[0].games:
            self.apply(d.correct_result(self.night, 1, game.table, (121, 100), "test"))
        self.draw()

    @property
    def night(self) -> Night:
        return self.club.nights[-1]

    def apply(self, event: e.Event | None) -> None:
        assert event
        self.club = evolve(self.club, event)

    def draw(self, kind: BracketKind = BracketKind.MAIN, members: list[MemberId] | None = None) -> None:
        self.apply(d.draw_bracket(self.club, self.night, kind, 3, members))

    def match(self, round: int = 1, number: int = 1) -> Match:
        found = self.night.brackets[BracketKind.MAIN].match(round, number)
        assert found
        return found

    def seated(self, board: str = "a") -> Game:
        game = seating_of(self.night, board).game
        assert game
        return game

    def sent(
        self, game: Game, winner: int, board: str = "a", confirmed: bool = True, final: bool = True
    ) -> BoardResult:
        """A new message of a board about this game; it has the winner of the pair by place."""
        self.revision += 1
        scores = (121, 90) if winner == 0 else (90, 121)
        names = tuple(map(self.club.name, game.players))
        at = (self.night.number, game.round, game.table)
        both = (0, 1) if confirmed else ()
        key = f"{game.round}-{game.table}"
        return BoardResult(board, key, self.revision, final, f"{DAY}T20:00:00Z", names, scores, both, at)

    def receive(self, result: BoardResult) -> list[e.Event]:
        events = list[e.Event]()
        while event := receive_result(self.club, result):
            self.apply(event)
            events.append(event)
        return events

    def play(self, winner: int, board: str = "a") -> Game:
        game = self.seated(board)
        self.receive(self.sent(game, winner, board))
        return game


def test_a_board_gets_the_games_of_its_match_until_it_is_decided() -> None:
    playoffs = Playoffs()
    before = standings(playoffs.night)
    first = playoffs.seated()
    assert (first.round, first.table, first.players) == (2, 1, playoffs.match().players)
    assert playoffs.seated("b").players == playoffs.match(1, 2).players
    playoffs.receive(playoffs.sent(first, 0, confirmed=False))
    assert seating_of(playoffs.night, "a").game is None, "both players confirm first"
    assert playoffs.match().score == ()
    playoffs.receive(playoffs.sent(first, 0))
    assert playoffs.match().score == (1, 0) and playoffs.match().wins == ()
    assert playoffs.play(1).round == 3 and playoffs.play(0).round == 4
    assert playoffs.match().wins == (2, 1) and seating_of(playoffs.night, "a").game is None
    for _ in range(2):
        playoffs.play(1, "b")
    final = playoffs.seated()
    assert final.players == (first.players[0], playoffs.match(1, 2).players[1]) and final.table == 1
    for _ in range(2):
        playoffs.play(1)
    assert playoffs.night.brackets[BracketKind.MAIN].champion == final.players[1]
    assert standings(playoffs.night) == before and playoffs.night.is_over, "the night's own games are as they were"
    assert playoffs.night.open_match_games == ()


def test_a_message_counts_once_and_only_from_the_board_of_the_table() -> None:
    playoffs = Playoffs()
    game = playoffs.seated()
    result = playoffs.sent(game, 0)
    (refused,) = playoffs.receive(playoffs.sent(game, 1, "b"))
    assert isinstance(refused, e.ResultUnmatched) and refused.why is e.Unmatched.OTHER_BOARD
    assert len(playoffs.receive(result)) == 3 and playoffs.receive(result) == []
    assert playoffs.match().score == (1, 0)


def test_an_end_that_is_undone_gives_the_match_back_until_the_next_one_has_begun() -> None:
    playoffs = Playoffs()
    playoffs.play(0)
    game = playoffs.play(0)
    for _ in range(2):
        playoffs.play(0, "b")
    assert playoffs.seated().players == playoffs.match(2).players
    playoffs.receive(playoffs.sent(game, 0, final=False))
    assert playoffs.match().wins == () and not playoffs.match(2).is_ready and playoffs.seated().round == game.round
    playoffs.play(0)
    playoffs.play(0)
    assert playoffs.match(2).score == (1, 0)
    assert playoffs.receive(playoffs.sent(game, 0, final=False)) == []
    (refused,) = playoffs.receive(playoffs.sent(game, 1))
    assert isinstance(refused, e.ResultUnmatched) and refused.why is e.Unmatched.COUNTS_ALREADY
    assert playoffs.match().wins == (2, 0)
    (conflict,) = conflicts_of(playoffs.club, playoffs.night)
    assert conflict.game and conflict.game.players == game.players and not conflict.can_count
    with pytest.raises(MatchDecided):
        d.correct_result(playoffs.night, game.round, game.table, (90, 121), "too late")
    with pytest.raises(NextMatchPlayed):
        d.report_match(playoffs.night, BracketKind.MAIN, 1, 1, (0, 2), "too late")


def test_what_the_organiser_enters_for_a_match_counts_instead_of_its_games() -> None:
    playoffs = Playoffs()
    game = playoffs.play(0)
    with pytest.raises(BracketHasResults):
        playoffs.draw()
    open_game = playoffs.seated()
    playoffs.apply(d.report_match(playoffs.night, BracketKind.MAIN, 1, 1, (1, 2)))
    assert playoffs.match().winner == game.players[1] and seating_of(playoffs.night, "a").game is None
    (refused,) = playoffs.receive(playoffs.sent(open_game, 0))
    assert isinstance(refused, e.ResultUnmatched) and playoffs.match().wins == (1, 2)
    with pytest.raises(ResultIsFinal):
        d.report_result(playoffs.club, playoffs.night, open_game.round, 1, (121, 3))
    for _ in range(2):
        playoffs.apply(d.report_match(playoffs.night, BracketKind.MAIN, 1, 1, (2, 1), "the wrong way round"))
    assert playoffs.match().winner == game.players[0]


def test_after_a_correction_others_play_the_next_match_under_a_name_of_its_own() -> None:
    playoffs = Playoffs()
    for number in (1, 2):
        playoffs.apply(d.report_match(playoffs.night, BracketKind.MAIN, 1, number, (2, 0)))
    one = playoffs.seated()
    playoffs.apply(d.report_match(playoffs.night, BracketKind.MAIN, 1, 1, (0, 2), "the wrong way round"))
    other = playoffs.seated()
    assert other.players == (playoffs.match().players[1], one.players[1]) and other.round > one.round
    assert playoffs.night.fixture(one.round, one.table) is None
    (refused,) = playoffs.receive(playoffs.sent(one, 0))
    assert isinstance(refused, e.ResultUnmatched) and refused.why is e.Unmatched.NO_GAME


def test_the_consolation_gets_the_next_tables() -> None:
    playoffs = Playoffs()
    playoffs.draw(members=[MemberId(1), MemberId(2)])
    playoffs.draw(BracketKind.CONSOLATION, members=[MemberId(3), MemberId(4)])
    assert (playoffs.seated("a").bracket, playoffs.seated("b").bracket) == ("main", "consolation")


def test_a_match_has_the_head_start_of_the_night_and_waits_for_nobody_who_left() -> None:
    playoffs = Playoffs(NightSettings(games=1, qualify_one_in=1, head_start=True))
    game = playoffs.seated()
    assert game.head_start == game.players[0] - game.players[1]
    playoffs.apply(d.leave(playoffs.club, playoffs.night, game.players[1]))
    assert seating_of(playoffs.night, "a").game is None


def test_matches_exchange_their_tables_and_play_on_there() -> None:
    playoffs = Playoffs()
    one, two = playoffs.seated("a"), playoffs.seated("b")
    playoffs.apply(swap_match_tables(playoffs.night, 1, 2))
    assert playoffs.seated("a").players == two.players and playoffs.seated("b").players == one.players
    assert {(game.round, game.table) for game in playoffs.night.open_match_games} == {(3, 1), (3, 2)}, "new names"
    playoffs.play(0, "b")
    assert playoffs.match().score == (1, 0) and playoffs.seated("b").round == 4
    playoffs.apply(swap_match_tables(playoffs.night, 1, 2))
    assert playoffs.seated("a").players == one.players


def test_a_match_gets_an_empty_table_and_its_old_one_is_free_for_the_next() -> None:
    playoffs = Playoffs()
    assert free_tables(playoffs.night, playoffs.night.open_match_games) == (3,)
    playoffs.apply(swap_match_tables(playoffs.night, 1, 3))
    assert seating_of(playoffs.night, "a").game is None
    moved = playoffs.night.open_match_games[0]
    assert (moved.table, moved.players) == (3, playoffs.match().players)
    playoffs.apply(d.report_match(playoffs.night, BracketKind.MAIN, 1, 1, (2, 0)))
    playoffs.apply(d.report_match(playoffs.night, BracketKind.MAIN, 1, 2, (2, 0)))
    assert playoffs.seated("a").players == playoffs.match(2).players


def test_what_a_board_sent_about_a_game_goes_along_to_its_new_table() -> None:
    playoffs = Playoffs()
    game = playoffs.seated("a")
    playoffs.receive(playoffs.sent(game, 0, confirmed=False))
    with pytest.raises(GameHasScores):
        swap_match_tables(playoffs.night, 2, 1)
    playoffs.receive(playoffs.sent(game, 0, final=False))
    playoffs.apply(swap_match_tables(playoffs.night, 1, 2))
    (refused,) = playoffs.receive(playoffs.sent(game, 0))
    assert isinstance(refused, e.ResultUnmatched) and refused.why is e.Unmatched.OTHER_BOARD
    assert playoffs.match(1, 2).score == () and playoffs.match().score == ()


@pytest.mark.parametrize(("one", "two", "refusal"), [(3, 1, NoSuchTable), (1, 5, NoSuchTable), (2, 2, SameTable)])
def test_only_tables_of_matches_are_exchanged(one: int, two: int, refusal: type[Refusal]) -> None:
    with pytest.raises(refusal):
        swap_match_tables(Playoffs().night, one, two)


def test_two_phones_report_the_games_of_a_match() -> None:
    playoffs = Playoffs()
    pair = playoffs.seated().players
    for member in pair:
        playoffs.apply(join_phone(playoffs.club, playoffs.club.name(member), CODE, f"key of {member}"))
    for _ in range(2):
        game = next_game(playoffs.night, pair[0])
        assert game and game.match
        for member in pair:
            playoffs.apply(report_on_phone(playoffs.club, f"key of {member}", game.round, game.table, (121, 80)))
    assert playoffs.match().wins == (2, 0) and next_game(playoffs.night, pair[1]) is None


def test_who_plays_another_match_is_not_at_the_table() -> None:
    playoffs = Playoffs()
    game = playoffs.seated()
    stranger = playoffs.match(1, 2).players[0]
    assert stranger
    with pytest.raises(NotAtTable):
        d.confirm_result(playoffs.club, playoffs.night, game.round, game.table, stranger)
