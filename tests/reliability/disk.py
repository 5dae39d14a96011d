"""A disk that may lose its power: what it holds for certain, and what of the rest it might hold.

What a program writes lies in memory until the file is synced; a new name, until its folder is. Until then the card may
have written any of it, in any order: each sector by itself, torn anywhere between an older and a newer state, and the
length of a file by itself too. Names come and go whole: a rename is seen entirely or not at all.

Not in this model: a card that loses what it said it had written, or spoils what nobody wrote to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from random import Random

from tests.reliability.recording import Call, Kind

SECTOR = 512


class Cut(Enum):
    """What becomes of that which was not made sure of."""

    KILLED = "the process is killed, the disk lives"
    LOST = "all of it is lost"
    IN_ORDER = "names come in their order, data in none"
    IN_DISORDER = "any of it is there, sectors torn"


Choice = Callable[[int], int]
"""Of so many states of one thing, the oldest first, which one is found."""


@dataclass
class File:
    """`states` are those of each sector that was not made sure of, the last certain one first; so are the `sizes`."""

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
        """The file as it might be found. `tear` says after how many bytes a sector goes on as it was before."""
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


@dataclass(frozen=True)
class Naming:
    """A change of names in one folder, which is not certain until the folder is synced."""

    call: Call
    thing: File | None

    @property
    def folder(self) -> str:
        return self.call.path.rpartition("/")[0]

    def apply(self, names: Names) -> None:
        match self.call.kind:
            case Kind.CREATE | Kind.MKDIR:
                names[self.call.path] = self.thing
            case Kind.UNLINK | Kind.RMDIR:
                names.pop(self.call.path, None)
            case Kind.RENAME:
                names.pop(self.call.path, None)
                names[self.call.other] = self.thing


class Disk:
    """The disk of a recording. Its own folder is there for certain."""

    def __init__(self, before: Mapping[str, bytes], *, is_sync_believed: bool = True) -> None:
        """A disk that does not keep what it was told to sync is there to see that the losses are found."""
        self._names: Names = {}
        for path, content in before.items():
            for depth in range(path.count("/")):
                self._names["/".join(path.split("/")[: depth + 1])] = None
            self._names[path] = File.holding(content)
        self._certain, self._namings = dict(self._names), list[Naming]()
        self._is_sync_believed = is_sync_believed

    def do(self, call: Call) -> None:
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
        thing = File() if call.kind is Kind.CREATE else self._names.get(call.path)
        naming = Naming(call, thing)
        naming.apply(self._names)
        self._namings.append(naming)

    def _sync(self, path: str) -> None:
        if not self._is_sync_believed:
            return
        thing = self._names.get(path)
        if thing is not None:
            thing.sync()
            return
        for naming in self._namings:
            if naming.folder == path:
                naming.apply(self._certain)
        self._namings = [naming for naming in self._namings if naming.folder != path]

    def found(self, cut: Cut, random: Random) -> dict[str, bytes]:
        """The files that might be found after the power came back: path -> content."""
        choose: Choice = {Cut.KILLED: lambda states: states - 1, Cut.LOST: lambda states: 0}.get(cut, random.randrange)
        tear: Choice = random.randrange if cut is Cut.IN_DISORDER else lambda states: states - 1
        names = dict(self._names if cut is Cut.KILLED else self._certain)
        for naming in self._surviving(cut, random):
            naming.apply(names)
        return {
            path: file.found(choose, tear)
            for path, file in names.items()
            if file is not None and all(folder in names for folder in folders_above(path))
        }

    def _surviving(self, cut: Cut, random: Random) -> list[Naming]:
        match cut:
            case Cut.KILLED | Cut.LOST:
                return []
            case Cut.IN_ORDER:
                return self._namings[: random.randint(0, len(self._namings))]
            case Cut.IN_DISORDER:
                return [naming for naming in self._namings if random.random() < 0.5]


def folders_above(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
