"""Renders templates in the language of the request."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlencode

from flask import render_template, request

from firmware_host.config.languages import translator
from web_panel.language import LANGUAGE_KEY, LANGUAGE_NAMES, language_now
from web_panel.security.permissions import may_open
from web_panel.views.card_faces import card_parts
from web_panel.views.card_letters import LETTER_SETS, court_letters
from web_panel.views.card_names import card_name, card_names

SUIT_COLOURS_COOKIE = "suits"
"""Set by `static/core/suit_colours.js` to `four` where this browser shows a colour for each suit."""

LETTERS_COOKIE = "letters"
"""Set by `static/core/card_letters.js` to one of LETTER_SETS."""


def render(template: str, **context: object) -> str:
    """The template as HTML. Beside `context` it gets `_`, `counted`, `lang`, `languages`, `may_open`, what cards need,
    and `other_arguments`, the query string but for the language, so that a page stays the same in another one."""
    language = language_now()
    tr = translator(language)
    letter_set = request.cookies.get(LETTERS_COOKIE) or "en"
    others = urlencode([pair for pair in request.args.items(multi=True) if pair[0] != LANGUAGE_KEY])
    return render_template(
        template,
        _=tr,  # the name that Jinja has for it
        counted=tr.counted,
        lang=language,
        languages=LANGUAGE_NAMES,
        may_open=may_open,
        card_parts=card_parts,
        card_name=partial(card_name, tr=tr),
        card_names=card_names(tr),
        court_letters=court_letters(letter_set),
        letter_set=letter_set,
        letter_sets=LETTER_SETS,
        has_four_colours=request.cookies.get(SUIT_COLOURS_COOKIE) == "four",
        other_arguments=f"{others}&" if others else "",
        **context,
    )
