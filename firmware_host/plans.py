"""The boards there are plans for: those that travel with the program, and a maker's own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from firmware_host.board.audit import audit
from firmware_host.board.plan import BoardPlan, PlanError, parse_plan

_SUFFIX = ".toml"


class NoSuchPlan(LookupError):
    """No board goes by this name; the message lists those that there are."""


class UnsoundPlan(PlanError):
    """A maker's plan can be read, but the board would not work; every fault is told."""


@cache
def _plan_texts() -> Mapping[str, str]:
    boards = files("hardware").joinpath("boards").iterdir()
    texts = {board.name.removesuffix(_SUFFIX): board for board in boards if board.name.endswith(_SUFFIX)}
    return {board_id: texts[board_id].read_text(encoding="utf-8") for board_id in sorted(texts)}


def plan_ids() -> tuple[str, ...]:
    """The boards that travel with the program, sorted."""
    return tuple(_plan_texts())


def load_plan(board: str | Path, tracks: int | None = None) -> BoardPlan:
    """The plan of a board, by its id, by its family and tracks, or by the path of a plan file (`my_board.toml`).

    `load_plan("continuous-121", 3)` is `load_plan("continuous-121-3")`. Raises NoSuchPlan, PlanError, or
    UnsoundPlan for a plan file whose board would not work.
    """
    plan = _plan_in(Path(board)) if str(board).endswith(_SUFFIX) else _plan_named(str(board), tracks)
    if tracks not in (None, plan.tracks):
        raise NoSuchPlan(f"{plan.id}: expected {plan.tracks} tracks, got {tracks}; there are {', '.join(plan_ids())}")
    return plan


@cache
def demo_plan() -> BoardPlan:
    """One strip on a breadboard: no board to play on, but it proves everything up to the wood."""
    return parse_plan(files("hardware").joinpath("demo", "one-strip.toml").read_text(encoding="utf-8"))


@cache
def _plan_named(board: str, tracks: int | None) -> BoardPlan:
    for board_id in (board, f"{board}-{tracks}"):
        if board_id in _plan_texts():
            return parse_plan(_plan_texts()[board_id])
    wanted = board if tracks is None else f"{board} with {tracks} tracks"
    raise NoSuchPlan(f"expected one of {', '.join(plan_ids())}, got {wanted}")


def _plan_in(file: Path) -> BoardPlan:
    try:
        plan = parse_plan(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as fault:
        raise NoSuchPlan(f"{file}: expected a plan file, got {fault}") from fault
    if faults := audit(plan):
        raise UnsoundPlan(str(file), "a sound board", "; ".join(map(str, faults)))
    return plan
