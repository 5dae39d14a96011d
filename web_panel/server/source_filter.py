"""Lets the kernel drop the packets of some addresses before they reach a listening socket.

To accept a connection and close it costs the interpreter lock twice, and waits for a thread that runs a request. An
address that connects faster than that fills the kernel's queue of new connections, and visitors wait for seconds. So
its packets are dropped by a classic BPF program (Linux, socket(7): SO_ATTACH_FILTER), which needs no privileges. Only
new connections are affected: those that are open keep the filter of the time when they were accepted, and `detach`
takes that away. Elsewhere than on Linux nothing is dropped.
"""

from __future__ import annotations

import socket
import struct
import sys
from array import array
from collections.abc import Collection
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address

SO_ATTACH_FILTER = 26
SO_DETACH_FILTER = 27

LOAD_WORD = 0x20
JUMP_IF_EQUAL = 0x15
RETURN = 0x06
"""BPF_LD | BPF_W | BPF_ABS; BPF_JMP | BPF_JEQ | BPF_K; BPF_RET | BPF_K."""
NETWORK_HEADER = 0xFFF00000
"""SKF_NET_OFF: offsets from here on count from the first byte of the IP header."""
IPV4_SOURCE = 12
IPV6_SOURCE = 8
"""Offsets of the source address in the IP header."""
MOST_ADDRESSES = 200
"""A program has 4,096 instructions at most, and one address of IPv6 takes eight."""


def drop_packets_of(addresses: Collection[str], listening: socket.socket) -> None:
    """From now on drop new connections of these addresses, at most MOST_ADDRESSES, and of no others."""
    if not sys.platform.startswith("linux"):
        return
    family = IPv6Address if listening.family == socket.AF_INET6 else IPv4Address
    chosen = [ip for ip in map(ip_address, list(addresses)[:MOST_ADDRESSES]) if isinstance(ip, family)]
    if not chosen:
        detach(listening)
        return
    program = array("B", bpf_program(chosen))  # it knows its address, without the 0.3 MiB of ctypes
    # struct sock_fprog: the number of instructions, and the address of the first
    with suppress(OSError):
        listening.setsockopt(
            socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HP", len(program) // 8, program.buffer_info()[0])
        )


def detach(line: socket.socket) -> None:
    """Drop no packets of this socket."""
    if sys.platform.startswith("linux"):
        with suppress(OSError):  # it has no filter
            line.setsockopt(socket.SOL_SOCKET, SO_DETACH_FILTER, 0)


def bpf_program(addresses: Collection[IPv4Address | IPv6Address]) -> bytes:
    """A program that returns 0 (drop) for packets from these addresses, and their whole length for all others."""
    return b"".join(map(drop_one, addresses)) + instruction(RETURN, value=0xFFFFFFFF)


def drop_one(address: IPv4Address | IPv6Address) -> bytes:
    """Instructions that return 0 if the source is this address, and go on behind themselves if not."""
    start = IPV4_SOURCE if address.version == 4 else IPV6_SOURCE
    words = struct.unpack(f">{len(address.packed) // 4}I", address.packed)
    code = b""
    for number, word in enumerate(words):
        left = 2 * (len(words) - number) - 1  # the rest of the words, and the RETURN
        code += instruction(LOAD_WORD, value=NETWORK_HEADER + start + 4 * number)
        code += instruction(JUMP_IF_EQUAL, if_false=left, value=word)
    return code + instruction(RETURN, value=0)


def instruction(code: int, *, if_false: int = 0, value: int) -> bytes:
    """One struct sock_filter: code, jumps if true and if false, and a number."""
    return struct.pack("HBBI", code, 0, if_false, value)
