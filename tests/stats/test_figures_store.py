"""Stored figures and totals are those of a fold, whatever happened to journal, store and names meanwhile."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from random import Random

import pytest

from firmware_host.game import events as e
from firmware_host.stats import archive as module
from firmware_host.stats.archive import Archive
from firmware_host.stats.past_games import GameFilter, PastGames
from firmware_host.stats.people import People, PlayedTogether, Roster
from firmware_host.stats.statistics import GameFigures, figures_of
from firmware_host.storage.game_summary import Events
from firmware_host.storage.journal import Journal
from firmware_host.storage.recovery import open_or_recover
from firmware_host.storage.restore import restore
from tests.golden.make_journal import turns
from tests.stats.small_games import append, folded, folded_games, shown, small_game

UNMERGED = People()
ANNIE = People((("Ann", "Annie"),))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a journal of three finished and three unfinished games, which each test copies."""
    folder = tmp_path_factory.mktemp("played") / "state"
    play(folder / "journal.sqlite3", 3)
    return folder


@pytest.fixture
def path(played: Path, tmp_path: Path) -> Path:
    return shutil.copytree(played, tmp_path / "state") / "journal.sqlite3"


def play(path: Path, times: int) -> None:
    """Each time a finished and an unfinished game, with all their turns."""
    with closing(open_or_recover(path).journal) as journal:
        for _ in range(times):
            for turn in turns():
                journal.append(turn)


def store_of(path: Path) -> Path:
    return path.with_name("figures.sqlite3")


def archive_of(path: Path) -> Archive:
    return Archive(lambda: closing(Journal.open_readonly(path)))


def check(archive: Archive, path: Path, people: People = UNMERGED, *, hides_latest: bool = False) -> None:
    """What the store has is what a fold of all games gives."""
    games = folded_games(path)
    assert archive.query(shown, people, hides_latest=hides_latest) == folded(path, games, people, hides_latest)
    assert list(archive.games()) == games


def test_stored_figures_are_those_of_a_fold(path: Path) -> None:
    check(archive_of(path), path)
    assert store_of(path).exists()
    check(archive_of(path), path)


def test_next_start_folds_only_the_latest_game(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive_of(path).games()
    calls = list[object]()

    def counted(game: tuple[Events, ...], *, keeps_secrets: bool) -> GameFigures:
        calls.append(game)
        return figures_of(game, keeps_secrets=keeps_secrets)

    monkeypatch.setattr(module, "figures_of", counted)
    assert len(archive_of(path).games()) == 6
    assert len(calls) == 1


def test_new_games_are_added(path: Path) -> None:
    archive = archive_of(path)
    archive.games()
    play(path, 2)
    check(archive, path)
    check(archive_of(path), path)
    assert len(folded_games(path)) == 10


def test_latest_game_counts_as_it_is_and_is_not_stored(path: Path) -> None:
    archive = archive_of(path)
    append(path, small_game(["Ann", "Ben"], [121, 80], hands=[8, 12]))
    check(archive, path)
    append(path, [(e.TurnUndone(),)])
    check(archive, path)
    with closing(sqlite3.connect(store_of(path))) as database:
        assert database.execute("SELECT max(game) FROM game").fetchone() == (6,)


def test_game_that_is_on_is_in_no_list(path: Path) -> None:
    append(path, small_game(["Ann", "Zoe"], [20, 30], hands=[8]))
    archive = archive_of(path)
    check(archive, path, hides_latest=True)
    assert "Zoe" not in {player.name for player in archive.query(PastGames.players, hides_latest=True)}
    check(archive, path)


def test_many_games_are_stored_in_parts(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STORED_AT_ONCE", 2)
    check(archive_of(path), path)
    check(archive_of(path), path)


@pytest.mark.parametrize("content", [b"", b"no database " * 99, None])
def test_damaged_store_is_made_again(path: Path, content: bytes | None) -> None:
    archive_of(path).games()
    store = store_of(path)
    store.write_bytes(store.read_bytes()[:-3000] if content is None else content)
    check(archive_of(path), path)
    check(archive_of(path), path)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE game SET body = replace(body, '61', '51') WHERE game = 1",
        "UPDATE person SET listed = listed + 1",
        "UPDATE person SET totals = replace(totals, '1', '3')",
        "UPDATE meeting SET totals = replace(totals, '1', '3')",
        "DROP TABLE card",
    ],
)
def test_changed_row_is_noticed(path: Path, change: str) -> None:
    archive = archive_of(path)
    archive.games()
    with closing(sqlite3.connect(store_of(path))) as database, database:
        database.execute(change)
    check(archive, path)


def test_deleted_store_is_made_again(path: Path) -> None:
    archive = archive_of(path)
    archive.games()
    store_of(path).unlink()
    check(archive, path)
    assert store_of(path).exists()


def test_store_of_another_journal_is_not_used(path: Path, tmp_path: Path) -> None:
    archive = archive_of(path)
    archive.games()
    kept = store_of(path).read_bytes()
    play(tmp_path / "other" / "journal.sqlite3", 1)
    restore(path, tmp_path / "other" / "journal.sqlite3")
    archive.clear()
    check(archive, path)
    assert len(folded_games(path)) == 2
    store_of(path).write_bytes(kept)
    check(archive_of(path), path)


def test_store_that_cannot_be_written_is_done_without(path: Path) -> None:
    store_of(path).mkdir()
    archive = archive_of(path)
    check(archive, path)
    play(path, 1)
    check(archive, path)


def test_full_disk_keeps_what_is_stored(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = archive_of(path)
    archive.games()
    kept = store_of(path).read_bytes()
    play(path, 1)
    with closing(sqlite3.connect(store_of(path))) as database:
        database.execute("BEGIN IMMEDIATE")  # for others this is as a full disk: they can read and not write
        check(archive, path)
    assert store_of(path).read_bytes() == kept
    check(archive, path)


def test_damaged_game_is_left_out(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "DROP TRIGGER journal_is_never_changed; UPDATE journal SET body = '{}' WHERE game = 3;"
            "CREATE TRIGGER journal_is_never_changed BEFORE UPDATE ON journal\n"
            "    BEGIN SELECT RAISE(ABORT, 'rows of a journal are never changed'); END;"
        )
    path.with_name("journal.spare.sqlite3").unlink()
    assert len(folded_games(path)) == 5
    check(archive_of(path), path)
    check(archive_of(path), path)


def test_merged_names_are_one_person(path: Path) -> None:
    archive = archive_of(path)
    for name in ("Annie", "ANN", "Ann "):
        append(path, small_game([name, "Ben"], [121, 85], hands=[8, 4]))
    for people in (People(), ANNIE, People((("Annie", "Ann"),)), People()):
        check(archive, path, people)
    assert [player.games for player in archive.query(PastGames.players, ANNIE) if player.name == "Ann"] == [3]


def test_person_on_two_sides_has_no_card_for_that_game(path: Path) -> None:
    append(path, small_game(["Ann", "Annie"], [121, 85]), small_game(["Ann", "ann"], [121, 85]))
    for people in (People(), ANNIE):
        check(archive_of(path), path, people)


def merged(past: PastGames, names: tuple[str, str]) -> People:
    return past.persons.merge(*names)


def test_names_that_played_together_are_not_merged(path: Path) -> None:
    append(path, small_game(["Ann", "Ben"], [121, 85]), small_game(["Ben", "Cat"]))
    archive = archive_of(path)
    roster = Roster(past.summary for past in folded_games(path))
    for names in (("Ann", "Ben"), ("Cat", "ben")):
        with pytest.raises(PlayedTogether) as refused:
            archive.query(partial(merged, names=names))
        with pytest.raises(PlayedTogether) as expected:
            roster.merge(*names)
        assert str(refused.value) == str(expected.value)
    assert archive.query(partial(merged, names=("Cat", "Ann"))) == roster.merge("Cat", "Ann")


FILTERS = (
    GameFilter(),
    GameFilter("ann"),
    GameFilter("Nobody"),
    GameFilter(variant="three_hand"),
    GameFilter("Ann", "three_hand"),
    GameFilter(since=date.today() - timedelta(1)),
    GameFilter("Ben", until=date.today() - timedelta(2)),
)


@pytest.mark.parametrize("chosen", FILTERS, ids=str)
def test_filtered_lists_equal_those_of_all_games(path: Path, chosen: GameFilter) -> None:
    append(path, *varied_games(Random(1), 12))
    archive = archive_of(path)
    key = ANNIE.key_of(chosen.player)
    expected = [
        past
        for past in folded(path, folded_games(path), ANNIE).games
        if (not chosen.player or key in map(ANNIE.key_of, past.summary.names))
        and chosen.variant in ("", past.summary.rules.variant)
        and (not chosen.since or past.summary.started_at.date() >= chosen.since)
        and (not chosen.until or past.summary.started_at.date() <= chosen.until)
    ]
    assert archive.query(lambda past: past.number_of(chosen), ANNIE) == len(expected)
    assert list(archive.query(lambda past: past.games(chosen, 100), ANNIE)) == expected
    assert list(archive.query(lambda past: past.games(chosen, 3, 2), ANNIE)) == expected[2:5]


def test_one_player_and_two_opponents(path: Path) -> None:
    append(path, *varied_games(Random(2), 30))
    archive, all_games = archive_of(path), folded(path, folded_games(path), ANNIE)
    (ann, ben) = archive.query(lambda past: (past.persons.person("Ann"), past.persons.person("Ben")), ANNIE)
    sides = ("ann",), ("ben",)
    assert archive.query(lambda past: past.sides_of(["Ben"], ["ANNIE"]), ANNIE) == sides
    (pair,) = [each for each in all_games.head_to_heads if each.sides == ((ann.name,), (ben.name,))]
    assert archive.query(lambda past: past.head_to_head(sides), ANNIE) == pair
    assert archive.query(lambda past: past.head_to_head((("ann",), ("nobody",))), ANNIE) is None
    together = [past for past in all_games.games if {(ann.name,), (ben.name,)} <= set(past.summary.sides)]
    assert list(archive.query(lambda past: past.games_between(sides, 100), ANNIE)) == together
    finished = [past for past in all_games.games if past.summary.winner is not None]
    assert list(archive.query(lambda past: past.finished_games(4), ANNIE)) == finished[:4]
    (player,) = [each for each in all_games.players if each.name == ann.name]
    assert archive.query(lambda past: past.player(ann), ANNIE) == player
    cards = [card for card in all_games.cards if card.person == ann][::-1]
    assert list(archive.query(lambda past: past.cards_of(ann, 2, 1), ANNIE)) == cards[1:3]
    assert archive.query(lambda past: past.number_of_cards(ann), ANNIE) == len(cards)
    counted = [
        (past, seats[0].hand.mean)
        for past in all_games.games
        if (
            seats := [
                seat
                for seat, name in zip(past.figures.seats, past.summary.names, strict=True)
                if name == ann.name and seat.hand.times
            ]
        )
    ]
    assert list(archive.query(lambda past: past.games_with_hands(ann, 5), ANNIE)) == counted[:5]


NAMES = ("Ann", "ANN", "Annie", "Ben", "Cat", " cat ")


def varied_games(random: Random, number: int) -> Iterator[list[Events]]:
    """Finished and unfinished games of two or three, demonstrations, and games without a score."""
    for _ in range(number):
        variant, seats = random.choice([("six_card", 2), ("six_card", 2), ("three_hand", 3)])
        scores = [random.choice([0, 40, 70, 100]) for _ in range(seats)]
        if random.random() < 0.7:
            scores[random.randrange(seats)] = 121
        hands = [random.randrange(30) for _ in range(random.randrange(4))]
        names = random.choices(NAMES, k=seats)
        yield small_game(names, scores, variant=variant, hands=hands, is_demo=random.random() < 0.1)


class History:
    """A journal to which anything happens."""

    def __init__(self, path: Path, random: Random) -> None:
        self.path, self.random, self.people = path, random, People()
        self.archive = archive_of(path)

    def play(self) -> None:
        append(self.path, *varied_games(self.random, self.random.randrange(1, 12)))

    def undo(self) -> None:
        with closing(Journal.open(self.path)) as journal:
            if len(journal.current_game()) > 1 and not isinstance(journal.current_game()[-1][0], e.TurnUndone):
                journal.append((e.TurnUndone(),))

    def merge(self) -> None:
        choices = [People(), ANNIE, People((("Cat", "Annie"),)), People((("Ben", "Cat"), ("Annie", "Ann")))]
        self.people = self.random.choice(choices)

    def start_again(self) -> None:
        self.archive = archive_of(self.path)

    def delete(self) -> None:
        store_of(self.path).unlink(missing_ok=True)

    def damage(self) -> None:
        store = store_of(self.path)
        content = bytearray(store.read_bytes() if store.exists() else b"")
        if content:
            at = self.random.randrange(0, len(content) // 4096) * 4096
            content[at : at + 4096] = bytes(4096)
            store.write_bytes(content)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 8))])
def test_figures_follow_any_sequence_of_changes(tmp_path: Path, seed: int) -> None:
    history = History(tmp_path / "journal.sqlite3", Random(seed))
    history.play()
    steps = [history.play, history.undo, history.merge, history.start_again, history.delete, history.damage]
    for _ in range(12):
        history.random.choice(steps)()
        check(history.archive, history.path, history.people, hides_latest=history.random.random() < 0.2)
