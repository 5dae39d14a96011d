"""Board plans by name: the built-in ones, and plan files that a maker writes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from board_drivers.hardware_files import hardware_file
from firmware_host.board.plan import BoardPlan, PlanError, parse_plan

_SUFFIX = ".toml"


class NoSuchPlan(LookupError):
    """No plan has this name, or its file cannot be read; for a name, the message lists the built-in plans."""


class PlanFailsAudit(PlanError):
    """A plan file can be parsed, but the board would not work; the message lists every finding of the audit."""


@cache
def _plan_texts() -> Mapping[str, str]:
    plans = sorted(hardware_file("boards").glob(f"*{_SUFFIX}"), key=lambda plan: plan.stem)
    return {plan.stem: plan.read_text(encoding="utf-8") for plan in plans}


def plan_ids() -> tuple[str, ...]:
    """The ids of the built-in plans (`hardware/boards/*.toml`), sorted."""
    return tuple(_plan_texts())


def load_plan(board: str | Path, tracks: int | None = None) -> BoardPlan:
    """The plan of a board, by its id, by its family and tracks, or by the path of a plan file (`my_board.toml`).

    `load_plan("continuous-121", 3)` is `load_plan("continuous-121-3")`. Raises NoSuchPlan, PlanError, or
    PlanFailsAudit for a plan file whose board would not work.
    """
    plan = _plan_in(Path(board)) if str(board).endswith(_SUFFIX) else _plan_named(str(board), tracks)
    if tracks not in (None, plan.tracks):
        raise NoSuchPlan(f"{plan.id}: expected {plan.tracks} tracks, got {tracks}; there are {', '.join(plan_ids())}")
    return plan


@cache
def _plan_named(board: str, tracks: int | None) -> BoardPlan:
    for board_id in (board, f"{board}-{tracks}"):
        if board_id in _plan_texts():
            return parse_plan(_plan_texts()[board_id])
    requested = board if tracks is None else f"{board} with {tracks} tracks"
    raise NoSuchPlan(f"expected one of {', '.join(plan_ids())}, got {requested}")


def _plan_in(file: Path) -> BoardPlan:
    try:
        plan = parse_plan(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise NoSuchPlan(f"{file}: expected a plan file, got {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise NoSuchPlan(f"{file}: expected a plan file, got {error}") from error
    from firmware_host.board.audit import audit

    if findings := audit(plan):
        raise PlanFailsAudit(str(file), "a board that passes its audit", "; ".join(map(str, findings)))
    return plan
