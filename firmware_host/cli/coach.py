"""`cribboard coach`: asks for the count of hands step by step, and says what a learner misses."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from random import SystemRandom

import click

from firmware_host.cli.coach_drills import DRILLS, STOP, Stopped, drill
from firmware_host.cli.jsonl import Record, json_line, write_line
from firmware_host.coach.attempt import MAX_ANSWER, MAX_LEVEL, TRIES, Attempt, parts_of_level
from firmware_host.coach.diagnosis import Diagnosis
from firmware_host.coach.kinds import Hand
from firmware_host.coach.progress import Progress, next_hand
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.config.settings import SENTENCES, Settings
from firmware_host.cribbage.names import tidy_name
from firmware_host.cribbage.show import Part
from firmware_host.errors import HostError
from firmware_host.startup.own_user import load_settings
from firmware_host.stats.learners_file import DEFAULT_NAME, LearnersFile
from firmware_host.ui.texts.cadence import count_in_words
from firmware_host.ui.texts.coach_messages import (
    KIND_NAMES,
    cards_in_text,
    hint,
    question,
    solution,
    summary_sentences,
    verdict,
)
from firmware_host.ui.translator import Translator

HANDS = 10
HINT = "?"
"""The answer that asks for a hint."""


@click.command("coach")
@click.option("--name", default=DEFAULT_NAME, show_default=True, help="Whose progress it is.")
@click.option(
    "--drill", "drilled", type=click.Choice(tuple(DRILLS)), help="Ask for cards in the play, or for discards."
)
@click.option("--hands", type=click.IntRange(1), default=HANDS, show_default=True, help="Stop after so many hands.")
@click.option("--level", type=click.IntRange(1, MAX_LEVEL), help="1: fifteens; then pairs, runs, flush and nobs.")
@click.option("--summary", is_flag=True, help="Only say what the learner misses.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line; questions on standard error.")
@click.option("--lang", type=click.Choice(LANGUAGES), help="The language of the coach.  [default: of the settings]")
@click.option("--settings", "file", type=click.Path(path_type=Path), help="A settings file, cribboard.toml.")
@click.option("--state-folder", help=SENTENCES["state_folder"])
def command(
    name: str,
    drilled: str | None,
    hands: int,
    level: int | None,
    summary: bool,
    as_json: bool,
    lang: str | None,
    file: Path | None,
    state_folder: str | None,
) -> None:
    """Count hands part by part. Answer with points, ? for a hint, q to stop. Progress is kept for each name.

    The first answers decide the level, and which hands come back. With --drill the coach asks which card makes a
    score in the play, or which two cards to discard, and shows the best answer after yours.
    """
    try:
        settings = load_settings(file, os.environ, {"state_folder": state_folder})
        if drilled:
            drill(drilled, hands, translator(lang or settings.language))
            return
        _coach(settings, _name(name), hands, level, summary, as_json, lang)
    except HostError as fault:
        raise click.ClickException(str(fault)) from fault


def _name(text: str) -> str:
    name = tidy_name(text)
    if not name:
        raise click.UsageError("expected a name, got none")
    return name


def _coach(
    settings: Settings, name: str, hands: int, level: int | None, only_summary: bool, as_json: bool, lang: str | None
) -> None:
    """Asks for the hands and prints the summary. Raises HostError."""
    file = LearnersFile(settings.learners)
    tr = translator(lang or settings.language)
    progress = file.progress(name)
    if not only_summary:
        if level is not None:
            progress = file.change(name, lambda before: before.at_level(level))
        progress = _drill(progress, name, hands, file, as_json, tr)
    diagnosis = progress.diagnosis
    if as_json:
        write_line(json_line(summary_record(name, progress, diagnosis)))
        return
    for sentence in summary_sentences(diagnosis, tr):
        write_line(sentence)
    for figures in diagnosis.figures if only_summary else ():
        write_line(f"{tr(KIND_NAMES[figures.kind])}: {figures.found}/{figures.shown}")


def _drill(progress: Progress, name: str, hands: int, file: LearnersFile, as_json: bool, tr: Translator) -> Progress:
    """Asks for each hand and keeps the progress after each. Ends early when the learner stops."""
    draw = SystemRandom().randrange
    for _hand in range(hands):
        hand = next_hand(progress, draw)
        try:
            attempt = _ask_hand(hand, progress.level, as_json, tr)
        except Stopped:
            break
        progress = file.change(name, lambda before, attempt=attempt: before.after(attempt))  # type: ignore[misc]
        if as_json:
            write_line(json_line(attempt_record(attempt)))
        else:
            write_line(f"{count_in_words(hand.count, tr)} ({hand.count.total})")
            write_line("")
    return progress


def _ask_hand(hand: Hand, level: int, as_json: bool, tr: Translator) -> Attempt:
    """The attempt with the first answer to each part. Raises Stopped."""

    def say(text: str) -> None:
        click.echo(text, err=as_json)

    say(f"{cards_in_text(hand.held)} | {cards_in_text((hand.starter,))}")
    return Attempt(hand, tuple(_ask_part(hand, part, say, as_json, tr) for part in parts_of_level(level)))


def _ask_part(hand: Hand, part: Part, say: Callable[[str], None], as_json: bool, tr: Translator) -> int | None:
    """The first answer; None if a hint came first. Raises Stopped."""
    answers: list[int | None] = []
    given = 0
    while len(answers) < TRIES:
        text = _input(question(part, tr), as_json)
        if text == HINT:
            if not answers:
                answers.append(None)
            say(hint(hand, part, given, tr))
            given += 1
            if given > len(hand.count.scores_of(part)):
                break
        elif text.isdecimal() and text.isascii() and len(text) <= len(str(MAX_ANSWER)):
            answers.append(int(text))
            say(verdict(hand, part, int(text), tr))
            if int(text) == hand.count.points(part):
                return answers[0]
        else:
            say(tr("Enter a number of points, {hint} for a hint, or {stop} to stop.").format(hint=HINT, stop=STOP))
    say(solution(hand, part, tr))
    return answers[0]


def _input(prompt: str, as_json: bool) -> str:
    """A line without blanks at its ends. Raises Stopped at q and at the end of the input."""
    click.echo(f"{prompt} ", nl=False, err=as_json)
    line = sys.stdin.readline() if sys.stdin else ""
    text = line.strip().lower()
    if not line or text == STOP:
        raise Stopped
    return text


def attempt_record(attempt: Attempt) -> Record:
    """One counted hand as JSON: the answers and the right points by part."""
    parts = [part.value for part in attempt.parts]
    return {
        "cards": [*map(str, attempt.hand.held)],
        "starter": str(attempt.hand.starter),
        "answers": dict(zip(parts, attempt.answers, strict=True)),
        "points": {part.value: attempt.hand.count.points(part) for part in attempt.parts},
        "right": attempt.is_right,
    }


def summary_record(name: str, progress: Progress, diagnosis: Diagnosis) -> Record:
    """The teacher's summary as JSON: what was shown, found and missed, by kind."""
    return {
        "name": name,
        "level": progress.level,
        "hands": progress.hands,
        "repeats": len(progress.repeats),
        "blind_spots": [kind.value for kind in diagnosis.blind_spots],
        "kinds": {each.kind.value: {"shown": each.shown, "found": each.found} for each in diagnosis.figures},
        "too_many": {part.value: diagnosis.too_many[part] for part in Part if diagnosis.too_many.get(part)},
    }
