"""A blueprint whose module is imported when somebody asks for one of its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from typing import Any

from flask import Blueprint, Flask
from flask.typing import RouteCallable


class LazyPages(Blueprint):
    """Stands for the blueprint that `make` returns, and calls `make` when one of its routes is first used.

    `routes` are all routes of that blueprint, such as "GET /history".
    """

    def __init__(self, name: str, routes: Iterable[str], make: Callable[[], Blueprint]) -> None:
        super().__init__(name, __name__)
        self._make = make
        self._lock = Lock()
        self._made: Mapping[str, RouteCallable] = {}
        for number, route in enumerate(routes):
            method, path = route.split()
            self.add_url_rule(path, f"route-{number}", LazyView(self, route), methods=[method])

    def views(self) -> Mapping[str, RouteCallable]:
        """Route -> its view, for all routes of the real blueprint."""
        with self._lock:
            if not self._made:
                self._made = views_of(self._make())
        return self._made


class LazyView:
    """A view of a blueprint that may not be made yet."""

    def __init__(self, pages: LazyPages, route: str) -> None:
        self._pages = pages
        self._route = route

    @property
    def view(self) -> RouteCallable:
        """The view itself. It is imported now, if that was not done before."""
        return self._pages.views()[self._route]

    def __call__(self, **path: Any) -> Any:
        return self.view(**path)


def views_of(pages: Blueprint) -> dict[str, RouteCallable]:
    """Route -> its view. Flask tells the routes of a blueprint only to an application, so it gets one."""
    app = Flask(__name__, static_folder=None)
    app.register_blueprint(pages)
    return {
        f"{method} {rule.rule}": app.view_functions[rule.endpoint]
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
