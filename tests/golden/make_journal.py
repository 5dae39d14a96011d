"""Makes a journal as this version of the program writes it, to be kept for ever.

`python -m tests.golden.make_journal` writes `journal-FORMAT.sqlite3` and, beside it, what is in it as text, and refuses
to touch what is there: what a version once wrote is never written again. Run with an older version in PYTHONPATH it
makes that version's; so format 1 was made.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware_host.codec import encode
from firmware_host.cribbage.variants import rules_for
from firmware_host.journal import Journal
from firmware_host.table.events import Event, TurnRedone, TurnUndone
from tests.table.random_player import play_game

HERE = Path(__file__).parent
QUICK = rules_for("five_card", {"target": 61})


def turns() -> list[tuple[Event, ...]]:
    """A game that was won, with a turn taken back and brought again, and one that is on."""
    won = [chronicle.last.events for chronicle in play_game(QUICK, seed=1) if chronicle.last]
    begun = [chronicle.last.events for chronicle in islice(play_game(QUICK, seed=2), 20) if chronicle.last]
    return [*won[:9], (TurnUndone(),), (TurnRedone(),), *won[9:], *begun]


def main() -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite3"
        with closing(Journal.open(path, clock=lambda: datetime(2024, 2, 29, 12, tzinfo=UTC))) as journal:
            for turn in turns():
                journal.append(turn)
        with closing(sqlite3.connect(path)) as database:
            (number,) = database.execute("PRAGMA user_version").fetchone()
        kept = HERE / f"journal-{number}.sqlite3"
        assert not kept.exists(), f"{kept} is kept for ever"
        kept.write_bytes(path.read_bytes())
    lines = (json.dumps([encode(event) for event in turn]) for turn in turns())
    kept.with_suffix(".turns").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
