"""The pages of the coach, by request: exercises, progress, and who may read whose."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware_host.coach.discard_exercise import discard_exercise
from firmware_host.coach.kinds import hand_of
from firmware_host.coach.progress import Progress
from firmware_host.config.languages import translator
from firmware_host.cribbage.cards import parse_cards
from firmware_host.cribbage.show import Part
from firmware_host.pairing.registry import Role
from firmware_host.stats.learners_file import DEFAULT_NAME, MAX_LEARNERS
from tests.web_panel.conftest import API, PhoneClient, Rig, json_of
from web_panel.api.coach import HINT_FIRST
from web_panel.app import AccessPolicy
from web_panel.views.coach import progress_json

CARDS = ["5H", "5S", "5D", "JC", "5C"]


def attempt(hands: int, *answers: int, **more: object) -> dict[str, object]:
    return {"cards": CARDS, "answers": list(answers), "hands": hands, **more}


def send(phone: PhoneClient, body: dict[str, object] | None = None) -> Any:
    answer = phone.post("/coach/hand", body or {})
    assert answer.status_code == 200, answer.text
    return json_of(answer)


def exercise_of(page: str) -> Any:
    found = re.search(r'data-exercise="([^"]*)"', page)
    assert found
    return json.loads(unescape(found[1]))


def test_the_page_has_a_hand_with_questions_hints_and_solutions(rig: Rig) -> None:
    exercise = exercise_of(rig.get("/coach?exercise=7").text)
    assert exercise == exercise_of(rig.get("/coach?exercise=7").text)
    hand = hand_of(parse_cards([*exercise["held"], exercise["starter"]]))
    (fifteens,) = exercise["parts"]
    assert fifteens["question"] == "How many points for fifteens?"
    assert fifteens["points"] == 2 * len(fifteens["scores"]) == 2 * len(hand.count.scores_of(Part.FIFTEENS))
    for score in fifteens["scores"]:
        lit = [hand.cards[place] for place in score["places"]]
        assert sum(card.pips for card in lit) == 15
        assert all(str(card)[0].replace("T", "10") in score["text"] for card in lit)


def test_a_counted_hand_is_kept_once_and_the_next_one_comes(real_rig: Rig) -> None:
    ann = PhoneClient(real_rig).pair("Ann", Role.PLAYER)
    first = send(ann)
    assert (first["name"], first["progress"]["hands"], len(first["exercise"]["parts"])) == ("Ann", 0, 1)
    for _ in range(2):  # the answer to the first was lost, and the page sends it again
        after = send(ann, attempt(0, HINT_FIRST))
    assert after["progress"]["hands"] == 1
    assert real_rig.learners_file.progress("ann").attempts[0].answers == (None,)
    assert send(ann, {"level": 4})["progress"]["level"] == 4
    assert [part["question"] for part in send(ann)["exercise"]["parts"]][-1] == "How many points for a flush?"


def test_a_missed_hand_comes_back(real_rig: Rig) -> None:
    ann = PhoneClient(real_rig).pair("Ann", Role.PLAYER)
    send(ann, attempt(0, 2))
    asked = []
    for hands in range(1, 6):
        exercise = send(ann)["exercise"]
        asked.append([*exercise["held"], exercise["starter"]])
        points = [part["points"] for part in exercise["parts"]]
        send(ann, {"cards": asked[-1], "answers": points, "hands": hands})
    assert CARDS in asked


def test_the_summary_says_what_is_missed(real_rig: Rig) -> None:
    ann = PhoneClient(real_rig).pair("Ann", Role.PLAYER)
    send(ann, {"level": 2})
    for hands in range(4):
        progress = send(ann, attempt(hands, 16, 0))["progress"]
    assert progress["sentences"][1] == "Often missed: four of a kind."
    assert {"name": "four of a kind", "found": 0, "shown": 4, "is_blind_spot": True} in progress["kinds"]
    page = ann.client.get("/coach").text
    assert "Often missed: four of a kind." in page and "0/4" in page


def test_each_reads_only_the_progress_that_the_role_allows(real_rig: Rig) -> None:
    owner = PhoneClient(real_rig).pair("Olga", Role.OWNER)
    ann, ben = PhoneClient(real_rig).pair("Ann", Role.PLAYER), PhoneClient(real_rig).pair("Ben", Role.PLAYER)
    keeper, viewer = PhoneClient(real_rig).pair("Cleo", Role.KEEPER), PhoneClient(real_rig).pair("Dan", Role.VIEWER)
    send(ann, attempt(0, 16))
    for teacher in (owner, keeper):
        assert send(teacher, {"name": "Ann"})["progress"]["hands"] == 1
    assert "1 hand counted" in keeper.client.get("/coach?name=Ann").text
    for phone in (ben, viewer, PhoneClient(real_rig)):
        assert phone.post("/coach/hand", {"name": "Ann"}).status_code == 403
        assert phone.client.get("/coach?name=Ann").status_code == 403
        own = phone.client.get("/coach")
        assert own.status_code == 200 and "Ann" not in own.text
    assert send(keeper)["name"] == "Cleo"


def test_nothing_is_kept_for_visitors_without_a_name(real_rig: Rig) -> None:
    stranger = PhoneClient(real_rig)
    answer = send(stranger, attempt(0, 16, 12, level=3))
    assert (answer["name"], answer["progress"], len(answer["exercise"]["parts"])) == (None, None, 3)
    assert not real_rig.learners_file.read()


def test_the_boards_own_computer_practises_under_any_name(rig: Rig) -> None:
    assert json_of(rig.post("/coach/hand", attempt(0, 16)))["name"] == "Learner"
    assert json_of(rig.post("/coach/hand", attempt(0, 16, name=" Żaneta  K ")))["name"] == "Żaneta K"
    assert '<option value="Żaneta K">' in rig.get("/coach").text


def test_progress_without_a_name_is_not_called_by_the_name_of_its_file(rig: Rig) -> None:
    page = rig.client.get("/coach?lang=ru").text
    assert DEFAULT_NAME not in re.sub(r"<[^>]*>", "", page) and f'value="{DEFAULT_NAME}"' not in page
    assert '<h2 id="progress-title">Результаты</h2>' in page


def test_the_sentences_of_the_summary_begin_with_a_capital_in_russian() -> None:
    """The display has the same words in the middle of a line."""
    sentences = progress_json(Progress(), translator("ru"))["sentences"]
    assert isinstance(sentences, list) and sentences
    assert all(each[:1] == each[:1].upper() for each in sentences)


def test_where_watching_is_closed_strangers_cannot_practise() -> None:
    rig = Rig(is_simulated=False, access_policy=AccessPolicy(is_watching_open=lambda: False))
    for path in ("/coach", "/coach/play", "/coach/discard"):
        assert rig.get(path).status_code == 403
    rig.host.stop()


@pytest.mark.parametrize(
    "body",
    [
        {"cards": CARDS[:4], "answers": [2]},
        {"cards": ["5H"] * 5, "answers": [2]},
        {"cards": CARDS, "answers": [100]},
        {"cards": CARDS, "answers": []},
        {"level": 6},
    ],
)
def test_what_is_no_counted_hand_is_refused(rig: Rig, body: dict[str, object]) -> None:
    assert rig.post("/coach/hand", body).status_code in (400, 409)
    assert not rig.learners_file.read()


def test_too_many_learners_are_refused(rig: Rig) -> None:
    for number in range(MAX_LEARNERS):
        rig.learners_file.change(f"Learner {number}", lambda before: before.at_level(2))
    answer = rig.post("/coach/hand", attempt(0, 16, name="Ann"))
    assert answer.status_code == 503 and "/" not in json_of(answer)["detail"]


def test_a_damaged_file_is_said_without_its_path(rig: Rig, tmp_path: Path) -> None:
    (tmp_path / "learners.json").write_text("{")
    rig.learners_file._path = tmp_path / "learners.json"
    page = rig.get("/coach").text
    assert "The progress of learners cannot be read." in page and str(tmp_path) not in page


def test_the_play_coach_asks_before_it_shows(rig: Rig) -> None:
    page = rig.get("/coach/play?exercise=3").text
    cards = re.findall(r'name="card" value="(\w+)"', page)
    assert len(cards) == 4 and "Which card makes" in page and "Right." not in page
    answers = [rig.get(f"/coach/play?exercise=3&card={card}").text for card in cards]
    assert sorted("Right." in answer for answer in answers) == [False, False, False, True]
    assert all("is-lit" in answer for answer in answers)


def test_the_discard_coach_asks_before_it_shows(rig: Rig) -> None:
    page = rig.get("/coach/discard?exercise=3").text
    assert page.count('type="checkbox"') == 6 and "Best discards" not in page
    best = next(iter(discards_of(3)))
    right = rig.get(f"/coach/discard?exercise=3&card={best[0]}&card={best[1]}").text
    assert "This is the best discard." in right and "Your choice" in right
    worst = discards_of(3)[-1]
    wrong = rig.get(f"/coach/discard?exercise=3&card={worst[0]}&card={worst[1]}").text
    assert "points on average" in wrong and wrong.count("Your choice") == 1
    assert "Choose two cards." in rig.get(f"/coach/discard?exercise=3&card={best[0]}").text


def discards_of(number: int) -> list[list[str]]:
    return [[*map(str, each.discarded)] for each in discard_exercise(Random(number).randrange).discards]


def test_given_cards_get_no_advice(rig: Rig) -> None:
    """In a game without advice the coach must not give it."""
    page = rig.get("/coach/discard?exercise=3&card=3C&card=3D&cards=3C+3D+4S+4H+5C+9D").text
    assert "Best discards" not in page


@pytest.mark.parametrize("number", ["", "x", "-1", "99999", "0"])
def test_an_unusable_number_is_a_random_exercise(rig: Rig, number: str) -> None:
    for path in ("/coach", "/coach/play", "/coach/discard"):
        assert rig.get(f"{path}?exercise={number}").status_code == 200


def test_the_pages_work_without_a_game(real_rig: Rig) -> None:
    assert json_of(real_rig.get(f"{API}/state"))["deal"] is None
    for path in ("/coach", "/coach/play", "/coach/discard"):
        page = real_rig.get(f"{path}?exercise=5&lang=pl").text
        assert '<html lang="pl"' in page
