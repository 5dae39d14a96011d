"""The far end of the Pi's header inside a guest: what the kernel does to its wires, done to the wires of a bench."""

from __future__ import annotations

import os
import struct
from enum import IntEnum
from functools import partial
from threading import Thread

from tests.drivers.bench_pi import SELECTS, BenchPi

NODE = "/dev/bench"
NOTE = struct.Struct("=HHII")
LARGEST = 1 << 16
LET_GO = 2


class Kind(IntEnum):
    """As in `bench_header.c`."""

    DRIVE, PULL, SELECT, CLOCK, SEND, FETCH, LEVEL, DONE = range(8)


class KernelHeader:
    """Answers the kernel for the wires of one Pi after another."""

    def __init__(self) -> None:
        self._node = os.open(NODE, os.O_RDWR)
        self._pi = BenchPi()
        Thread(target=self._run, name="header", daemon=True).start()

    def lead_to(self, pi: BenchPi) -> None:
        """From now on the header's wires are this Pi's."""
        self._pi = pi
        for bcm, wire in pi.gpio.items():
            self._tell_level(bcm, wire.is_high)
            wire.listen(partial(self._tell_level, bcm))

    def _tell_level(self, bcm: int, is_high: bool) -> None:
        os.write(self._node, NOTE.pack(Kind.LEVEL, bcm, is_high, 0))

    def _run(self) -> None:
        while True:
            told = os.read(self._node, LARGEST)
            kind, which, number, _ = NOTE.unpack_from(told)
            try:
                status, answer = 0, self._do(Kind(kind), which, number, told[NOTE.size :])
            except OSError as refused:
                status, answer = refused.errno or 0, b""
            os.write(self._node, NOTE.pack(Kind.DONE, which, status, len(answer)) + answer)

    def _do(self, kind: Kind, which: int, number: int, block: bytes) -> bytes:
        match kind:
            case Kind.DRIVE:
                self._pi.gpio[which].drive(None if number == LET_GO else bool(number))
            case Kind.PULL:
                if number != LET_GO:
                    self._pi.gpio[which].pull(bool(number))
            case Kind.SELECT:
                self._pi.gpio[SELECTS[which]].drive(bool(number))
            case Kind.CLOCK:
                return self._pi.clock(block)
            case Kind.SEND:
                self._pi.write_i2c(which, block)
            case _:
                raise AssertionError(f"nothing on this bench can be asked for {kind.name}")
        return b""
