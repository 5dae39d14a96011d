"""JSON Lines in, JSON Lines out: one answer a line, at once; a bad line is answered too, and the rest goes on."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn, TypeVar

import click

from firmware_host.cribbage.refusals import (
    OptionsClash,
    Refusal,
    UnknownChoice,
    UnknownOption,
    UnknownVariant,
    quoted,
)

Record = Mapping[str, Any]
_T = TypeVar("_T")


class NotJson(Refusal):
    """The line is not a JSON object in UTF-8."""

    kind = "not_json"


class MissingField(Refusal):
    """The object lacks something that has no usual value."""

    kind = "missing_field"


class WrongType(Refusal):
    """A value of another type than the field takes."""

    kind = "wrong_type"


class WrongValue(Refusal):
    """The right type, and yet nothing that the field can mean."""

    kind = "wrong_value"


def answer_lines(answer: Callable[[Record], Record]) -> None:
    """Answers each line of standard input on standard output. Exits with 1 at the end if any line was bad."""
    was_bad = False
    for line in _lines_of_input():
        if line.strip():
            reply = reply_to(line, answer)
            was_bad |= "error" in reply
            tell(json.dumps(reply))
    if was_bad:
        raise click.exceptions.Exit(1)


def fail(refusal: Refusal) -> NoReturn:
    """Ends the program with the refusal on one line: 2 where the command was called wrong, 1 where the cards are."""
    click.echo(str(refusal), err=True)
    is_usage = isinstance(refusal, UnknownVariant | UnknownOption | UnknownChoice | OptionsClash)
    raise click.exceptions.Exit(2 if is_usage else 1) from refusal


def tell(line: str) -> None:
    """Writes a line on standard output, at once. A reader who has left ends the program quietly: click sees to that."""
    try:
        click.echo(line)
    except BrokenPipeError:
        raise
    except OSError as fault:
        raise click.ClickException(f"standard output cannot be written: {fault}") from fault


def field(record: Record, name: str, kind: type[_T], usual: _T | None = None) -> _T:
    """`record[name]`, checked; absent or null it is `usual`. Raises MissingField, WrongType."""
    value = record.get(name)
    if value is None:
        if usual is None:
            raise MissingField(f'the field "{name}"', "none" if name not in record else "null")
        return usual
    if not isinstance(value, kind):
        raise WrongType(f"{_JSON_NAME[kind]} as {name}", quoted(value))
    return value


_JSON_NAME: dict[type, str] = {list: "a list", dict: "an object", str: "a text", bool: "true or false"}


def _lines_of_input() -> Iterator[bytes]:
    try:
        yield from sys.stdin.buffer if sys.stdin else ()  # None where the caller closed it
    except OSError as fault:
        raise click.ClickException(f"standard input cannot be read: {fault}") from fault


def reply_to(line: bytes, answer: Callable[[Record], Record]) -> Record:
    """The answer to one line, or the kind and the sentence of its refusal."""
    try:
        return answer(parse_record(line))
    except Refusal as refusal:
        return {"error": refusal.kind, "message": str(refusal)}


def parse_record(line: bytes) -> Record:
    """One line as a JSON object. Raises NotJson, WrongType."""
    try:
        record = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as fault:
        raise NotJson("UTF-8", f"byte 0x{line[fault.start]:02x}", f"column {fault.start + 1}") from fault
    except (ValueError, RecursionError) as fault:
        raise NotJson("a JSON object", str(fault)) from fault
    if not isinstance(record, dict):
        raise WrongType("a JSON object", quoted(record))
    return record
