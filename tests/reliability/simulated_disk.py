"""A simulated disk that can lose its power: what is certainly on it, and what else may be.

A write is in memory until its file is synced; a name is in memory until its folder is synced. Until then the card may
have written any part in any order: each sector on its own, torn between an older and a newer state, and the length of a
file on its own. A rename is atomic: it is there completely or not at all.

Not in this model: a card that loses data after it reported a sync, or that changes sectors nobody wrote to. For those
see test_corruption.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from random import Random

from msgspec import Struct, field

from tests.reliability.recording import Call, Kind

SECTOR = 512


class Cut(Enum):
    """What happens to unsynced data at a power cut."""

    KILLED = "process killed, disk intact"
    LOST = "unsynced data lost"
    IN_ORDER = "names in order, data in any order"
    IN_DISORDER = "any part written, sectors torn"


Choice = Callable[[int], int]
"""Given a number of states, the oldest first: the index of the one that is found."""


class File(Struct):
    """A file. `states`: sector -> its possible contents, the last synced one first. `sizes`: the possible lengths."""

    content: bytearray = field(default_factory=bytearray)
    states: dict[int, list[bytes]] = field(default_factory=dict)
    sizes: list[int] = field(default_factory=lambda: [0])

    @classmethod
    def holding(cls, content: bytes) -> File:
        return cls(bytearray(content), {}, [len(content)])

    def write(self, offset: int, data: bytes) -> None:
        end = offset + len(data)
        sectors = range(offset // SECTOR, (end + SECTOR - 1) // SECTOR)
        for sector in sectors:
            self.states.setdefault(sector, [self._sector(sector)])
        if end > len(self.content):
            self.content.extend(bytes(end - len(self.content)))
            self.sizes.append(end)
        self.content[offset:end] = data
        for sector in sectors:
            self.states[sector].append(self._sector(sector))

    def resize(self, size: int) -> None:
        for sector in range(size // SECTOR, (len(self.content) + SECTOR - 1) // SECTOR):
            self.states.setdefault(sector, [self._sector(sector)])
        self.content = self.content[:size].ljust(size, b"\0")
        self.sizes.append(size)
        for sector, states in self.states.items():
            if sector >= size // SECTOR:
                states.append(self._sector(sector))

    def sync(self) -> None:
        self.states.clear()
        self.sizes = [len(self.content)]

    def found(self, choose: Choice, tear: Choice) -> bytes:
        """One possible content. `tear` returns after how many bytes a sector continues with its older state."""
        size = self.sizes[choose(len(self.sizes))]
        found = self.content[:size].ljust(size, b"\0")
        for sector, states in self.states.items():
            which = choose(len(states))
            at = tear(SECTOR + 1)
            state = states[which][:at] + states[max(0, which - 1)][at:]
            begin = sector * SECTOR
            length = min(SECTOR, size - begin)
            if length > 0:
                found[begin : begin + length] = state[:length]
        return bytes(found)

    def _sector(self, number: int) -> bytes:
        return bytes(self.content[number * SECTOR : (number + 1) * SECTOR]).ljust(SECTOR, b"\0")


Names = dict[str, File | None]
"""Path -> the file, or None for a folder."""


class NameChange(Struct, frozen=True):
    """A name that was created, deleted or renamed. Not certain before its folder is synced."""

    call: Call
    entry: File | None

    @property
    def folder(self) -> str:
        return self.call.path.rpartition("/")[0]

    def apply(self, names: Names) -> None:
        match self.call.kind:
            case Kind.CREATE | Kind.MKDIR:
                names[self.call.path] = self.entry
            case Kind.UNLINK | Kind.RMDIR:
                names.pop(self.call.path, None)
            case Kind.RENAME:
                names.pop(self.call.path, None)
                names[self.call.other] = self.entry


class Disk:
    """The disk of a recording. The recorded folder itself always exists."""

    def __init__(self, before: Mapping[str, bytes], *, is_sync_believed: bool = True) -> None:
        """`before`: path -> content at the start. With `is_sync_believed` False, syncs are ignored: tests must see
        losses."""
        self._names: Names = {}
        for path, content in before.items():
            for depth in range(path.count("/")):
                self._names["/".join(path.split("/")[: depth + 1])] = None
            self._names[path] = File.holding(content)
        self._certain, self._name_changes = dict(self._names), list[NameChange]()
        self._is_sync_believed = is_sync_believed

    def apply(self, call: Call) -> None:
        match call.kind:
            case Kind.WRITE:
                self._file(call.path).write(call.offset, call.data)
            case Kind.TRUNCATE:
                self._file(call.path).resize(call.offset)
            case Kind.SYNC:
                self._sync(call.path)
            case _:
                self._rename(call)

    def _file(self, path: str) -> File:
        file = self._names[path]
        assert file is not None, f"{path} is a folder"
        return file

    def _rename(self, call: Call) -> None:
        entry = File() if call.kind is Kind.CREATE else self._names.get(call.path)
        change = NameChange(call, entry)
        change.apply(self._names)
        self._name_changes.append(change)

    def _sync(self, path: str) -> None:
        if not self._is_sync_believed:
            return
        entry = self._names.get(path)
        if entry is not None:
            entry.sync()
            return
        for change in self._name_changes:
            if change.folder == path:
                change.apply(self._certain)
        self._name_changes = [change for change in self._name_changes if change.folder != path]

    def found(self, cut: Cut, random: Random) -> dict[str, bytes]:
        """One possible state of the disk after the power returns: path -> content."""
        choose: Choice = {Cut.KILLED: lambda states: states - 1, Cut.LOST: lambda states: 0}.get(cut, random.randrange)
        tear: Choice = random.randrange if cut is Cut.IN_DISORDER else lambda states: states - 1
        names = dict(self._names if cut is Cut.KILLED else self._certain)
        for change in self._surviving(cut, random):
            change.apply(names)
        return {
            path: file.found(choose, tear)
            for path, file in names.items()
            if file is not None and all(folder in names for folder in folders_above(path))
        }

    def _surviving(self, cut: Cut, random: Random) -> list[NameChange]:
        match cut:
            case Cut.KILLED | Cut.LOST:
                return []
            case Cut.IN_ORDER:
                return self._name_changes[: random.randint(0, len(self._name_changes))]
            case Cut.IN_DISORDER:
                return [change for change in self._name_changes if random.random() < 0.5]


def folders_above(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
