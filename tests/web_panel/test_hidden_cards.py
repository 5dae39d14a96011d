"""No sequence of commands shows a hidden card to somebody else: a model check over two boards.

Ann and Ben hold their cards on phones, Kit keeps the score, Eve is not paired. Two boards play the same commands; they
differ only in Ben's hidden hand. After each command everything that the panel sends to Ann, Kit and Eve must

- have no card of Ben's that he has not shown, and
- be the same on both boards, byte by byte: else an answer depends on Ben's cards, and could be used to find them out.

The same holds for everything that leaves the board without a phone: display, lights, voice, MQTT and log. Pages are
read in the first states of each exploration and in the attacks that were found by hand.

A state that was reached before is not explored again, so far more sequences are covered than commands are sent.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import pytest
from werkzeug.test import TestResponse

from firmware_host.cribbage.cards import PACK, Card, parse_cards
from firmware_host.game.history import History
from firmware_host.host.loop import Host
from firmware_host.host.snapshot import Snapshot
from firmware_host.mqtt_messages.reading import as_payload
from firmware_host.pairing.registry import Phone, Role
from firmware_host.speech.narrator import Narrator
from firmware_host.storage.journal import Journal
from firmware_host.telemetry.discovery import Device, configurations
from firmware_host.telemetry.moments import Moments
from firmware_host.telemetry.payloads import controls_message, state_message
from firmware_host.ui.keys.input_state import UserCommand
from firmware_host.ui.translator import untranslated
from tests.conftest import SUMMARY_LINE
from tests.web_panel.conftest import PhoneClient, Rig
from web_panel.security import seat_access
from web_panel.security.permissions import REQUIRED_ROLES

ANNS = ["2S", "3S", "9C", "JD", "KD", "KC"]
BENS = (["4D", "6D", "8C", "TS", "QH", "AC"], ["4H", "6S", "8S", "TH", "QC", "AD"])
"""Ben's hands on the two boards: the same ranks, so that the play is the same."""
STARTER = "5H"
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
PARAMETERS = {"<game>": "current", "<int:game>": "1", "<seat>": "1", "<int:deal>": "1"}
QUERIES = {"/player": "?name=Ann", "/head-to-head": "?one=Ann&other=Ben"}
OBSERVED = ("/me", "/me/hand", "/me/advice", "/state", "/games/current/result", "/games/current/replay")
NOON = datetime(2024, 2, 29, 12, tzinfo=UTC)


class Saved(NamedTuple):
    """What a board is set back to."""

    history: History
    phones: tuple[Phone, ...]
    since: dict[str, int]


def pages() -> tuple[str, ...]:
    """Every address that can be read, but those that have nothing of the game."""
    routes = [route for route in REQUIRED_ROLES if route.startswith("GET ") and route not in NO_OUTPUT_OF_THE_GAME]
    paths = []
    for path in (route.removeprefix("GET ") for route in routes):
        for parameter, value in PARAMETERS.items():
            path = path.replace(parameter, value)
        assert "<" not in path, f"say in PARAMETERS what to read of {path}"
        paths.append(path + QUERIES.get(path, ""))
    return tuple(paths)


PAGES = pages()


CLASH = "one card was entered for two hands"
"""The display tells so too, to people at the board alone (`own_page`), when both hands are complete."""


class LogLines(logging.Handler):
    """The lines of the log since they were read last."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self._lines = list[str]()

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() != CLASH:
            self._lines.append(f"{record.name} {record.getMessage()}")

    def take(self) -> str:
        """What was logged since the last call."""
        lines, self._lines = self._lines, []
        return "\n".join(lines)


class Room:
    """What leaves the board without a phone: the display, the lights, the voice and MQTT."""

    def __init__(self) -> None:
        self._narrator, self._moments = Narrator(lambda language: untranslated), Moments()

    def hear(self, snapshot: Snapshot) -> str:
        """All of it, after one change."""
        speech = self._narrator.hear(snapshot)
        mqtt = [
            state_message(snapshot),
            controls_message(snapshot),
            *self._moments.see(snapshot.history, snapshot.referee_mode),
        ]
        return "\n".join(
            [
                *map(str, (snapshot.oled_page, snapshot.prompt, snapshot.signals)),
                speech.text if speech else "",
                *map(as_payload, mqtt),
                *map(str, configurations("board", snapshot, Device("1"), has_commands=True).values()),
            ]
        )


class FixedShuffle:
    """Instead of the system's randomness: the first pack deals the hands of the test, later ones are all alike."""

    def __init__(self, bens: Sequence[str]) -> None:
        dealt = [card for pair in zip(bens, ANNS, strict=True) for card in pair]
        first = parse_cards([*dealt, STARTER])
        self._packs = [(*first, *(card for card in PACK if card not in first))]

    def __call__(self) -> tuple[Card, ...]:
        return self._packs.pop() if self._packs else PACK


class Board:
    """A board with three phones and a stranger. `bens` is Ben's hand. `is_dealt`: the program deals it."""

    def __init__(self, bens: Sequence[str], *, is_dealt: bool = False) -> None:
        self.rig, self.bens = Rig(is_simulated=False, journal=Journal.in_memory(lambda: NOON)), bens
        self.host.submit = self.submit  # type: ignore[method-assign]
        self.people = {name: PhoneClient(self.rig) for name in ("Ann", "Ben", "Kit", "Eve")}
        self.owner = PhoneClient(self.rig).pair("Owner", Role.OWNER)
        for name in ("Ann", "Ben", "Kit"):
            self.people[name].pair(name, Role.KEEPER if name == "Kit" else Role.PLAYER)
        self.host._parts.game._dealer._shuffled_pack = FixedShuffle(bens)
        self.begin("Ann", is_dealt=is_dealt)
        self.seat("Ann", 0)
        self.seat("Ben", 1)
        self.room = Room()

    @property
    def host(self) -> Host:
        return self.rig.host

    def begin(self, who: str, *, is_dealt: bool) -> TestResponse:
        game = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
        return self.send(who, "new-game", **game, is_dealt=is_dealt)

    def submit(self, command: UserCommand, moment: int | None = None) -> Snapshot:
        """As Host.submit, on this thread."""
        self.host.execute(command, moment)
        return self.host._publish()

    def post(self, who: str, path: str, body: object) -> TestResponse:
        client = self.people[who].client
        return client.post(f"/api/v1{path}", json=body, headers={"Origin": "http://localhost"})

    def send(self, who: str, command: str, **body: object) -> TestResponse:
        return self.post(who, f"/commands/{command}", body)

    def seat(self, who: str, seat: int | None) -> TestResponse:
        return self.post(who, "/me/seat", {"seat": seat})

    def seen_by(self, who: str, *, with_files: bool) -> str:
        """What this person can read: of the API, or of all pages and files, which come from the journal as well."""
        texts = list[str]()
        for path in PAGES if with_files else [f"/api/v1{path}" for path in OBSERVED]:
            with self.people[who].client.get(path) as answer:
                texts.append(f"{path} {answer.status_code} {answer.get_data().decode('latin-1')}")
        return without_counters("\n".join(texts))

    def save(self) -> Saved:
        registry = self.host.pairing.registry
        return Saved(self.host._context.game.history, registry.phones, dict(registry._seat_since))

    def restore(self, saved: Saved) -> None:
        registry = self.host.pairing.registry
        self.host._context.game.history, registry.phones = saved.history, saved.phones
        registry._seat_since = dict(saved.since)
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
        )


def without_counters(text: str) -> str:
    """Without numbers that only count changes, and without the random ids of phones."""
    plain = text.replace("&#34;", '"')
    plain = re.sub(r"Fingerprint: [0-9a-f]{8}|fingerprint\">[0-9a-f]{64}", "", plain)
    return re.sub(r'"(version|phone_changes|id|commitment)": ?("[0-9a-f]{8}"|"[0-9a-f]{64}"|\d+)', "", plain)


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

BEFORE: dict[str, Sequence[str]] = {
    "hands entered": ("Ann enters her cards", "Ben enters his cards"),
    "pack dealt": ("Ann deals the pack",),
    "starter turned": ("Ann deals the pack", "Ann discards", "Ben discards", "Ann turns the starter"),
    "starter cut": ("Ann enters her cards", "Ben enters his cards", "Ann discards", "Ben discards", "Ann cuts"),
}


class Explorer:
    """Explores all sequences of up to `depth` commands from a state, on both boards at once."""

    def __init__(self, actions: Sequence[str], pages_up_to: int, *, is_dealt: bool = False) -> None:
        """Pages are read after this many commands at most."""
        self.boards = [Board(bens, is_dealt=is_dealt) for bens in BENS]
        self.actions, self.pages_up_to = actions, pages_up_to
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
            with ACTIONS[name](board) as answer:
                text = answer.get_data(as_text=True)
                answers.append(without_counters(f"{answer.status_code} {text}"))
            heard.append(without_counters(f"{board.room.hear(board.host.snapshot)}\n{self._log.take()}"))
        if name not in OF_BEN:
            self._check(answers, path, name)
        self._check(heard, path, "the room")

    def _observe(self, path: tuple[str, ...]) -> None:
        key = self.boards[0].key()
        if key not in self._observed:
            self._observed.add(key)
            for who in ("Ann", "Kit", "Eve"):
                with_files = len(path) <= self.pages_up_to
                self._check([board.seen_by(who, with_files=with_files) for board in self.boards], path, who)

    def _check(self, texts: Sequence[str], path: tuple[str, ...], who: str) -> None:
        assert texts[0] == texts[1], f"{' / '.join(path)}: {who} receives Ben's cards: {difference(*texts)}"
        for text, board in zip(texts, self.boards, strict=True):
            own = {BENS[0][place] for place in range(3)}  # cards that were guessed
            hidden = set(board.bens) - own
            assert not (found := cards_in(text, hidden)), f"{' / '.join(path)}: {who} sees {found}"

    def close(self) -> None:
        for logger in self._loggers:
            logger.removeHandler(self._log)
        for board in self.boards:
            board.host.stop()


def cards_in(text: str, cards: set[str]) -> set[str]:
    signs = str.maketrans("SHDC", "♠♥♦♣")
    return {card for card in cards if f'"{card}"' in text or card.translate(signs) in text}


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


def explored(before: str, depth: int, actions: Sequence[str]) -> tuple[int, int]:
    explorer = Explorer(actions, pages_up_to=1, is_dealt=before in DEALT)
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
"""New games end a chain: the journal of a board cannot be set back to the game before."""
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
)
"""The attacks that were found by hand."""


@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize("chain", CHAINS)
def test_attacks_that_were_found_by_hand(chain: str) -> None:
    explorer = Explorer((), pages_up_to=6)
    try:
        explorer.begin(BEFORE["starter cut"])
        names = chain.split(" / ")
        for number, name in enumerate(names, 1):
            explorer.act(name, tuple(names[:number]))
            explorer._observe(tuple(names[:number]))
    finally:
        explorer.close()


@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize("before", DEALT)
@pytest.mark.parametrize("chain", (*CHAINS_OF_DEALT_CARDS, *NEW_GAMES))
def test_attacks_on_dealt_hands(chain: str, before: str) -> None:
    explorer = Explorer((), pages_up_to=6, is_dealt=True)
    try:
        explorer.begin(BEFORE[before])
        names = chain.split(" / ")
        for number, name in enumerate(names, 1):
            explorer.act(name, tuple(names[:number]))
            explorer._observe(tuple(names[:number]))
    finally:
        explorer.close()


@pytest.mark.slow
@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize("before", BEFORE)
def test_no_sequence_of_two_commands_tells_of_hidden_cards(
    before: str, record_property: Callable[[str, object], None]
) -> None:
    actions = tuple(name for name in ACTIONS if name not in NEW_GAMES)
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
