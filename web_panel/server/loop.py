"""The thread of the server: accepts connections, reads and writes sockets, and checks times and limits."""

from __future__ import annotations

import logging
import selectors
import socket
import sys
from collections import deque
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from functools import partial
from random import sample
from ssl import SSLContext
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from web_panel.server.blocked_addresses import BlockedAddresses
from web_panel.server.connection import Connection, Encryption, State
from web_panel.server.limits import ServerLimits, connections_possible
from web_panel.server.open_connections import OpenConnections
from web_panel.server.source_filter import detach, drop_packets_of
from web_panel.server.token_bucket import TokenBuckets
from web_panel.server.waiting_room import Waiting, WaitingRoom, reset
from web_panel.server.work_queue import Work, WorkQueue
from web_panel.server.wsgi_task import ServerFacts, WsgiTask
from web_panel.wsgi import Environ, WsgiApp

ACCEPTS_AT_ONCE = 64
"""Connections accepted before others are served. A full queue of the kernel would delay visitors by a second."""
BACKLOG = 1024
SWITCH_S = 0.0002
"""How long a thread keeps the interpreter lock while others want it. The server's thread gives it up at each call of
the kernel, hundreds of times in a second, and then waits for the threads that run requests: with Python's 5 ms a flood
of requests delays a phone's command by seconds."""
FEW_CONNECTIONS = 16
"""As a browser opens for a page or two."""
STRANGERS_AT_ONCE = 64
"""Connections of strangers that are served before new ones are accepted, and known visitors are served again."""
FIRST_PACKET_S = 0.5
"""A browser sends its request as soon as it is connected."""
UNREAD_CHECK_S = 0.05
USER_TIMEOUT_MS = 20_000
"""The kernel ends a connection whose peer confirms nothing for this time: a phone that has left the Wi-Fi."""

logger = logging.getLogger(__name__)


class Listener(Struct, frozen=True):
    """A listening socket. With `tls` it serves HTTPS and HTTP on the same port, so that an address of one leads to the
    other, and `app` decides what it answers in clear (`wsgi.url_scheme`)."""

    socket: socket.socket
    app: WsgiApp
    tls: SSLContext | None = None


class PanelServer:
    """Serves WSGI applications on listening sockets. `run` serves until `close` is called from any thread.

    `is_known` tells whether the sender of a request is a paired phone or the board's own computer, and sets REMOTE_ADDR
    to the address of the sender where a proxy has passed it on; see ServerLimits. `proxies` are the addresses of
    trusted proxies, whose connections are those of many visitors.
    """

    def __init__(
        self,
        listeners: Sequence[Listener],
        is_known: Callable[[Environ], bool],
        limits: ServerLimits | None = None,
        proxies: Container[str] = (),
    ) -> None:
        limits = limits or ServerLimits()
        self.limits = replace(limits, connections=connections_possible(limits.connections))
        self._listeners = listeners
        self._is_known = is_known
        self._proxies = proxies
        self._connections = OpenConnections()
        self._connects = TokenBuckets(self.limits.connects_per_s, self.limits.connects_at_once)
        self._queue = WorkQueue(self.limits)
        self._blocked = BlockedAddresses(self.limits)
        self._waiting_room = WaitingRoom(self.limits, is_known)
        self._selector = selectors.DefaultSelector()
        self._woken = deque[Connection]()
        self._is_woken = False
        self._unread_checked_s = 0.0
        self._has_news = self._is_closing = self._is_running = False
        self._reads_wakes, self._wakes = socket.socketpair()
        for sock in (self._reads_wakes, self._wakes, *(listener.socket for listener in listeners)):
            sock.setblocking(False)
        self._selector.register(self._reads_wakes, selectors.EVENT_READ, self._handle_wakes)
        for listener in listeners:
            listener.socket.listen(BACKLOG)
            self._selector.register(listener.socket, selectors.EVENT_READ, self._acceptor(listener))

    def _acceptor(self, listener: Listener) -> Callable[[], None]:
        """A function that accepts the connections of a listening socket."""
        port = listener.socket.getsockname()[1]
        clear, secure = (ServerFacts(listener.app, scheme, port) for scheme in ("http", "https"))
        encryption = Encryption(listener.tls, secure) if listener.tls else None
        return partial(self._accept, listener.socket, clear, encryption)

    @property
    def effective_port(self) -> int:
        """The port of the first listening socket."""
        port: int = self._listeners[0].socket.getsockname()[1]
        return port

    def run(self) -> None:
        """Serve until `close` is called, or an exception such as KeyboardInterrupt ends it."""
        self._is_running = True
        sys.setswitchinterval(SWITCH_S)
        self._queue.start()
        sweep_s = 0.0
        try:
            while not self._is_closing:
                self._serve_ready(self._selector.select(self.limits.sweep_s))
                now_s = monotonic()
                if now_s >= sweep_s:
                    self._sweep(now_s)
                    sweep_s = now_s + self.limits.sweep_s
        finally:
            self._is_running = False
            self._release()

    def _serve_ready(self, ready: Sequence[tuple[selectors.SelectorKey, int]]) -> None:
        """Serve what is ready: first known visitors, wakes and new connections, then some strangers."""
        strangers = list[tuple[Connection, int]]()
        for key, events in ready:
            if not isinstance(key.data, Connection):
                key.data()
            elif key.data.is_known or self._is_known_and_quiet(key.data.address):
                self._serve(key.data, events)
            else:
                strangers.append((key.data, events))
        if len(strangers) > STRANGERS_AT_ONCE:
            strangers = sample(strangers, STRANGERS_AT_ONCE)
        for connection, events in strangers:
            if connection.is_open:  # it was not closed for another one in the meantime
                self._serve(connection, events)

    def _is_known_and_quiet(self, address: str) -> bool:
        """Whether a known visitor is there, and few connections that may be a stranger's."""
        return self._connections.is_known(address) and len(self._connections.strangers_of(address)) <= FEW_CONNECTIONS

    def close(self) -> None:
        """End `run`, or close the sockets if it does not run. Any thread may call."""
        self._is_closing = True
        if self._is_running:
            self._interrupt()
        else:
            self._release()

    def _release(self) -> None:
        self._queue.close()
        # `_close` would unregister each connection first. But the exception that ended `run` may have come in the
        # middle of such a call, so what the selector still knows is uncertain; it goes as a whole below.
        for connection in self._connections:
            connection.close()
        for sock in (*self._waiting_room, *(listener.socket for listener in self._listeners)):
            sock.close()
        self._selector.close()
        self._reads_wakes.close()
        self._wakes.close()

    # Waking the thread of the server.

    def _wake(self, connection: Connection) -> None:
        """The connection has something to send. Any thread may call."""
        self._woken.append(connection)
        self._interrupt()

    def _wake_streams(self) -> None:
        """Streams may have an event. Any thread may call."""
        self._has_news = True
        self._interrupt()

    def _interrupt(self) -> None:
        """Without a lock: of two threads that come at once both may send, and one wake too many does no harm."""
        if not self._is_woken:
            self._is_woken = True
            with suppress(OSError):
                self._wakes.send(b"w")

    def _handle_wakes(self) -> None:
        with suppress(OSError):
            self._reads_wakes.recv(64)
        self._is_woken = False  # before the work is looked for: what is put there from now on wakes again
        now_s = monotonic()
        while self._woken:
            connection = self._woken.popleft()
            connection.send(now_s)
            self._go_on(connection)
        if self._has_news:
            self._has_news = False
            self._send_events(now_s)
        self._limit_unread_bytes(now_s)

    # Connections.

    def _accept(self, listening: socket.socket, facts: ServerFacts, encryption: Encryption | None) -> None:
        for _ in range(ACCEPTS_AT_ONCE):
            try:
                sock, peer = listening.accept()
            except BlockingIOError:
                return
            except OSError as error:  # the visitor has left already, or this process has no free file
                self._close_quietest()
                logger.debug("A connection could not be accepted: %s", error)
                return
            self._admit(sock, (str(peer[0]), int(peer[1])), facts, encryption)

    def _admit(
        self, sock: socket.socket, peer: tuple[str, int], facts: ServerFacts, encryption: Encryption | None
    ) -> None:
        now_s = monotonic()
        address = peer[0]
        admit = partial(self._open, sock, peer, facts, encryption)
        if address in self._proxies or not self._exceeds_limits(address, now_s):
            admit()
        elif self._connections.is_known(address):
            ends = {"REMOTE_ADDR": address, "REMOTE_PORT": str(peer[1]), "SERVER_PORT": str(facts.port)}
            self._add_waiting(Waiting(sock, ends, admit, now_s))
        else:
            if self._blocked.refused(address, now_s):
                self._drop_packets()
            reset(sock)

    def _open(
        self, sock: socket.socket, peer: tuple[str, int], facts: ServerFacts, encryption: Encryption | None
    ) -> None:
        """Serve an accepted connection from now on."""
        if self._connections.count >= self.limits.connections:
            self._close_quietest()
        try:
            set_options(sock, self.limits)
        except OSError:
            sock.close()
            return
        connection = Connection(sock, peer, facts, self.limits, self._wake, monotonic(), encryption)
        self._connections.add(connection)
        self._watch(connection)

    def _add_waiting(self, waiting: Waiting) -> None:
        """Keep a connection until it has sent something."""
        waiting.sock.setblocking(False)
        if oldest := self._waiting_room.add(waiting):
            self._end_waiting(oldest)  # its packet may be here without being looked at yet
        self._selector.register(waiting.sock, selectors.EVENT_READ, partial(self._end_waiting, waiting.sock))

    def _end_waiting(self, sock: socket.socket) -> None:
        """End the waiting of a connection: go on with it if it is a known visitor's."""
        if sock not in self._waiting_room:
            return  # turned away for another one, after the kernel had told of its packet
        if admitted := self._waiting_room.take(sock):
            self._selector.unregister(sock)
            admitted.admit()
        else:
            self._refuse_waiting(sock)

    def _refuse_waiting(self, sock: socket.socket) -> None:
        self._selector.unregister(sock)
        reset(sock)

    def _drop_packets(self) -> None:
        for listener in self._listeners:
            drop_packets_of(self._blocked.addresses, listener.socket)

    def _exceeds_limits(self, address: str, now_s: float) -> bool:
        """Whether a new connection is refused: it is a stranger's until it sends a request of a known visitor.

        At the limit of an address its quietest stranger's connection is closed instead. Those that a known visitor has
        open go on, whatever strangers do at the same address.
        """
        if self._connects.take(address, now_s):
            return True
        strangers = self._connections.strangers_of(address)
        if len(strangers) >= self.limits.connections_of_stranger:
            idle = [connection for connection in strangers if self._may_close(connection, now_s)]
            if not idle:
                return True
            self._close(min(idle, key=lambda connection: connection.quiet_since_s))
        return False

    def _may_close(self, connection: Connection, now_s: float) -> bool:
        """Whether a stranger's connection may be closed for another one of its address: a phone's is among them until
        its first request is here."""
        if connection.is_busy:
            return False
        return not self._connections.is_known(connection.address) or now_s - connection.quiet_since_s > FIRST_PACKET_S

    def _close_quietest(self) -> None:
        """Close the connection of a stranger; of whoever is quietest, if there is none."""
        quiet = self._connections.quietest_stranger() or min(
            self._connections, key=lambda connection: connection.quiet_since_s, default=None
        )
        if quiet:
            self._close(quiet)

    def _serve(self, connection: Connection, events: int) -> None:
        now_s = monotonic()
        sock = connection.sock
        if connection.state is State.HANDSHAKE or events & selectors.EVENT_READ and connection.wants_input:
            connection.receive(now_s)
        elif events & selectors.EVENT_READ:
            self._forget(connection)  # it sends ahead: that waits in the kernel
        if connection.sock is not sock:  # it is TLS; the selector would not find the closed socket by the old one
            self._selector.unregister(sock)
            connection.watched_events = 0
        if connection.is_open:
            connection.send(now_s)
        self._go_on(connection)

    def _go_on(self, connection: Connection) -> None:
        """Run the request that has arrived, and wait for what the connection needs next."""
        while connection.is_open:
            if task := connection.take_request():
                self._run(connection, task)
            if not (connection.wants_input and connection.has_hidden_input()):
                break
            now_s = monotonic()
            connection.receive(now_s)
            connection.send(now_s)
        self._watch(connection)

    def _run(self, connection: Connection, task: WsgiTask) -> None:
        connection.is_known = self._is_known(task.environ)
        sender = task.environ["REMOTE_ADDR"]
        if connection.is_known:
            self._connections.remember(connection.address)

        def run() -> None:
            begun = connection.begin()
            if begun is None:
                return
            try:
                begun.run()
            finally:
                if begun.stream:
                    begun.stream.on_news(self._wake_streams)
                connection.answered()
                if begun.stream:
                    self._wake_streams()

        self._limit_unread_bytes_of(connection)
        if connection.is_open:
            is_wanted = partial(getattr, connection, "is_open")
            self._queue.put(Work(sender, connection.is_known, run, is_wanted))

    def _watch(self, connection: Connection) -> None:
        """Tell the selector what the connection waits for."""
        if not connection.is_open:
            self._close(connection)
            return
        events = selectors.EVENT_READ if connection.wants_input else 0
        if connection.wants_output:
            events |= selectors.EVENT_WRITE
        watched = connection.watched_events
        if events == watched or not events and watched == selectors.EVENT_READ:
            return  # while a request runs, almost nobody sends: `_serve` stops watching whoever does
        if not events:
            self._forget(connection)
            return
        if watched:
            self._selector.modify(connection.sock, events, connection)
        else:
            self._selector.register(connection.sock, events, connection)
        connection.watched_events = events

    def _forget(self, connection: Connection) -> None:
        """Stop watching a connection, until `_watch`."""
        if connection.watched_events:
            self._selector.unregister(connection.sock)
            connection.watched_events = 0

    def _close(self, connection: Connection) -> None:
        """Close a connection, and forget it. It may be closed already."""
        self._forget(connection)
        connection.close()
        self._connections.remove(connection)

    # Times and bytes.

    def _sweep(self, now_s: float) -> None:
        for connection in self._connections:
            connection.check_times(now_s)
            self._go_on(connection)
        self._send_events(now_s)
        self._limit_unread_bytes(now_s)
        for sock in self._waiting_room.overdue(now_s):
            self._refuse_waiting(sock)
        self._connects.forget_full(now_s)
        self._queue.forget_idle_addresses()
        if self._blocked.unblock_old(now_s):
            self._drop_packets()

    def _send_events(self, now_s: float) -> None:
        for connection in self._connections:
            if connection.state is State.STREAMING:
                connection.send_event(now_s)
                self._watch(connection)

    def _limit_unread_bytes(self, now_s: float) -> None:
        """Close connections until all together have not too much unread. The sum is made now and then only."""
        if now_s - self._unread_checked_s < UNREAD_CHECK_S:
            return
        self._unread_checked_s = now_s
        total = sum(connection.unread_bytes for connection in self._connections)
        while total > self.limits.unread_bytes and (connection := self._connections.most_unread()):
            total -= connection.unread_bytes
            self._close(connection)

    def _limit_unread_bytes_of(self, connection: Connection) -> None:
        """Before one more request of a stranger is run: close his connections if he does not read his answers."""
        if connection.is_known or connection.address in self._proxies:
            return
        if self._connections.unread_bytes(connection.address) < self.limits.unread_bytes_of_stranger:
            return
        for other in self._connections.strangers_of(connection.address):
            if other.unread_bytes:
                self._close(other)


def set_options(sock: socket.socket, limits: ServerLimits) -> None:
    """Options of an accepted socket. Raises OSError if its peer has left."""
    sock.setblocking(False)
    detach(sock)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, limits.send_buffer_bytes)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, USER_TIMEOUT_MS)
