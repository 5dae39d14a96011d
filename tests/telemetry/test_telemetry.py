"""A board at a real Mosquitto: what it publishes, and what it says of a broker that does not work."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_host.cribbage.cards import parse_card
from firmware_host.game import commands as c
from firmware_host.host.loop import Host
from firmware_host.telemetry.broker import Broker
from firmware_host.telemetry.telemetry import Telemetry
from tests.free_port import free_port
from tests.telemetry.conftest import START
from tests.telemetry.mosquitto import Mosquitto, Observer, needs_mosquitto, wait_until

FROM = "cribboard/1/from/table-3"


@contextmanager
def published(host: Host, port: int, **options: object) -> Iterator[Telemetry]:
    broker = Broker("127.0.0.1", port, "table-3", **options)  # type: ignore[arg-type]
    telemetry = Telemetry(host, broker, "1.2.3")
    telemetry.start()
    try:
        yield telemetry
    finally:
        telemetry.stop()


@needs_mosquitto
def test_the_table_is_published_and_retained(host: Host, broker: Mosquitto, observer: Observer) -> None:
    with published(host, broker.port) as telemetry:
        assert observer.wait_for("/state")["phase"] == "no_game"
        host.submit(START)
        state = observer.wait_for("/state", lambda state: state["is_on"])
        assert (state["dealer"], state["turn"], state["starter"]) == ("Ann", "Ann", None)
        assert [(side["name"], side["score"], side["to_go"]) for side in state["sides"]] == [
            ("Ann", 0, 121),
            ("Ben", 0, 121),
        ]
        host.submit(c.CutStarter(parse_card("5H")))
        assert observer.wait_for("/state", lambda state: state["starter"])["starter"] == "5H"
        assert observer.wait_for("/faults")["count"] == 0 and observer.wait_for("/health")["program"] == "1.2.3"
        assert telemetry.fault == ""
        late = Observer(broker.port)
        assert late.wait_for("/state")["starter"] == "5H" and late.wait_for("/status") == "online"
        assert {retained for _, _, retained in late.seen} == {True}
        late.close()
    assert observer.wait_for("/status", lambda status: status == "offline")


@needs_mosquitto
def test_the_will_says_offline_when_the_connection_is_lost(host: Host, broker: Mosquitto, observer: Observer) -> None:
    with published(host, broker.port) as telemetry:
        observer.wait_for("/status", lambda status: status == "online")
        client = telemetry.link._client
        assert client
        own = client.socket()
        assert own
        own.shutdown(socket.SHUT_RDWR)  # type: ignore[attr-defined]
        observer.wait_for("/status", lambda status: status == "offline")
        wait_until(lambda: observer.on("/status")[-1] == "online" and telemetry.link.connections == 2)


@needs_mosquitto
def test_after_a_restart_of_the_broker_the_newest_state_is_there(host: Host, broker: Mosquitto) -> None:
    with published(host, broker.port) as telemetry:
        wait_until(lambda: telemetry.link.is_connected)
        broker.kill()
        wait_until(lambda: not telemetry.link.is_connected)
        host.submit(START)
        host.submit(c.CutStarter(parse_card("5H")))
        wait_until(lambda: "no broker" in telemetry.fault)
        broker.start()
        late = Observer(broker.port)
        states = late.wait_for("/state") and late.on("/state")
        assert [state["starter"] for state in states] == ["5H"]
        late.close()


@needs_mosquitto
def test_a_wrong_password_is_reported_and_a_corrected_one_used(
    host: Host, new_broker: Callable[..., Mosquitto], tmp_path: Path
) -> None:
    passwords, own = tmp_path / "passwords", tmp_path / "own"
    subprocess.run(["mosquitto_passwd", "-b", "-c", str(passwords), "table-3", "secret"], check=True)
    passwords.chmod(0o644)
    port = new_broker(f"password_file {passwords}").port
    own.write_text("wrong\n")
    with published(host, port, user="table-3", password_file=str(own)) as telemetry:
        wait_until(lambda: "refused" in telemetry.fault)
        assert telemetry.fault == (
            f"127.0.0.1:{port}: refused: Not authorized; check mqtt_user, mqtt_password_file and mqtt_board"
        )
        own.write_text("secret\n")
        wait_until(lambda: telemetry.fault == "")


def make_certificates(folder: Path) -> None:
    """ca.crt signs server.crt, for 127.0.0.1, and board.crt; the keys are in NAME.key."""
    (folder / "san").write_text("subjectAltName=IP:127.0.0.1\n")
    new_key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")

    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    openssl("req", "-x509", *new_key, "-days", "2", "-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=Test CA")
    for name in ("server", "board"):
        openssl("req", *new_key, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
        signer = ("-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "san")
        openssl("x509", "-req", "-in", f"{name}.csr", *signer, "-out", f"{name}.crt")


@pytest.mark.slow
@needs_mosquitto
def test_tls_with_certificates_on_both_sides(host: Host, new_broker: Callable[..., Mosquitto], tmp_path: Path) -> None:
    make_certificates(tmp_path)
    ca, server, board = tmp_path / "ca.crt", tmp_path / "server", str(tmp_path / "board")
    own = (f"cafile {ca}", f"certfile {server}.crt", f"keyfile {server}.key")
    port = new_broker(*own, "require_certificate true", "use_identity_as_username true").port
    with published(host, port, tls=True, ca="/nowhere") as mistyped:
        wait_until(lambda: "check mqtt_ca" in mistyped.fault)
    with published(host, port, tls=True) as without_authority:
        wait_until(lambda: "its certificate is not accepted: self-signed" in without_authority.fault)
    with published(host, port, tls=True, ca=str(ca)) as stranger:
        wait_until(lambda: "closed without an answer" in stranger.fault)
    with published(host, port, tls=True, ca=str(ca), certificate=f"{board}.crt", key=f"{board}.key") as telemetry:
        wait_until(lambda: telemetry.fault == "")


def test_without_a_broker_the_fault_names_it(host: Host) -> None:
    port = free_port()
    with published(host, port) as telemetry:
        wait_until(lambda: "no broker" in telemetry.fault)
        assert telemetry.fault.startswith(f"127.0.0.1:{port}: no broker: Connection refused; check mqtt_host")


def test_a_broker_that_hangs_gets_a_bounded_number_of_messages(host: Host) -> None:
    with socket.create_server(("127.0.0.1", 0)) as hanging, published(host, hanging.getsockname()[1]) as telemetry:
        peer, _ = hanging.accept()
        with peer:
            peer.recv(1000)
            peer.sendall(b"\x20\x02\x00\x00")  # CONNACK, and then nothing
            wait_until(lambda: telemetry.link.is_connected)
            host.submit(START)

            def cut_and_undo() -> None:
                host.submit(c.CutStarter(parse_card("5H")))
                host.submit(c.Undo())

            def is_full_after_one_more() -> bool:
                cut_and_undo()
                return len(telemetry.link._outgoing._in_flight) == 10

            wait_until(is_full_after_one_more)
            for _ in range(20):
                cut_and_undo()
            client = telemetry.link._client
            assert client and len(client._out_messages) == 10
            assert len(telemetry.link._outgoing._kept) == 5
