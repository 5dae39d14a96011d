"""A simulated scanner of strips: a `Cable` whose other end reads a sensor chain and sends hole-scan/1."""

from __future__ import annotations

from collections.abc import Callable

from board_drivers.scan_protocol import ErrorCode
from board_drivers.sensor_chain import Latch, SpiPort, signed_strips
from board_drivers.simulated_firmware import SimulatedFirmware

MAX_STRIPS = 120


class SimulatedScanner(SimulatedFirmware):
    """A `Cable` to a scanner that reads the chain on this latch and port."""

    def __init__(self, latch: Latch, port: SpiPort, clock: Callable[[], float]) -> None:
        super().__init__(clock, self._read_chain, lambda _: None)
        self._latch = latch
        self._port = port

    def _read_chain(self) -> tuple[bytes, bytes]:
        self._latch.on()
        self._latch.off()
        read = bytes(self._port.transfer([0] * (MAX_STRIPS + 1)))
        strips = signed_strips(read)
        if strips and not any(read[strips:]):
            return read[:strips], b""
        return b"", bytes([ErrorCode.CHAIN_BROKEN, strips, read[strips]])
