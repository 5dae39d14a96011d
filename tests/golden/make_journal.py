"""Writes a sample journal in the current format, to be kept in tests/golden for ever.

`python -m tests.golden.make_journal` writes `journal-FORMAT.sqlite3` and its events as text. It refuses to overwrite:
the sample of a format never changes. To make the sample of an older format, run it with that version in PYTHONPATH.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware_host.cribbage.variants import rules_for
from firmware_host.game.events import Event, TurnRedone, TurnUndone
from firmware_host.storage.event_codec import encode
from firmware_host.storage.journal import Journal
from tests.game.random_player import play_game

HERE = Path(__file__).parent
QUICK = rules_for("five_card", {"target": 61})


@cache
def turns() -> tuple[tuple[Event, ...], ...]:
    """A finished game, with a turn undone and redone, and an unfinished one."""
    won = [history.last.events for history in play_game(QUICK, seed=1) if history.last]
    begun = [history.last.events for history in islice(play_game(QUICK, seed=2), 20) if history.last]
    return (*won[:9], (TurnUndone(),), (TurnRedone(),), *won[9:], *begun)


def main() -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite3"
        with closing(Journal.open(path, clock=lambda: datetime(2024, 2, 29, 12, tzinfo=UTC))) as journal:
            for turn in turns():
                journal.append(turn)
        with closing(sqlite3.connect(path)) as database:
            (number,) = database.execute("PRAGMA user_version").fetchone()
        kept = HERE / f"journal-{number}.sqlite3"
        assert not kept.exists(), f"{kept} exists and must not change"
        kept.write_bytes(path.read_bytes())
    lines = (json.dumps([encode(event) for event in turn]) for turn in turns())
    kept.with_suffix(".turns").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
