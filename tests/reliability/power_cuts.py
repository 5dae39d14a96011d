"""Power cuts: stops a recording after any of its calls, builds a possible state of the disk, and starts the program on
it."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import mkdtemp

from msgspec import Struct, field

from firmware_host.cribbage.variants import PRESETS
from firmware_host.errors import HostError
from firmware_host.game.events import GameStarted
from firmware_host.pairing.registry import PhoneRegistry
from firmware_host.storage.journal import Journal
from firmware_host.storage.recovery import open_or_recover
from tests.reliability.board_session import digest_of_backup, digest_of_journal, digest_of_phones, digest_of_settings
from tests.reliability.recording import Recording
from tests.reliability.simulated_disk import Cut, Disk

IN_MEMORY = Path("/dev/shm")
"""Where the thousands of small disks are made, if the system has it: in memory."""

ONE_MORE = (GameStarted(PRESETS["family"].rules(), ("A", "B"), "classic-61", 2, False, (0, 0), is_demo=False),)

Start = Callable[[Path], Mapping[str, str]]
"""Starts the program on a disk and returns what it finds: subject -> digest. Raises HostError."""


class Tally(Struct):
    """The number of cuts of each kind, and the losses."""

    cuts: Counter[Cut] = field(default_factory=Counter)
    losses: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        kinds = "; ".join(f"{cut.value}: {self.cuts[cut]}" for cut in Cut)
        return f"{self.cuts.total()} power cuts ({kinds}), {len(self.losses)} losses"


def start_program(disk: Path) -> Mapping[str, str]:
    """What the next start finds. The journal must also accept one more game, and keep it."""
    state = disk / "home" / "cribboard"
    with closing(open_or_recover(state / "journal.sqlite3").journal) as journal:
        found = digest_of_journal(journal)
        journal.append(ONE_MORE)
        expected = journal.row_reader.last()
    with closing(Journal.open_readonly(state / "journal.sqlite3")) as journal:
        if journal.row_reader.last() != expected:
            return {"journal": "loses the game that was appended"}
    return {
        "journal": found,
        "phones": digest_of_phones(PhoneRegistry(state / "phones.json").phones),
        "settings": digest_of_settings(state / "cribboard.toml"),
        "backup": digest_of_backup(state / "backup.sqlite3"),
    }


def cut_everywhere(
    recording: Recording, wanted: int, seed: int, start: Start = start_program, *, is_sync_believed: bool = True
) -> Tally:
    """Cut the power `wanted` times, spread evenly over all calls and kinds of cuts.

    A loss is: something acknowledged is missing, something is there that was not even in progress, or a start fails.
    """
    random, tally = Random(seed), Tally()
    disk = Disk(recording.before, is_sync_believed=is_sync_believed)
    for calls, cuts in _spread(wanted, len(recording.calls), random):
        if calls:
            disk.apply(recording.calls[calls - 1])
        for cut in cuts:
            tally.cuts[cut] += 1
            loss = _loss(recording, calls, disk.found(cut, random), start)
            if loss:
                tally.losses.append(f"after call {calls}, {cut.value}: {loss}")
    return tally


def _spread(wanted: int, calls: int, random: Random) -> Iterator[tuple[int, list[Cut]]]:
    """Number of calls made -> the cuts at this point."""
    places = [(number, cut) for number in range(calls + 1) for cut in Cut]
    rounds, rest = divmod(wanted, len(places))
    further = set(random.sample(range(len(places)), rest))
    times = {place: rounds + (at in further) for at, place in enumerate(places)}
    for number in range(calls + 1):
        yield number, [cut for cut in Cut for _ in range(times[number, cut])]


def _loss(recording: Recording, calls: int, files: Mapping[str, bytes], start: Start) -> str:
    """What is wrong after this cut; "" if nothing is."""
    disk = Path(mkdtemp(dir=IN_MEMORY if IN_MEMORY.is_dir() else None))
    try:
        for name, content in files.items():
            (disk / name).parent.mkdir(parents=True, exist_ok=True)
            (disk / name).write_bytes(content)
        found = start(disk)
    except HostError as fault:
        return str(fault)
    finally:
        shutil.rmtree(disk)
    wrong = [
        subject for subject, digest in found.items() if digest not in (recording.acceptable(calls, subject) or {""})
    ]
    return ", ".join(f"{subject}: neither the acknowledged state nor the one in progress" for subject in wrong)
