"""The panel put together."""

from __future__ import annotations

from flask import Flask

from firmware_host.host import Host
from web_panel.api import make_api
from web_panel.doors import hang_doors
from web_panel.hands import Demo, Hands
from web_panel.news import News
from web_panel.pages import make_pages
from web_panel.problems import tell_problems
from web_panel.squeeze import squeeze_texts
from web_panel.stream import Pace, Streams


def create_panel(
    host: Host, *, hands: Hands | None = None, demo: Demo | None = None, pace: Pace | None = None
) -> Flask:
    """The panel of `host`, as a WSGI application.

    `hands` are given only at a simulated board: the page then shows pegs that can be dragged, the keys and the OLED.
    Each stream keeps a thread of the server busy: give it `pace.streams` threads and half as many more.
    """
    app = Flask("web_panel")
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = None  # ask again each time; unchanged files are not sent again
    news = News(host, hands, demo)
    hang_doors(app)
    squeeze_texts(app)
    tell_problems(app)
    app.register_blueprint(make_api(host, news, Streams(news, pace or Pace()), hands, demo))
    app.register_blueprint(make_pages(host, hands, demo))
    return app
