"""The broker of a club night, with a real Mosquitto: who may publish what, and what happens to an expelled board."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from firmware_host.club_server.collector import collecting
from firmware_host.club_server.store import ClubFile
from firmware_host.https.certificate import CertificateFiles
from firmware_host.https.renewal import Renewal, make_in_process
from firmware_host.mqtt_messages.topics import RETAINED
from firmware_host.telemetry.broker import Broker
from firmware_host.telemetry.link import Link
from firmware_host.telemetry.local_broker import CLUB, LARGEST_MESSAGE, LocalBroker, LocalBrokerError
from tests.free_port import free_port
from tests.telemetry.mosquitto import Observer, needs_mosquitto, wait_until
from tests.telemetry.test_club_collector import ENGLISH, collect_until


class Board:
    """A client that publishes with QoS 1 and remembers what was acknowledged."""

    def __init__(self, port: int, user: str, password: str, client_id: str = "") -> None:
        self.codes, self.acknowledged, self.is_connected = list[int](), list[int](), False
        self.client = Client(CallbackAPIVersion.VERSION2, client_id or user, protocol=MQTTProtocolVersion.MQTTv311)
        self.client.username_pw_set(user, password)
        self.client.on_connect = self._connected
        self.client.on_disconnect = lambda *_: setattr(self, "is_connected", False)
        self.client.on_publish = lambda client, data, mid, *_: self.acknowledged.append(mid)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        wait_until(lambda: self.codes)

    def _connected(self, client: object, data: object, flags: object, code: object, properties: object) -> None:
        self.codes.append(getattr(code, "value", -1))
        self.is_connected = self.codes[-1] == 0

    def publish(self, topic: str, payload: str) -> None:
        mid = self.client.publish(topic, payload, qos=1).mid
        wait_until(lambda: mid in self.acknowledged)

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def broker(tmp_path: Path, port: int) -> Iterator[LocalBroker]:
    broker = LocalBroker(tmp_path / "broker", port=port)
    yield broker
    broker.stop()


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def club_password(broker: LocalBroker) -> str:
    return Path(broker.club_access().password_file).read_text()


@pytest.mark.slow
@needs_mosquitto
def test_a_board_publishes_for_itself_alone_and_an_expelled_one_not_at_all(broker: LocalBroker, port: int) -> None:
    passwords = {name: broker.add_board(name) for name in ("table-1", "table-2")}
    broker.start()
    wait_until(lambda: answers(port))
    with closing(Observer(port, CLUB, club_password(broker))) as club:
        board = Board(port, "table-1", passwords["table-1"])
        board.publish("cribboard/1/from/table-2/result", "for another")
        board.publish("cribboard/1/to/table-2/receipt", "as the club")
        board.publish("cribboard/1/from/table-1/result", "for itself")
        club.wait_for("/table-1/result", lambda text: text == "for itself")
        assert [text for _, text, _ in club.seen] == ["for itself"]

        other = Board(port, "table-2", passwords["table-2"], client_id="table-1")  # keeps its own session
        assert other.codes == [0] and board.is_connected
        other.publish("cribboard/1/from/table-1/result", "under another client id")
        other.publish("cribboard/1/from/table-2/result", "mine")
        club.wait_for("/table-2/result")
        assert [text for _, text, _ in club.seen] == ["for itself", "mine"]

        assert LocalBroker(Path(broker.club_access().password_file).parent).boards == ("table-1", "table-2")
        LocalBroker(Path(broker.club_access().password_file).parent).expel_board("table-1")  # another program
        broker.watch()
        wait_until(lambda: not board.is_connected)
        wait_until(lambda: board.codes[-1] != 0)  # it tries again, and is refused
        assert other.is_connected
        other.close()
        board.close()


@needs_mosquitto
def test_a_board_leaves_only_small_messages_on_its_own_few_topics(broker: LocalBroker, port: int) -> None:
    """Ten retained messages of 20 MB under names of its own once made Mosquitto as large."""
    password = broker.add_board("table-1")
    broker.start()
    wait_until(lambda: answers(port))
    with closing(Observer(port, CLUB, club_password(broker))) as club:
        board = Board(port, "table-1", password)
        for number in range(10):
            board.client.publish(f"cribboard/1/from/table-1/x{number}", "x" * 1000, qos=1, retain=True)
            board.client.publish("cribboard/1/from/table-1/state", "x" * (LARGEST_MESSAGE + 1), qos=1, retain=True)
        board.close()  # Mosquitto closes a connection on which too large a message comes
        board = Board(port, "table-1", password)
        board.publish("cribboard/1/from/table-1/state", "x" * 60_000)
        club.wait_for("/table-1/state")
        assert [(topic, len(text)) for topic, text, _ in club.seen] == [("cribboard/1/from/table-1/state", 60_000)]
        board.close()


@needs_mosquitto
def test_nothing_stays_of_an_expelled_board(broker: LocalBroker, port: int, tmp_path: Path) -> None:
    passwords = {name: broker.add_board(name) for name in ("table-1", "table-2")}
    broker.start()
    wait_until(lambda: answers(port))
    for name, password in passwords.items():
        board = Board(port, name, password)
        for topic in RETAINED:
            board.client.publish(f"cribboard/1/from/{name}/{topic}", "{}", qos=1, retain=True)
        board.publish(f"cribboard/1/from/{name}/event", "the last one")
        board.close()
    broker.expel_board("table-1")
    broker.watch()
    expelled = partial(getattr, broker, "expelled")
    with (
        closing(ClubFile.open(tmp_path / "club.sqlite3")) as file,
        collecting(file, broker.club_access(), ENGLISH, expelled) as collector,
    ):
        collect_until(collector, lambda: collector.link.is_settled)
        with closing(Observer(port, CLUB, club_password(broker))) as later:
            later.wait_for("/cribboard-club/status")
            wait_until(lambda: len(later.on("/table-2/state")) == 1)
            assert {topic.split("/")[3] for topic, _, _ in later.seen} == {"table-2", "cribboard-club"}
        broker.add_board("table-1")  # it may come back, and what it then publishes stays
        collector.step(0.0)
        assert not any("table-1" in topic for topic in collector.link._outgoing._kept)


@needs_mosquitto
def test_a_board_reads_neither_seats_nor_results_of_others(broker: LocalBroker, port: int) -> None:
    """Names of members and codes of the room are for the club and for the board that they are sent to or from."""
    passwords = {name: broker.add_board(name) for name in ("table-1", "table-2")}
    broker.start()
    wait_until(lambda: answers(port))
    reader, other = (Board(port, name, password) for name, password in passwords.items())
    seen, answered = list[str](), list[object]()
    reader.client.on_message = lambda client, data, message: seen.append(message.topic)
    reader.client.on_subscribe = lambda *_: answered.append(None)
    reader.client.subscribe([("#", 1), ("cribboard/1/to/table-2/seat", 1), ("cribboard/1/from/table-2/join", 1)])
    wait_until(lambda: answered)  # else it would read nothing anyway
    with closing(Observer(port, CLUB, club_password(broker))) as club:
        other.publish("cribboard/1/from/table-2/join", "123456")
        club.publish("cribboard/1/to/table-2/seat", {"table": 2})
        club.publish("cribboard/1/to/table-1/seat", {"table": 1}, retain=True)
        wait_until(lambda: "cribboard/1/to/table-1/seat" in seen)
    assert set(seen) == {"cribboard/1/to/table-1/seat"}
    reader.close()
    other.close()


@pytest.mark.slow
@needs_mosquitto
def test_a_wrong_password_and_no_password_are_refused(broker: LocalBroker, port: int) -> None:
    broker.add_board("table-1")
    broker.start()
    wait_until(lambda: answers(port))
    for user, password in (("table-1", "wrong"), ("", ""), (CLUB, "")):
        board = Board(port, user, password, client_id="table-1")
        assert board.codes[0] != 0
        board.close()


@needs_mosquitto
def test_a_broker_that_was_killed_comes_back_with_its_retained_messages(broker: LocalBroker, port: int) -> None:
    broker.start()
    wait_until(lambda: answers(port))
    with closing(Observer(port, CLUB, club_password(broker))) as club:
        club.publish("cribboard/1/to/table-1/seat", {"table": 1}, retain=True)
        password = broker.add_board("table-1")
        broker.watch()
        board = Board(port, "table-1", password)
        board.publish("cribboard/1/from/table-1/status", "online")
    board.close()
    assert broker._process
    broker._process.kill()
    broker._process.wait()
    broker.watch()
    wait_until(lambda: answers(port))
    seen = list[str]()
    board = Board(port, "table-1", password)
    board.client.on_message = lambda client, data, message: seen.append(message.topic)
    board.client.subscribe("cribboard/1/to/table-1/#")
    wait_until(lambda: seen == ["cribboard/1/to/table-1/seat"])
    board.close()


@needs_mosquitto
def test_a_broker_with_a_damaged_database_starts_without_it(broker: LocalBroker, port: int) -> None:
    """Mosquitto itself ends when it cannot read its database, such as after a power cut."""
    database = Path(broker.club_access().password_file).with_name("mosquitto.db")
    database.write_bytes(bytes(4_000))
    broker.start()
    assert broker._process
    assert broker._process.wait(60) == 1
    broker.watch()
    wait_until(lambda: answers(port))
    assert broker._process.poll() is None
    assert database.with_name("mosquitto.db.aside").read_bytes() == bytes(4_000)


@needs_mosquitto
def test_a_broker_that_outlived_its_program_is_replaced(broker: LocalBroker, port: int) -> None:
    left_over = LocalBroker(Path(broker.club_access().password_file).parent, port=port)
    left_over.start()
    wait_until(lambda: answers(port))
    assert left_over._process
    broker.start()
    assert left_over._process.wait(60) is not None
    wait_until(lambda: answers(port))
    assert broker._process and broker._process.poll() is None


class SecureClub:
    """A broker with TLS for the name `club.local`, which is this computer, and a board that trusts its authority."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.certificate = Renewal(CertificateFiles(folder / "broker" / "tls"), lambda: {"club.local"})
        self.broker = LocalBroker(folder / "broker", port=self.port, certificate=self.certificate)
        self.password_file, self.ca = folder / "password", folder / "ca.pem"
        self.password_file.write_text(self.broker.add_board("table-1"))
        self.broker.start()
        wait_until(lambda: answers(self.port))
        self.ca.write_text(ssl.DER_cert_to_PEM_cert(self.certificate.files.authority_certificate))

    def link(self, ca: str, is_tls: bool = True) -> Link:
        """The connection of the board, started."""
        access = {"user": "table-1", "password_file": str(self.password_file)}
        link = Link(Broker("club.local", self.port, "table-1", is_tls, ca, **access), (), lambda *_: None)
        link.start()
        return link


@pytest.fixture
def secure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SecureClub]:
    real = socket.getaddrinfo

    def find(host: str, *arguments: Any, **options: Any) -> Any:
        return real("127.0.0.1" if host == "club.local" else host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", find)
    club = SecureClub(tmp_path)
    yield club
    club.broker.stop()


@needs_mosquitto
def test_a_board_that_trusts_the_authority_of_the_club_connects_by_tls(secure: SecureClub) -> None:
    link = secure.link(str(secure.ca))
    wait_until(lambda: link.is_connected)
    own = secure.broker.club_access()
    with closing(Observer(own.port, CLUB, Path(own.password_file).read_text())) as club:
        link.send("x", "cribboard/1/from/table-1/result", "by TLS")
        club.wait_for("/table-1/result", lambda text: text == "by TLS")
    link.stop()


@needs_mosquitto
@pytest.mark.parametrize(("ca", "is_tls"), [("", True), ("", False)], ids=["unknown authority", "no TLS"])
def test_a_board_without_the_authority_or_tls_does_not_connect(secure: SecureClub, ca: str, is_tls: bool) -> None:
    link = secure.link(ca, is_tls)
    said = "certificate is not accepted" if is_tls else "the connection was closed without an answer"
    wait_until(lambda: said in link.fault)
    assert not link.is_connected
    link.stop()


@needs_mosquitto
def test_no_password_is_sent_where_another_computer_answers(secure: SecureClub, tmp_path: Path) -> None:
    """A computer that takes the name of the organiser's has a certificate of another authority."""
    thief = Renewal(CertificateFiles(tmp_path / "thief"), lambda: {"club.local"})
    thief.open()
    foreign = tmp_path / "foreign.pem"
    foreign.write_text(ssl.DER_cert_to_PEM_cert(thief.files.authority_certificate))
    link = secure.link(str(foreign))
    wait_until(lambda: "certificate is not accepted" in link.fault)
    assert not link.is_connected
    link.stop()


@needs_mosquitto
def test_only_the_own_computer_reaches_the_listener_without_tls(secure: SecureClub) -> None:
    lines = (secure.ca.parent / "broker" / "mosquitto.conf").read_text().splitlines()
    own = secure.broker.club_access()
    assert [line for line in lines if line.startswith("listener")][1:] == [f"listener {own.port} 127.0.0.1"]
    assert own.host == "127.0.0.1" and not own.tls and own.port != secure.port


@needs_mosquitto
def test_a_renewed_certificate_is_used_by_the_running_broker(
    secure: SecureClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = ssl.get_server_certificate(("127.0.0.1", secure.port))
    make_in_process(secure.certificate.files, {"club.local"})
    monkeypatch.setattr(secure.certificate, "check", lambda: True)
    secure.broker.watch()
    wait_until(lambda: ssl.get_server_certificate(("127.0.0.1", secure.port)) != before)


def test_files_are_for_their_owner_alone_and_no_password_is_in_them(broker: LocalBroker, tmp_path: Path) -> None:
    password = broker.add_board("table-1")
    broker.club_access()
    for file in (tmp_path / "broker").iterdir():
        assert file.stat().st_mode & 0o077 == 0
        assert password not in file.read_text()


@pytest.mark.parametrize("name", ["", "a/b", "+", "#", "table 1", "a:b", "x" * 41, CLUB, "tâble", "a\nb"])
def test_names_that_would_be_more_than_a_level_of_a_topic_are_refused(broker: LocalBroker, name: str) -> None:
    with pytest.raises(LocalBrokerError):
        broker.add_board(name)


def test_only_a_board_that_exists_is_expelled(broker: LocalBroker) -> None:
    broker.club_access()
    for name in ("table-1", CLUB):
        with pytest.raises(LocalBrokerError):
            broker.expel_board(name)
