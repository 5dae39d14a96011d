"""The owner's page of phones: how to add one, and what each may do."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from flask import Blueprint

from firmware_host.config.languages import translator
from firmware_host.host.loop import Host
from firmware_host.pairing.registry import Role
from firmware_host.ui.translator import Translator
from web_panel.language import language_now
from web_panel.qr_code import qr_code
from web_panel.rendering import render
from web_panel.security.allowed_hosts import LOOPBACK, name_of
from web_panel.security.permissions import current_visitor


def make_phones(host: Host, last_seen: Mapping[str, datetime]) -> Blueprint:
    """The page /phones. Its buttons use /api/v1/phones. `last_seen`: phone -> its last request, in UTC."""
    pages = Blueprint("phones", __name__)

    @pages.get("/phones")
    def phones() -> str:
        tr = translator(language_now())
        own = current_visitor().phone
        address = host.setup.address
        table = host.snapshot.table
        is_reachable = name_of(address.removeprefix("http://").rstrip("/")) not in LOOPBACK
        return render(
            "phones.html",
            phones=host.pairing.registry.phones,
            own=own and own.id,
            titles={role.name.lower(): title for role, title in role_titles(tr).items()},
            rights={role.name.lower(): text for role, text in role_rights(tr).items()},
            seats=table.names if table else (),
            last_seen=last_seen,
            address=address,
            qr=qr_code(address) if is_reachable else "",
        )

    return pages


def role_titles(tr: Translator) -> Mapping[Role, str]:
    """Every role that a phone can have -> its name."""
    return {
        Role.VIEWER: tr("viewer"),
        Role.PLAYER: tr("player"),
        Role.KEEPER: tr("scorekeeper"),
        Role.OWNER: tr("owner"),
    }


def role_rights(tr: Translator) -> Mapping[Role, str]:
    """Every role that a phone can have -> what it may do."""
    return {
        Role.VIEWER: tr("Watches the game."),
        Role.PLAYER: tr("Watches, plays and takes a seat."),
        Role.KEEPER: tr("Plays, corrects scores and tests the board."),
        Role.OWNER: tr("Can do everything: settings, phones and backups too."),
    }
