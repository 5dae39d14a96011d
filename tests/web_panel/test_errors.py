"""Errors: a page in the visitor's language for a browser, problem details for programs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from werkzeug.test import TestResponse

from firmware_host.pairing.registry import Role
from firmware_host.storage.journal import JournalError
from tests.web_panel.conftest import API, PhoneClient, Rig, json_of
from web_panel.app import AccessPolicy
from web_panel.errors import PROBLEM_TYPE

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def browse(rig: Rig, path: str, phone: PhoneClient | None = None) -> TestResponse:
    """The answer to a browser."""
    client = phone.client if phone else rig.client
    return client.get(path, headers=BROWSER, buffered=True)


@pytest.mark.parametrize(
    ("language", "title", "way_back"),
    [
        ("en", "Page not found.", "Back to the game"),
        ("fr", "Page introuvable.", "Retour à la partie"),
        ("ru", "Страница не найдена.", "Вернуться к партии"),
        ("pl", "Nie ma takiej strony.", "Wróć do partii"),
    ],
)
def test_a_missing_page_is_explained_in_every_language(rig: Rig, language: str, title: str, way_back: str) -> None:
    answer = browse(rig, f"/nope?lang={language}")
    assert answer.status_code == 404 and answer.mimetype == "text/html"
    assert f"<h1>{title}</h1>" in answer.text and way_back in answer.text and 'href="/"' in answer.text


def test_programs_get_problem_details(rig: Rig) -> None:
    for path in (f"{API}/nope", "/nope"):
        answer = rig.client.get(path)
        assert answer.status_code == 404 and answer.mimetype == PROBLEM_TYPE
    in_api = browse(rig, f"{API}/nope")
    assert in_api.mimetype == PROBLEM_TYPE and json_of(in_api)["status"] == 404


def test_a_watcher_sees_for_whom_a_page_is(real_rig: Rig) -> None:
    answer = browse(real_rig, "/settings")
    assert answer.status_code == 403
    assert "<h1>Only for: owner.</h1>" in answer.text and "To play, add this phone." in answer.text


def test_a_phone_sees_who_can_change_its_role(real_rig: Rig) -> None:
    PhoneClient(real_rig).pair("Owen")
    answer = browse(real_rig, "/device?lang=fr", PhoneClient(real_rig).pair("Ann", Role.PLAYER))
    assert answer.status_code == 403
    assert "Réservé\u00a0: marqueur." in answer.text and "propriétaire" in answer.text


@pytest.fixture
def closed_rig() -> Iterator[Rig]:
    """A real board where strangers may not even watch."""
    rig = Rig(is_simulated=False, access_policy=AccessPolicy(is_watching_open=lambda: False))
    yield rig
    rig.host.stop()


def test_a_stranger_is_asked_to_add_the_phone(closed_rig: Rig) -> None:
    answer = browse(closed_rig, "/history")
    assert answer.status_code == 403 and "Only added phones can see this board." in answer.text


def test_a_fault_of_the_program_is_a_page_too(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr(rig.archive, "query", broken)
    answer = browse(rig, "/history?lang=pl")
    assert answer.status_code == 500 and "Partia jest zapisana." in answer.text and "inside" not in answer.text


def test_games_that_cannot_be_read_are_a_page_too(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(*_: object, **__: object) -> None:
        raise JournalError("a journal", "a bad page", "journal.sqlite3", "restore a copy")

    monkeypatch.setattr(rig.archive, "query", unreadable)
    answer = browse(rig, "/history")
    assert answer.status_code == 503 and answer.mimetype == "text/html" and "Your game is safe." in answer.text
    assert "journal.sqlite3" not in answer.text


def test_a_foreign_host_name_is_refused_with_the_way_to_the_right_one(rig: Rig) -> None:
    answer = rig.client.get("/", headers=BROWSER | {"Host": "evil.example"})
    assert answer.status_code == 400 and "The board does not know this address." in answer.text
    assert "evil.example" not in answer.text


@pytest.mark.parametrize("role", [Role.VIEWER, Role.PLAYER, Role.KEEPER, Role.OWNER])
def test_a_page_links_only_to_what_the_visitor_may_open(real_rig: Rig, role: Role) -> None:
    phone = PhoneClient(real_rig)
    if role is not Role.VIEWER:
        phone.pair("Ann", role)
    page = browse(real_rig, "/help", phone).text
    for path, least in {
        "/new-game": Role.PLAYER,
        "/advice": Role.PLAYER,
        "/device": Role.KEEPER,
        "/backups": Role.KEEPER,
        "/settings": Role.OWNER,
        "/phones": Role.OWNER,
    }.items():
        assert (f'href="{path}"' in page) is (role >= least), path


def test_a_page_keeps_its_question_in_another_language(rig: Rig) -> None:
    page = rig.get("/history?player=A%26n&lang=fr").text
    assert 'href="?player=A%26n&amp;lang=pl"' in page
