"""The page, the drawings, and what they weigh on the wire."""

from __future__ import annotations

import gzip
from xml.etree import ElementTree

import pytest

from tests.panel.conftest import API, Room


def test_the_page_of_a_simulated_board_has_the_sixteen_keys(room: Room) -> None:
    page = room.get("/").text
    assert page.count("data-legend=") == 16 and 'id="oled"' in page and "Watch a demo" in page


def test_the_page_of_a_real_board_has_none(real_room: Room) -> None:
    page = real_room.get("/").text
    assert "data-legend=" not in page and 'id="oled"' not in page and 'id="demo"' not in page


def test_the_page_offers_the_boards_that_are_here(room: Room) -> None:
    page = room.get("/").text
    assert 'value="classic-61" data-targets="61 121 181"' in page and 'value="continuous-121-2"' in page


@pytest.mark.parametrize("posture", ["lying", "standing"])
def test_a_drawing_has_every_hole_by_its_sensor(room: Room, posture: str) -> None:
    answer = room.get(f"/boards/classic-61/121/{posture}.svg")
    assert answer.mimetype == "image/svg+xml"
    holes = ElementTree.fromstring(answer.text).findall(".//*[@data-sensor]")
    assert {int(hole.get("data-sensor", "")) for hole in holes} == {hole.sensor for hole in room.host.plan.holes}


@pytest.mark.parametrize(
    "path", ["oak/121/lying", "classic-61/99/lying", "classic-61/121/upside-down", "classic-61/x/lying"]
)
def test_a_drawing_that_is_not_there_is_not_found(room: Room, path: str) -> None:
    assert room.get(f"/boards/{path}.svg").status_code == 404


def test_an_unchanged_file_is_not_sent_again(room: Room) -> None:
    for path in ("/static/panel.css", "/boards/classic-61/121/lying.svg"):
        first = room.get(path, Accept_Encoding="gzip")
        again = room.get(path, Accept_Encoding="gzip", If_None_Match=first.headers["ETag"])
        assert again.status_code == 304 and not again.data


def test_texts_are_packed_for_whoever_can_unpack_them(room: Room) -> None:
    packed, plain = room.get("/", Accept_Encoding="gzip"), room.get("/")
    assert packed.headers["Content-Encoding"] == "gzip" and "Accept-Encoding" in packed.headers["Vary"]
    assert gzip.decompress(packed.data) == plain.data and len(packed.data) < len(plain.data) / 2


def test_a_stream_is_never_packed(room: Room) -> None:
    stream = room.phone.get(f"{API}/stream", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in stream.headers
    stream.close()
