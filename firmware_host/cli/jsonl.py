"""Reads and writes JSON Lines: one answer for each line, at once. A bad line gets an error, and the next is read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click
from msgspec import Struct

from firmware_host.cli.game_options import DEFAULT_VARIANT
from firmware_host.cribbage.rule_errors import (
    OptionsClash,
    Refusal,
    UnknownChoice,
    UnknownOption,
    UnknownVariant,
    quoted,
)
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import rules_for

if TYPE_CHECKING:
    from pathlib import Path

    from firmware_host.validation.typed import FieldFault

Record = Mapping[str, Any]


class NotJson(Refusal):
    """The line is not a JSON object in UTF-8."""

    kind = "not_json"


class MissingField(Refusal):
    """A required field is absent or null."""

    kind = "missing_field"


class WrongType(Refusal):
    """A value of another type than the field takes."""

    kind = "wrong_type"


class WrongValue(Refusal):
    """A value of the right type that the field does not take."""

    kind = "wrong_value"


class GameLine(Struct, frozen=True, kw_only=True):
    """What each line about a game may have; fields that are not known are ignored."""

    variant: str | None = None
    options: dict[str, Any] | None = None

    @property
    def rules(self) -> RuleSet:
        """The rules by variant and options. Raises what `rules_for` raises."""
        return rules_for(DEFAULT_VARIANT if self.variant is None else self.variant, self.options)


L = TypeVar("L", bound=Struct)
Q = TypeVar("Q", bound=GameLine)


def answer_lines(kind: type[Q], answer: Callable[[Q], Record], example: str) -> None:
    """Answers each line of standard input, an object of this kind, on standard output; `example` is a right line, for
    error messages. Exits with 1 at the end if any line was bad."""
    answer_raw_lines(lambda line, number: answer(read_line(line, kind, example, number)))


def answer_raw_lines(answer: Callable[[bytes, int], Record]) -> None:
    """Answers each line of standard input on standard output. `answer` gets the bytes of a line, and its number from 1.
    Exits with 1 at the end if any line was bad."""
    was_bad = False
    for number, line in enumerate(_lines_of_input(), start=1):
        if line.strip():
            reply = _reply(answer, line, number)
            was_bad |= "error" in reply
            write_line(json_line(reply))
    if was_bad:
        raise click.exceptions.Exit(1)


def fail(refusal: Refusal) -> NoReturn:
    """Ends the program with the refusal on one line: status 2 for wrong options, 1 for anything else."""
    click.echo(str(refusal), err=True)
    is_usage = isinstance(refusal, UnknownVariant | UnknownOption | UnknownChoice | OptionsClash)
    raise click.exceptions.Exit(2 if is_usage else 1) from refusal


def json_line(record: Record) -> str:
    """The record as one line of JSON."""
    import json  # a command that counts its arguments in words starts sooner without it

    return json.dumps(record)


def write_line(line: str) -> None:
    """Writes a line on standard output and flushes it. Raises ClickException if that fails.

    A closed pipe is not an error: click ends the program without a message.
    """
    try:
        click.echo(line)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise click.ClickException(f"standard output cannot be written: {error}") from error


def counted(number: int, noun: str) -> str:
    """A number with its noun, such as "1 game" and "2 games", in a line of English."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def write_lines(lines: Iterable[str]) -> None:
    """Writes each line as `write_line` does."""
    for line in lines:
        write_line(line)


def write_output(text: str, file: Path | None) -> None:
    """Writes the text and a line end into a file, or on standard output if `file` is None. Raises ClickException if
    that fails."""
    if file is None:
        write_line(text)
        return
    try:
        file.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}") from error


def read_line(line: bytes, kind: type[L], example: str, number: int = 1) -> L:
    """Line `number` as an object of this kind. Raises MissingField, WrongType or WrongValue, which name the field, or
    what `parse_record` raises."""
    from firmware_host.validation.typed import FieldError, decode  # not for counts of cards given as arguments

    try:
        return decode(line, kind, lambda text: parse_record(text, example, number))
    except FieldError as error:
        raise _refusal(error.fault) from error


def _refusal(fault: FieldFault) -> Refusal:
    from firmware_host.validation.typed import FaultKind

    if fault.kind in (FaultKind.MISSING, FaultKind.NULL):
        return MissingField(f'the field "{fault.path}"', "none" if fault.kind is FaultKind.MISSING else "null")
    refused = WrongType if fault.kind is FaultKind.TYPE else WrongValue
    return refused(f"{fault.expected} as {fault.path}", fault.got(quoted))


def _lines_of_input() -> Iterator[bytes]:
    try:
        yield from sys.stdin.buffer if sys.stdin else ()  # None if the caller closed it
    except OSError as error:
        raise click.ClickException(f"standard input cannot be read: {error}") from error


def reply_to(line: bytes, kind: type[Q], answer: Callable[[Q], Record], example: str, number: int = 1) -> Record:
    """The answer to line `number`, or `error` with the kind of its refusal and `message` with its text."""
    return _reply(lambda line, number: answer(read_line(line, kind, example, number)), line, number)


def _reply(answer: Callable[[bytes, int], Record], line: bytes, number: int) -> Record:
    try:
        return answer(line, number)
    except Refusal as refusal:
        return {"error": refusal.kind, "message": str(refusal)}


_EXPECTED = {
    "Expecting ',' delimiter": "a comma or the closing bracket",
    "Expecting ':' delimiter": "a colon",
    "Expecting property name enclosed in double quotes": "a field name in double quotes",
}
"""The parser's messages about a place within an object, in plain words."""


def parse_record(line: bytes, example: str, number: int = 1) -> Record:
    """Line `number` as a JSON object. Raises NotJson, which names line and column, or WrongType for JSON that is no
    object; both show the `example` of a right line."""
    import json  # as in json_line

    where = f"line {number}"
    fix = f"write a line such as {example}"
    try:
        text = line.decode("utf-8-sig").rstrip("\r\n")
        record = json.loads(text)
    except UnicodeDecodeError as error:
        where = f"{where}, column {error.start + 1}"
        raise NotJson("UTF-8", f"byte 0x{line[error.start]:02x}", where, fix) from error
    except json.JSONDecodeError as error:
        rest = text[error.pos :]
        got = quoted(rest) if rest.strip() else "the end of the line"
        expected = _EXPECTED.get(error.msg, "a JSON object")
        raise NotJson(expected, got, f"{where}, column {error.pos + 1}", fix) from error
    except (ValueError, RecursionError) as error:  # a number of too many digits, or brackets too deep
        raise NotJson("a JSON object", quoted(text), where, fix) from error
    if not isinstance(record, dict):
        raise WrongType("a JSON object", quoted(record), where, fix)
    return record
