"""`cribboard club join`: takes the three files of `club board add --into` from a stick, and merges them into a board.

The settings of the board stay: only those of MQTT change. What was there before is kept beside it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import click

from firmware_host.cli.jsonl import write_line
from firmware_host.club_server.broker import BOARD_FOLDER
from firmware_host.config.settings_editor import with_changes
from firmware_host.config.settings_errors import SettingsError
from firmware_host.config.settings_sources import FILE_NAME, TABLES, Sources, parse_toml
from firmware_host.storage.atomic_file import replace_file

AUTHORITY = "club-ca.pem"
PASSWORD = "mqtt-password"
SERVICE_GROUP = "cribboard"
"""Of the program on an installed board, which has to read the password."""
MODES: Mapping[str, int] = {FILE_NAME: 0o644, AUTHORITY: 0o644, PASSWORD: 0o640}
BEFORE = ".before-club"


@click.command("join")
@click.argument("stick", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--board",
    "folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=BOARD_FOLDER,
    show_default=True,
    help="The folder with the settings of the board.",
)
def join(stick: Path, folder: Path) -> None:
    """Let this board join a club, by the three files on STICK; run it with sudo. Its own settings stay as they are.

    The organiser writes the files by `cribboard club board add NAME --into STICK`.
    """
    try:
        contents = joined_files(stick, folder)
        for name, content in contents.items():
            _replace(folder / name, content, MODES[name])
    except OSError as fault:
        where = fault.filename or folder
        raise click.ClickException(
            f"{where}: {fault.strerror or fault}; on an installed board run it by sudo"
        ) from fault
    write_line(f"{folder / FILE_NAME}: joined; the settings before are in {FILE_NAME}{BEFORE}")
    write_line("Restart the board: sudo systemctl restart cribboard. Then type the code of the room on it.")


def joined_files(stick: Path, folder: Path) -> Mapping[str, bytes]:
    """The contents of the three files on the board after it has joined, the settings last. Raises OSError, and
    ClickException for settings that are not those of a club, or would make a real board a simulated one."""
    file = folder / FILE_NAME
    if not file.exists():
        raise click.ClickException(f"expected the settings of a board, got none in {file}; install the board first")
    text = file.read_text(encoding="utf-8")
    try:
        before = parse_toml(text, str(file))
        of_club = dict(parse_toml((stick / FILE_NAME).read_text(encoding="utf-8"), str(stick / FILE_NAME)))
        if foreign := [name for name in of_club if not name.startswith(tuple(f"{table}_" for table in TABLES))]:
            names = ", ".join(foreign)
            raise click.ClickException(f"{stick / FILE_NAME}: expected settings of MQTT alone, got {names} too")
        of_club |= {"mqtt_ca": str(folder / AUTHORITY), "mqtt_password_file": str(folder / PASSWORD)}
        sources = Sources(file, {}, {})
        was_simulated = sources.load(before, {}).simulate
        is_simulated = sources.load({**before, **of_club}, {}).simulate
    except SettingsError as fault:
        raise click.ClickException(str(fault)) from fault
    if is_simulated and (folder == Path(BOARD_FOLDER) or not was_simulated):
        fix = "write `simulate = false` into it first"
        raise click.ClickException(f"{file}: expected a board with its own sensors, got a simulated one; {fix}")
    return {
        AUTHORITY: (stick / AUTHORITY).read_bytes(),
        PASSWORD: (stick / PASSWORD).read_bytes(),
        FILE_NAME: with_changes(text, of_club).encode(),
    }


def _replace(file: Path, content: bytes, mode: int) -> None:
    """Write a file so that the service can read it. The one before is kept, unless it is kept already."""
    kept = file.with_name(file.name + BEFORE)
    if file.exists() and not kept.exists():
        shutil.copy2(file, kept)
    replace_file(file, content, mode)
    if os.geteuid() == 0:
        with suppress(LookupError):  # not on a computer without the service
            shutil.chown(file, group=SERVICE_GROUP)
