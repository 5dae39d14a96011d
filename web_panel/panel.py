"""The panel put together."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass

from flask import Flask

from firmware_host.archive import Archive
from firmware_host.host import Host
from firmware_host.settings_desk import SettingsDesk
from firmware_host.table.state import Table
from web_panel.api import make_api, tell_refusals
from web_panel.card_page import make_card
from web_panel.copies import make_copies
from web_panel.counsel import make_counsel
from web_panel.doors import hang_doors
from web_panel.entrance import make_entrance
from web_panel.guests import make_guests
from web_panel.hands import Demo, Hands
from web_panel.history import make_history
from web_panel.language import remember_language
from web_panel.my import make_my
from web_panel.names import LOOPBACK
from web_panel.news import News
from web_panel.openapi import describe
from web_panel.pages import make_pages
from web_panel.problems import tell_problems
from web_panel.roles import keep_roles
from web_panel.settings_page import make_settings
from web_panel.squeeze import squeeze_texts
from web_panel.stream import Pace, Streams
from web_panel.visitors import Visitors
from web_panel.workshop import Picture, make_workshop


@dataclass(frozen=True, slots=True)
class Openness:
    """Whom the panel answers: by which names, whether strangers may watch, and when a game allows advice."""

    names: Container[str] = LOOPBACK
    is_watching_open: Callable[[], bool] = lambda: True
    gives_advice: Callable[[Table | None], bool] = lambda table: True


def create_panel(
    host: Host,
    *,
    archive: Archive,
    desk: SettingsDesk | None = None,
    hands: Hands | None = None,
    picture: Picture | None = None,
    demo: Demo | None = None,
    pace: Pace | None = None,
    openness: Openness | None = None,
) -> Flask:
    """The panel of `host`, as a WSGI application. `archive` has the past games, `desk` the settings,
    `picture` is what the display shows.

    `hands` are given only where keys and OLED are on the screen: the page then shows them, also pegs that can be
    dragged if they are not real, and whoever sits at this very computer is let in without ceremony.
    Each stream keeps a thread of the server busy: see `open_server`.
    """
    app, open_to = Flask("web_panel"), openness or Openness()
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = None  # ask again each time; unchanged files are not sent again
    news = News(host, hands, demo)
    hang_doors(app, open_to.names)
    keep_roles(app, Visitors(host.porch.book, hands is not None, open_to.is_watching_open))
    remember_language(app)
    squeeze_texts(app)
    tell_problems(app)
    tell_refusals(app)
    app.register_blueprint(make_api(host, news, Streams(news, pace or Pace()), hands, demo))
    app.register_blueprint(make_entrance(host.porch))
    app.register_blueprint(make_guests(host.porch.book))
    app.register_blueprint(make_my(host, open_to.gives_advice))
    app.register_blueprint(make_pages(host, hands, demo, desk))
    app.register_blueprint(make_history(archive))
    app.register_blueprint(make_card(archive))
    app.register_blueprint(make_copies(host, archive))
    app.register_blueprint(make_counsel(host, open_to.gives_advice))
    app.register_blueprint(make_settings(desk))
    app.register_blueprint(make_workshop(host, picture))
    describe(app)
    return app
