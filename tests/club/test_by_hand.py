"""Places that the organiser changes: a late player, two people by name, a bye, tables, and their undo."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware_host.club import by_hand as h
from firmware_host.club import decide as d
from firmware_host.club import rule_errors as refused
from firmware_host.club.board_results import BoardResult, receive_result
from firmware_host.club.events import Event
from firmware_host.club.evolve import evolve
from firmware_host.club.members import MemberId, NightSettings
from firmware_host.club.state import Club, Night

ANN, BEN, CAT, DAN, EVA, FAY = map(MemberId, range(1, 7))
NAMES = ("Ann", "Ben", "Cat", "Dan", "Eva", "Fay")


class Evening:
    """A club of six, of whom the first `players` have entered, and one round is paired."""

    def __init__(self, players: int) -> None:
        self.club = Club()
        self.events = list[Event]()
        for name in NAMES:
            self.apply(d.add_member(self.club, name))
        self.apply(d.create_night(self.club, "2026-03-14", NightSettings()))
        for member in range(1, players + 1):
            self.apply(d.enter_player(self.club, self.night, MemberId(member)))
        self.apply(d.pair_round(self.club, self.night))

    @property
    def night(self) -> Night:
        return self.club.nights[-1]

    def apply(self, *events: Event) -> None:
        for event in events:
            self.events.append(event)
            self.club = evolve(self.club, event)

    def tables(self, round: int = 1) -> dict[int, str]:
        """Table -> the first letters of its players; 0: the byes."""
        found = self.night.rounds[round - 1]
        games = {game.table: "".join(self.club.name(each)[0] for each in game.players) for game in found.games}
        return games | {0: "".join(self.club.name(each)[0] for each in found.byes)}


def test_a_late_player_sits_down_opposite_the_bye_in_one_command() -> None:
    evening = Evening(5)
    assert evening.tables() == {1: "BE", 2: "CD", 0: "A"}
    evening.apply(*h.arrive(evening.club, evening.night, FAY))
    assert evening.tables() == {1: "BE", 2: "CD", 3: "FA", 0: ""}


def test_a_late_player_takes_the_bye_of_every_round_of_a_chart() -> None:
    evening = Evening(3)
    evening.apply(d.pair_round(evening.club, evening.night))
    evening.apply(*h.arrive(evening.club, evening.night, FAY))
    assert [evening.tables(round)[0] for round in (1, 2)] == ["", ""]


def test_a_late_player_without_a_bye_waits_and_is_named() -> None:
    evening = Evening(4)
    evening.apply(*h.arrive(evening.club, evening.night, EVA))
    assert h.without_place(evening.night, evening.night.rounds[0]) == (EVA,)
    evening.apply(h.give_bye(evening.club, evening.night, 1, EVA))
    assert evening.tables()[0] == "E" and h.without_place(evening.night, evening.night.rounds[0]) == ()


def test_two_who_play_others_are_paired_and_their_opponents_play_each_other() -> None:
    evening = Evening(4)
    assert evening.tables() == {1: "AD", 2: "BC", 0: ""}
    evening.apply(h.pair_by_hand(evening.club, evening.night, 1, ANN, BEN))
    assert evening.tables() == {1: "AB", 2: "DC", 0: ""}
    evening.apply(h.undo_by_hand(evening.night, 1))
    assert evening.tables() == {1: "AD", 2: "BC", 0: ""}
    assert not h.can_undo(evening.night, evening.night.rounds[0])


def test_the_opponent_of_a_bye_by_hand_plays_who_had_one() -> None:
    evening = Evening(5)
    evening.apply(h.give_bye(evening.club, evening.night, 1, BEN))
    assert evening.tables() == {1: "EA", 2: "CD", 0: "B"}


def test_a_game_with_scores_stays_and_ends_the_undo_of_the_change_that_made_it() -> None:
    evening = Evening(4)
    evening.apply(h.pair_by_hand(evening.club, evening.night, 1, ANN, BEN))
    evening.apply(d.report_result(evening.club, evening.night, 1, 1, (121, 90), ANN))
    with pytest.raises(refused.NothingToUndo):
        h.undo_by_hand(evening.night, 1)
    with pytest.raises(refused.GameHasScores):
        h.pair_by_hand(evening.club, evening.night, 1, ANN, CAT)
    with pytest.raises(refused.GameHasScores):
        h.give_bye(evening.club, evening.night, 1, BEN)
    with pytest.raises(refused.GameHasScores):
        h.swap_tables(evening.night, 1, 2, 1)


def test_tables_are_exchanged_with_what_boards_sent_about_their_games() -> None:
    evening = Evening(4)
    sent = BoardResult("table-1", "ab12", 1, True, "2026-03-14T20:00:00", ("Ann", "Dan"), (121, 90))
    undone = BoardResult("table-1", "ab12", 2, False, "2026-03-14T20:00:00", ("Ann", "Dan"), (121, 90))
    for message in (sent, undone):
        event = receive_result(evening.club, message)
        assert event
        evening.apply(event)
    evening.apply(h.swap_tables(evening.night, 1, 1, 2))
    assert evening.tables() == {1: "BC", 2: "AD", 0: ""}
    assert evening.night.received["table-1", "ab12"].game == (1, 2)


def test_an_undone_leave_gives_the_game_back() -> None:
    evening = Evening(4)
    before = evening.night.rounds
    evening.apply(d.leave(evening.club, evening.night, ANN))
    assert evening.tables() == {2: "BC", 0: "D"}
    evening.apply(h.undo_leave(evening.club, evening.night, ANN))
    assert evening.night.rounds == before and ANN in evening.night.present
    with pytest.raises(refused.HasNotLeft):
        h.undo_leave(evening.club, evening.night, ANN)


def test_leaves_that_are_undone_in_the_reverse_order_change_nothing() -> None:
    evening = Evening(4)
    before = evening.tables()
    for member in (ANN, DAN):
        evening.apply(d.leave(evening.club, evening.night, member))
    for member in (DAN, ANN):
        evening.apply(h.undo_leave(evening.club, evening.night, member))
    assert evening.tables() == before


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        (lambda e: h.pair_by_hand(e.club, e.night, 1, ANN, ANN), refused.SamePlayer),
        (lambda e: h.pair_by_hand(e.club, e.night, 1, ANN, DAN), refused.PairedAlready),
        (lambda e: h.pair_by_hand(e.club, e.night, 1, ANN, FAY), refused.NotEntered),
        (lambda e: h.pair_by_hand(e.club, e.night, 2, ANN, BEN), refused.RoundNotPaired),
        (lambda e: h.swap_tables(e.night, 1, 1, 1), refused.SameTable),
        (lambda e: h.swap_tables(e.night, 1, 3, 1), refused.NoSuchTable),
        (lambda e: h.undo_by_hand(e.night, 1), refused.NothingToUndo),
    ],
)
def test_what_makes_no_sense_is_refused(change: Callable[[Evening], Event], refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        change(Evening(4))
