"""The program's end of `bench_header.c`: applies the kernel's requests to the wires of a modelled Pi."""

from __future__ import annotations

import os
import struct
import traceback
from _thread import interrupt_main
from enum import IntEnum
from functools import partial
from threading import Thread

from tests.board_drivers.bench_pi import MISO, MOSI, SCLK, SELECTS, BenchPi

NODE = "/dev/bench"
MESSAGE = struct.Struct("=HHII")
"""kind, which, number, length; as in `bench_header.c`."""
MAX_MESSAGE = 1 << 16
RELEASE = 2

SPI_BUS = (SCLK, MOSI, MISO)
"""Nothing reads these lines as GPIO. They change some 12,000 times in a frame of the lights, and each report is a
system call."""


class Kind(IntEnum):
    """As in `bench_header.c`."""

    DRIVE, PULL, SELECT, CLOCK, SEND, FETCH, LEVEL, DONE = range(8)


class KernelHeader:
    """Answers the kernel's requests for the wires of the Pi that is connected last."""

    def __init__(self) -> None:
        self._node = os.open(NODE, os.O_RDWR)
        self._pi = BenchPi()
        Thread(target=self._run, name="header", daemon=True).start()

    def connect(self, pi: BenchPi) -> None:
        """From now on the header's wires are this Pi's."""
        self._pi = pi
        for bcm, wire in pi.gpio.items():
            self._report_level(bcm, wire.is_high)
            if bcm not in SPI_BUS:
                wire.listen(partial(self._report_level, bcm))

    def _report_level(self, bcm: int, is_high: bool) -> None:
        os.write(self._node, MESSAGE.pack(Kind.LEVEL, bcm, is_high, 0))

    def _run(self) -> None:
        """Without answers every operation of the program waits for minutes, so a fault here ends the tests at once."""
        try:
            self._answer_requests()
        except BaseException:
            traceback.print_exc()
            interrupt_main()
            raise

    def _answer_requests(self) -> None:
        while True:
            request = os.read(self._node, MAX_MESSAGE)
            kind, which, number, _ = MESSAGE.unpack_from(request)
            try:
                status, answer = 0, self._execute(Kind(kind), which, number, request[MESSAGE.size :])
            except OSError as refused:
                status, answer = refused.errno or 0, b""
            os.write(self._node, MESSAGE.pack(Kind.DONE, which, status, len(answer)) + answer)

    def _execute(self, kind: Kind, which: int, number: int, block: bytes) -> bytes:
        match kind:
            case Kind.DRIVE:
                self._pi.gpio[which].drive(None if number == RELEASE else bool(number))
            case Kind.PULL:
                if number != RELEASE:
                    self._pi.gpio[which].pull(bool(number))
            case Kind.SELECT:
                self._pi.gpio[SELECTS[which]].drive(bool(number))
            case Kind.CLOCK:
                return self._pi.clock(block)
            case Kind.SEND:
                self._pi.write_i2c(which, block)
            case _:
                raise AssertionError(f"the modelled Pi has no {kind.name}")
        return b""
