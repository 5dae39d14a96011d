"""Power cuts: a recording stopped after any of its calls, the disk as it might be found then, and what the next start
makes of it."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import mkdtemp

from firmware_host.cribbage.variants import PRESETS
from firmware_host.faults import HostFault
from firmware_host.journal import Journal
from firmware_host.phones import PhoneBook
from firmware_host.rescue import open_journal
from firmware_host.table.events import GameStarted
from tests.reliability.disk import Cut, Disk
from tests.reliability.life import digest_of_copy, digest_of_journal, digest_of_phones, digest_of_settings
from tests.reliability.recording import Recording

IN_MEMORY = Path("/dev/shm")
"""Thousands of small disks are made and thrown away: not on a real one, where there is a choice."""

ONE_MORE = (GameStarted(PRESETS["family"].rules(), ("A", "B"), "classic-61", 2, False, (0, 0), is_demo=False),)

Start = Callable[[Path], Mapping[str, str]]
"""What a start of the program finds in the folder of its disk: word -> what it says. Raises HostFault."""


@dataclass
class Tally:
    """How many cuts of each kind there were, and what went wrong."""

    cuts: Counter[Cut] = field(default_factory=Counter)
    losses: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        kinds = "; ".join(f"{cut.value}: {self.cuts[cut]}" for cut in Cut)
        return f"{self.cuts.total()} power cuts ({kinds}), {len(self.losses)} losses"


def start_again(disk: Path) -> Mapping[str, str]:
    """What is kept, as the next start finds it. The journal must take one game more, and keep it."""
    state = disk / "home" / "cribboard"
    with closing(open_journal(state / "journal.sqlite3").journal) as journal:
        found = digest_of_journal(journal)
        journal.append(ONE_MORE)
        expected = journal.pages.last()
    with closing(Journal.open_to_read(state / "journal.sqlite3")) as journal:
        if journal.pages.last() != expected:
            return {"journal": "goes on and loses what it had"}
    return {
        "journal": found,
        "phones": digest_of_phones(PhoneBook(state / "phones.json").phones),
        "settings": digest_of_settings(state / "cribboard.toml"),
        "copy": digest_of_copy(state / "copy.sqlite3"),
    }


def cut_everywhere(
    recording: Recording, wanted: int, seed: int, start: Start = start_again, *, is_sync_believed: bool = True
) -> Tally:
    """Cut the power `wanted` times, after each call as often as after any other, in every manner. Nothing that was
    acknowledged may be lost, nothing be there that was not at least in flight, and every start must succeed."""
    random, tally = Random(seed), Tally()
    disk = Disk(recording.before, is_sync_believed=is_sync_believed)
    for calls, cuts in _spread(wanted, len(recording.calls), random):
        if calls:
            disk.do(recording.calls[calls - 1])
        for cut in cuts:
            tally.cuts[cut] += 1
            loss = _loss(recording, calls, disk.found(cut, random), start)
            if loss:
                tally.losses.append(f"after call {calls}, {cut.value}: {loss}")
    return tally


def _spread(wanted: int, calls: int, random: Random) -> Iterator[tuple[int, list[Cut]]]:
    """For each number of calls made, the cuts there."""
    places = [(number, cut) for number in range(calls + 1) for cut in Cut]
    rounds, rest = divmod(wanted, len(places))
    further = set(random.sample(range(len(places)), rest))
    times = {place: rounds + (at in further) for at, place in enumerate(places)}
    for number in range(calls + 1):
        yield number, [cut for cut in Cut for _ in range(times[number, cut])]


def _loss(recording: Recording, calls: int, files: Mapping[str, bytes], start: Start) -> str:
    """What is wrong with what the next start finds; empty if nothing is."""
    disk = Path(mkdtemp(dir=IN_MEMORY if IN_MEMORY.is_dir() else None))
    try:
        for name, content in files.items():
            (disk / name).parent.mkdir(parents=True, exist_ok=True)
            (disk / name).write_bytes(content)
        found = start(disk)
    except HostFault as fault:
        return str(fault)
    finally:
        shutil.rmtree(disk)
    wrong = [word for word, told in found.items() if told not in (recording.acknowledged(calls, word) or {""})]
    return ", ".join(f"the {word} is neither what was acknowledged nor what was in flight" for word in wrong)
