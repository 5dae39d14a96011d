"""`cribboard games`: past games, scorecards, merged names, and exports, while a board may be running."""

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
from firmware_host.game import commands as c
from firmware_host.game.history import History
from firmware_host.game.record import Referee
from firmware_host.storage.journal import Journal
from firmware_host.strategy.engine import Level
from tests.game.random_player import GAME_NAMES, GAMES, play_game
from tests.referee.notation import EIGHT_TWELVE_FOUR, header, lines_of
from tests.stats.level_games import game_of

NOON = datetime(2024, 2, 29, 12, 0, tzinfo=UTC)
LOCAL_NOON = f"{NOON.astimezone():%Y-%m-%d %H:%M}"


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Journal]:
    """The journal that a running board writes."""
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
    """Journals a game without cards: each side moves once to its score, the winner last. No cards are worth that many
    points, so the pegs are confirmed."""
    rules = rules_for(variant, options or {})
    start = c.StartGame(rules, tuple(names.split()), "classic-61", len(rules.sides), dealer=Seat(1), is_demo=is_demo)
    leaps = sorted((score, side) for side, score in enumerate(scores) if score)
    moves = [c.PegsMoved(side, TrackPegs(0, score), is_leap=True) for score, side in leaps]
    commands: list[c.Command | c.Observation] = [start, *moves, c.AcceptPegs()]
    history = History()
    for command in commands:
        decided = history.decide(command)
        if decided.events:
            journal.append(decided.events)
        history = history.after(decided)


def play_with_cards(journal: Journal) -> None:
    """Journals a game with all of its cards."""
    *_, last = play_game(rules_for("six_card"), seed=1)
    for turn in reversed(list(last.turns_back())):
        journal.append(turn.events)


def test_past_games_are_listed_newest_first(journal: Journal) -> None:
    play(journal, 121, 90)
    play(journal, 40, 61, options={"target": 61})
    play(journal, 12, 7)
    heading, *rows = games().stdout.splitlines()
    assert heading.split() == ["no.", "started", "players", "game", "scores", "result"]
    assert [row.split("  ")[0] for row in rows] == ["3", "2", "1"]
    assert rows[0].endswith("not played out")
    assert [cell.strip() for cell in rows[2].split("  ") if cell] == [
        *("1", LOCAL_NOON, "Ann v Bob", "six_card to 121", "121-90", "Ann won (skunk)")
    ]


def test_columns_are_aligned(journal: Journal) -> None:
    play(journal, 121, 90)
    play(journal, 100, 121, names="Alexandra Bo")
    heading, *rows = games().stdout.splitlines()
    assert {row.index(" v ") > heading.index("players") for row in rows} == {True}
    assert {row.index("six_card to") for row in rows} == {heading.index("game")}


def test_long_names_are_wrapped_and_not_cut_off(journal: Journal) -> None:
    names = "Alexandra-Maria Bartholomew Christopher Wilhelmina-Charlotte"
    play(journal, 121, 100, 90, 80, names=names, variant="four_single")
    play(journal, 121, 90, names=names, variant="four_partners")
    for command in ((), ("card",), ("people",)):
        lines = games(*command).stdout.splitlines()
        tables = [line for line in lines if not line.startswith(("Card", "games won"))]
        assert max(map(len, tables)) <= 80
    assert all(name in games().stdout for name in names.split())


def test_without_games_it_says_so(journal: Journal) -> None:
    for option in ((), ("--json",)):
        done = games(*option)
        assert (done.exit_code, done.stdout, done.stderr) == (0, "", "no games yet\n")


def test_games_in_which_nobody_scored_are_left_out(journal: Journal) -> None:
    play(journal, 0, 0)
    assert games().stderr == "no games yet\n"
    play(journal, 121, 90)
    play(journal, 0, 0)
    assert [game["game"] for game in objects(games("--json", "--limit", "1"))] == [2]
    assert len(games().stdout.splitlines()) == len(games("export").stdout.splitlines()) == 2
    assert "Game 3" in games("show", "3").stdout


def test_limit_lists_only_the_last_games(journal: Journal) -> None:
    for _ in range(3):
        play(journal, 121, 100)
    assert [game["game"] for game in objects(games("--json", "--limit", "2"))] == [3, 2]


def test_json_of_a_game(journal: Journal) -> None:
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


def test_unfinished_game_has_no_winner(journal: Journal) -> None:
    play(journal, 12, 7)
    (game,) = objects(games("--json"))
    assert [game[name] for name in ("winner", "margin", "match_points", "spread")] == [None] * 4
    assert game["scores"] == [12, 7]


def test_demo_game_is_marked_and_has_no_scorecard(journal: Journal) -> None:
    play(journal, 121, 7, names="Bot Bat", is_demo=True)
    assert "(demo)" in games().stdout
    assert objects(games("card", "--json")) == []


def test_scorecards_are_listed_newest_first(journal: Journal) -> None:
    for _ in range(10):
        play(journal, 121, 90)
    cards = objects(games("card", "--json"))
    assert [(card["card"], card["player"], len(card["games"])) for card in cards] == [
        *((4, "Bob", 1), (3, "Ann", 1), (2, "Bob", 9), (1, "Ann", 9)),
    ]
    totals = {"games_won": 9, "game_points": 27, "skunks_given": 9, "skunks_taken": 0}
    assert cards[3]["totals"] == totals | {"plus": 279, "minus": 0, "spread": 279}
    assert cards[2]["totals"]["spread"] == -279


def test_nine_opponents_in_any_seat_fill_one_card(journal: Journal) -> None:
    for opponent in "BCDEFGHIJ":
        play(journal, 121, 100, names=f"{opponent} ANN" if opponent in "CEG" else f"Ann {opponent}")
    (card,) = objects(games("card", "ann", "--json"))
    assert [line["opponents"] for line in card["games"]] == [[opponent] for opponent in "BCDEFGHIJ"]
    assert [line["won"] for line in card["games"]] == [opponent not in "CEG" for opponent in "BCDEFGHIJ"]
    assert (card["totals"]["game_points"], card["totals"]["spread"]) == (12, 3 * 21)


def test_json_of_a_scorecard_line(journal: Journal) -> None:
    play(journal, 91, 121, names="Ann Bob Cat Dan", variant="four_partners")
    (card,) = objects(games("card", "Dan", "--json"))
    assert card == {
        "card": 4,
        "player": "Dan",
        "variant": "four_partners",
        "target": 121,
        "match_points": "acc",
        "games": [
            {
                "number": 1,
                "game": 1,
                "started_at": "2024-02-29T12:00:00+00:00",
                "opponents": ["Ann", "Cat"],
                "initials": "A C",
                "partners": ["Bob"],
                "score": 121,
                "opponent_scores": [91],
                "won": True,
                "margin": "win",
                "game_points": 2,
                "spread": 30,
            }
        ],
        "totals": card["totals"],
    }


def test_card_of_a_player_has_a_line_for_each_game(journal: Journal) -> None:
    play(journal, 121, 90)
    play(journal, 100, 121, names="Cat Ann")
    play(journal, 121, 100, names="Cat Ann")
    title, heading, *lines, totals = games("card", "ann").stdout.splitlines()
    assert title == "Card 1: Ann, six_card to 121, 3 of 9 games"
    assert heading.split() == ["no.", "started", "opponent", "initials", "margin", "score", "points", "plus", "minus"]
    assert [line.replace(LOCAL_NOON, "").split() for line in lines] == [
        ["1", "Bob", "B", "skunk", "121-90", "3", "31"],
        ["2", "Cat", "C", "121-100", "2", "21"],
        ["3", "Cat", "C", "100-121", "0", "21"],
    ]
    assert lines[2].rstrip().endswith("21") and len(lines[2].rstrip()) > len(lines[1].rstrip())
    assert totals == "games won 2, game points 5, skunks given 1, taken 0, spread +31 (plus 52, minus 21)"


def test_card_is_found_by_its_number(journal: Journal) -> None:
    play(journal, 121, 90)
    assert games("card", "2").stdout.startswith("Card 2: Bob,")
    result = games("card", "3")
    assert (result.exit_code, result.stderr) == (1, "expected a card from 1 to 2, got 3\n")


def test_a_player_may_have_a_number_as_name(journal: Journal) -> None:
    play(journal, 121, 90, names="Ann 1")
    assert games("card", "1").stdout.startswith("Card 1: 1,")


def test_unknown_player_gives_a_suggestion(journal: Journal) -> None:
    play(journal, 121, 90)
    for args in (["card", "Anm"], ["merge", "Bob", "Anm"]):
        result = games(*args)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
        assert "did you mean Ann?" in result.stderr


def test_names_are_merged_and_unmerged(journal: Journal) -> None:
    play(journal, 121, 90, names="Ann Bob")
    play(journal, 90, 121, names="Bob Annie")
    assert len(objects(games("card", "Ann", "--json"))[0]["games"]) == 1
    merged = games("merge", "ann ", "Annie")
    assert merged.stdout == "one person: ann = Annie; undo: cribboard games unmerge Annie\n"
    assert len(objects(games("card", "ANNIE", "--json"))[0]["games"]) == 2
    assert objects(games("people", "--json")) == [
        {"name": "ann", "names": ["ann", "Annie"]},
        {"name": "Bob", "names": ["Bob"]},
    ]
    assert [line.split() for line in games("people").stdout.splitlines()][1:] == [["ann", "Annie", "2"], ["Bob", "2"]]
    assert games("unmerge", "Annie").stdout == "Annie is a person of its own again\n"
    assert len(objects(games("people", "--json"))) == 3
    assert [game["names"] for game in objects(games("--json"))] == [["Bob", "Annie"], ["Ann", "Bob"]]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["merge", "Ann", "Bob"], "both names in game 1"),
        (["merge", "Ann", "ANN"], "two names of Ann"),
        (["unmerge", "Ann"], "expected a merged name"),
    ],
)
def test_a_refused_merge_gives_one_line(journal: Journal, tmp_path: Path, args: list[str], message: str) -> None:
    play(journal, 121, 90)
    result = games(*args)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert message in result.stderr and not (tmp_path / "people.json").exists()


@pytest.mark.parametrize("args", [["card"], ["people"], ["merge", "Ann", "Annie"]])
def test_a_damaged_file_of_names_gives_one_line(journal: Journal, tmp_path: Path, args: list[str]) -> None:
    play(journal, 121, 90)
    (tmp_path / "people.json").write_text("{")
    result = games(*args)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert "people.json, line 1, column 2: expected merged names" in result.stderr


def test_there_is_no_scorecard_without_a_finished_game(journal: Journal) -> None:
    play(journal, 12, 7)
    result = games("card")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "no finished games yet\n")


def test_json_export_is_one_array_oldest_first(journal: Journal) -> None:
    play(journal, 121, 90)
    play(journal, 12, 7)
    exported = json.loads(games("export", "--format", "json").stdout)
    assert exported == objects(games("--json"))[::-1]


def test_export_of_no_games_is_valid(journal: Journal) -> None:
    assert json.loads(games("export", "--format", "json").stdout) == []
    assert len(games("export").stdout.splitlines()) == 1


def test_csv_export_has_columns_for_each_side(journal: Journal) -> None:
    play(journal, 121, 90)
    play(journal, 100, 121, 58, names="Ann Bob Cat", variant="three_hand", options={"muggins_mode": "claim"})
    first, second = csv.DictReader(games("export", "--format", "csv").stdout.splitlines())
    assert (first["side_1"], first["score_1"], first["match_points_1"], first["spread_1"]) == ("Ann", "121", "3", "31")
    assert (first["winner"], first["margin"], first["first_dealer"]) == ("Ann", "skunk", "Bob")
    assert (first["side_3"], first["score_3"]) == ("", "")
    assert (second["side_3"], second["score_3"], second["spread_3"]) == ("Cat", "58", "-63")
    assert second["options"] == 'muggins_mode="claim"'


def test_csv_export_escapes_formulas(journal: Journal) -> None:
    play(journal, 121, 90, names='=A1+1 -Bob,"B"')
    (row,) = csv.DictReader(games("export").stdout.splitlines())
    assert (row["side_1"], row["side_2"], row["spread_2"]) == ("'=A1+1", '\'-Bob,"B"', "-31")


def test_export_writes_a_file(journal: Journal, tmp_path: Path) -> None:
    play(journal, 121, 90, names="Аня Bob")
    result = games("export", "-o", str(tmp_path / "games.csv"))
    assert (result.exit_code, result.stdout) == (0, "")
    assert (tmp_path / "games.csv").read_text(encoding="utf-8") == games("export").stdout


def test_unwritable_file_gives_one_line(journal: Journal, tmp_path: Path) -> None:
    result = games("export", "-o", str(tmp_path / "nowhere" / "games.csv"))
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "games.csv cannot be written" in result.stderr


@pytest.mark.parametrize("args", ["", "--json", "card", "card --json", "people", "export", "export --format json"])
def test_output_has_no_cards(journal: Journal, args: str) -> None:
    play_with_cards(journal)
    result = games(*args.split())
    assert (result.exit_code, "P0" in result.stdout) == (0, True)
    cells = set(result.stdout.replace('"', " ").replace(",", " ").split())
    assert not cells & {str(card) for card in PACK}


def test_command_reads_while_a_game_is_written(journal: Journal) -> None:
    play(journal, 12, 7)
    before = journal.current_game()
    for args in ((), ("card",), ("export",)):
        assert games(*args).exit_code == 0
    play(journal, 121, 90)
    assert before == journal.turns_of(1)
    assert [game["game"] for game in objects(games("--json"))] == [2, 1]


def test_command_reads_journal_of_a_stopped_board(journal: Journal) -> None:
    play(journal, 121, 90)
    journal.close()
    assert len(objects(games("--json"))) == 1


@pytest.mark.parametrize(
    "args", [["--state-folder", "X"], ["people", "--state-folder", "X"], ["--state-folder", "X", "people"]]
)
def test_state_folder_option_stands_before_or_after_the_subcommand(
    journal: Journal, tmp_path: Path, args: list[str]
) -> None:
    journal.close()
    with closing(Journal.open(tmp_path / "other" / "journal.sqlite3")) as other:
        play(other, 121, 90, names="Far Away")
    result = games(*(str(tmp_path / "other") if arg == "X" else arg for arg in args))
    assert "Far" in result.stdout and "Away" in result.stdout


def test_settings_file_names_the_state_folder(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(journal, 121, 90)
    monkeypatch.delenv("CRIBBOARD_STATE_FOLDER")
    (tmp_path / "cribboard.toml").write_text(f'state_folder = "{tmp_path}"')
    assert "Ann v Bob" in games("--settings", str(tmp_path / "cribboard.toml")).stdout


@pytest.mark.parametrize("args", [[], ["card"], ["people"], ["export"]])
def test_missing_journal_gives_one_line(tmp_path: Path, args: list[str]) -> None:
    result = games(*args, "--state-folder", str(tmp_path / "nowhere"))
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert "journal.sqlite3: expected a journal of games, got no such file" in result.stderr
    assert not (tmp_path / "nowhere").exists()


def test_options_of_a_subcommand_must_follow_its_name(journal: Journal) -> None:
    result = games("--limit", "2", "card")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "expected the options of card after its name" in result.stderr


def play_deals(journal: Journal, *lines: dict[str, Any]) -> Referee:
    """Journals a game that is given as the lines of a record."""
    referee = Referee()
    for line in lines:
        answer = referee.read_line(line)
        assert answer.refused is None, (line, answer.refused)
        journal.append(answer.events)
    return referee


TWO_DEALS = (
    header(scores=[110, 90], dealer=1) | {"seats": ["Ann", "Ben"]},
    *EIGHT_TWELVE_FOUR,
    *lines_of("cut 8D 0:7S 1:6C 0:QH 1:5D 0:7D 1:5C 0:QC undo redo 1:4H"),
    {"deal": [[], []]},
    *lines_of("cut JC"),
)


def test_game_is_shown_deal_by_deal(journal: Journal) -> None:
    play_deals(journal, *TWO_DEALS)
    assert games("show", "1").stdout.splitlines() == [
        f"Game 1, {LOCAL_NOON}: Ann v Ben, six_card to 121, 120-108, not played out",
        "",
        "Deal 1, Ben deals",
        "  The starter is 8♦.",
        "  Ann plays 7♠: 7.",
        "  Ben plays 6♣: 13.",
        "  Ann plays Q♥: 23.",
        "  Ben plays 5♦: 28. Ann says go at 28. Ben says go at 28. Ben: one for last.",
        "  Ann plays 7♦: 7.",
        "  Ben plays 5♣: 12.",
        "  Ann plays Q♣: 22.",
        "  Ben plays 4♥: 26. Ben: one for last. "
        "Ann’s hand, 7♦ Q♣ 7♠ Q♥: fifteen two, fifteen four, a pair is six, and a pair is eight (8). "
        "Ben’s hand, 5♦ 6♣ 4♥ 5♣: fifteen two, fifteen four, and a double run of three is twelve (12). "
        "Ben’s crib, 10♠ 5♠ A♠ K♦: fifteen two, and fifteen four (4).",
        "  [Ann 118, Ben 108]",
        "",
        "Deal 2, Ann deals",
        "  The starter is J♣. Ann: two for his heels.",
        "  [Ann 120, Ben 108]",
    ]


def test_json_of_a_game_has_one_object_per_deal(journal: Journal) -> None:
    play_deals(journal, *TWO_DEALS)
    first, second = objects(games("show", "1", "--json"))
    assert [(deal["game"], deal["deal"], deal["dealer"], deal["starter"]) for deal in (first, second)] == [
        (1, 1, 1, "8D"),
        (1, 2, 0, "JC"),
    ]
    assert [(card["seat"], card["card"]) for card in first["played"]][:2] == [(0, "7S"), (1, "6C")]
    assert len(first["played"]) == 10
    assert [hand["points"] for hand in first["counted"]] == [8, 12, 4]
    assert [due["points"] for due in first["due"]] == [1, 1, 8, 12, 4]
    assert first["pegged"][-1] == {"side": 1, "score": 108}
    assert (first["scores"], second["scores"], second["winner"]) == ([118, 108], [120, 108], None)


def test_finished_game_is_shown_to_its_end(journal: Journal) -> None:
    play_deals(journal, header(scores=[60, 119]) | {"seats": ["Ann", "Ben"]}, *lines_of("cut JC"))
    heading, *_, end, scores = games("show").stdout.splitlines()
    assert heading.endswith("60-121, Ben won (double skunk)")
    assert end.endswith("Ben wins, 121 to 60, by 61, a double skunk.")
    assert scores == "  [Ann 60, Ben 121]"


def test_game_of_pegs_alone_is_shown(journal: Journal) -> None:
    play(journal, 121, 90)
    assert games("show").stdout.splitlines()[2:] == [
        "Deal 1, Bob deals",
        "  Bob pegs 90, not checked.",
        "  Ann pegs 121. Ann moved 121 too far.",
        "  Ann’s pegs are accepted as they are. Ann wins, 121 to 90, by 31, a skunk.",
        "  [Ann 121, Bob 90]",
    ]


def test_cards_that_nobody_has_seen_are_not_shown(journal: Journal) -> None:
    play_deals(journal, header(), *EIGHT_TWELVE_FOUR, *lines_of("cut 8D 0:7S"))
    for result in (games("show"), games("show", "--json")):
        seen = {str(card) for card in PACK if f'"{card}"' in result.stdout}
        assert result.exit_code == 0 and seen <= {"8D", "7S"}
        assert not any(card in result.stdout for card in ("T♠", "5♠", "Q♥", "6♣", "K♦"))


def test_deals_that_were_undone_or_dealt_again_are_left_out(journal: Journal) -> None:
    deal = EIGHT_TWELVE_FOUR[0]
    play_deals(journal, header(), deal, deal, {"starter": "8D"}, {"undo": True}, {"starter": "9D"})
    (shown,) = objects(games("show", "--json"))
    assert (shown["deal"], shown["starter"]) == (1, "9D")


def test_game_that_was_never_played_gives_one_line(journal: Journal) -> None:
    assert games("show").stderr == "expected a game that was played, got none\n"
    play(journal, 121, 90)
    result = games("show", "2")
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", "expected a game from 1 to 1, got 2\n")
    assert games("show", "0").exit_code == games("show", "x").exit_code == 2


@pytest.mark.parametrize("name", GAME_NAMES)
def test_every_game_can_be_shown(journal: Journal, name: str) -> None:
    *_, last = play_game(GAMES[name], seed=2)
    for turn in reversed(list(last.turns_back())):
        journal.append(turn.events)
    table = last.table
    assert table is not None
    assert objects(games("show", "--json"))[-1]["scores"] == list(table.scores)
    assert f"{table.side_name(table.winner or 0)} wins, " in games("show").stdout


def review_game(journal: Journal, seed: int = 11, scores: tuple[int, int] = (90, 90)) -> None:
    """A game of a beginner against an expert, with every card."""
    for turn in game_of([Level.BEGINNER, Level.EXPERT], rules_for("six_card"), seed, scores=scores):
        journal.append(turn)


def test_a_review_judges_each_choice(journal: Journal) -> None:
    review_game(journal)
    play(journal, 121, 80)
    records = objects(games("review", "1", "--json"))
    choices = [record for record in records if record["kind"] in ("discard", "play")]
    beginner, expert = (record for record in records if record["kind"] == "player")
    assert expert["accuracy"] == 1 and beginner["accuracy"] < 1
    assert beginner["choices"] + expert["choices"] == len(choices)
    for choice in choices:
        assert set(choice["chosen"]) <= set(choice["held"]) and set(choice["best"]) <= set(choice["held"])
        assert choice["lost_win"] == pytest.approx(choice["best_win"] - choice["win"]) and choice["lost"] >= 0
    moments = [record["moment"] for record in records if record.get("moment")]
    assert moments == sorted(moments) and moments


def test_a_review_in_words(journal: Journal) -> None:
    review_game(journal)
    play(journal, 121, 80)
    text = games("review", "1").output
    assert text.startswith("Game 1, ") and "Moments that decided it:" in text and "chance to win" in text
    assert "100%" in text and "mistake" in text
    assert "nothing can be judged" in games("review", "2").output


def test_a_loss_of_nothing_has_no_sign(journal: Journal) -> None:
    """Near the end a choice may lose points and no chance to win, or the contrary."""
    review_game(journal, scores=(105, 105))
    play(journal, 121, 80)
    words = games("review", "1").output.split()
    assert not {"-0.00", "-0.0%"} & {*words} and {"0.00", "0.0%"} & {*words}


def judged(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [record for record in records if record["kind"] in ("discard", "play")]


@pytest.mark.parametrize(("seed", "is_shown"), [(11, True), (12, False)])
def test_a_review_has_no_hand_that_was_not_shown(journal: Journal, seed: int, is_shown: bool) -> None:
    """The first deal ends the game in its play, with every card played or with cards in a hand."""
    review_game(journal, seed, (117, 117))
    assert bool(judged(objects(games("review", "--json")))) == is_shown
    play(journal, 121, 80)
    assert bool(judged(objects(games("review", "1", "--json")))) == is_shown


def test_a_game_without_dealt_cards_has_no_proof(journal: Journal) -> None:
    play(journal, 30, 40)
    result = games("deal", "1", "--proof", "2")
    assert result.exit_code == 1 and "no deal of this game that is over was dealt by the board" in result.stderr


def test_a_game_that_is_not_finished_has_no_review(journal: Journal) -> None:
    play(journal, 30, 40)
    result = games("review")
    assert result.exit_code == 1 and "expected a finished game, got game 1" in result.stderr
