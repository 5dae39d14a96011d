"""A relay between browsers and the board that keeps every byte, as somebody in the same Wi-Fi could."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Lock, Thread

from firmware_host.startup.network import listen

PATIENCE_S = 60.0


class RecordingRelay:
    """Passes connections on to a port of this computer, and keeps every byte of both directions until it is closed."""

    def __init__(self, port: int) -> None:
        self._far_port, self._listening, self._lock = port, listen("127.0.0.1", 0, 1), Lock()
        self._bytes = bytearray()
        self.port: int = self._listening.getsockname()[1]
        self._open = list[socket.socket]()
        self._threads = [Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    @property
    def bytes(self) -> bytes:
        """All that was sent until now."""
        with self._lock:
            return bytes(self._bytes)

    def _accept(self) -> None:
        with suppress(OSError):  # it was closed
            while True:
                near, _ = self._listening.accept()
                far = socket.create_connection(("127.0.0.1", self._far_port), PATIENCE_S)
                far.settimeout(None)
                self._open += [near, far]
                for ends in ((near, far), (far, near)):
                    self._threads.append(Thread(target=self._copy, args=ends, daemon=True))
                    self._threads[-1].start()

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):  # one side has closed already
            while data := source.recv(1 << 16):
                with self._lock:
                    self._bytes += data
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """End all connections."""
        for line in (self._listening, *self._open):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(PATIENCE_S)
        for line in (self._listening, *self._open):
            line.close()
