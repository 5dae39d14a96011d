"""What the collector keeps while the database is down."""

from __future__ import annotations

import asyncio

from nats.aio.client import Client
from nats.aio.msg import Msg

from firmware_host.league.collector import Collector
from firmware_host.league.nats_config import DELIVERY, DURABLE, STREAM, Access


def delivered(number: int, times: int) -> Msg:
    reply = f"$JS.ACK.{STREAM}.{DURABLE}.{times}.{number}.{number}.1764090000000000000.0"
    return Msg(Client(), subject=DELIVERY, reply=reply, data=b"")


def test_a_message_that_is_delivered_again_waits_once() -> None:
    collector = Collector(Access((), "", "", ""), "")

    async def deliver() -> None:
        for times in (1, 2, 3):
            for number in (1, 2):
                await collector._keep(delivered(number, times))

    asyncio.run(deliver())
    assert [message.metadata.num_delivered for message in collector._waiting.values()] == [3, 3]
