"""No sequence of commands shows a hidden card to somebody else: a model check over two boards.

Ann and Ben hold their cards on phones, Wim's phone has no seat, Kit keeps the score, Olga owns the board, Eve is not
paired. Two boards play the same commands; they differ only in Ben's hidden hand. After each command everything that the
panel sends to anybody but Ben must

- have no card of Ben's that he has not shown, and
- be the same on both boards, byte by byte: else an answer depends on Ben's cards, and could be used to find them out.

The same holds for everything that leaves the board without a phone: display, lights, voice, MQTT and log. Pages and
files are read in the first states of each exploration and in the last one of each attack and each sampled sequence; in
every state of the attacks by the slow tests.

The commands are those of the API: `test_every_route_that_changes_something_is_tried` fails for a new one. A state that
was reached before is not explored again, so far more sequences are covered than commands are sent.
"""

from __future__ import annotations

import logging
import re
import sqlite3
from base64 import b64encode
from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from msgspec.structs import replace
from werkzeug.test import TestResponse
from werkzeug.wrappers import Response

from firmware_host.cribbage.cards import PACK, Card, parse_card, parse_cards
from firmware_host.cribbage.levels import Level
from firmware_host.game.commands import PlayCard
from firmware_host.game.history import History
from firmware_host.host.loop import Host
from firmware_host.host.parts import game_session, pack_dealer
from firmware_host.host.snapshot import Snapshot
from firmware_host.mqtt_messages.reading import as_payload
from firmware_host.opponent.next_act import next_act
from firmware_host.pairing.registry import Phone, Role
from firmware_host.speech.narrator import Narrator
from firmware_host.storage.journal import Journal
from firmware_host.storage.journal_table import Row
from firmware_host.telemetry.discovery import Device, configurations
from firmware_host.telemetry.event_finder import EventFinder
from firmware_host.telemetry.payloads import controls_message, state_message
from firmware_host.ui.keys.input_state import ForOpponent, UserCommand
from firmware_host.ui.translator import untranslated
from tests.conftest import SUMMARY_LINE
from tests.web_panel.conftest import PhoneClient, Rig, json_of
from web_panel.api.commands import COMMANDS
from web_panel.pages import review
from web_panel.security import seat_access
from web_panel.security.permissions import REQUIRED_ROLES

ANNS = ["2S", "3S", "9C", "JD", "KD", "KC"]
BENS = (["4D", "6D", "8C", "TS", "QH", "AC"], ["4H", "6S", "8D", "TH", "QC", "AC"])
"""Ben's hands on the two boards: the same ranks, so that the play is the same. They are no examples on any page."""
PLAYED = "AC"
"""The card of both hands, which the program may play: then it tells the boards apart no more than before."""
STARTER = "5H"
WHOLE_PACK = set(map(str, PACK))
NO_OUTPUT_OF_THE_GAME = {
    "GET /static/<path:filename>": "files",
    "GET /api/v1/openapi.json": "describes the API",
    "GET /api/v1/stream": "sends what /api/v1/state answers, and does not end",
    "GET /styles/<names>.css": "style sheets",
    "GET /boards/<board>/<int:target>/<orientation>.svg": "an empty board",
    "GET /cards.svg": "all cards",
    "GET /in/<code>": "leads to the main page",
    "GET /IN/<code>": "leads to the main page",
    "GET /coach": "draws hands at random, and takes none",
    "GET /coach/play": "draws hands at random, and takes none",
    "GET /coach/discard": "draws hands at random, and takes none",
    "GET /trust": "where HTTPS is on",
    "GET /trust/cribboard.crt": "where HTTPS is on",
}
"""Routes that are not read, with the reason."""
GAMES = ("current", "1", "2")
PARAMETERS = {"<int:game>": "1", "<seat>": "1", "<int:deal>": "1"}
QUERIES = {"/player": "?name=Ann", "/head-to-head": "?one=Ann&other=Ben", "/review": "?game=1"}
READERS = ("Ann", "Wim", "Kit", "Olga", "Eve")
"""Everybody but Ben."""
OBSERVED = ("/me", "/me/hand", "/me/advice", "/state", "/games/current/result", "/games/current/replay")
NOON = datetime(2024, 2, 29, 12, tzinfo=UTC)


class Saved(NamedTuple):
    """What a board is set back to."""

    history: History
    phones: tuple[Phone, ...]
    seat_since: dict[str, int]
    since: int
    journal: bytes
    last_row: Row | None
    packs: list[tuple[Card, ...]]
    shown: frozenset[str]
    read: int


def pages() -> tuple[str, ...]:
    """Every address that can be read, but those that have nothing of the game."""
    routes = [route for route in REQUIRED_ROLES if route.startswith("GET ") and route not in NO_OUTPUT_OF_THE_GAME]
    paths = []
    for path in (route.removeprefix("GET ") for route in routes):
        for parameter, value in PARAMETERS.items():
            path = path.replace(parameter, value)
        of_games = [path.replace("<game>", game) for game in GAMES] if "<game>" in path else [path]
        assert "<" not in of_games[0], f"say in PARAMETERS what to read of {path}"
        paths += [each + QUERIES.get(each, "") for each in of_games]
    return tuple(paths)


PAGES = pages()


class LogLines(logging.Handler):
    """The lines of the log since they were read last."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self._lines = list[str]()

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(f"{record.name} {record.getMessage()}")

    def take(self) -> str:
        """What was logged since the last call."""
        lines, self._lines = self._lines, []
        return "\n".join(lines)


class Room:
    """What leaves the board without a phone: the display, the lights, the voice and MQTT."""

    def __init__(self) -> None:
        self._narrator, self._moments = Narrator(lambda language: untranslated), EventFinder()

    def hear(self, snapshot: Snapshot) -> str:
        """All of it, after one change."""
        speech = self._narrator.speech_for(snapshot)
        mqtt = [
            state_message(snapshot),
            controls_message(snapshot),
            *self._moments.new_events(snapshot.history, snapshot.referee_mode),
        ]
        return "\n".join(
            [
                *map(str, (snapshot.oled_page, snapshot.own_page, snapshot.prompt, snapshot.signals)),
                speech.text if speech else "",
                *map(as_payload, mqtt),
                *map(str, configurations("board", snapshot, Device("1"), has_commands=True).values()),
            ]
        )


class FixedShuffle:
    """Instead of the system's randomness: where the program deals from the start, the first pack deals the hands of the
    test; later ones are all alike, as no pack follows from cards that were entered."""

    def __init__(self, bens: Sequence[str], *, is_dealt: bool) -> None:
        dealt = [card for pair in zip(bens, ANNS, strict=True) for card in pair]
        first = parse_cards([*dealt, STARTER])
        self.packs = [(*first, *(card for card in PACK if card not in first))] if is_dealt else []
        others = parse_cards([*BENS[0], *BENS[1]])
        self._later = (*(card for card in PACK if card not in others), *dict.fromkeys(others))

    def __call__(self) -> tuple[Card, ...]:
        return self.packs.pop() if self.packs else self._later


class Reader:
    """A card reader, and the cards that are laid on it."""

    def __init__(self) -> None:
        self.laid = list[str]()

    def tags(self) -> Sequence[str]:
        tags, self.laid = self.laid, []
        return tags


class Board:
    """A board with five phones and a stranger. `bens` is Ben's hand. `is_dealt`: the program deals it. `level`: the
    program plays Ben's seat; where it does not deal, it reads its hand from a real pack. `file`: of the journal, which
    then can be restored."""

    def __init__(
        self, bens: Sequence[str], *, is_dealt: bool = False, level: Level | None = None, file: Path | None = None
    ) -> None:
        journal = Journal.open(file, lambda: NOON) if file else Journal.in_memory(lambda: NOON)
        self.rig, self.bens = Rig(is_simulated=False, journal=journal), bens
        if file:
            self.rig.archive.open_reader = lambda: closing(Journal.open_readonly(file))
        self.host.submit = self.submit  # type: ignore[method-assign]
        self.routes = set[str]()
        """Those that were sent to."""
        self.people = {name: PhoneClient(self.rig) for name in ("Olga", "Ann", "Ben", "Wim", "Kit", "Eve")}
        for name, role in ROLES.items():
            self.people[name].pair(name, role)
        registry = self.host.pairing.registry
        registry.phones = tuple(replace(phone, id=f"{place:08x}") for place, phone in enumerate(registry.phones))
        self.shuffle = self.host._parts.game._dealer._shuffled_pack = FixedShuffle(bens, is_dealt=is_dealt)
        self.backup = b""
        """What Olga has downloaded."""
        self.shown = frozenset[str]()
        """Cards of Ben's that were played."""
        self.reader, self.read = Reader(), 0
        if level and not is_dealt:
            self.host._use_setup(replace(self.host.setup, card_reader=self.reader))
        self.begin("Ann", is_dealt=is_dealt, level=level)
        self.seat("Ann", 0)
        self.seat("Ben", 1)
        self.room = Room()

    @property
    def host(self) -> Host:
        return self.rig.host

    @property
    def journal(self) -> Journal:
        """The one in use: a restore opens another one."""
        return self.host._context.game._journal

    def begin(self, who: str, *, is_dealt: bool, level: Level | None = None) -> TestResponse:
        game = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
        return self.send(who, "new-game", **game, is_dealt=is_dealt, levels=[None, level.value] if level else [])

    def play_program(self) -> TestResponse:
        """The program acts. The one card that it plays is PLAYED: another one would show which board this is."""
        table = self.host._context.table
        command = act.command if table and (act := next_act(table, Random(1))) else None
        if isinstance(command, PlayCard):
            played, seat = parse_card(PLAYED), command.seat
            assert table and table.deal and seat is not None
            command = replace(command, card=played) if played in table.deal.in_hand(seat) else None
            self.shown |= {PLAYED} if command else set()
        if command:
            self.submit(ForOpponent(command))
        return self.people["Ann"].client.get("/api/v1/state")

    def read_card(self) -> TestResponse:
        """The next card of the program's hand is laid on the card reader, face down; after the sixth the first again.
        Nobody sees it: people do so while the board asks for it."""
        table = self.host._context.table
        if table and table.hand_to_read is not None:
            self.reader.laid.append(self.bens[self.read % len(self.bens)])
            self.read += 1
            self.host.step()
        return self.people["Ann"].client.get("/api/v1/state")

    def keep_backup(self) -> TestResponse:
        """Olga downloads a backup."""
        with self.people["Olga"].client.get("/cribboard.sqlite3", buffered=True) as answer:
            self.backup = answer.get_data()
        return self.people["Olga"].client.get("/api/v1/me")

    def restore_backup(self) -> TestResponse:
        """She restores it, while the board goes on; without one she sends nothing that is one."""
        chunk = b64encode(self.backup or b"none").decode()
        self.post("Olga", "/backup/chunks", {"number": 0, "chunk": chunk}).close()
        self._note_route("/backup/restore")
        return self.people["Olga"].post("/backup/restore", {"chunks": 1})

    @property
    def is_restored(self) -> bool:
        """Whether the last restore replaced the games."""
        return bool(json_of(self.people["Olga"].get("/backup/restore"))["stage"] == "done")

    def submit(self, command: UserCommand, moment: int | None = None) -> Snapshot:
        """As Host.submit, on this thread."""
        self.host.execute(command, moment)
        return self.host._publish()

    def post(self, who: str, path: str, body: object) -> TestResponse:
        self._note_route(path)
        return self.people[who].client.post(f"/api/v1{path}", json=body, headers={"Origin": "http://localhost"})

    def _note_route(self, path: str) -> None:
        self.routes.add(str(self.rig.app.url_map.bind("").match(f"/api/v1{path}", "POST", return_rule=True)[0].rule))

    def send(self, who: str, command: str, **body: object) -> TestResponse:
        return self.post(who, f"/commands/{command}", body)

    def seat(self, who: str, seat: int | None) -> TestResponse:
        return self.post(who, "/me/seat", {"seat": seat})

    def seen_by(self, who: str, *, with_files: bool) -> str:
        """What this person can read: of the API, or of all pages and files, which come from the journal as well."""
        self.host.step()  # the display shows what the snapshot has
        texts = list[str]()
        for path in PAGES if with_files else [f"/api/v1{path}" for path in OBSERVED]:
            with self.people[who].client.get(path) as answer:
                text = without_whole_packs(without_counters(text_of(answer)))
                texts.append(f"{path} {answer.status_code} {text}")
        return "\n".join(texts)

    def save(self) -> Saved:
        registry, journal = self.host.pairing.registry, self.journal
        return Saved(
            self.host._context.game.history,
            registry.phones,
            dict(registry._seat_since),
            registry._since,
            journal._database.serialize(),
            journal._last,
            [*self.shuffle.packs],
            self.shown,
            self.read,
        )

    def restore(self, saved: Saved) -> None:
        registry, journal = self.host.pairing.registry, self.journal
        self.host._context.game.history, registry.phones = saved.history, saved.phones
        registry._seat_since, registry._since = dict(saved.seat_since), saved.since
        journal._database.deserialize(saved.journal)
        journal._last = saved.last_row
        self.shuffle.packs = [*saved.packs]
        self.shown, self.read = saved.shown, saved.read
        self.host._parts.keypad.reset()
        self.host._context.revision += 1
        self.host._publish()

    def key(self) -> object:
        """Two states with the same key answer alike: the turns, those undone, the seats, and whose the cards are."""
        history, registry = self.host._context.game.history, self.host.pairing.registry
        turns = [*history.turns_back()]
        numbers = sorted({turn.number for turn in (*turns, *history.undone)} | set(registry._seat_since.values()))
        order = {number: place for place, number in enumerate(numbers)}
        return (
            tuple((turn.events, order[turn.number]) for turn in (*turns, *history.undone)),
            len(history.undone),
            tuple((phone.name, phone.seat) for phone in registry.phones),
            tuple(sorted((phone, order[since]) for phone, since in registry._seat_since.items())),
            tuple(self.journal.turns_of(game) for game in range(1, self.journal.last_game)),
            self.shown,
            self.read,
        )


def text_of(answer: Response) -> str:
    """What was answered; of a backup its rows without their seals, which follow from all that is in them."""
    content = answer.get_data()
    if answer.mimetype != "application/vnd.sqlite3":
        return content.decode(errors="surrogateescape")
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(content)
        return "\n".join(map(" ".join, database.execute("SELECT kind, body FROM journal ORDER BY game, seq")))


def without_whole_packs(text: str) -> str:
    """A text that names all cards, such as the proof of a pack, tells of no hand; what stays is its hash."""
    is_whole = len(cards_in(text, WHOLE_PACK)) == len(WHOLE_PACK)
    return sha256(text.encode(errors="surrogateescape")).hexdigest() if is_whole else text


def without_counters(text: str) -> str:
    """Without numbers that only count changes, times, and the free space of the disk."""
    plain = text.replace("&#34;", '"')
    plain = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:[\d.]+\+00:00)?", "", plain)
    plain = re.sub(r'data-max-bytes="\d+"', "", plain)
    plain = re.sub(r"Fingerprint: [0-9a-f]{8}|fingerprint\">[0-9a-f]{64}", "", plain)
    return re.sub(r'"(version|phone_changes|id|commitment)": ?("[0-9a-f]{8}"|"[0-9a-f]{64}"|\d+)', "", plain)


ROLES = {"Olga": Role.OWNER, "Ann": Role.PLAYER, "Ben": Role.PLAYER, "Wim": Role.PLAYER, "Kit": Role.KEEPER}
Action = Callable[[Board], TestResponse]


ACTIONS: dict[str, Action] = {
    "Ann undoes": lambda on: on.send("Ann", "undo"),
    "Ann redoes": lambda on: on.send("Ann", "redo"),
    "Ann enters a card of Ben's": lambda on: on.send("Ann", "deal", cards=[BENS[0][0], *ANNS[1:]]),
    "Ann enters her cards": lambda on: on.send("Ann", "deal", cards=ANNS),
    "Ann discards": lambda on: on.send("Ann", "discard", cards=ANNS[4:]),
    "Ann cuts a card of Ben's": lambda on: on.send("Ann", "starter", card=BENS[0][2]),
    "Ann cuts": lambda on: on.send("Ann", "starter", card=STARTER),
    "Ann plays": lambda on: on.send("Ann", "play", card=ANNS[2]),
    "Ann plays a card of Ben's": lambda on: on.send("Ann", "play", card=BENS[0][1]),
    "Ann plays for Ben": lambda on: on.send("Ann", "play", card=BENS[0][0], seat=1),
    "Ann says go for Ben": lambda on: on.send("Ann", "go", seat=1),
    "Ann ends the play": lambda on: on.send("Ann", "show"),
    "Ann counts": lambda on: on.send("Ann", "count"),
    "Ann counts cards of Ben's": lambda on: on.send("Ann", "count", cards=[*BENS[0][:2], "2C", "3C"]),
    "Ann deals the next": lambda on: on.send("Ann", "next-deal", deal=1),
    "Ann calls a misdeal": lambda on: on.send("Ann", "misdeal"),
    "Ann takes Ben's seat": lambda on: on.seat("Ann", 1),
    "Ann leaves": lambda on: on.seat("Ann", None),
    "Ben leaves": lambda on: on.seat("Ben", None),
    "Ben comes back": lambda on: on.seat("Ben", 1),
    "Ben undoes": lambda on: on.send("Ben", "undo"),
    "Ben redoes": lambda on: on.send("Ben", "redo"),
    "Ben enters his cards": lambda on: on.send("Ben", "deal", cards=on.bens),
    "Ben discards": lambda on: on.send("Ben", "discard", cards=on.bens[4:]),
    "Kit undoes": lambda on: on.send("Kit", "undo"),
    "Kit redoes": lambda on: on.send("Kit", "redo"),
    "Kit corrects to the target": lambda on: on.send("Kit", "correct", side=0, score=121, reason="x"),
    "Kit takes Ben's seat": lambda on: on.seat("Kit", 1),
    "Kit plays for Ben": lambda on: on.send("Kit", "play", card=BENS[0][0], seat=1),
    "Kit says go for Ben": lambda on: on.send("Kit", "go", seat=1),
    "Kit skips": lambda on: on.send("Kit", "skip"),
    "Kit counts": lambda on: on.send("Kit", "count"),
    "Kit ends the play": lambda on: on.send("Kit", "show"),
    "Kit deals the next": lambda on: on.send("Kit", "next-deal", deal=1),
    "Eve undoes": lambda on: on.send("Eve", "undo"),
    "Ann deals the pack": lambda on: on.send("Ann", "deal-cards"),
    "Ann turns the starter": lambda on: on.send("Ann", "turn-starter"),
    "Ann reads Ben's hand": lambda on: on.people["Ann"].client.get("/api/v1/me/hand/1"),
    "Kit reads Ben's hand": lambda on: on.people["Kit"].client.get("/api/v1/me/hand/1"),
}
OF_BEN = frozenset(name for name in ACTIONS if name.startswith("Ben"))

BODIES: dict[str, dict[str, object]] = {
    "new-game": {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0},
    "dealer": {"seat": 1},
    "deal": {"cards": ANNS, "seat": 0},
    "discard": {"cards": ANNS[4:], "seat": 0},
    "bid": {"points": 1},
    "starter": {"card": STARTER},
    "play": {"card": ANNS[2], "says_goes": True},
    "next-deal": {"deal": 1},
    "claim": {"side": 0, "points": 2},
    "move": {"side": 0, "points": 3},
    "penalty": {"side": 0, "breach": "overrun"},
    "correct": {"side": 1, "score": 121, "reason": "x"},
    "confirm-result": {"side": 0},
}
"""What a command is sent with; those that are not named here with nothing."""
NO_COMMANDS = {
    "POST /api/v1/pairing/": "the phone that is added has no seat, as Wim's has",
    "POST /api/v1/phones/": "a phone that is removed sees less, and every role is tried",
    "POST /api/v1/me/leave": "a phone that is removed sees less",
    "POST /api/v1/people/": "merges names of past games",
    "POST /api/v1/backup/cancel": "deletes an upload",
    "POST /api/v1/coach/": "judges the cards of its body alone",
    "POST /api/v1/device/": "lights and voice",
    "POST /api/v1/settings": "settings",
    "POST /api/v1/setup/": "the wizard of the first start",
    "POST /api/v1/keys": "a simulated board alone: whoever has its keys is at the board",
    "POST /api/v1/pegs/": "a simulated board alone",
    "POST /api/v1/demo": "a simulated board alone",
}
"""Routes that change nothing of a game, by their beginning, with the reason."""


def sent(who: str, command: str) -> Action:
    return lambda on: on.send(who, command, **BODIES.get(command, {}))


ALL_COMMANDS: dict[str, Action] = {
    f"{who} sends {command}": sent(who, command) for who in ("Ann", "Wim", "Kit", "Olga", "Eve") for command in COMMANDS
}
ALL_COMMANDS |= {
    f"{who} takes seat {seat}": lambda on, who=who, seat=seat: on.seat(who, seat)  # type: ignore[misc]
    for who in READERS
    for seat in (0, 1, None)
}
ALL_COMMANDS |= {
    "Ann types a hand": lambda on: on.post("Ann", "/hand", {"cards": ["5H", "4"], "question": "suits"}),
    "Ben undoes": ACTIONS["Ben undoes"],
    "Ben calls a misdeal": lambda on: on.send("Ben", "misdeal"),
    "Ben begins a new game": sent("Ben", "new-game"),
    "Ben agrees to a new game": sent("Ben", "agree-to-game"),
    "Kit begins a dealt game": lambda on: on.begin("Kit", is_dealt=True),
}
ALL_COMMANDS |= {
    f"{who} begins a game against the board at {level.value}": lambda on, who=who, level=level: on.begin(  # type: ignore[misc]
        who, is_dealt=True, level=level
    )
    for who in ("Ann", "Kit", "Olga")
    for level in Level
}
ACTIONS |= ALL_COMMANDS
RESTORES: dict[str, Action] = {"Olga keeps a backup": Board.keep_backup, "Olga restores it": Board.restore_backup}
"""Of a board whose journal is a file."""

BEFORE: dict[str, Sequence[str]] = {
    "hands entered": ("Ann enters her cards", "Ben enters his cards"),
    "pack dealt": ("Ann deals the pack",),
    "starter turned": ("Ann deals the pack", "Ann discards", "Ben discards", "Ann turns the starter"),
    "starter cut": ("Ann enters her cards", "Ben enters his cards", "Ann discards", "Ben discards", "Ann cuts"),
    **{
        f"against the board at {level.value}": ("Ann deals the pack", "the board plays", "Ann discards")
        for level in Level
    },
    "a card played at expert": ("Ann deals the pack", "the board plays", "Ann discards", *["the board plays"] * 2),
    "hand read at expert": (*["a card is read"] * 6, "Ann enters her cards"),
    "read card played at expert": (
        *(*["a card is read"] * 6, "Ann enters her cards", "the board plays"),
        *("Ann discards", "Ann cuts", "the board plays"),
    ),
}
ACTIONS["the board plays"] = Board.play_program
ACTIONS["a card is read"] = Board.read_card
WITH_PACK = ("hand read at expert", "read card played at expert")
"""The states in which people dealt the program's hand from a real pack."""
RARE = ("against the board at beginner", "pack dealt", "a card played at expert", *WITH_PACK)
EVERY_DAY = tuple(before for before in BEFORE if before not in RARE)
"""The states from which the everyday suite samples."""


class Explorer:
    """Explores all sequences of up to `depth` commands from a state, on both boards at once."""

    def __init__(
        self,
        actions: Sequence[str],
        pages_up_to: int,
        before: str = "",
        folder: Path | None = None,
        last_readers: Collection[str] = READERS,
    ) -> None:
        """Pages are read after this many commands at most, and by `last_readers` in the end. `folder`: of the journals,
        which can be restored then."""
        level = next((level for level in Level if before.endswith(f" at {level.value}")), None)
        is_dealt = before in DEALT or (level is not None and before not in WITH_PACK)
        files = [folder / str(number) / "journal.sqlite3" if folder else None for number in range(len(BENS))]
        self.boards = [
            Board(bens, is_dealt=is_dealt, level=level, file=file) for bens, file in zip(BENS, files, strict=True)
        ]
        self.actions, self.pages_up_to, self.last_readers = actions, pages_up_to, last_readers
        self.before = before
        self._explored = dict[object, int]()
        self._observed = set[object]()
        self._log = LogLines()
        self._loggers = [logging.getLogger(name) for name in ("firmware_host", "web_panel")]
        for logger in self._loggers:
            logger.addHandler(self._log)
        self.sequences = self.commands = 0

    def begin(self, before: Sequence[str]) -> None:
        for name in before:
            answers = [ACTIONS[name](board) for board in self.boards]
            assert {answer.status_code for answer in answers} == {200}, answers[0].text
        assert all(bool(board.shown) is ("card played" in self.before) for board in self.boards)

    def explore(self, depth: int, path: tuple[str, ...] = ()) -> int:
        """Returns the number of sequences from here."""
        self._observe(path)
        if not depth:
            return 1
        key = (self.boards[0].key(), depth)
        if key in self._explored:
            return self._explored[key]
        saved, sequences = [board.save() for board in self.boards], 0
        for name in self.actions:
            self.act(name, (*path, name))
            self.commands += 1
            sequences += self.explore(depth - 1, (*path, name))
            for board, state in zip(self.boards, saved, strict=True):
                board.restore(state)
        self._explored[key] = sequences
        return sequences

    def act(self, name: str, path: tuple[str, ...]) -> None:
        """Send a command on both boards, and check its answers, the log and the room."""
        answers, heard = list[str](), list[str]()
        for board in self.boards:
            with (ACTIONS | RESTORES)[name](board) as answer:
                text = answer.get_data(as_text=True)
                answers.append(without_counters(f"{answer.status_code} {text}"))
            heard.append(without_counters(f"{board.room.hear(board.host.snapshot)}\n{self._log.take()}"))
        if name not in OF_BEN:
            self._check(answers, path, name)
        self._check(heard, path, "the room")

    def _observe(self, path: tuple[str, ...], *, is_last: bool = False) -> None:
        """Everybody reads the API. Pages and files are read by the owner, who gets most; in the end by
        `last_readers`."""
        key = self.boards[0].key()
        if key not in self._observed or is_last:
            self._observed.add(key)
            for who in READERS:
                with_files = who in self.last_readers if is_last else who == "Olga" and len(path) <= self.pages_up_to
                self._check([board.seen_by(who, with_files=with_files) for board in self.boards], path, who)

    def _check(self, texts: Sequence[str], path: tuple[str, ...], who: str) -> None:
        assert texts[0] == texts[1], f"{' / '.join(path)}: {who} receives Ben's cards: {difference(*texts)}"
        for text, board in zip(texts, self.boards, strict=True):
            own = {BENS[0][place] for place in range(3)}  # cards that were guessed
            hidden = set(board.bens) - own - board.shown
            assert not (found := cards_in(text, hidden)), f"{' / '.join(path)}: {who} sees {found}"

    def close(self) -> None:
        for logger in self._loggers:
            logger.removeHandler(self._log)
        for board in self.boards:
            board.host.stop()


CARD = re.compile('"([A2-9TJQK][SHDC])"|([A2-9TJQK][♠♥♦♣])')
SUITS = str.maketrans("♠♥♦♣", "SHDC")


def cards_in(text: str, cards: set[str]) -> set[str]:
    """Which of these cards a text names, as the API does or by a sign."""
    return cards & {name or by_sign.translate(SUITS) for name, by_sign in CARD.findall(text)}


def difference(one: str, other: str) -> str:
    at = next(
        place for place in range(min(len(one), len(other)) + 1) if one[place : place + 1] != other[place : place + 1]
    )
    return f"{one[max(0, at - 300) : at + 60]!r}"


@pytest.fixture
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the limits that stop trials: nothing may be learnt from a trial in the first place."""
    monkeypatch.setattr(seat_access, "MAX_PROBES", 10**9)
    monkeypatch.setattr(seat_access, "MAX_ENTRIES", 10**9)
    monkeypatch.setattr(review, "WAIT_S", 60.0)  # else it depends on the time what the page says
    for module in (game_session, pack_dealer):
        monkeypatch.setattr(module, "token_hex", lambda size: "0" * 2 * size)


def explored(before: str, depth: int, actions: Sequence[str]) -> tuple[int, int]:
    explorer = Explorer(actions, pages_up_to=1, before=before)
    try:
        explorer.begin(BEFORE[before])
        return explorer.explore(depth), explorer.commands
    finally:
        explorer.close()


DEALT = ("pack dealt", "starter turned")
"""The states in which the program has dealt."""

CHAINS_OF_DEALT_CARDS = (
    "Ann undoes / Kit undoes / Ann calls a misdeal / Ann deals the next / Ann deals the pack",
    "Ben leaves / Ann takes Ben's seat / Ann reads Ben's hand / Kit takes Ben's seat / Kit reads Ben's hand",
    "Kit corrects to the target / Ann reads Ben's hand / Kit undoes / Kit redoes",
    "Kit corrects to the target / Kit undoes / Ann reads Ben's hand / Kit counts",
    "Ben leaves / Kit ends the play / Kit skips / Kit counts",
    "Ben leaves / Ann plays for Ben / Kit plays for Ben / Kit says go for Ben",
    "Ann enters her cards / Ann enters a card of Ben's / Ann cuts a card of Ben's",
)
"""Attacks on hands that the program dealt."""

NEW_GAMES = ("Ann begins a dealt game", "Kit begins a game with a pack")
ACTIONS |= {
    NEW_GAMES[0]: lambda on: on.begin("Ann", is_dealt=True),
    NEW_GAMES[1]: lambda on: on.begin("Kit", is_dealt=False),
}

CHAINS = (
    "Ben leaves / Ann undoes / Ann deals the next / Ann takes Ben's seat / Ann undoes / Ann undoes",
    "Ben leaves / Kit undoes / Kit deals the next / Kit takes Ben's seat / Kit undoes / Kit plays for Ben",
    "Kit corrects to the target / Kit undoes / Kit redoes",
    "Ann undoes / Ann enters a card of Ben's / Ann discards / Ann cuts",
    "Ben leaves / Kit ends the play / Kit counts",
    "Ben leaves / Ann plays for Ben / Ann says go for Ben",
    "Wim sends new-game",
    "Kit corrects to the target / Kit sends new-game",
    "Ann calls a misdeal / Ann sends new-game / Ben agrees to a new game",
    "Ann undoes / Ann undoes / Ann sends new-game / Ben agrees to a new game",
    "Kit corrects to the target / Kit sends new-game / Kit sends correct / Olga sends new-game",
)
"""The attacks that were found by hand."""


def attack(chain: str, before: str, *, is_thorough: bool = False) -> None:
    """Send the commands of a chain. In the end those who sent one read all pages, and the owner, who gets most;
    thoroughly: everybody, and the owner after each command."""
    names = chain.split(" / ")
    readers = READERS if is_thorough else {"Olga", *(name.split()[0] for name in names)}
    explorer = Explorer((), len(names) if is_thorough else 0, before, last_readers=readers)
    try:
        explorer.begin(BEFORE[before])
        for number, name in enumerate(names, 1):
            explorer.act(name, tuple(names[:number]))
            explorer._observe(tuple(names[:number]), is_last=number == len(names))
    finally:
        explorer.close()


@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize("chain", CHAINS)
def test_attacks_that_were_found_by_hand(chain: str) -> None:
    attack(chain, "starter cut")


@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize("chain", CHAINS_OF_DEALT_CARDS)
def test_attacks_on_dealt_hands(chain: str) -> None:
    attack(chain, "starter turned")


@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize("chain", NEW_GAMES)
def test_a_new_game_over_dealt_hands(chain: str) -> None:
    attack(chain, "pack dealt")


@pytest.mark.slow
@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize(
    ("chain", "before"),
    [(chain, "starter cut") for chain in CHAINS]
    + [(chain, before) for chain in (*CHAINS_OF_DEALT_CARDS, *NEW_GAMES) for before in DEALT],
)
def test_attacks_after_which_everybody_reads_all_pages(chain: str, before: str) -> None:
    attack(chain, before, is_thorough=True)


def test_every_route_that_changes_something_is_tried(tmp_path: Path) -> None:
    board = Board(BENS[0], file=tmp_path / "state" / "journal.sqlite3")
    for action in (ACTIONS | RESTORES).values():
        action(board).close()
    board.host.stop()
    tried = {f"POST {route}" for route in board.routes}
    untried = {route for route in REQUIRED_ROLES if route.startswith("POST ")} - tried
    assert {route for route in untried if not route.startswith(tuple(NO_COMMANDS))} == set()
    assert all(any(route.startswith(known) for route in untried) for known in NO_COMMANDS)


def walk(explorer: Explorer, length: int, random: Random, actions: Collection[str] = ACTIONS) -> list[str]:
    """Send commands until `length` of them were accepted, or a hundred were sent."""
    path = list[str]()
    for name in random.choices([*actions], k=100):
        before = explorer.boards[0].save()
        explorer.act(name, (*path, name))
        explorer.commands += 1
        if explorer.boards[0].save() != before:
            path.append(name)
            explorer._observe(tuple(path), is_last=len(path) == length)
        if len(path) == length:
            break
    return path


def sampled(before: str, length: int, sequences: int, last_readers: Collection[str] = READERS) -> tuple[int, int]:
    """How many sequences and commands were tried. `last_readers` read all pages in the last state of each."""
    explorer = Explorer((), 0, before, last_readers=last_readers)
    try:
        explorer.begin(BEFORE[before])
        saved = [board.save() for board in explorer.boards]
        for seed in range(sequences):
            walk(explorer, length, Random(f"{before} {length} {seed}"))
            for board, state in zip(explorer.boards, saved, strict=True):
                board.restore(state)
        return sequences, explorer.commands
    finally:
        explorer.close()


@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize("before", EVERY_DAY)
def test_sampled_sequences_of_four_commands_by_everybody(before: str) -> None:
    assert sampled(before, 4, 1, ("Ann", "Olga"))[1] > 4


@pytest.mark.slow
@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize(("length", "sequences"), [(4, 5), (6, 12)])
def test_many_sampled_sequences_by_everybody(
    before: str, length: int, sequences: int, record_property: Callable[[str, object], None]
) -> None:
    sequences, commands = sampled(before, length, sequences)
    record_property(SUMMARY_LINE, f"{sequences} sequences of {length} commands from {before!r}, {commands} sent")
    assert commands > sequences * length


@pytest.mark.slow
@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize("before", BEFORE)
def test_sequences_with_a_restore_by_everybody(before: str, tmp_path: Path) -> None:
    """A backup of the game that is on, other commands, the restore, and others again."""
    for seed in range(2):
        explorer = Explorer((), pages_up_to=0, before=before, folder=tmp_path / str(seed))
        try:
            explorer.begin(BEFORE[before])
            random = Random(f"{before} {seed}")
            path = list[str]()
            for name in ("Olga keeps a backup", "", "Olga restores it", ""):
                if name:
                    explorer.act(name, (*path, name))
                    path.append(name)
                    explorer._observe(tuple(path), is_last=True)
                else:
                    path += walk(explorer, 2, random)
            assert all(board.is_restored for board in explorer.boards)
        finally:
            explorer.close()


@pytest.mark.slow
@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize("before", BEFORE)
def test_no_sequence_of_two_commands_tells_of_hidden_cards(
    before: str, record_property: Callable[[str, object], None]
) -> None:
    actions = tuple(name for name in ACTIONS if name not in ALL_COMMANDS)
    sequences, commands = explored(before, 2, actions)
    record_property(SUMMARY_LINE, f"{sequences} sequences of 2 commands from {before!r}, {commands} sent")
    assert sequences == len(actions) ** 2


FEW = (
    "Ann undoes",
    "Ann redoes",
    "Ann enters a card of Ben's",
    "Ann discards",
    "Ann cuts",
    "Ann plays for Ben",
    "Ann deals the next",
    "Ann takes Ben's seat",
    "Ben leaves",
    "Ben undoes",
    "Kit undoes",
    "Kit redoes",
    "Kit corrects to the target",
    "Kit takes Ben's seat",
    "Kit counts",
    "Eve undoes",
)
"""The commands of the longer sequences: those by which hands appear, go, or change their owner."""


@pytest.mark.slow
@pytest.mark.usefixtures("unlimited")
def test_no_sequence_of_four_commands_tells_of_hidden_cards(record_property: Callable[[str, object], None]) -> None:
    sequences, commands = explored("starter cut", 4, FEW)
    record_property(SUMMARY_LINE, f"{sequences} sequences of 4 commands, {commands} sent")
    assert sequences == len(FEW) ** 4
