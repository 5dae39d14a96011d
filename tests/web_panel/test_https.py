"""A panel whose server has HTTPS: what it answers in clear, what browsers remember, and who keeps a token."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.web_panel.conftest import API, Rig
from tests.web_panel.test_permissions import path_of, routes_of
from web_panel.app import AccessPolicy
from web_panel.security.https import AUTHORITY, HSTS, TRUST_PAGE, VISITED
from web_panel.security.identity import COOKIE
from web_panel.security.permissions import REQUIRED_ROLES

NAME = "cards.test:8080"
HOSTS = frozenset({"cards.test", "192.168.1.20", "localhost", "127.0.0.1"})
DER = b"the certificate in DER"
LAN = {"REMOTE_ADDR": "192.168.1.77"}
FOR_PAGES = "text/html,application/xhtml+xml,*/*;q=0.8"


@pytest.fixture
def https_rig() -> Iterator[Rig]:
    rig = Rig(is_simulated=False, access_policy=AccessPolicy(HOSTS, authority=lambda: DER))
    yield rig
    rig.host.stop()


def ask(
    client: FlaskClient, path: str, scheme: str = "http", host: str = NAME, method: str = "GET", **headers: str
) -> TestResponse:
    """A request from the LAN, as the server passes it on."""
    return client.open(
        path,
        method=method,
        base_url=f"{scheme}://{host}",
        environ_overrides=LAN,
        headers=headers,
        json={} if method == "POST" else None,
        buffered=True,
    )


def test_in_clear_every_route_but_the_trust_page_leads_to_https(https_rig: Rig) -> None:
    answered, refused = set[str](), set[str]()
    for route in REQUIRED_ROLES.keys() & routes_of(https_rig):
        method, path = route.split()[0], path_of(route)
        answer = ask(https_rig.app.test_client(), path, method=method)
        if answer.status_code == 307:
            assert answer.headers["Location"] == f"https://{NAME}{path}"
            assert answer.headers["Cache-Control"] == "no-store"
        else:
            (refused if method == "POST" else answered).add(route)
            assert answer.status_code == (403 if method == "POST" else 200), route
    assert answered == {
        f"GET {TRUST_PAGE}",
        f"GET {AUTHORITY}",
        "GET /static/<path:filename>",
        "GET /styles/<names>.css",
    }
    assert refused == {route for route in REQUIRED_ROLES.keys() & routes_of(https_rig) if route.startswith("POST")}


def test_over_https_every_page_is_there(https_rig: Rig) -> None:
    client = https_rig.app.test_client()
    assert [ask(client, path, "https").status_code for path in ("/", "/help", f"{API}/state")] == [200] * 3


def test_a_page_in_clear_leads_a_new_phone_to_the_trust_page(https_rig: Rig) -> None:
    phone = https_rig.app.test_client()
    answer = ask(phone, "/in/KRTMWX?lang=fr", Accept=FOR_PAGES)
    target = urlsplit(answer.headers["Location"])
    assert (answer.status_code, target.netloc, target.path) == (307, "", TRUST_PAGE)
    assert parse_qs(target.query)["next"] == ["/in/KRTMWX?lang=fr"]
    page = ask(phone, answer.headers["Location"]).text
    assert f'href="https://{NAME}/in/KRTMWX?lang=fr"' in page and AUTHORITY in page


def test_a_phone_that_was_here_over_https_is_led_there_at_once(https_rig: Rig) -> None:
    phone = https_rig.app.test_client()
    ask(phone, "/", "https", Accept=FOR_PAGES)
    assert ask(phone, "/help?a=1", Accept=FOR_PAGES).headers["Location"] == f"https://{NAME}/help?a=1"


@pytest.mark.parametrize("path", ["//evil.example", "/\\evil.example", "https://evil.example", "@evil.example", ""])
def test_the_trust_page_leads_to_this_board_only(https_rig: Rig, path: str) -> None:
    page = https_rig.app.test_client().get(
        TRUST_PAGE, query_string={"next": path}, base_url=f"http://{NAME}", environ_overrides=LAN
    )
    hrefs = [part.split('"')[0] for part in page.text.split('href="')[1:]]
    found = [urlsplit(href).netloc for href in hrefs if href.startswith("http")]
    assert found == [NAME]


def test_no_path_injects_a_header(https_rig: Rig) -> None:
    answer = ask(https_rig.app.test_client(), "/x%0d%0aSet-Cookie:%20a=b")
    assert answer.headers["Location"] == f"https://{NAME}/x%0D%0ASet-Cookie%3A%20a%3Db"
    assert "Set-Cookie" not in answer.headers


def test_a_foreign_host_is_refused_before_it_is_redirected(https_rig: Rig) -> None:
    answer = ask(https_rig.app.test_client(), "/", host="evil.example")
    assert answer.status_code == 400 and "Location" not in answer.headers


@pytest.mark.parametrize(
    ("host", "is_remembered"),
    [(NAME, True), ("cards.test", True), ("192.168.1.20:8080", False), ("localhost:8080", False)],
)
def test_browsers_remember_https_for_the_boards_name_only(https_rig: Rig, host: str, is_remembered: bool) -> None:
    client = https_rig.app.test_client()
    for path in ("/", f"{API}/state", "/static/css/base.css", "/nowhere"):
        answer = ask(client, path, "https", host)
        assert answer.headers.get("Strict-Transport-Security") == (HSTS if is_remembered else None)
    assert "includeSubDomains" not in HSTS
    assert "Strict-Transport-Security" not in ask(client, TRUST_PAGE, "http", host).headers


def cookies(answer: TestResponse) -> dict[str, str]:
    """Name -> the Set-Cookie header."""
    return {header.partition("=")[0]: header for header in answer.headers.getlist("Set-Cookie")}


def test_a_token_from_before_https_is_sent_over_https_only_from_now_on(https_rig: Rig) -> None:
    _, token = https_rig.host.pairing.registry.add_phone("Ann")
    phone = https_rig.app.test_client()
    phone.set_cookie(COOKIE, token, domain="cards.test")
    answer = ask(phone, "/", "https")
    given = cookies(answer)
    assert given[COOKIE].startswith(f"{COOKIE}={token};") and "; Secure" in given[COOKIE]
    assert "Secure" not in given[VISITED] and token not in given[VISITED]


def test_a_stranger_gets_no_token(https_rig: Rig) -> None:
    phone = https_rig.app.test_client()
    assert COOKIE not in cookies(ask(phone, "/", "https"))
    phone.set_cookie(COOKIE, "invented", domain="cards.test")
    assert COOKIE not in cookies(ask(phone, "/", "https"))


def test_the_boards_own_computer_needs_no_https(https_rig: Rig) -> None:
    """A browser there would have to trust the board too; nothing is sent over the network."""
    client = https_rig.app.test_client()
    assert client.get("/help", base_url="http://localhost:8080").status_code == 200
    relayed = client.get("/help", base_url="http://localhost:8080", headers={"X-Forwarded-For": "192.168.1.7"})
    assert relayed.status_code == 307


def test_the_authority_is_a_file_that_phones_install(https_rig: Rig) -> None:
    answer = ask(https_rig.app.test_client(), AUTHORITY)
    assert (answer.data, answer.mimetype) == (DER, "application/x-x509-ca-cert")
    assert "cribboard.crt" in answer.headers["Content-Disposition"]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Certificate Trust Settings"),
        ("fr", "Réglages de confiance des certificats"),
        ("ru", "Доверие сертификатам"),
        ("pl", "Ustawienia zaufania certyfikatu"),
    ],
)
def test_the_trust_page_explains_four_systems_in_four_languages(https_rig: Rig, language: str, sentence: str) -> None:
    page = unescape(ask(https_rig.app.test_client(), f"{TRUST_PAGE}?lang={language}").text)
    assert sentence in page and all(f"<summary>{name}</summary>" in page for name in SYSTEMS)


SYSTEMS = ("iPhone, iPad", "Android", "Windows", "macOS")


@pytest.mark.parametrize(
    ("agent", "opened"),
    [
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15", ["iPhone, iPad"]),
        ("Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36", ["Android"]),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36", ["Windows"]),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15", ["iPhone, iPad", "macOS"]),
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36", []),
        ("", []),
    ],
)
def test_the_trust_page_opens_the_steps_for_this_device(https_rig: Rig, agent: str, opened: list[str]) -> None:
    page = ask(https_rig.app.test_client(), TRUST_PAGE, **{"User-Agent": agent}).text
    steps = [each.partition("</summary>")[0] for each in page.split("<details")[1:]]
    assert [each.partition("<summary>")[2] for each in steps if " open>" in each] == opened


def test_the_trust_page_has_no_links_that_lead_back_to_it(https_rig: Rig) -> None:
    """In clear every other page leads here."""
    page = ask(https_rig.app.test_client(), TRUST_PAGE).text
    links = set(re.findall(r'<a [^>]*href="(/[^"]*)"', page))
    assert links == {"/", AUTHORITY}


def test_without_https_nothing_changes(real_rig: Rig) -> None:
    client = real_rig.app.test_client()
    assert client.get("/").status_code == 200
    assert {client.get(path).status_code for path in (TRUST_PAGE, AUTHORITY)} == {404}
    secure = client.get("/", base_url="https://localhost")
    assert "Strict-Transport-Security" not in secure.headers and VISITED not in cookies(secure)


@pytest.mark.parametrize("path", ["/", "/phones", "/help", "/history", "/settings", f"{API}/me", f"{API}/phones"])
def test_pages_are_not_stored(rig: Rig, path: str) -> None:
    """They have names, and on the next phone that uses this browser they would still be there."""
    answer = rig.get(path)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")


def test_files_that_never_change_by_visitor_are_stored(rig: Rig) -> None:
    assert rig.get("/static/css/base.css").headers["Cache-Control"] == "no-cache"
