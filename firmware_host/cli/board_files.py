"""The files that a board needs to connect to a club or a league: printed, or written into a folder for a USB stick."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from firmware_host.cli.jsonl import write_line
from firmware_host.club_server.broker import BOARD_FOLDER
from firmware_host.storage.atomic_file import replace_file


def write_files_for_board(files: Mapping[str, str], into: Path | None) -> None:
    """Print them with their places on the board, or write them into a folder. Only their owner may read them there: one
    is a password. Raises ClickException."""
    for name, content in files.items():
        if into is None:
            write_line(f"# {BOARD_FOLDER}/{name}\n{content}")
            continue
        file = into / name
        try:
            replace_file(file.resolve(), content.encode())
        except OSError as fault:
            raise click.ClickException(f"{file} cannot be written: {fault.strerror or fault}") from fault
        write_line(str(file))
