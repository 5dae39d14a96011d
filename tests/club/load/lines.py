"""TCP lines between the boards and the broker, one for each board, that can be cut.

The broker is always reached by a new connection, so that a line works again when a killed broker is back.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from contextlib import suppress
from enum import Enum
from threading import Event, Thread
from typing import Any

RESULT = b"/result"
"""In the topic of every result, and in nothing else that a board publishes."""


class Cut(Enum):
    """How a line does not work."""

    REFUSED = "connections closed, new ones refused"
    SILENT = "connections stay open, and nothing passes"


class _Line:
    """One board's line. Used by the thread of the lines only."""

    def __init__(self, broker_port: int, has_result: Event) -> None:
        self._broker_port, self._has_result = broker_port, has_result
        self._writers = set[asyncio.StreamWriter]()
        self._passes = asyncio.Event()
        self._passes.set()
        self._server: asyncio.Server | None = None
        self.port = 0
        self.results = 0

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        self._passes.set()

    async def cut(self, how: Cut) -> None:
        if how is Cut.SILENT:
            self._passes.clear()
        else:
            await self.close()

    async def restore(self) -> None:
        self._passes.set()
        if self._server is None:
            await self.open()

    async def close(self) -> None:
        if self._server:
            self._server.close()
            self._server = None
        for writer in self._writers:
            writer.close()
        self._passes.set()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            to_reader, to_writer = await asyncio.open_connection("127.0.0.1", self._broker_port)
            self._writers |= {writer, to_writer}
            await asyncio.gather(self._pass(reader, to_writer), self._pass(to_reader, writer))
            self._writers -= {writer, to_writer}
        writer.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                await self._passes.wait()
                writer.write(data)
                await writer.drain()
                if RESULT in data:
                    self.results += data.count(RESULT)
                    self._has_result.set()
        writer.close()


class Lines:
    """Lines to a broker, by the names of the boards. `close` them."""

    def __init__(self, broker_port: int, boards: list[str]) -> None:
        self._loop, self._has_result = asyncio.new_event_loop(), Event()
        self._thread = Thread(target=self._loop.run_forever, name="lines")
        self._thread.start()
        self._lines = {board: self._run(_new_line(broker_port, self._has_result)) for board in boards}

    def _run(self, coroutine: Any) -> Any:
        future: Future[Any] = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        return future.result(60)

    def port(self, board: str) -> int:
        """Where the board connects."""
        port: int = self._lines[board].port
        return port

    @property
    def results(self) -> int:
        """Messages with a result that went over all lines, each time they were sent."""
        return sum(line.results for line in self._lines.values())

    def wait_for_result(self, timeout_s: float) -> None:
        """Until the broker has just been sent another result."""
        self._has_result.clear()
        self._has_result.wait(timeout_s)

    def cut(self, board: str, how: Cut) -> None:
        self._run(self._lines[board].cut(how))

    def restore(self, board: str) -> None:
        self._run(self._lines[board].restore())

    def close(self) -> None:
        for line in self._lines.values():
            self._run(line.close())
        self._run(_end_others())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _new_line(broker_port: int, has_result: Event) -> _Line:
    line = _Line(broker_port, has_result)
    await line.open()
    return line


async def _end_others() -> None:
    """Waits for the connections that end now."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
