"""The referee of game records: reads what people did, line by line, and answers what was due, missed and refused.

The format is described in RECORDS.md. The first line names the game; each further line is one action. A refused line
changes nothing. With automatic pegging points move as soon as they are due, and known hands are counted.
"""

from __future__ import annotations

from firmware_host.cribbage.rule_errors import Refusal, quoted
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.decide import decide
from firmware_host.game.decision import Decided
from firmware_host.game.history import History
from firmware_host.game.known_scores import known_cards
from firmware_host.game.record_answer import Answer
from firmware_host.game.record_lines import (
    COMMENT,
    EXAMPLES,
    FIRST,
    UNDO_COMMANDS,
    Line,
    NotARecord,
    commands_of,
    line_kind,
    start_game_of,
)
from firmware_host.game.rule_errors import NoGame


class Referee:
    """Reads the lines of one record, in order."""

    def __init__(self) -> None:
        self._history = History()

    def read_line(self, line: Line) -> Answer:
        """Apply one line. A line that is refused changes nothing; the refusal is in the answer."""
        before = self._history
        try:
            if line_kind(line) == COMMENT:
                return Answer(before.table, before.table, ())
            commands = self._commands(line)
            decided = self._decide(commands)
        except Refusal as refused:
            return self.refuse(refused)
        self._history = before.after(decided)
        return Answer(before.table, self._history.table, decided.events, None, commands, hands_counted(before))

    def refuse(self, refused: Refusal) -> Answer:
        """The answer to a line that is refused, or that is no JSON."""
        return Answer(self._history.table, self._history.table, (), refused)

    def _commands(self, line: Line) -> tuple[c.Command, ...]:
        name = line_kind(line)
        if name == FIRST:
            return (start_game_of(line),)
        if name in UNDO_COMMANDS:
            if line[name] is not True:
                raise NotARecord(f"{name} as true", quoted(line[name]), fix=f"write {EXAMPLES[name]}")
            return (UNDO_COMMANDS[name],)
        table = self._history.table
        if table is None:
            raise NoGame("a first line that names the game", quoted(dict(line)), fix=f"begin with {EXAMPLES[FIRST]}")
        return commands_of(name, line[name], table)

    def _decide(self, commands: tuple[c.Command, ...]) -> Decided:
        """The commands in turn; then, where the table moves the pegs, a count of every hand that it knows."""
        if len(commands) == 1 and isinstance(commands[0], c.StartGame | c.Undo | c.Redo):
            return self._history.decide(commands[0])
        table = self._history.table
        assert table is not None
        events: tuple[e.Event, ...] = ()
        pending = list(commands)
        while pending:
            more, table = decide(table, pending.pop(0))
            events += more
            if not pending and not table.points_are_entered and table.to_count and known_cards(table, *table.to_count):
                pending.append(c.CountHand())
        return Decided(events, table)


def hands_counted(history: History) -> tuple[e.HandCounted, ...]:
    """The hands and cribs of the current deal that are counted, in order."""
    counted = list[e.HandCounted]()
    for turn in history.turns_back():
        for event in reversed(turn.events):
            if isinstance(event, e.DealBegan):
                return tuple(reversed(counted))
            if isinstance(event, e.HandCounted):
                counted.append(event)
    return tuple(reversed(counted))
