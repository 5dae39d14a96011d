"""Grand slams, and hands of 28 and 29 that the organiser notes."""

from __future__ import annotations

import pytest

from firmware_host.club import decide as d
from firmware_host.club.events import Event
from firmware_host.club.evolve import evolve
from firmware_host.club.honours import HighHands, grand_slams, high_hands, note_high_hands
from firmware_host.club.members import MemberId
from firmware_host.club.rule_errors import NotEntered
from firmware_host.club.state import Club
from firmware_host.cribbage.rule_errors import UnknownChoice
from tests.club.test_papers import ANN, BOB, CAT, night_of


def after(club: Club, event: Event) -> Club:
    return evolve(club, event)


def noted(club: Club, member: MemberId, points: int, count: int = 1) -> Club:
    return after(club, note_high_hands(club, club.nights[-1], member, points, count))


def test_the_highest_hands_come_first_and_the_last_word_counts() -> None:
    club = night_of("Ann", "Bob")
    club = noted(noted(noted(club, ANN, 28), BOB, 29), ANN, 28, 2)
    assert high_hands(club.nights[-1]) == (HighHands(BOB, 29, 1), HighHands(ANN, 28, 2))
    assert high_hands(noted(club, BOB, 29, 0).nights[-1]) == (HighHands(ANN, 28, 2),)


def test_a_hand_of_somebody_who_left_still_counts_but_none_of_a_stranger() -> None:
    club = night_of("Ann", "Bob")
    club = after(club, d.add_member(club, "Cat"))
    club = after(club, d.leave(club, club.nights[-1], BOB))
    assert high_hands(noted(club, BOB, 28).nights[-1])
    with pytest.raises(NotEntered):
        noted(club, CAT, 28)


@pytest.mark.parametrize(("points", "count"), [(27, 1), (30, 1), (29, -1), (29, 10)])
def test_only_a_few_hands_of_28_and_29_are_noted(points: int, count: int) -> None:
    with pytest.raises(UnknownChoice):
        noted(night_of("Ann", "Bob"), ANN, points, count)


def test_a_grand_slam_is_every_game_of_the_night() -> None:
    club = night_of("Ann", "Bob", games=2)
    for number in (1, 2):
        assert not grand_slams(club.nights[-1]), "one game won of two is none"
        club = after(club, d.pair_round(club, club.nights[-1]))
        place = club.nights[-1].rounds[-1].games[0].players.index(ANN)
        scores = (121, 100) if place == 0 else (100, 121)
        club = after(club, d.correct_result(club.nights[-1], number, 1, scores, "read aloud"))
    assert grand_slams(club.nights[-1]) == (ANN,)


def test_a_bye_is_no_game_won() -> None:
    club = night_of("Ann", "Bob", "Cat", games=1)
    club = after(club, d.pair_round(club, club.nights[-1]))
    club = after(club, d.correct_result(club.nights[-1], 1, 1, (121, 100), "read aloud"))
    assert grand_slams(club.nights[-1]) == (club.nights[-1].rounds[0].games[0].players.first,)
