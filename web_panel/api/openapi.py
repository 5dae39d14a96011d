"""Describes the API in OpenAPI 3.1: its routes, the role that each needs, and the fields of each request body.

The fields are not written down a second time. The function that reads a body is called with a RecordingBody, which
accepts every field and records its schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from http import HTTPStatus
from typing import TypeVar

from flask import Flask, Response, g, jsonify
from werkzeug.routing import Rule

from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.pairing.pairing import CODE_LENGTH, CODE_LETTERS
from firmware_host.pairing.registry import Phone, Role
from firmware_host.validation.fields import Check, Choice, Flag, Integer, ListOf, Table, Text
from web_panel.api.json_body import Base64, JsonBody, JsonView, malformed_field
from web_panel.lazy_pages import LazyView
from web_panel.security.identity import COOKIE, Visitor
from web_panel.security.permissions import REQUIRED_ROLES

Json = dict[str, object]
T = TypeVar("T")

PREFIX = "/api/v1"

SAMPLES: Mapping[str, object] = {
    "variant": next(iter(VARIANTS)),
    "card": "5H",
    "cards": ["5H", "5S", "5D", "JC"],
    "code": CODE_LETTERS[:CODE_LENGTH],
    "name": "Ann",
    "role": Role.PLAYER.name.lower(),
}
"""Field -> a value that its reader accepts, where an arbitrary text will not do."""

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

OWNER_WITH_SEAT = Visitor(Role.OWNER, Phone("", "Ann", Role.OWNER, "", Seat(0)))
"""Stands for the visitor while the bodies are described: their readers ask for the visitor's seat."""


class RecordingBody(JsonBody):
    """A body that has every field its reader asks for, and records them: name -> schema, and which are required."""

    def __init__(self) -> None:
        super().__init__({}, malformed_field)
        self.fields: dict[str, Json] = {}
        self.required: list[str] = []

    def read(self, key: str, check: Check[T], default: T | None = None) -> T:
        if default is not None:
            self.read_optional(key, check)
            return default
        self.fields[key] = schema_of(check)
        self.required.append(key)
        return check(sample_of(key, check))

    def read_optional(self, key: str, check: Check[T]) -> T | None:
        self.fields[key] = {"anyOf": [schema_of(check), {"type": "null"}]}
        return None

    @property
    def schema(self) -> Json:
        """The JSON Schema of the whole body."""
        return {
            "type": "object",
            "properties": self.fields,
            "required": self.required,
            "additionalProperties": False,
        }


def schema_of(check: Check[object]) -> Json:
    """The JSON Schema of the values that a check accepts. Raises TypeError for a check that has no schema here."""
    match check:
        case Flag():
            return {"type": "boolean"}
        case Integer(low, high):
            return {"type": "integer", "minimum": low, "maximum": high}
        case Text(shortest, longest):
            return {"type": "string", "minLength": shortest, "maxLength": longest}
        case Base64(longest):
            return {"type": "string", "contentEncoding": "base64", "minLength": 4, "maxLength": 4 * -(-longest // 3)}
        case Choice(words):
            return {"enum": list(words)}
        case ListOf(item):
            return {"type": "array", "items": schema_of(item)}
        case Table():
            return {"type": "object"}
    raise TypeError(f"expected a check that has a schema, got {check!r}")


def sample_of(key: str, check: Check[object]) -> object:
    """A JSON value that the check accepts, and that the readers of this field accept."""
    if key in SAMPLES:
        return SAMPLES[key]
    match check:
        case Flag():
            return True
        case Integer(low):
            return low
        case Base64():
            return "Pw=="
        case Choice(words):
            return words[0]
        case ListOf(item):
            return [sample_of(key, item)]
    return key


PROBLEM: Json = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": schema_of(JsonBody.TEXT),
        "title": schema_of(JsonBody.TEXT),
        "status": schema_of(JsonBody.INTEGER),
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
        with app.app_context():
            g.visitor = OWNER_WITH_SEAT
            return description(app)

    @app.get(f"{PREFIX}/openapi.json")
    def openapi() -> Response:
        """This description."""
        return jsonify(described())


def description(app: Flask) -> Json:
    """The OpenAPI document of all GET and POST routes under /api/v1. Needs an app context with `g.visitor`."""
    paths: dict[str, Json] = {}
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        for method in sorted((rule.methods or set()) & {"GET", "POST"}):
            if rule.rule.startswith(PREFIX):
                path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
                paths.setdefault(path, {})[method.lower()] = operation(app, rule, method)
    return {
        "openapi": "3.1.0",
        "info": {"title": "cribboard", "version": "1", "description": "The panel of a cribbage board, version 1."},
        "paths": paths,
        "components": {
            "schemas": {"problem": PROBLEM, "refusal": REFUSAL},
            "securitySchemes": {"phone": {"type": "apiKey", "in": "cookie", "name": COOKIE}},
        },
    }


def operation(app: Flask, rule: Rule, method: str) -> Json:
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
        body = RecordingBody()
        view.read(body)
        described["requestBody"] = {"required": True, "content": {"application/json": {"schema": body.schema}}}
    return described


def parameters(rule: Rule) -> Iterator[Json]:
    for name in sorted(rule.arguments):
        yield {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def responses(method: str) -> Json:
    described: Json = {"2XX": {"description": HTTPStatus.OK.phrase}}
    for status in READ_ANSWERS if method == "GET" else ANSWERS:
        sentence, schema = ANSWERS[status]
        kind = "application/json" if schema == "refusal" else "application/problem+json"
        content = {kind: {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
        described[status] = {"description": sentence, "content": content}
    return described
