"""The main page, the drawings, caching and compression."""

from __future__ import annotations

import gzip
from xml.etree import ElementTree

import pytest

from tests.web_panel.conftest import API, Rig


def test_the_page_of_a_simulated_board_has_the_sixteen_keys(rig: Rig) -> None:
    page = rig.get("/").text
    assert page.count("data-legend=") == 16 and 'id="oled"' in page and "Watch a game" in page


def test_the_page_of_a_real_board_has_no_keys(real_rig: Rig) -> None:
    page = real_rig.get("/").text
    assert "data-legend=" not in page and 'id="oled"' not in page


def test_the_page_lists_the_available_boards(rig: Rig) -> None:
    page = rig.get("/new-game").text
    assert 'value="classic-61" data-targets="61 121 181"' in page and 'value="continuous-121-2"' in page


@pytest.mark.parametrize("posture", ["landscape", "portrait"])
def test_a_drawing_has_every_hole_by_its_sensor(rig: Rig, posture: str) -> None:
    answer = rig.get(f"/boards/classic-61/121/{posture}.svg")
    assert answer.mimetype == "image/svg+xml"
    holes = ElementTree.fromstring(answer.text).findall(".//*[@data-sensor]")
    assert {int(hole.get("data-sensor", "")) for hole in holes} == {hole.sensor for hole in rig.host.plan.holes}


@pytest.mark.parametrize(
    "path", ["oak/121/landscape", "classic-61/99/landscape", "classic-61/121/upside-down", "classic-61/x/landscape"]
)
def test_an_unknown_drawing_is_404(rig: Rig, path: str) -> None:
    assert rig.get(f"/boards/{path}.svg").status_code == 404


def test_an_unchanged_file_is_not_sent_again(rig: Rig) -> None:
    for path in ("/static/css/base.css", "/styles/tokens-base.css", "/boards/classic-61/121/landscape.svg"):
        first = rig.get(path, Accept_Encoding="gzip")
        again = rig.get(path, Accept_Encoding="gzip", If_None_Match=first.headers["ETag"])
        assert again.status_code == 304 and not again.data


def test_style_sheets_are_sent_together(rig: Rig) -> None:
    together = rig.get("/styles/tokens-base.css")
    assert together.mimetype == "text/css"
    assert together.text == "\n".join(rig.get(f"/static/css/{name}.css").text for name in ("tokens", "base"))


@pytest.mark.parametrize("names", ["no-such-sheet", "base-base", "..%2fcore", "base-"])
def test_an_unknown_style_sheet_is_404(rig: Rig, names: str) -> None:
    assert rig.get(f"/styles/{names}.css").status_code == 404


def test_text_is_compressed_if_the_client_accepts_gzip(rig: Rig) -> None:
    packed, plain = rig.get("/", Accept_Encoding="gzip"), rig.get("/")
    assert packed.headers["Content-Encoding"] == "gzip" and "Accept-Encoding" in packed.headers["Vary"]
    assert gzip.decompress(packed.data) == plain.data and len(packed.data) < len(plain.data) / 2


def test_a_file_of_the_program_is_compressed_too(rig: Rig) -> None:
    packed = rig.get("/static/core/connection.js", Accept_Encoding="gzip")
    plain = rig.get("/static/core/connection.js")
    assert packed.headers["Content-Encoding"] == "gzip" and gzip.decompress(packed.data) == plain.data


def test_a_stream_is_never_compressed(rig: Rig) -> None:
    stream = rig.client.get(f"{API}/stream", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in stream.headers
    stream.close()
