"""Describes the API in OpenAPI 3.1: its routes, the role that each needs, and the fields of each request body.

The schemas of the bodies are those of the Structs that decode them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from http import HTTPStatus

import msgspec
from flask import Flask, Response, jsonify
from werkzeug.routing import Rule

from firmware_host.pairing.registry import Role
from web_panel.api.json_body import JsonView
from web_panel.json_type import Json
from web_panel.lazy_pages import LazyView
from web_panel.security.identity import COOKIE
from web_panel.security.permissions import REQUIRED_ROLES

PREFIX = "/api/v1"

ANSWERS: Mapping[str, tuple[str, str]] = {
    "400": ("The request is malformed.", "problem"),
    "403": ("The visitor's role does not allow it, or the request came from another page.", "problem"),
    "409": ("The rules do not allow it now; nothing has changed.", "refusal"),
    "413": ("The body is too large.", "problem"),
    "415": ("The body is not JSON.", "problem"),
    "429": ("Too many wrong codes.", "problem"),
    "503": ("It cannot be done now; try again.", "problem"),
}
"""Status -> its description, and the schema of its body."""
READ_ANSWERS = ("400", "403", "409", "503")
"""Those that a GET can have."""

PROBLEM: Json = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "localized": {"type": "string"},
    },
}
REFUSAL: Json = {
    "type": "object",
    "required": ["kind", "message", "expected", "got"],
    "properties": dict.fromkeys(("kind", "message", "expected", "got", "localized"), {"type": "string"}),
}


def describe(app: Flask) -> None:
    """Adds the route of the description to the app. The first request makes the description, from all routes."""

    @cache
    def described() -> Json:
        return description(app)

    @app.get(f"{PREFIX}/openapi.json")
    def openapi() -> Response:
        """This description."""
        return jsonify(described())


def description(app: Flask) -> Json:
    """The OpenAPI document of all GET and POST routes under /api/v1."""
    paths: dict[str, Json] = {}
    schemas: dict[str, Json] = {"problem": PROBLEM, "refusal": REFUSAL}
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        for method in sorted((rule.methods or set()) & {"GET", "POST"}):
            if rule.rule.startswith(PREFIX):
                path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
                paths.setdefault(path, {})[method.lower()] = operation(app, rule, method, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "cribboard", "version": "1", "description": "The panel of a cribbage board, version 1."},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"phone": {"type": "apiKey", "in": "cookie", "name": COOKIE}},
        },
    }


def operation(app: Flask, rule: Rule, method: str, schemas: dict[str, Json]) -> Json:
    """One operation. Adds the enumerations of its body to `schemas`."""
    view = app.view_functions[rule.endpoint]
    if isinstance(view, LazyView):
        view = view.view
    needed = REQUIRED_ROLES[f"{method} {rule.rule}"]
    described: Json = {
        "operationId": f"{method.lower()}{re.sub('[^a-z]+', '-', rule.rule.removeprefix(PREFIX))}".strip("-"),
        "summary": " ".join((view.__doc__ or "").split()),
        "x-role": needed.name.lower(),
        "security": [] if needed <= Role.VIEWER else [{"phone": []}],
        "parameters": list(parameters(rule)),
        "responses": responses(method),
    }
    if isinstance(view, JsonView):
        _, components = msgspec.json.schema_components([view.body], ref_template="#/components/schemas/{name}")
        schema = components.pop(view.body.__name__)
        schemas |= components
        described["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return described


def parameters(rule: Rule) -> Iterator[Json]:
    """The variables in the path of a route."""
    for name in sorted(rule.arguments):
        yield {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def responses(method: str) -> Json:
    """The answers of a route with this method, by status."""
    described: Json = {"2XX": {"description": HTTPStatus.OK.phrase}}
    for status in READ_ANSWERS if method == "GET" else ANSWERS:
        sentence, schema = ANSWERS[status]
        kind = "application/json" if schema == "refusal" else "application/problem+json"
        content = {kind: {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
        described[status] = {"description": sentence, "content": content}
    return described
