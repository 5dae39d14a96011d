"""Errors as pages, where a browser asked for a page: what happened, what to do, and a way back."""

from __future__ import annotations

from http import HTTPStatus

from flask import Flask, Response, g, json, request
from msgspec import Struct

from firmware_host.config.languages import translator
from firmware_host.pairing.registry import Role
from firmware_host.ui.translator import Translator
from web_panel.errors import PROBLEM_TYPE
from web_panel.language import language_now
from web_panel.pages.phones import role_titles
from web_panel.rendering import render
from web_panel.security.identity import Visitor
from web_panel.security.permissions import current_visitor


class ErrorTexts(Struct, frozen=True):
    """What happened, in a few words, and what to do about it."""

    title: str
    advice: str


def install_error_pages(app: Flask) -> None:
    """Turn problem details into a page wherever a browser asked for one. The status stays."""

    @app.after_request
    def to_page(response: Response) -> Response:
        if response.mimetype != PROBLEM_TYPE or not wants_page():
            return response
        if not hasattr(g, "visitor"):  # refused before anybody looked who asks
            g.visitor = Visitor(Role.STRANGER)
        problem = json.loads(response.get_data())
        texts = texts_of(problem, translator(language_now()))
        response.set_data(render("error.html", status=problem["status"], texts=texts))
        response.mimetype = "text/html"
        response.headers["Cache-Control"] = "no-store"
        return response


def wants_page() -> bool:
    """Whether the request is that of a browser for a page: scripts, pictures and programs do not name HTML."""
    names_html = any(name.lower() == "text/html" for name, _ in request.accept_mimetypes)
    return request.method == "GET" and names_html and not request.path.startswith("/api/")


def texts_of(problem: dict[str, str | int], tr: Translator) -> ErrorTexts:
    """The texts for problem details. `localized` there is a sentence for the visitor."""
    if "localized" in problem:
        return ErrorTexts(str(problem["localized"]), tr("Your game is safe. Try again in a minute."))
    match problem["status"]:
        case HTTPStatus.FORBIDDEN if "required_role" in problem:
            return forbidden(Role[str(problem["required_role"]).upper()], current_visitor(), tr)
        case HTTPStatus.NOT_FOUND:
            return ErrorTexts(tr("Page not found."), tr("Check the address, or go back to the game."))
        case HTTPStatus.BAD_REQUEST:
            return ErrorTexts(
                tr("The board does not know this address."), tr("Open it with the address shown on the Phones page.")
            )
        case HTTPStatus.INTERNAL_SERVER_ERROR:
            return ErrorTexts(
                tr("Something went wrong."),
                tr("Your game is safe. Try again. If it happens once more, restart the board."),
            )
    sentence = tr("The board reports error {status}. Try again.").format(status=problem["status"])
    return ErrorTexts(sentence, tr("Your game is safe."))


def forbidden(required: Role, visitor: Visitor, tr: Translator) -> ErrorTexts:
    """Why this visitor may not see the page, and who can change that."""
    if required is Role.VIEWER:
        return ErrorTexts(tr("Only added phones can see this board."), tr("Add this phone first."))
    title = tr("Only for: {role}.").format(role=role_titles(tr)[required])
    if visitor.phone is None:
        return ErrorTexts(title, tr("You are watching. To play, add this phone."))
    return ErrorTexts(title, tr("The owner can change what this phone may do, on the Phones page."))
