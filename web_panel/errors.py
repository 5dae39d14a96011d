"""Errors of requests that never reach the game, as problem details (RFC 9457).

A browser that asks for a page gets them as a page: see pages/error_page.py.
"""

from __future__ import annotations

from http import HTTPStatus

from flask import Flask, Response, json
from werkzeug.exceptions import HTTPException

PROBLEM_TYPE = "application/problem+json"


class Problem(HTTPException):
    """Ends a request with `status`. `detail` is English: what was expected, what was received, how to fix it.

    `more` are further fields of the answer.
    """

    def __init__(self, status: HTTPStatus, detail: str, **more: str) -> None:
        super().__init__(detail)
        self.code = status.value
        self.more = more


def malformed(expected: str, got: str, where: str = "") -> Problem:
    """A 400 for a body whose field `where` is not what it should be. To be raised by the caller."""
    return Problem(HTTPStatus.BAD_REQUEST, f"{where + ': ' if where else ''}expected {expected}, got {got}")


def problem_response(status: int, detail: str, **more: str) -> Response:
    """A problem details response. `detail` is English; `localized` in `more` is for the person who asked."""
    return Response(problem_body(status, detail, **more), status, mimetype=PROBLEM_TYPE)


def problem_body(status: int, detail: str, **more: str) -> str:
    """Problem details as JSON."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    return json.dumps(body | more)


def install_error_handlers(app: Flask) -> None:
    """Answer every HTTP error as problem details: the refused, the missing, and what an exception broke off."""

    @app.errorhandler(HTTPException)
    def to_response(problem: HTTPException) -> Response | HTTPException:
        if problem.code is None or problem.code < HTTPStatus.BAD_REQUEST:
            return problem
        more = problem.more if isinstance(problem, Problem) else {}
        detail = problem.description or HTTPStatus(problem.code).phrase
        response = problem_response(problem.code, detail, **more)
        response.headers.extend((name, value) for name, value in problem.get_headers() if name == "Allow")
        return response
