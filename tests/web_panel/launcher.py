"""Runs the program with changes for tests: `python -m tests.web_panel.launcher run ...`, configured by environment.

- `TEST_FIXED_DATE=1`: the journal has one date, so that pictures of pages with dates stay the same.
- `TEST_PSEUDO_LOCALE=1`: the pages are in the pseudo-locale.
- Each page fails with status 500 when `?fail` is appended to its address.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from flask import Flask, request

import web_panel
from firmware_host import app
from firmware_host.cli import main
from firmware_host.config.languages import translator
from tests.web_panel.pseudo_locale import PseudoTranslator
from tests.web_panel.scenes import DATE
from web_panel import app as panel_app

MODULE = "tests.web_panel.launcher"
FIXED_DATE = {"TEST_FIXED_DATE": "1"}
PSEUDO_LOCALE = {"TEST_PSEUDO_LOCALE": "1"}


class RequestedFailure(Exception):
    """Raised for a page that was requested with `?fail`."""


def with_failing_pages(create: Callable[..., Flask]) -> Callable[..., Flask]:
    """A factory of the same panel, whose pages fail on demand."""

    def create_panel(*arguments: Any, **keywords: Any) -> Flask:
        panel = create(*arguments, **keywords)

        @panel.before_request
        def fail_on_demand() -> None:
            if "fail" in request.args:
                raise RequestedFailure

        return panel

    return create_panel


def fixed_date() -> datetime:
    """The clock of the journal."""
    return DATE.astimezone(UTC)


def use_pseudo_locale() -> None:
    """Replace the translator of all modules of the panel, also of those that are imported when a page is first opened.
    The display keeps its English sentences and its letters."""
    for found in walk_packages(web_panel.__path__, "web_panel."):
        import_module(found.name)
    for name, module in list(sys.modules.items()):
        if name.startswith("web_panel.") and getattr(module, "translator", None) is translator:
            vars(module)["translator"] = lambda language: PseudoTranslator()


if __name__ == "__main__":
    vars(panel_app)["create_panel"] = with_failing_pages(panel_app.create_panel)
    if os.environ.get("TEST_FIXED_DATE"):
        vars(app)["now"] = fixed_date
    if os.environ.get("TEST_PSEUDO_LOCALE"):
        use_pseudo_locale()
    main()
