"""A program that root starts goes on as the owner of the state folder, so that nothing planted there is root's work."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_IFDIR

import pytest

from firmware_host.startup.errors import StartupError
from firmware_host.startup.own_user import become_owner, owner_of_path
from firmware_host.stats.people import People
from firmware_host.stats.people_file import PeopleFile

FOLDER = Path("/var/lib/cribboard")


def path_of(**folders: tuple[int, int]) -> dict[Path, tuple[int, int]]:
    """Owner and mode of each folder of FOLDER, by its name; root's without an entry."""
    return {Path(part): folders.get(Path(part).name or "top", (0, 0o755)) for part in (*FOLDER.parents, FOLDER)}


def owner(folders: dict[Path, tuple[int, int]]) -> tuple[int, int] | None:
    def stat(path: Path) -> os.stat_result:
        if path not in folders:
            raise FileNotFoundError(path)
        user, mode = folders[path]
        return os.stat_result((S_IFDIR | mode, 0, 0, 1, user, user, 0, 0, 0, 0))

    return owner_of_path(FOLDER, stat)


def test_the_first_owner_on_the_path_counts() -> None:
    assert owner(path_of()) is None
    assert owner(path_of(cribboard=(990, 0o700))) == (990, 990)
    assert owner(path_of(lib=(1000, 0o755))) == (1000, 1000)
    assert owner(path_of(lib=(0, 0o1777), cribboard=(1000, 0o700))) == (1000, 1000)


def test_a_folder_that_is_missing_will_be_roots() -> None:
    folders = path_of()
    del folders[FOLDER]
    assert owner(folders) is None


@pytest.mark.parametrize("mode", [0o777, 0o757])
def test_a_folder_that_others_can_write_is_refused(mode: int) -> None:
    with pytest.raises(StartupError, match="sudo chmod go-w /var/lib, or run it as another user"):
        owner(path_of(lib=(0, mode)))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give up root")
def test_root_gives_itself_up_before_it_writes(tmp_path: Path) -> None:
    roots, state = tmp_path / "roots", tmp_path / "state"
    roots.mkdir(0o700)
    state.mkdir()
    os.chown(state, 1234, 4321)
    for part in [tmp_path, *tmp_path.parents][:4]:  # those of pytest
        part.chmod(part.stat().st_mode | 0o011)
    child = os.fork()
    if not child:
        try:
            become_owner(state)
            PeopleFile(state / "people.json").replace(lambda people: People((("Ann", "Annie"),)))
            os._exit(os.geteuid() == 0 or os.access(roots, os.R_OK) or bool(os.getgroups()))
        except BaseException:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    written = (state / "people.json").stat()
    assert (written.st_uid, written.st_gid) == (1234, 4321)
