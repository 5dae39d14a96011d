"""Connects to the NATS servers of a league."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from firmware_host.league.database import LeagueError
from firmware_host.league.nats_config import Access
from firmware_host.optional_packages import Option, install_command

if TYPE_CHECKING:
    from nats.aio.client import Client

log = logging.getLogger(__name__)

RETRY_S = 1.0
ANSWER_S = 5.0
"""How long a broker may take to answer."""


class Sayings:
    """Logs a sentence once, until `forget`: what goes on for hours is no news each second."""

    def __init__(self) -> None:
        self._said = set[str]()

    def say(self, sentence: str) -> None:
        """Log the sentence as a warning, unless it was said already."""
        if sentence not in self._said:
            log.warning("%s", sentence)
            self._said.add(sentence)

    def forget(self, sentence: str) -> None:
        """It is over: log this sentence, if anything was said, and say the others anew from now on."""
        if self._said:
            log.info("%s", sentence)
            self._said.clear()


async def connect_for_good(access: Access) -> Client:
    """Connect, and again whenever the connection is lost, however long that takes: also while the brokers refuse the
    password, which their next configuration may have. Raises LeagueError where the module is missing."""
    sayings = Sayings()

    async def say(fault: Exception) -> None:
        sayings.say(f"brokers: {fault or type(fault).__name__}")

    async def forget() -> None:
        sayings.forget("brokers: connected again")

    client: Client = await _module().connect(
        **_options(access),
        error_cb=say,
        reconnected_cb=forget,
        allow_reconnect=True,
        max_reconnect_attempts=-1,
        reconnect_time_wait=RETRY_S,
        ping_interval=5,
        max_outstanding_pings=2,
    )
    await forget()
    return client


async def connect_once(access: Access) -> Client:
    """Connect to the first broker that answers. Raises LeagueError."""
    faults = list[Exception]()

    async def keep(fault: Exception) -> None:
        faults.append(fault)  # of one broker; without this the module prints a traceback for each

    nats = _module()
    try:
        client: Client = await nats.connect(
            **_options(access),
            error_cb=keep,
            allow_reconnect=False,
            max_reconnect_attempts=1,  # 0 would mean without end
            reconnect_time_wait=0,
            connect_timeout=ANSWER_S,
        )
        return client
    except (nats.errors.Error, OSError, TimeoutError) as fault:
        raise no_answer(access, faults[0] if faults else fault) from fault


def no_answer(access: Access, fault: Exception) -> LeagueError:
    """The error that none of the brokers answers."""
    got = str(fault) or type(fault).__name__
    return LeagueError("a broker that answers", got, ", ".join(access.servers), "start the brokers")


def _module() -> Any:
    try:
        import nats
        import nats.errors
    except ImportError as fault:
        fix = f"run: {install_command(Option.LEAGUE)}"
        raise LeagueError("the module nats", "it is not installed", "brokers", fix) from fault
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # it warns of how the module ends TLS
    return nats


def _options(access: Access) -> Mapping[str, Any]:
    return {
        "servers": list(access.servers),
        "user": access.user,
        "password": access.password,
        "tls": ssl.create_default_context(cafile=access.ca),
    }
