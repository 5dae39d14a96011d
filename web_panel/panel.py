"""The panel put together."""

from __future__ import annotations

from flask import Flask

from firmware_host.archive import Archive
from firmware_host.host import Host
from firmware_host.settings import Settings
from web_panel.api import make_api
from web_panel.doors import hang_doors
from web_panel.hands import Demo, Hands
from web_panel.history import make_history
from web_panel.language import remember_language
from web_panel.news import News
from web_panel.pages import make_pages
from web_panel.problems import tell_problems
from web_panel.squeeze import squeeze_texts
from web_panel.stream import Pace, Streams
from web_panel.workshop import make_workshop


def create_panel(
    host: Host,
    *,
    archive: Archive,
    settings: Settings | None = None,
    hands: Hands | None = None,
    demo: Demo | None = None,
    pace: Pace | None = None,
) -> Flask:
    """The panel of `host`, as a WSGI application. `archive` has the past games; `settings` are only shown.

    `hands` are given only at a simulated board: the page then shows pegs that can be dragged, the keys and the OLED.
    Each stream keeps a thread of the server busy: give it `pace.streams` threads and half as many more.
    """
    app = Flask("web_panel")
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = None  # ask again each time; unchanged files are not sent again
    news = News(host, hands, demo)
    hang_doors(app)
    remember_language(app)
    squeeze_texts(app)
    tell_problems(app)
    app.register_blueprint(make_api(host, news, Streams(news, pace or Pace()), hands, demo))
    app.register_blueprint(make_pages(host, hands, demo))
    app.register_blueprint(make_history(archive))
    app.register_blueprint(make_workshop(host, settings, hands))
    return app
