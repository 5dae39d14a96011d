"""What a caller did wrong before the table was even asked: problem details (RFC 9457) with a sentence for people."""

from __future__ import annotations

from http import HTTPStatus

from flask import Flask, Response, json, request
from werkzeug.exceptions import HTTPException

KIND = "application/problem+json"


class Problem(HTTPException):
    """A request that cannot be taken. `sentence` says expected, got and the mend."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.code = status.value


def malformed(expected: str, got: str, where: str = "") -> Problem:
    """A body that does not say what it should."""
    return Problem(HTTPStatus.BAD_REQUEST, f"{where + ': ' if where else ''}expected {expected}, got {got}")


def details(status: int, sentence: str, **more: str) -> Response:
    """The answer that tells a program and a person alike; `says`, where there is more, is the person's."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": sentence} | more
    return Response(json.dumps(body), status, mimetype=KIND)


def tell_problems(app: Flask) -> None:
    """Under /api every failure is problem details; elsewhere a plain page for people."""

    @app.errorhandler(HTTPException)
    def told(problem: HTTPException) -> Response | HTTPException:
        is_for_programs = request.path.startswith("/api/") or request.method == "POST"
        if not is_for_programs or problem.code is None:
            return problem
        answer = details(problem.code, problem.description or HTTPStatus(problem.code).phrase)
        answer.headers.extend((name, value) for name, value in problem.get_headers() if name == "Allow")
        return answer
