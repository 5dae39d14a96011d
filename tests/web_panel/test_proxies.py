"""Requests through proxies, over real sockets: whom the panel believes, and who needs no pairing."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest
from flask import request

from firmware_host.ui.pairing_prompt import AcceptPhone, OpenPairing
from tests.web_panel.conftest import API, Rig, SimulatedInput
from tests.web_panel.test_stream import Server
from web_panel.app import AccessPolicy
from web_panel.security.identity import COOKIE
from web_panel.security.local_sockets import is_own_user
from web_panel.server.limits import ServerLimits

PROXY = "127.0.0.1"
OTHER_USER = 65_534


def me(server: Server, **headers: str) -> Any:
    return json.loads(server.ask("GET", "/me", **headers).read())


def panel(rig: Rig, policy: AccessPolicy) -> Any:
    return rig.panel(board_input=SimulatedInput(rig.host), access_policy=policy)


@pytest.mark.parametrize("header", ["X_Forwarded_For", "Forwarded", "Via"])
def test_a_visitor_through_an_unknown_relay_is_not_local(rig: Rig, header: str) -> None:
    with Server(rig) as server:
        assert me(server)["is_local"] is True
        assert me(server, **{header: "for=192.0.2.7"})["is_local"] is False


def test_nobody_is_local_where_a_proxy_is_trusted(rig: Rig) -> None:
    app = panel(rig, AccessPolicy(trusted_proxies=frozenset({PROXY})))
    with Server(rig, app=app) as server:
        assert (me(server)["is_local"], me(server)["role"]) == (False, "viewer")


def test_a_visitor_of_another_user_of_this_computer_is_not_local(rig: Rig) -> None:
    with Server(rig, app=panel(rig, AccessPolicy(is_own_user=is_own_user))) as server:
        assert me(server)["is_local"] is True
        other = AccessPolicy(is_own_user=lambda environ: is_own_user(environ, own_uid=OTHER_USER))
    with Server(rig, app=panel(rig, other)) as server:
        assert me(server)["is_local"] is False


def test_a_script_on_the_boards_own_computer_may_connect_anew_for_each_request(rig: Rig) -> None:
    """As curl does. A stranger there, such as a program of another user, is refused as elsewhere."""
    limits = ServerLimits(connects_at_once=4, connects_per_s=0.001)
    with Server(rig, limits, panel(rig, AccessPolicy(is_own_user=is_own_user))) as server:
        for _ in range(8):
            assert server.ask("POST", "/commands/undo", {}).status == 409
            assert me(server)["is_local"] is True
        for wrong in ({"Host": "board.test"}, {"Via": "relay"}):
            with pytest.raises(OSError):
                me(server, **wrong)
    other = AccessPolicy(is_own_user=lambda environ: is_own_user(environ, own_uid=OTHER_USER))
    with Server(rig, limits, panel(rig, other)) as server:
        assert [me(server)["is_local"] for _ in range(4)] == [False] * 4
        with pytest.raises(OSError):
            me(server)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can start a process of another user")
def test_a_process_of_another_user_is_not_local(rig: Rig) -> None:
    with Server(rig, app=panel(rig, AccessPolicy(is_own_user=is_own_user))) as server:
        lines = f"GET {API}/me HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n"
        ask = f"exec 3<>/dev/tcp/127.0.0.1/{server.port}; printf '{lines}' >&3; cat <&3"
        answers = [
            subprocess.run(["/bin/bash", "-c", ask], user=user, cwd="/", capture_output=True, text=True, check=True)
            for user in (0, OTHER_USER)
        ]
        found = [json.loads(answer.stdout.partition("\n\n")[2])["is_local"] for answer in answers]
        assert found == [True, False]


def test_a_trusted_proxy_tells_address_and_scheme(real_rig: Rig) -> None:
    seen: list[tuple[str, str]] = []
    policy = AccessPolicy(trusted_proxies=frozenset({PROXY}))
    rig = real_rig
    app = rig.panel(access_policy=policy)
    app.before_request(lambda: seen.append(seen_now()))
    forwarded = {"X_Forwarded_For": "203.0.113.9, 192.0.2.7", "X_Forwarded_Proto": "https"}
    with Server(rig, app=app) as server:
        assert server.ask("GET", "/state", **forwarded).status == 200
        phone, token = rig.host.pairing.registry.add_phone("Ann")
        sent = {**forwarded, "Cookie": f"{COOKIE}={token}"}
        origins = ("https://localhost", "http://localhost")
        answers = [server.ask("POST", "/me/seat", {}, Host="localhost", Origin=origin, **sent) for origin in origins]
    assert seen[0] == ("192.0.2.7", "https")
    assert [answer.status for answer in answers] == [200, 403]


def test_headers_of_an_unknown_proxy_are_not_believed(real_rig: Rig) -> None:
    seen: list[tuple[str, str]] = []
    real_rig.app.before_request(lambda: seen.append(seen_now()))
    with Server(real_rig, app=real_rig.app) as server:
        server.ask("GET", "/state", X_Forwarded_For="192.0.2.7", X_Forwarded_Proto="https")
    assert seen == [("127.0.0.1", "http")]


def test_the_cookie_is_secure_behind_a_tls_proxy(real_rig: Rig) -> None:
    app = real_rig.panel(access_policy=AccessPolicy(trusted_proxies=frozenset({PROXY})))
    pairing = real_rig.host.pairing
    with Server(real_rig, app=app) as server:
        for scheme in ("http", "https"):
            pairing.do(OpenPairing())
            secret = pairing.request_pairing("Ann", pairing.pairing_state().code)
            pairing.do(AcceptPhone())
            answer = server.ask("POST", "/pairing/token", {"secret": secret}, X_Forwarded_Proto=scheme)
            cookie = answer.headers["Set-Cookie"]
            assert ("Secure" in cookie) == (scheme == "https"), cookie


def seen_now() -> tuple[str, str]:
    return request.remote_addr or "", request.scheme
