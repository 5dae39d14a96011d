"""Whose progress in the count coach a visitor may read and change.

| visitor | practises as | reads |
| --- | --- | --- |
| viewer | nobody: nothing is kept | nothing |
| player | the name of the phone | the progress of this name |
| keeper, owner | any name; at first that of the phone | the progress of everybody |
"""

from __future__ import annotations

from http import HTTPStatus

from firmware_host.pairing.registry import Role
from web_panel.errors import Problem
from web_panel.security.identity import Visitor


def sees_all_learners(visitor: Visitor) -> bool:
    """Whether the visitor is a teacher: may read everybody's progress, and practise under any name."""
    return visitor.role >= Role.KEEPER


def learner_of(visitor: Visitor, name: str | None, default: str) -> str | None:
    """The name under which the visitor practises; None: nothing is kept. `default` is for a teacher without a phone.

    Raises Problem (403) for a name that the visitor may not use.
    """
    own = visitor.phone.name if visitor.phone and visitor.role >= Role.PLAYER else None
    if sees_all_learners(visitor):
        return name or own or default
    if name is None or name == own:
        return own
    detail = "expected one's own name, got another; only keepers and the owner may read everybody's progress"
    raise Problem(HTTPStatus.FORBIDDEN, detail, required_role="keeper")
