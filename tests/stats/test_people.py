"""Which names are one person: spellings of one name, and names that were merged."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.variants import rules_for
from firmware_host.stats.people import (
    AlreadyOnePerson,
    NotMerged,
    People,
    PlayedTogether,
    Roster,
    UnknownPerson,
)
from firmware_host.storage.game_summary import GameSummary

NOON = datetime(2024, 2, 29, 12, 0, tzinfo=UTC)
UNMERGED = People()
ANNIE = People((("Ann", "Annie"),))


def roster(*games: str, people: People = UNMERGED) -> Roster:
    """Unfinished games between these names, such as "Ann Ben"; "/" separates names with spaces."""
    rules = rules_for("six_card")
    summaries = [
        GameSummary(number, NOON, tuple(game.split("/") if "/" in game else game.split()), "b", rules, (0, 0))
        for number, game in enumerate(games, 1)
    ]
    return Roster(summaries, people)


def test_merged_names_are_shown_as_the_first() -> None:
    people = People().merge("Ann", "Annie").merge("ann", " Nan ")
    assert people.groups == (("Ann", "Annie", "Nan"),)
    assert people.key_of("NAN") == people.key_of("annie") == people.key_of("Ann") != people.key_of("Ben")


def test_two_merged_persons_become_one() -> None:
    people = People((("Ann", "Annie"), ("Nan", "Nana"), ("Ben", "Benny"))).merge("Nana", "Annie")
    assert people.groups == (("Ben", "Benny"), ("Nan", "Nana", "Ann", "Annie"))


@pytest.mark.parametrize(("one", "other"), [("Ann", "ann "), ("Ann", "Ann"), ("Annie", "ANN")])
def test_one_person_cannot_be_merged_with_itself(one: str, other: str) -> None:
    with pytest.raises(AlreadyOnePerson, match="two names of Ann"):
        ANNIE.merge(one, other)


def test_unmerge_takes_one_name_out() -> None:
    people = People((("Ann", "Annie", "Nan"),))
    assert people.unmerge("annie ").groups == (("Ann", "Nan"),)
    assert people.unmerge("Ann").groups == (("Annie", "Nan"),)
    assert ANNIE.unmerge("Annie") == ANNIE.unmerge("Ann") == People()


def test_a_name_that_is_not_merged_cannot_be_unmerged() -> None:
    with pytest.raises(NotMerged, match="merged are: Ann = Annie"):
        ANNIE.unmerge("Ben")


@pytest.mark.parametrize("groups", [(("Ann",),), (("Ann", " "),), (("Ann", "ann"),), (("Ann", "A"), ("Ben", "a"))])
def test_groups_that_are_no_people_are_refused(groups: tuple[tuple[str, ...], ...]) -> None:
    with pytest.raises(ValueError, match="expected"):
        People(groups)


NAMES = st.sampled_from(["Ann", "ann ", "Annie", "ANNIE", "Nan", "Ben", "Cat"])


@given(st.lists(st.tuples(st.booleans(), NAMES, NAMES), max_size=12))
def test_any_merges_can_be_undone_one_by_one(steps: list[tuple[bool, str, str]]) -> None:
    """Each name is in one group at most, and unmerging all names leaves nothing."""
    people = People()
    for is_merge, one, other in steps:
        try:
            people = people.merge(one, other) if is_merge else people.unmerge(one)
        except Refusal:
            assert people.key_of(one) == people.key_of(other) if is_merge else len(people.names_of(one)) == 1
        else:
            assert (people.key_of(one) == people.key_of(other)) or not is_merge
    for group in people.groups:
        for name in group[1:]:
            people = people.unmerge(name)
    assert people == People()


def test_the_latest_spelling_is_shown() -> None:
    assert [person.name for person in roster("ann Ben", "ANN Ben", "Ann  Lee/BEN").persons] == ["ANN", "Ann Lee", "BEN"]


def test_a_merged_person_has_all_names() -> None:
    (ann, ben) = roster("ANNIE Ben", people=ANNIE).persons
    assert (ann.name, ann.names, ben.names) == ("Ann", ("Ann", "Annie"), ("Ben",))


def test_people_who_have_played_together_cannot_be_merged() -> None:
    with pytest.raises(PlayedTogether, match="both names in game 2"):
        roster("Ann Ben", "Annie Ann").merge("Ann", "ANNIE")
    with pytest.raises(PlayedTogether):
        roster("Annie Ben", "Ann Cat", people=ANNIE).merge("Ann", "Ben")


def test_an_unknown_name_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownPerson, match="got 'Anm'; did you mean Ann"):
        roster("Ann Ben").merge("Ben", "Anm")
    with pytest.raises(UnknownPerson, match="known are: Ann, Ben"):
        roster("Ann Ben").person("Xavier")


def test_a_name_can_be_unmerged_that_no_game_has() -> None:
    assert roster("Ann Ben", people=ANNIE).unmerge("Annie") == People()
