"""Settings changed while the board runs: judged as at a start, kept whole or not at all; the user's remarks stay."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as within
from hypothesis import strategies as st

from firmware_host.settings import AT_ONCE, SENTENCES, Settings, SettingsFault, parse_toml, sources_of
from firmware_host.settings_desk import SettingsDesk, rewritten

MINE = """\
# The board in the kitchen.
port = 8090  # the printer has 8080
manner = 'polite'
names = ["Ann",
         "Ben"]   # they sit like this

[options]
crib_flush = "four_ok"  # as grandfather had it
"""


class Desk:
    """A desk over a file, and what the board was told to take up."""

    def __init__(self, file: Path, environ: Mapping[str, str] | None = None, **overrides: object) -> None:
        sources = sources_of(file, {"HOME": "/home/red", **(environ or {})}, overrides)
        self.taken_up: list[Settings] = []
        self.file, self.desk = file, SettingsDesk(sources, sources.load(), self.taken_up.append)

    def change(self, **changes: object) -> None:
        self.desk.change(changes)


@pytest.fixture
def mine(tmp_path: Path) -> Desk:
    file = tmp_path / "cribboard.toml"
    file.write_text(MINE)
    return Desk(file)


def test_a_change_leaves_every_other_line_as_it_was(mine: Desk) -> None:
    mine.change(port=8100)
    assert mine.file.read_text() == MINE.replace("8090", "8100")


def test_a_new_line_stands_before_the_tables(mine: Desk) -> None:
    mine.change(language="pl", options={"crib_flush": "four_ok", "muggins_mode": "claim"})
    text = mine.file.read_text()
    assert set(MINE.splitlines()) <= set(text.splitlines())
    assert parse_toml(text, "")["language"] == "pl" and mine.desk.written.options["muggins_mode"] == "claim"


def test_nothing_said_is_as_usual_again(mine: Desk) -> None:
    mine.change(manner=None, options=None, language=None)
    assert mine.desk.written.manner == "teacher" and not mine.desk.written.options
    assert "# The board in the kitchen." in mine.file.read_text()


def test_a_file_that_is_not_there_is_made(tmp_path: Path) -> None:
    sources = sources_of(None, {"XDG_CONFIG_HOME": str(tmp_path / "config"), "HOME": "/home/red"}, {})
    SettingsDesk(sources, sources.load(), lambda now: None).change({"manner": "silent"})
    assert (tmp_path / "config/cribboard/cribboard.toml").read_text() == 'manner = "silent"\n'


def test_what_may_change_while_the_board_runs_is_taken_up_and_the_rest_waits(mine: Desk) -> None:
    mine.change(manner="silent", port=8100, language="fr")
    (now,) = mine.taken_up
    assert (now.manner, now.language, now.port) == ("silent", "fr", 8090)
    assert now == mine.desk.running and mine.desk.written.port == 8100
    assert {"manner", "language"} <= AT_ONCE and not AT_ONCE & {"port", "board", "simulate", "state_folder"}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("port", 0), ("port", "8080"), ("port", True), ("scan_hz", 5), ("settle_s", 99), ("simulate", "no")),
        *(("manner", "rude"), ("language", "de"), ("preset", "bridge"), ("names", ["A name much too long"])),
        *(("address", "somewhere"), ("colour", "red"), ("options", {"crib_flush": "six"}), ("names", 7)),
    ],
)
def test_it_is_refused_in_the_words_of_a_start(mine: Desk, key: str, value: object, tmp_path: Path) -> None:
    with pytest.raises(SettingsFault) as at_desk:
        mine.change(**{key: value})
    said = tmp_path / "said" / "cribboard.toml"
    said.parent.mkdir()
    said.write_text(rewritten(MINE, {key: value}))
    with pytest.raises(SettingsFault) as at_start:
        sources_of(said, {"HOME": "/home/red"}, {}).load()
    assert str(at_desk.value) == str(at_start.value).replace(str(said), str(mine.file))
    assert mine.file.read_text() == MINE and not mine.taken_up


def test_half_a_character_is_not_written_down(mine: Desk) -> None:
    with pytest.raises(SettingsFault, match="expected whole characters"):
        mine.change(state_folder="/games/\ud800")
    assert mine.file.read_text() == MINE


@pytest.mark.parametrize("board", ["nothing.toml", "/dev/null/x.toml"])
def test_a_board_that_is_not_there_is_not_written_down(mine: Desk, board: str) -> None:
    with pytest.raises(SettingsFault, match="board: expected a board"):
        mine.change(board=board)
    assert mine.file.read_text() == MINE


@pytest.mark.parametrize("full_at", ["write", "fsync", "replace"])
def test_on_a_full_disk_the_file_stays_and_nothing_lies_about(
    mine: Desk, monkeypatch: pytest.MonkeyPatch, full_at: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if full_at == "replace":
        monkeypatch.setattr(Path, "replace", full)
    else:
        monkeypatch.setattr(os, {"write": "open", "fsync": "fsync"}[full_at], full)
    with pytest.raises(SettingsFault, match="No space left on device; make room"):
        mine.change(port=8100)
    monkeypatch.undo()
    assert mine.file.read_text() == MINE and not mine.taken_up
    assert [path.name for path in mine.file.parent.iterdir()] == ["cribboard.toml"]


def test_a_folder_that_cannot_be_written_is_told_with_its_mend(tmp_path: Path) -> None:
    (tmp_path / "a-file").touch()
    sources = sources_of(tmp_path / "a-file" / "cribboard.toml", {"HOME": "/home/red"}, {})
    desk = SettingsDesk(sources, Settings(state_folder=tmp_path), lambda now: None)
    with pytest.raises(SettingsFault, match="cribboard.toml: expected a file that can be written"):
        desk.change({"port": 8100})


def test_what_somebody_wrote_meanwhile_is_not_lost(mine: Desk) -> None:
    mine.file.write_text(MINE + "# tomorrow: the big board\n")
    mine.change(port=8100)
    assert mine.file.read_text().endswith("# tomorrow: the big board\n")


def test_a_file_that_cannot_be_read_is_not_written_over(mine: Desk) -> None:
    mine.file.write_text("port = = 1")
    with pytest.raises(SettingsFault, match="expected TOML"):
        mine.change(port=8100)
    assert mine.file.read_text() == "port = = 1"


def test_a_link_stays_a_link_and_rights_stay_as_they_were(mine: Desk, tmp_path: Path) -> None:
    mine.file.chmod(0o640)
    link = tmp_path / "elsewhere" / "cribboard.toml"
    link.parent.mkdir()
    link.symlink_to(mine.file)
    Desk(link).change(port=8100)
    assert link.is_symlink() and "8100" in mine.file.read_text() and mine.file.stat().st_mode & 0o777 == 0o640


def test_who_speaks_louder_than_the_file_is_named(mine: Desk) -> None:
    louder = Desk(mine.file, {"CRIBBOARD_MANNER": "silent"}, port=9000, options={}, board=None)
    assert louder.desk.sources.outspoken == {"manner": "CRIBBOARD_MANNER", "port": "--port"}
    louder.change(manner="teacher")
    assert louder.desk.running.manner == "silent" and parse_toml(mine.file.read_text(), "")["manner"] == "teacher"


words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
values = st.none() | st.booleans() | st.integers(-99, 9999) | words | st.lists(words, max_size=3)
tables = values | st.dictionaries(words.filter(bool), st.booleans() | st.integers() | words, max_size=3)


@within(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.dictionaries(st.sampled_from(["port", "names", "options", "manner", "new"]), tables), max_size=4))
def test_the_file_says_after_each_change_what_was_wanted(changes: list[dict[str, object]]) -> None:
    text, said = MINE, dict(parse_toml(MINE, ""))
    for change in changes:
        text = rewritten(text, change)
        said = {key: value for key, value in {**said, **change}.items() if value is not None}
        assert parse_toml(text, "") == said
        assert "# The board in the kitchen." in text


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=5,
)
"""Whatever JSON can carry, and not-a-number besides."""


@within(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(key=st.sampled_from([*SENTENCES, "new"]), value=anything)
def test_nothing_that_is_asked_breaks_desk_or_file(tmp_path: Path, key: str, value: object) -> None:
    file = tmp_path / "cribboard.toml"
    file.write_text(MINE)
    desk = Desk(file)
    with suppress(SettingsFault):
        desk.change(**{key: value})
    assert desk.desk.written
