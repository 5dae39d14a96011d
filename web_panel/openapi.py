"""The API described by itself (OpenAPI 3.1): the routes that are there, who may use each, and what each body holds.

What a body holds is not written down a second time: its reader is asked, with a body that says yes to everything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus

from flask import Flask, Response, g, jsonify
from werkzeug.routing import Rule

from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.phones import Phone, Role
from firmware_host.porch import CODE_LENGTH, CODE_LETTERS
from web_panel.body import LARGEST_NUMBER, LONGEST_TEXT, Body, Taking, Word
from web_panel.roles import NEEDED
from web_panel.visitors import COOKIE, Visitor

Json = dict[str, object]

PREFIX = "/api/v1"

WHOLE: Json = {"type": "integer", "minimum": 0, "maximum": LARGEST_NUMBER}
TEXT: Json = {"type": "string", "minLength": 1, "maxLength": LONGEST_TEXT}
FLAG: Json = {"type": "boolean"}
TABLE: Json = {"type": "object"}

SAMPLES: Mapping[str, str] = {
    "variant": next(iter(VARIANTS)),
    "card": "5H",
    "code": CODE_LETTERS[:CODE_LENGTH],
    "name": "Ann",
    "role": Role.PLAYER.name.lower(),
}
"""Field -> a text that its reader can read; any other text will do for the rest."""
SAMPLES_OF_LISTS: Mapping[str, tuple[str, ...]] = {"cards": ("5H", "5S", "5D", "JC")}

ANSWERS: Mapping[str, tuple[str, str]] = {
    "400": ("The request is not what it should be.", "problem"),
    "403": ("The visitor may not, or the order came from another page.", "problem"),
    "409": ("The rules do not allow it now; nothing has changed.", "refusal"),
    "413": ("The body is too large.", "problem"),
    "415": ("The body is no JSON.", "problem"),
    "429": ("Too many wrong codes.", "problem"),
    "503": ("It cannot be done now; ask again.", "problem"),
}
SOMEBODY = Visitor(Role.OWNER, Phone("", "Ann", Role.OWNER, "", Seat(0)))
"""Who may do everything, and holds a seat: readers of bodies may ask."""

OF_READING = ("400", "403", "409", "503")

PROBLEM: Json = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": TEXT,
        "title": TEXT,
        "status": WHOLE,
        "detail": {"type": "string"},
        "says": {"type": "string"},
    },
}
REFUSAL: Json = {
    "type": "object",
    "required": ["kind", "message", "expected", "got"],
    "properties": dict.fromkeys(("kind", "message", "expected", "got", "says"), {"type": "string"}),
}


class AskedBody(Body):
    """A body that has every field it is asked for, and remembers them: name -> schema, and which must be told."""

    def __init__(self) -> None:
        super().__init__({})
        self.fields: dict[str, Json] = {}
        self.required: list[str] = []

    def whole(self, field: str) -> int:
        self._must(field, WHOLE)
        return 0

    def whole_if_told(self, field: str) -> int | None:
        self._may(field, WHOLE)
        return None

    def flag(self, field: str) -> bool:
        self._must(field, FLAG)
        return True

    def text(self, field: str) -> str:
        self._must(field, TEXT)
        return SAMPLES.get(field, field)

    def text_if_told(self, field: str) -> str | None:
        self._may(field, TEXT)
        return None

    def bytes(self, field: str, most: int) -> bytes:
        self._must(
            field, {"type": "string", "contentEncoding": "base64", "minLength": 4, "maxLength": 4 * -(-most // 3)}
        )
        return b"?"

    def one_of(self, field: str, words: type[Word]) -> Word:
        self._must(field, word_of(words))
        return next(iter(words))

    def one_of_if_told(self, field: str, words: type[Word]) -> Word | None:
        self._may(field, word_of(words))
        return None

    def texts(self, field: str) -> tuple[str, ...]:
        self._must(field, list_of(TEXT))
        return SAMPLES_OF_LISTS.get(field, (field,))

    def texts_if_told(self, field: str) -> tuple[str, ...] | None:
        self._may(field, list_of(TEXT))
        return None

    def wholes_if_told(self, field: str) -> tuple[int, ...] | None:
        self._may(field, list_of(WHOLE))
        return None

    def table_if_told(self, field: str) -> Mapping[str, object]:
        self._may(field, TABLE)
        return {}

    def _must(self, field: str, schema: Json) -> None:
        self.fields[field] = schema
        self.required.append(field)

    def _may(self, field: str, schema: Json) -> None:
        self.fields[field] = {"anyOf": [schema, {"type": "null"}]}

    @property
    def schema(self) -> Json:
        return {
            "type": "object",
            "properties": self.fields,
            "required": self.required,
            "additionalProperties": False,
        }


def word_of(words: type[Word]) -> Json:
    return {"enum": [word.value for word in words]}


def list_of(schema: Json) -> Json:
    return {"type": "array", "items": schema}


def describe(app: Flask) -> None:
    """Add the description to the API. Its routes are those of the app by now."""

    @app.get(f"{PREFIX}/openapi.json")
    def openapi() -> Response:
        """This description."""
        return jsonify(described)

    with app.app_context():
        g.visitor = SOMEBODY
        described = description(app)


def description(app: Flask) -> Json:
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
    needed = NEEDED[f"{method} {rule.rule}"]
    told: Json = {
        "operationId": f"{method.lower()}{re.sub('[^a-z]+', '-', rule.rule.removeprefix(PREFIX))}".strip("-"),
        "summary": " ".join((view.__doc__ or "").split()),
        "x-role": needed.name.lower(),
        "security": [] if needed <= Role.VIEWER else [{"phone": []}],
        "parameters": list(parameters(rule)),
        "responses": responses(method),
    }
    if isinstance(view, Taking):
        body = AskedBody()
        view.read(body)
        told["requestBody"] = {"required": True, "content": {"application/json": {"schema": body.schema}}}
    return told


def parameters(rule: Rule) -> Iterator[Json]:
    for name in sorted(rule.arguments):
        yield {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def responses(method: str) -> Json:
    told: Json = {"2XX": {"description": HTTPStatus.OK.phrase}}
    for status in OF_READING if method == "GET" else ANSWERS:
        sentence, schema = ANSWERS[status]
        kind = "application/json" if schema == "refusal" else "application/problem+json"
        content = {kind: {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
        told[status] = {"description": sentence, "content": content}
    return told
