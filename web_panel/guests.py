"""The owner's list: every phone that was let in, what it may do, and the way out."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint

from firmware_host.languages import words
from firmware_host.phones import PhoneBook, Role
from firmware_host.table.words import Words
from web_panel.language import language_now
from web_panel.pages import spoken
from web_panel.roles import asking


def make_guests(book: PhoneBook) -> Blueprint:
    pages = Blueprint("guests", __name__)

    @pages.get("/phones")
    def phones() -> str:
        """What the buttons of the page do is the API's."""
        own = asking().phone
        return spoken("phones.html", phones=book.phones, own=own and own.id, roles=role_names(words(language_now())))

    return pages


def role_names(_: Words) -> Mapping[str, str]:
    """Every role that can be given, and what it may do."""
    named = {
        Role.VIEWER: _("watches"),
        Role.PLAYER: _("plays"),
        Role.KEEPER: _("corrects scores too"),
        Role.OWNER: _("decides everything"),
    }
    return {role.name.lower(): name for role, name in named.items()}
