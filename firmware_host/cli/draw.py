"""`cribboard draw`: generates templates, solids, parts lists and pictures from the board plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from board_drivers.pins import header_pins
from firmware_host.board.plan import PlanError
from firmware_host.cli.jsonl import counted, write_line
from firmware_host.config.board_plans import NoSuchPlan, load_plan, plan_ids
from firmware_host.fabrication.dimensions import load_case
from firmware_host.fabrication.outputs import board_files, shared_files

DEFAULT_FOLDER = Path("hardware", "generated")
"""The folder of a checkout."""


@click.command("draw")
@click.argument("boards", nargs=-1, metavar="[BOARD]...")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help=f"The folder to fill. [{DEFAULT_FOLDER}]")
def command(boards: Sequence[str], out: Path | None) -> None:
    """Generate templates, solids, parts lists and pictures from the board plans.

    BOARD is the id of a plan or the path of a plan file. Without one, all boards are drawn, and what they share.
    """
    folder = out or DEFAULT_FOLDER
    if out is None and not DEFAULT_FOLDER.parent.is_dir():
        raise click.UsageError(
            f"expected a checkout with a folder {DEFAULT_FOLDER.parent} here, got none; name one with --out"
        )
    try:
        plans = [load_plan(board) for board in boards or plan_ids()]
        made = [(folder / plan.id, board_files(plan, load_case())) for plan in plans]
        if not boards:
            made.append((folder, shared_files(plans, load_case(), header_pins())))
    except (NoSuchPlan, PlanError) as error:
        raise click.ClickException(str(error)) from error
    for place, files in made:
        _write(place, files)
        write_line(f"{place}: {counted(len(files), 'file')}")


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written: {error.strerror}") from error
