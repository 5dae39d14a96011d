"""Blueprints that are made when one of their routes is first used."""

from __future__ import annotations

from threading import Barrier, Thread

import pytest
from flask import Blueprint, Flask

from tests.web_panel.conftest import Rig
from web_panel.lazy_pages import LazyPages, views_of
from web_panel.pages.on_demand import ROUTES, PagesOnDemand


def greetings() -> Blueprint:
    pages = Blueprint("greetings", __name__, url_prefix="/hello")

    @pages.get("/<name>")
    def greet(name: str) -> str:
        return f"Hello, {name}"

    @pages.post("/<name>")
    def forget(name: str) -> tuple[str, int]:
        return f"{name} is forgotten", 202

    return pages


def test_pages_are_made_once_when_a_route_is_used() -> None:
    made: list[Blueprint] = []

    def make() -> Blueprint:
        made.append(greetings())
        return made[-1]

    app = Flask(__name__)
    app.register_blueprint(LazyPages("greetings", ["GET /hello/<name>", "POST /hello/<name>"], make))
    phone = app.test_client()
    assert made == []
    assert phone.get("/elsewhere").status_code == 404
    assert made == []
    assert phone.get("/hello/Ann").text == "Hello, Ann"
    answer = phone.post("/hello/Ann")
    assert (answer.status_code, answer.text) == (202, "Ann is forgotten")
    assert phone.put("/hello/Ann").status_code == 405
    assert len(made) == 1


def test_two_first_visitors_at_once_get_the_same_pages() -> None:
    visits, both = list[object](), Barrier(2)
    pages = LazyPages("greetings", ["GET /hello/<name>"], greetings)

    def visit() -> None:
        both.wait()
        visits.append(pages.views())

    visitors = [Thread(target=visit) for _ in range(2)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    assert visits[0] is visits[1]


@pytest.mark.parametrize("group", ROUTES)
def test_listed_routes_are_those_of_the_blueprint(group: str, rig: Rig) -> None:
    pages = PagesOnDemand(
        rig.host,
        lambda: rig.archive,
        lambda: rig.people_file,
        lambda: rig.learners_file,
        rig.settings_editor,
        None,
        lambda table: True,
        None,
    )
    assert sorted(views_of(getattr(pages, group)())) == sorted(ROUTES[group])
