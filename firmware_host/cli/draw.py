"""`cribboard draw`: all that a maker needs, drawn from the plans of the boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from board_drivers.pins import header_pins
from firmware_host.board.plan import PlanError
from firmware_host.cli.lines import tell
from firmware_host.drafting.portfolio import of_all, of_board
from firmware_host.drafting.truths import the_case
from firmware_host.plans import NoSuchPlan, demo_plan, load_plan, plan_ids

HOME = Path("hardware", "generated")
"""Where a checkout keeps them."""


@click.command("draw", short_help="Draw templates, solids, parts lists and pictures.")
@click.argument("boards", nargs=-1, metavar="[BOARD]...")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help=f"The folder to fill. [{HOME}]")
def command(boards: Sequence[str], out: Path | None) -> None:
    """Draw everything a maker needs, from the plans of the boards.

    A BOARD is the id of a plan or the path of a plan file; without any, all boards are drawn, and what they share.
    """
    folder = out or HOME
    if out is None and not HOME.parent.is_dir():
        raise click.UsageError(f"expected a checkout with a folder {HOME.parent} here, got none; name one with --out")
    try:
        plans = [load_plan(board) for board in boards or plan_ids()]
        made = [(folder / plan.id, of_board(plan, the_case())) for plan in plans]
        if not boards:
            made.append((folder, of_all(plans, demo_plan(), the_case(), header_pins())))
    except (NoSuchPlan, PlanError) as fault:
        raise click.ClickException(str(fault)) from fault
    for place, files in made:
        _write(place, files)
        tell(f"{place}: {len(files)} files")


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
    except OSError as fault:
        raise click.ClickException(f"{folder} cannot be written: {fault.strerror}") from fault
