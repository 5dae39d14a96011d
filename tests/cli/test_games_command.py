"""`cribboard games`: past games, cards of matches, and exports, while a board may be running."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from firmware_host.board.course import TrackPegs
from firmware_host.cli import main
from firmware_host.cribbage.cards import PACK
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.journal import Journal
from firmware_host.table import orders as o
from firmware_host.table.chronicle import Chronicle
from tests.table.random_player import play_game

NOON = datetime(2024, 2, 29, 12, 0, tzinfo=UTC)
LOCAL_NOON = f"{NOON.astimezone():%Y-%m-%d %H:%M}"


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Journal]:
    """The journal of a running board."""
    monkeypatch.setenv("CRIBBOARD_STATE_FOLDER", str(tmp_path))
    with closing(Journal.open(tmp_path / "journal.sqlite3", clock=lambda: NOON)) as journal:
        yield journal


def games(*args: str) -> Result:
    return CliRunner().invoke(main, ["games", *args])


def objects(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def play(
    journal: Journal,
    *scores: int,
    names: str = "Ann Bob",
    variant: str = "six_card",
    options: dict[str, object] | None = None,
    is_demo: bool = False,
) -> None:
    """A game in which nobody tells the cards: each side leaps once to its score, the winner last."""
    rules = rules_for(variant, options or {})
    start = o.StartGame(rules, tuple(names.split()), "classic-61", len(rules.sides), dealer=Seat(1), is_demo=is_demo)
    leaps = sorted((score, side) for side, score in enumerate(scores) if score)
    moves = (o.PegsSeen(side, TrackPegs(0, score), is_leap=True) for score, side in leaps)
    orders: list[o.Order | o.Observation] = [start, *moves]
    chronicle = Chronicle()
    for order in orders:
        events = chronicle.decide(order)
        journal.append(events)
        chronicle = chronicle.after(events)


def play_with_cards(journal: Journal) -> None:
    """A game of which every card is in the journal."""
    *_, last = play_game(rules_for("six_card"), seed=1)
    for turn in reversed(list(last.turns_back())):
        journal.append(turn.events)


def test_past_games_are_told_latest_first(journal: Journal) -> None:
    play(journal, 121, 90)
    play(journal, 40, 61, options={"target": 61})
    play(journal, 12, 7)
    heading, *rows = games().stdout.splitlines()
    assert heading.split() == ["no.", "started", "players", "game", "board", "scores", "winner", "margin"]
    assert [row.split("  ")[0] for row in rows] == ["3", "2", "1"]
    assert rows[0].endswith("not played out")
    assert [cell.strip() for cell in rows[2].split("  ") if cell] == [
        *("1", LOCAL_NOON, "Ann v Bob", "six_card to 121", "classic-61", "121-90", "Ann", "skunk")
    ]


def test_columns_line_up(journal: Journal) -> None:
    play(journal, 121, 90)
    play(journal, 121, 100, 90, 80, names="Alexandra Bo Cy Di", variant="four_single")
    heading, *rows = games().stdout.splitlines()
    assert {row.index(" v ") > heading.index("players") for row in rows} == {True}
    assert {row.index("classic-61") for row in rows} == {heading.index("board")}


def test_no_more_games_are_told_than_asked_for(journal: Journal) -> None:
    for _ in range(3):
        play(journal, 121, 100)
    assert [game["game"] for game in objects(games("--json", "--limit", "2"))] == [3, 2]


def test_a_game_as_json(journal: Journal) -> None:
    play(journal, 91, 121, names="Ann Bob Cat Dan", variant="four_partners", options={"muggins_mode": "claim"})
    assert objects(games("--json")) == [
        {
            "game": 1,
            "started_at": "2024-02-29T12:00:00+00:00",
            "names": ["Ann", "Bob", "Cat", "Dan"],
            "sides": [[0, 2], [1, 3]],
            "variant": "four_partners",
            "options": {"muggins_mode": "claim"},
            "target": 121,
            "board": "classic-61",
            "is_demo": False,
            "first_dealer": 1,
            "scores": [91, 121],
            "winner": 1,
            "margin": "win",
            "match_points": [0, 2],
            "spread": [-30, 30],
        }
    ]


def test_a_game_that_was_not_played_out_has_no_winner(journal: Journal) -> None:
    play(journal, 12, 7)
    (game,) = objects(games("--json"))
    assert [game[name] for name in ("winner", "margin", "match_points", "spread")] == [None] * 4
    assert game["scores"] == [12, 7]


def test_a_demonstration_says_so(journal: Journal) -> None:
    play(journal, 121, 7, names="Bot Bat", is_demo=True)
    assert "six_card to 121 (demo)" in games().stdout
    assert objects(games("card", "--json")) == []


def test_the_latest_card_comes_first(journal: Journal) -> None:
    for _ in range(10):
        play(journal, 121, 90)
    cards = objects(games("card", "--json"))
    assert [[game["number"] for game in card["games"]] for card in cards] == [[1], [*range(1, 10)]]
    assert cards[1]["totals"] == [
        {"games_won": 9, "match_points": 27, "skunks_given": 9, "skunks_taken": 0, "spread": 279},
        {"games_won": 0, "match_points": 0, "skunks_given": 0, "skunks_taken": 9, "spread": -279},
    ]


def test_a_card_in_words(journal: Journal) -> None:
    play(journal, 121, 90)
    play(journal, 100, 121)
    title, _, first, second, ann, bob = games("card").stdout.splitlines()
    assert title == "Ann v Bob, six_card to 121"
    assert first.replace(LOCAL_NOON, "").split() == ["1", "Bob", "Ann", "skunk", "121", "3", "+31", "90", "0", "-31"]
    assert second.replace(LOCAL_NOON, "").split() == ["2", "Bob", "Bob", "100", "0", "-21", "121", "2", "+21"]
    assert ann == "Ann: games won 1, match points 3, skunks given 1, taken 0, spread +10"
    assert bob == "Bob: games won 1, match points 2, skunks given 0, taken 1, spread -10"


def test_without_a_finished_game_there_is_no_card(journal: Journal) -> None:
    play(journal, 12, 7)
    told = games("card")
    assert (told.exit_code, told.stdout, told.stderr) == (0, "", "no game was played out yet\n")


def test_an_export_to_json_is_one_array_first_game_first(journal: Journal) -> None:
    play(journal, 121, 90)
    play(journal, 12, 7)
    exported = json.loads(games("export", "--format", "json").stdout)
    assert exported == objects(games("--json"))[::-1]


def test_an_export_of_no_games_is_sound(journal: Journal) -> None:
    assert json.loads(games("export", "--format", "json").stdout) == []
    assert len(games("export").stdout.splitlines()) == 1


def test_an_export_to_csv_has_columns_for_each_side(journal: Journal) -> None:
    play(journal, 121, 90)
    play(journal, 100, 121, 58, names="Ann Bob Cat", variant="three_hand", options={"muggins_mode": "claim"})
    first, second = csv.DictReader(games("export", "--format", "csv").stdout.splitlines())
    assert (first["side_1"], first["score_1"], first["match_points_1"], first["spread_1"]) == ("Ann", "121", "3", "31")
    assert (first["winner"], first["margin"], first["first_dealer"]) == ("Ann", "skunk", "Bob")
    assert (first["side_3"], first["score_3"]) == ("", "")
    assert (second["side_3"], second["score_3"], second["spread_3"]) == ("Cat", "58", "-63")
    assert second["options"] == 'muggins_mode="claim"'


def test_a_name_is_no_formula(journal: Journal) -> None:
    play(journal, 121, 90, names='=A1+1 -Bob,"B"')
    (row,) = csv.DictReader(games("export").stdout.splitlines())
    assert (row["side_1"], row["side_2"], row["spread_2"]) == ("'=A1+1", '\'-Bob,"B"', "-31")


def test_an_export_goes_into_a_file(journal: Journal, tmp_path: Path) -> None:
    play(journal, 121, 90, names="Аня Bob")
    done = games("export", "-o", str(tmp_path / "games.csv"))
    assert (done.exit_code, done.stdout) == (0, "")
    assert (tmp_path / "games.csv").read_text(encoding="utf-8") == games("export").stdout


def test_a_file_that_cannot_be_written_is_one_line(journal: Journal, tmp_path: Path) -> None:
    done = games("export", "-o", str(tmp_path / "nowhere" / "games.csv"))
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert "games.csv cannot be written" in done.stderr


@pytest.mark.parametrize("args", ["", "--json", "card", "card --json", "export", "export --format json"])
def test_no_card_that_was_held_is_told(journal: Journal, args: str) -> None:
    play_with_cards(journal)
    told = games(*args.split())
    assert (told.exit_code, "P0" in told.stdout) == (0, True)
    cells = set(told.stdout.replace('"', " ").replace(",", " ").split())
    assert not cells & {str(card) for card in PACK}


def test_a_game_may_be_on_meanwhile(journal: Journal) -> None:
    play(journal, 12, 7)
    before = journal.current_game()
    for args in ((), ("card",), ("export",)):
        assert games(*args).exit_code == 0
    play(journal, 121, 90)
    assert before == journal.turns_of(1)
    assert [game["game"] for game in objects(games("--json"))] == [2, 1]


def test_a_board_that_is_switched_off_has_past_games_too(journal: Journal) -> None:
    play(journal, 121, 90)
    journal.close()
    assert len(objects(games("--json"))) == 1


@pytest.mark.parametrize(
    "args", [["--state-folder", "X"], ["card", "--state-folder", "X"], ["--state-folder", "X", "card"]]
)
def test_the_journal_may_be_anywhere(journal: Journal, tmp_path: Path, args: list[str]) -> None:
    journal.close()
    with closing(Journal.open(tmp_path / "away" / "journal.sqlite3")) as away:
        play(away, 121, 90, names="Far Away")
    told = games(*(str(tmp_path / "away") if arg == "X" else arg for arg in args))
    assert "Far v Away" in told.stdout


def test_a_settings_file_tells_where_the_journal_is(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(journal, 121, 90)
    monkeypatch.delenv("CRIBBOARD_STATE_FOLDER")
    (tmp_path / "cribboard.toml").write_text(f'state_folder = "{tmp_path}"')
    assert "Ann v Bob" in games("--settings", str(tmp_path / "cribboard.toml")).stdout


@pytest.mark.parametrize("args", [[], ["card"], ["export"]])
def test_a_missing_journal_is_one_line(tmp_path: Path, args: list[str]) -> None:
    told = games(*args, "--state-folder", str(tmp_path / "nowhere"))
    assert (told.exit_code, told.stdout, told.stderr.count("\n")) == (1, "", 1)
    assert "journal.sqlite3: expected a journal of games, got no such file" in told.stderr
    assert not (tmp_path / "nowhere").exists()


def test_options_of_a_subcommand_stand_after_its_name(journal: Journal) -> None:
    told = games("--limit", "2", "card")
    assert (told.exit_code, told.stderr.count("\n")) == (2, 1)
    assert "expected the options of card after its name" in told.stderr
