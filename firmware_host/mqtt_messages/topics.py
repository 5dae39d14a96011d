"""The topics of a board. `telemetry/README.md` documents what is published on each.

The first level after the name is the version of the scheme. Boards publish below `from` and read below `to`, so that
one rule of a broker for each direction is enough. A level has only letters, digits, `_` and `-`: a dot or a space makes
NATS close the connection.
"""

from __future__ import annotations

from msgspec import Struct

VERSION = 1
"""Of topics and payloads. A field that is added does not raise it."""
ROOT = f"cribboard/{VERSION}"

STATUS = "status"
ONLINE = "online"
OFFLINE = "offline"
"""The payloads of the topic `status`."""
STATE = "state"
HEALTH = "health"
FAULTS = "faults"
EVENT = "event"
RESULT = "result"
CONTROLS = "controls"
RECEIPT = "receipt"
SET = "set"
JOIN = "join"
SEAT = "seat"
RETAINED = (STATUS, STATE, HEALTH, FAULTS, CONTROLS)
"""Topics of a board that a broker keeps the newest message of."""
CODE_DIGITS = 6
"""Of the code by which a board joins a club night. It is here, and not beside the message, because every start needs it
for the keys, and only a board with a broker needs a decoder."""
HOME_ASSISTANT = "homeassistant"
"""The usual prefix of discovery."""


class Topics(Struct, frozen=True):
    """The topics of the board of this name."""

    board: str

    def of(self, name: str) -> str:
        """A topic that the board publishes on."""
        return f"{ROOT}/from/{self.board}/{name}"

    def to(self, name: str) -> str:
        """A topic that the board reads."""
        return f"{ROOT}/to/{self.board}/{name}"


def board_of(topic: str) -> str:
    """The board of a topic."""
    return topic.split("/")[3]
