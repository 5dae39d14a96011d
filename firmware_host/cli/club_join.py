"""`cribboard club join`: takes the files of `board add --into` from a stick, and merges them into a board.

The settings of the board stay: only those of MQTT change. What was there before is kept beside it; `--undo` uses it.
"""

from __future__ import annotations

from pathlib import Path

import click

from firmware_host.cli.jsonl import write_line
from firmware_host.club_server.broker import BOARD_FOLDER
from firmware_host.config.club_stick import read_stick
from firmware_host.config.settings_errors import SettingsError
from firmware_host.config.settings_sources import FILE_NAME
from firmware_host.doctor.mqtt import has_paho
from firmware_host.optional_packages import Option, install_command
from firmware_host.startup.club_joining import BEFORE, join_club, leave_club

FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
RESTART = "Restart the board: sudo systemctl restart cribboard."


@click.command("join")
@click.argument("stick", type=FOLDER, required=False)
@click.option(
    "--board",
    "folder",
    type=FOLDER,
    default=BOARD_FOLDER,
    show_default=True,
    help="The folder with the settings of the board.",
)
@click.option("--undo", "is_undone", is_flag=True, help="Leave the club: MQTT is again as it was before the stick.")
def join(stick: Path | None, folder: Path, is_undone: bool) -> None:
    """Let this board join a club or league, by the files on STICK; run it with sudo. Its own settings stay.

    The organiser writes the files by `cribboard club board add NAME --into STICK`.
    """
    if is_undone == (stick is not None):
        raise click.UsageError("Name the folder of the stick, or --undo.")
    try:
        if stick:
            _join(stick, folder)
        else:
            leave_club(folder)
            write_line(f"{folder / FILE_NAME}: MQTT is as it was before. {RESTART}")
    except SettingsError as fault:
        raise click.ClickException(str(fault)) from fault
    except OSError as fault:
        where = fault.filename or folder
        raise click.ClickException(
            f"{where}: {fault.strerror or fault}; on an installed board run it by sudo"
        ) from fault


def _join(stick: Path, folder: Path) -> None:
    if not join_club(read_stick(stick), folder):
        write_line(f"{folder / FILE_NAME}: joined already, nothing has changed.")
        return
    write_line(f"{folder / FILE_NAME}: joined; the settings before are in {FILE_NAME}{BEFORE}")
    if not has_paho():
        write_line(f"MQTT is not installed here. Run: {install_command(Option.MQTT)}")
    write_line(f"{RESTART} At a club night then type the code of the room on it.")
