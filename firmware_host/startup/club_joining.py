"""Lets a board join a club or league by the files of a stick, and leave it.

The settings of the board stay: only those of MQTT change. What was there before the first stick is kept beside each
file, as `NAME.before-club`. The settings page of an installed board writes into a file of its own in the state folder.
It overrides that of root, so what it says about the same settings is taken out there.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE

from firmware_host.club_server.broker import BOARD_FOLDER
from firmware_host.config.club_stick import AUTHORITY, PASSWORD, Stick
from firmware_host.config.settings_editor import CHANGES_HEADING, Changes, with_changes
from firmware_host.config.settings_errors import SettingsError
from firmware_host.config.settings_lines import TABLES
from firmware_host.config.settings_sources import FILE_NAME, PREFIX, Sources, parse_toml, read_text
from firmware_host.storage.atomic_file import replace_file
from firmware_host.storage.checked_file import write_checked

SERVICE_GROUP = "cribboard"
"""Of the program on an installed board, which has to read the password."""
FOR_ALL = 0o644
FOR_SERVICE = 0o640
MODES: Mapping[str, int] = {PASSWORD: FOR_SERVICE, AUTHORITY: FOR_ALL}
BEFORE = ".before-club"


def sources_in(folder: Path) -> Sources:
    """The settings of the board in this folder. Variables of this shell are not those of the service."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    return Sources(folder / FILE_NAME, environ, {})


def join_club(stick: Stick, folder: Path) -> bool:
    """Take everything from a stick, the settings last. Returns whether anything changed. Raises SettingsError before
    anything is changed, and OSError."""
    sources = sources_in(folder)
    of_club = stick.settings_in(folder)
    on_page = parse_toml(sources.changes_text, str(sources.changes_file))
    _check(sources, on_page, of_club)
    changed = [_put(folder / stick.name_of(setting), text, MODES[setting]) for setting, text in stick.files.items()]
    changed.append(_put(sources.file, with_changes(sources.text, of_club), FOR_ALL))
    if overriding := of_club.keys() & on_page.keys():
        changed.append(_change_on_page(sources, dict.fromkeys(overriding)))
    return any(changed)


def leave_club(folder: Path) -> None:
    """Make MQTT again what it was before the first stick; settings that were changed since stay. Raises SettingsError
    for a board that did not join, and OSError."""
    sources = sources_in(folder)
    kept = _kept(sources.file)
    if not kept.exists():
        raise SettingsError("a board that joined by a stick", f"no {kept.name}", str(folder), "nothing is to be undone")
    now = sources.in_file
    _put(sources.file, with_changes(sources.text, _mqtt_before(kept, now)), FOR_ALL, keep=False)
    for setting in MODES.keys() & now.keys():
        file = Path(str(now[setting]))
        if _kept(file).exists():
            _kept(file).replace(file)
        elif file.parent == folder:
            file.unlink(missing_ok=True)
    if _kept(sources.changes_file).exists():
        with _as_owner_of(sources.changes_file.parent):
            on_page = parse_toml(sources.changes_text, str(sources.changes_file))
            _change_on_page(sources, _mqtt_before(_kept(sources.changes_file), on_page), keep=False)
            _kept(sources.changes_file).unlink()
    kept.unlink()


def _check(sources: Sources, on_page: Mapping[str, object], of_club: Mapping[str, object]) -> None:
    """The settings must be those of a board, valid with those of the club, and say what it is played on."""
    if not sources.file.exists():
        raise SettingsError("the settings of a board", "none", str(sources.file), "install the board first")
    before = sources.in_file
    sources.load({**before, **of_club}, {key: value for key, value in on_page.items() if key not in of_club})
    if sources.file.parent == Path(BOARD_FOLDER) and not {"kit", "simulate"} & {*before, *on_page}:
        fix = "say what you play on first, such as: sudo cribboard-install --kit sensing"
        raise SettingsError("the kit of this board", "none, so it would be a simulated one", str(sources.file), fix)


def _mqtt_before(kept: Path, now: Mapping[str, object]) -> Changes:
    """What makes the settings of MQTT again those of the kept file."""
    before = parse_toml(read_text(kept, is_needed=True), str(kept))
    return {key: before.get(key) for key in (*now, *before) if key.startswith(tuple(f"{table}_" for table in TABLES))}


def _kept(file: Path) -> Path:
    return file.with_name(file.name + BEFORE)


def _put(file: Path, text: str, mode: int, *, keep: bool = True) -> bool:
    """Write a file so that the service can read it, and keep the one before, unless one is kept already. Returns
    whether it was another one."""
    is_new = not file.exists() or file.read_bytes() != text.encode() or S_IMODE(file.stat().st_mode) != mode
    if is_new:
        if keep and file.exists() and not _kept(file).exists():
            shutil.copy2(file, _kept(file))
        replace_file(file, text.encode(), mode)
        file.chmod(mode)  # whatever the umask is
    if mode == FOR_SERVICE and os.geteuid() == 0:
        with suppress(LookupError):  # not on a computer without the service
            shutil.chown(file, "root", SERVICE_GROUP)
    return is_new


def _change_on_page(sources: Sources, changes: Changes, *, keep: bool = True) -> bool:
    """Change the settings of the page as their owner: the service has to be able to change them later."""
    file = sources.changes_file
    before = sources.changes_text
    with _as_owner_of(file.parent):
        if keep and not _kept(file).exists():
            replace_file(_kept(file), before.encode())
        write_checked(file, (with_changes(before, changes).strip() or CHANGES_HEADING.strip()).encode() + b"\n")
    return True


@contextmanager
def _as_owner_of(folder: Path) -> Iterator[None]:
    """With the rights of the owner of a folder for the time of a block, if this process has those of root: what that
    owner could plant there can then harm nobody else."""
    owner = folder.stat()
    if os.geteuid() != 0:
        yield
        return
    before = os.getegid()
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(before)
