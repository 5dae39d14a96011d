"""One connection: its socket, what was received of the next request, and what is still to be sent.

| state     | waits for                               | longest (limits.py)                      | next           |
|-----------|-----------------------------------------|------------------------------------------|----------------|
| HANDSHAKE | with TLS: the first byte, which tells   | `handshake_s`                            | IDLE           |
|           | TLS from HTTP; then the handshake       |                                          |                |
| IDLE      | the first byte of a request             | `idle_s`, or `idle_of_known_s`           | RECEIVING      |
| RECEIVING | the rest of the request                 | `header_s`, `body_s` from its first byte | SERVING        |
| SERVING   | the application, then the visitor, who  | `unread_s` without progress, and a       | IDLE, STREAM-  |
|           | reads the answer                        | lowest rate                              | ING, LINGERING |
| STREAMING | events, and the visitor, who reads them | `unread_s` for each event                | CLOSED         |
| LINGERING | the visitor to close                    | `linger_s`                               | CLOSED         |

The next request is parsed only when the answer to the last one was handed to the kernel. So a visitor who sends many
requests without reading has one answer in memory, and none of the others was run.

The thread of the server calls everything here, except `write` and `is_open`, which the thread of a request calls.
"""

from __future__ import annotations

import socket
import ssl
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from fcntl import ioctl
from http import HTTPStatus
from struct import unpack
from termios import TIOCOUTQ
from threading import Condition
from time import monotonic

from msgspec import Struct

from web_panel.server.exchange import Exchange, RequestRefused
from web_panel.server.limits import ServerLimits
from web_panel.server.wsgi_task import ServerFacts, VisitorLeft, WsgiTask
from web_panel.wsgi import EventSource, StreamOver

WOULD_BLOCK = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
WAKE_BYTES = 32 << 10
"""The thread of a request tells the server of new output when there is as much, and at the end of the answer."""
TLS_HANDSHAKE = b"\x16"
"""First byte of a TLS connection (RFC 8446, 5.1). No request of HTTP begins with it."""


class Encryption(Struct, frozen=True):
    """How a connection goes on whose first byte is TLS_HANDSHAKE."""

    context: ssl.SSLContext
    server: ServerFacts
    """What its requests see of the server, in place of what those in clear see."""


class State(Enum):
    """See the module docstring."""

    HANDSHAKE = auto()
    IDLE = auto()
    RECEIVING = auto()
    SERVING = auto()
    STREAMING = auto()
    LINGERING = auto()
    CLOSED = auto()


class Connection:
    """A connection of one visitor. `wake` tells the server, from any thread, that there is something to send.

    Times are monotonic seconds; the caller passes the current time as `now_s`.
    """

    def __init__(
        self,
        sock: socket.socket,
        peer: tuple[str, int],
        server: ServerFacts,
        limits: ServerLimits,
        wake: Callable[[Connection], None],
        now_s: float,
        encryption: Encryption | None = None,
    ) -> None:
        self.sock = sock
        self.peer = peer
        self.address = peer[0]
        self._server = server
        self._limits = limits
        self._wake = wake
        self._encryption = encryption
        self.state = State.HANDSHAKE if encryption else State.IDLE
        self._sends_handshake = False
        """Whether the kernel had no room for the board's part of the handshake."""
        self.watched_events = 0
        """What the selector of the server waits for here."""
        self.is_known = False
        """Whether its last request was that of a known visitor."""
        self.quiet_since_s = now_s
        """When something was last received or sent."""
        self._begun_s = now_s
        """When this state was entered; for a request, when its first byte came."""
        self._memory = dict[str, object]()
        self._exchange: Exchange | None = None
        """From the first byte of a request to the end of its answer."""
        self.task: WsgiTask | None = None
        self._out = deque[bytes]()
        self._changed = Condition()
        self.unread_bytes = 0
        """Bytes of answers that the kernel has not taken yet."""
        self._answer_bytes = 0
        self._answer_begun_s = now_s
        self._progress_s = now_s
        self._is_answered = self._is_taken = self._has_begun = False

    # What the server wants to know.

    @property
    def is_open(self) -> bool:
        """Whether the visitor is still there, as far as is known."""
        return self.state is not State.CLOSED

    @property
    def is_busy(self) -> bool:
        """Whether a request is being answered, or a stream is open."""
        return self.state in (State.SERVING, State.STREAMING)

    @property
    def wants_input(self) -> bool:
        """Whether bytes may be received now."""
        if self.state is State.HANDSHAKE:
            return not self._sends_handshake
        if self.state is State.STREAMING:  # only to notice that the visitor leaves
            return True
        return self.state in (State.IDLE, State.RECEIVING, State.LINGERING) and not self.unread_bytes

    @property
    def wants_output(self) -> bool:
        """Whether there is something to send, or a handshake to continue."""
        return self.unread_bytes > 0 or self._sends_handshake

    @property
    def stream(self) -> EventSource | None:
        """The events that are sent here, if this is a stream."""
        return self.task.stream if self.task else None

    # Input.

    def receive(self, now_s: float) -> None:
        """Read what the visitor sent. Closes the connection if it has ended."""
        if self.state is State.HANDSHAKE:
            self._shake_hands(now_s)
            return
        self._receive_bytes(now_s)

    def _receive_bytes(self, now_s: float) -> None:
        try:
            data = self.sock.recv(self._limits.receive_bytes)
        except WOULD_BLOCK:
            return
        except OSError:
            data = b""
        if not data:
            self.close()
            return
        if self.state is State.STREAMING:
            self.close()  # no browser sends anything after it asked for a stream
            return
        self.quiet_since_s = now_s
        if self.state is State.LINGERING:
            return
        if self.state is State.IDLE:
            self.state = State.RECEIVING
            self._begun_s = now_s
        self._take(data)

    def has_hidden_input(self) -> bool:
        """Whether bytes were decrypted that `receive` has not returned yet: the socket itself does not tell."""
        return isinstance(self.sock, ssl.SSLSocket) and self.is_open and self.sock.pending() > 0

    def _shake_hands(self, now_s: float) -> None:
        """Go on with the handshake as far as it goes without waiting, or receive a request in clear."""
        self._sends_handshake = False
        try:
            if not isinstance(self.sock, ssl.SSLSocket) and not self._is_tls():
                self.state = State.IDLE
                self._receive_bytes(now_s)
                return
            assert isinstance(self.sock, ssl.SSLSocket)
            self.sock.do_handshake()
        except ssl.SSLWantWriteError:
            self._sends_handshake = True
        except WOULD_BLOCK:
            pass
        except (OSError, ValueError):
            self.close()
        else:
            self.state = State.IDLE
            self._begun_s = now_s
            self.quiet_since_s = now_s

    def _is_tls(self) -> bool:
        """Whether the first byte begins a handshake; then `sock` becomes a socket of TLS with the same file number.

        Raises BlockingIOError if there is no byte yet.
        """
        assert self._encryption
        if self.sock.recv(1, socket.MSG_PEEK) != TLS_HANDSHAKE:
            return False
        self._server = self._encryption.server
        self.sock = self._encryption.context.wrap_socket(self.sock, server_side=True, do_handshake_on_connect=False)
        return True

    def _take(self, data: bytes) -> None:
        """Take bytes of a request, up to its end."""
        exchange = self._exchange = self._exchange or self._new_exchange()
        try:
            exchange.receive(data)
        except RequestRefused as refused:
            self._refuse(refused.status)
            return
        if exchange.is_received:
            self.state = State.SERVING
            self._is_answered = False
            self.task = WsgiTask(self._server, exchange, self, self.peer, self._memory)
        elif exchange.waits_for_continue:
            self.write(exchange.go_on())

    def _new_exchange(self) -> Exchange:
        return Exchange(self._limits.header_bytes, self._limits.body_bytes)

    def take_request(self) -> WsgiTask | None:
        """The request that is to be run now, once."""
        if self.state is not State.SERVING or self._is_answered or self._is_taken:
            return None
        self._is_taken = self.task is not None
        return self.task

    def _refuse(self, status: int) -> None:
        """Answer with an error, then close."""
        exchange = self._exchange = self._exchange or self._new_exchange()
        self.state = State.SERVING
        self.write(exchange.refusal(status))
        self._is_answered = True

    # Output.

    def write(self, data: bytes) -> None:
        """Called by the thread of the request. A long answer waits here until enough of it is read.

        Raises VisitorLeft.
        """
        with self._changed:
            if self.unread_bytes > (most := self._most_unread_bytes):
                self._wake(self)
                self._changed.wait_for(lambda: self.unread_bytes <= most // 2 or not self.is_open)
            if not self.is_open:
                raise VisitorLeft("the visitor has left")
            if not self.unread_bytes:
                self._progress_s = monotonic()
            if not self._answer_bytes:
                self._answer_begun_s = self._progress_s
            self._out.append(data)
            self.unread_bytes += len(data)
            self._answer_bytes += len(data)
        if self.unread_bytes > WAKE_BYTES:
            self._wake(self)

    @property
    def _most_unread_bytes(self) -> int:
        limits = self._limits
        return limits.unread_bytes_of_connection if self.is_known else limits.unread_bytes_of_strangers_connection

    def begin(self) -> WsgiTask | None:
        """Called by the thread that runs the request: the request, or None if the visitor has left."""
        with self._changed:
            self._has_begun = self.is_open
            return self.task if self.is_open else None

    def answered(self) -> None:
        """Called by the thread of the request, when the task has ended."""
        self._is_answered = True
        self._wake(self)

    def send(self, now_s: float) -> None:
        """Hand as much as possible to the kernel; go on to the next state when everything is sent."""
        if not self.is_open:
            self._close_stream()
            return
        if self.unread_bytes:
            self._send_pieces(now_s)
        if self.state is State.SERVING and not self.unread_bytes and self._is_answered:
            self._after_answer(now_s)

    def _send_pieces(self, now_s: float) -> None:
        with self._changed:
            while self._out:
                if len(self._out) > 1 and len(self._out[0]) < WAKE_BYTES:
                    self._join_pieces()
                try:
                    count = self.sock.send(self._out[0])
                except WOULD_BLOCK:
                    break
                except OSError:
                    self.close()
                    return
                self._progress_s = self.quiet_since_s = now_s
                self.unread_bytes -= count
                piece = self._out.popleft()
                if count < len(piece):
                    self._out.appendleft(piece[count:])
            self._changed.notify_all()

    def _join_pieces(self) -> None:
        """Headers and body in one packet."""
        joined = []
        total = 0
        while self._out and total < WAKE_BYTES:
            joined.append(self._out.popleft())
            total += len(joined[-1])
        self._out.appendleft(b"".join(joined))

    def _after_answer(self, now_s: float) -> None:
        """Everything is sent: stream, close, or wait for the next request, which may be here already."""
        self._answer_bytes = 0
        if self.stream:
            self.state = State.STREAMING
            return
        if not self._exchange or not self._exchange.is_reusable:
            self._linger(now_s)
            return
        rest = self._exchange.rest
        self._exchange = None
        self.task = None
        self._is_answered = False
        self._is_taken = False
        self._has_begun = False
        self.state = State.RECEIVING if rest else State.IDLE
        self._begun_s = now_s
        if rest:
            self._take(rest)

    def send_event(self, now_s: float) -> None:
        """Send the newest event, if the visitor has taken the one before."""
        if self.state is not State.STREAMING or self.unread_bytes or not self.task or not self.task.stream:
            return
        try:
            event = self.task.stream.take()
        except StreamOver:
            self.close()
            return
        if event is None:
            return
        if now_s - self._progress_s > self._limits.unread_s and self._is_unacknowledged():
            self.close()  # a heartbeat is due, and what was sent before it has not arrived
            return
        self.write(self.task.framed(event))
        self.send(now_s)

    def _is_unacknowledged(self) -> bool:
        """Whether the kernel still holds bytes that the visitor's computer has not confirmed."""
        with suppress(OSError):
            waiting: int = unpack("i", ioctl(self.sock, TIOCOUTQ, b"\0\0\0\0"))[0]
            return waiting > 0
        return False

    # Time.

    def check_times(self, now_s: float) -> None:
        """Close the connection if it has taken too long: see the table in the module docstring."""
        limits = self._limits
        here_s = now_s - self._begun_s
        match self.state:
            case State.HANDSHAKE if here_s > limits.handshake_s:
                self.close()
            case State.IDLE if now_s - self.quiet_since_s > (
                limits.idle_of_known_s if self.is_known else limits.idle_s
            ):
                self.close()
            case State.RECEIVING:
                has_head = bool(self._exchange and self._exchange.has_head)
                if here_s > (limits.body_s if has_head else limits.header_s):
                    self._refuse(HTTPStatus.REQUEST_TIMEOUT)
                    self.send(now_s)
            case State.LINGERING if here_s > limits.linger_s:
                self.close()
        if self.unread_bytes and self._reads_too_slowly(now_s):
            self.close()

    def _reads_too_slowly(self, now_s: float) -> bool:
        if now_s - self._progress_s > self._limits.unread_s:
            return True
        read = self._answer_bytes - self.unread_bytes
        expected_s = self._limits.unread_s + read / self._limits.slowest_bytes_per_s
        return now_s - self._answer_begun_s > expected_s

    def _linger(self, now_s: float) -> None:
        """End the answers, and discard what still comes: closing with unread input would destroy the last answer."""
        self.state = State.LINGERING
        self._begun_s = now_s
        self.task = None
        self._exchange = None
        with suppress(OSError):
            self.sock.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Close now. The server removes closed connections from its lists."""
        if self.state is State.CLOSED:
            return
        with self._changed:
            is_running = self._has_begun and not self._is_answered
            self.state = State.CLOSED
            self.unread_bytes = 0
            self._out.clear()
            self._changed.notify_all()
        self.sock.close()
        if not is_running:  # else the stream may not be known yet: `send` closes it when the task has ended
            self._close_stream()
            self.task = self._exchange = None

    def _close_stream(self) -> None:
        if self.task and self.task.stream:
            self.task.stream.close()
            self.task.stream = None
