"""The audit in sentences: who sat at the table then, by the names of that moment, and what concerns whom."""

from __future__ import annotations

import pytest

from firmware_host.club import by_hand as h
from firmware_host.club import decide as d
from firmware_host.club import events as e
from firmware_host.club.conflicts import conflicts_of, see_unmatched
from firmware_host.club.evolve import evolve
from firmware_host.club.history import Topic, entries
from firmware_host.club.members import ORGANISER, MemberId, NightSettings
from firmware_host.club.rule_errors import NoConflict
from firmware_host.club.state import Club
from firmware_host.config.languages import LANGUAGES, translator
from tests.club.random_nights import play_night
from tests.club.test_by_hand import ANN, BEN, CAT, Evening


def told(evening: Evening, night: int = 1, language: str = "en") -> list[str]:
    rows = [(number, "2026-03-14T20:00:00", event) for number, event in enumerate(evening.events, start=1)]
    return [entry.sentence for entry in entries(rows, night, translator(language))]


def test_each_event_is_a_sentence_with_names() -> None:
    evening = Evening(4)
    start = len(evening.events)
    evening.apply(h.pair_by_hand(evening.club, evening.night, 1, ANN, BEN))
    evening.apply(h.swap_tables(evening.night, 1, 1, 2))
    evening.apply(d.report_result(evening.club, evening.night, 1, 2, (121, 90), ANN))
    evening.apply(d.confirm_result(evening.club, evening.night, 1, 2, BEN))
    evening.apply(d.correct_result(evening.night, 1, 2, (121, 91), "the card says 91."))
    evening.apply(d.leave(evening.club, evening.night, CAT))
    evening.apply(h.undo_leave(evening.club, evening.night, CAT))
    evening.apply(e.PhoneJoined(1, 1, ANN, "hash"), e.PhoneReleased(1, 1))
    assert told(evening)[start:] == [
        "Round 1: Ann and Ben are paired by hand.",
        "Round 1: another table for the game of Ann, Dan.",
        "Round 1, table 2: Ann 121, Ben 90. Entered by Ann.",
        "Round 1, table 2: Ann 121, Ben 90. Confirmed by Ben.",
        "Round 1, table 2: Ann 121, Ben 91. Corrected by the organiser: the card says 91.",
        "Cat leaves.",
        "Cat has not left: the leave is undone.",
        "Ann joins with phone 1.",
        "Phone 1 of Ann is released.",
    ]


def test_a_name_is_that_of_its_moment() -> None:
    evening = Evening(2)
    evening.apply(d.change_member(evening.club, ANN, name="Anna", handicap=3))
    evening.apply(d.leave(evening.club, evening.night, ANN), d.remove_member(evening.club, MemberId(6)))
    assert told(evening)[-3:] == [
        "Ann is changed: Anna, member, handicap 3.",
        "Anna leaves.",
        "Fay is removed from the club.",
    ]


def test_another_night_has_its_own_events() -> None:
    evening = Evening(2)
    evening.apply(d.create_night(evening.club, "2026-03-21", NightSettings(), closes=True))
    evening.apply(d.add_member(evening.club, "Gus"))
    assert told(evening, 2) == ["Club night 2, 2026-03-21", "New: Gus, member, handicap 0."]
    assert "New: Gus, member, handicap 0." not in told(evening)


@pytest.mark.parametrize("language", LANGUAGES)
def test_random_nights_are_told_in_every_language(language: str) -> None:
    rows = [(number, "", event) for number, event in enumerate(play_night(3).events)]
    found = list(entries(rows, 1, translator(language)))
    assert len(found) == len(rows) and all(entry.sentence and "{" not in entry.sentence for entry in found)
    assert {Topic.RESULTS, Topic.ROUNDS, Topic.MEMBERS, Topic.PLAYOFFS} <= {entry.topic for entry in found}
    results = [entry for entry in found if entry.topic is Topic.RESULTS]
    assert all(len(entry.people - {ORGANISER}) == 2 for entry in results)


def test_a_result_that_does_not_count_stands_beside_the_one_that_does() -> None:
    evening = Evening(4)
    evening.apply(d.correct_result(evening.night, 1, 1, (121, 90), "paper"))
    sent = e.ResultUnmatched(1, e.Unmatched.COUNTS_ALREADY, ("Dan", "Ann"), (80, 121), "table-1", "ab12", 1)
    evening.apply(sent)
    (conflict,) = conflicts_of(evening.club, evening.night)
    assert conflict.can_count and conflict.game and (conflict.scores, conflict.game.scores) == ((121, 80), (121, 90))
    as_sent = evolve(evening.club, d.correct_result(evening.night, 1, 1, conflict.scores, "the board is right"))
    assert conflicts_of(as_sent, as_sent.nights[-1]) == ()
    evening.apply(see_unmatched(evening.night, "table-1", "ab12"))
    assert conflicts_of(evening.club, evening.night) == ()
    with pytest.raises(NoConflict):
        see_unmatched(evening.night, "table-1", "ab12")


def test_a_result_of_strangers_has_no_game_beside_it() -> None:
    evening = Evening(4)
    evening.apply(e.ResultUnmatched(1, e.Unmatched.NO_GAME, ("Zed", "Ann"), (80, 121), "table-1", "ab12", 1))
    (conflict,) = conflicts_of(evening.club, evening.night)
    assert conflict.game is None and not conflict.can_count


def test_an_empty_club_has_no_entries() -> None:
    assert list(entries([], 1, translator("en"))) == [] and Club().nights == ()
