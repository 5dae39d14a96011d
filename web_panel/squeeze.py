"""Smaller on the wire: text is packed for whoever can unpack it. Wi-Fi at the table is often the weakest part."""

from __future__ import annotations

import gzip

from flask import Flask, Response, request

TEXTS = frozenset({"text/html", "text/css", "text/javascript", "image/svg+xml", "application/json"})
WORTH_IT = 1024
"""Bytes below which packing saves no packet."""


def squeeze_texts(app: Flask) -> None:
    """Pack every longer text. A stream is left alone: packing would hold its events back."""

    @app.after_request
    def squeeze(response: Response) -> Response:
        if response.status_code != 200 or response.mimetype not in TEXTS:
            return response
        response.vary.add("Accept-Encoding")
        if not request.accept_encodings["gzip"]:
            return response
        response.direct_passthrough = False
        plain = response.get_data()
        if len(plain) >= WORTH_IT:
            response.set_data(gzip.compress(plain, compresslevel=6, mtime=0))
            response.content_encoding = "gzip"
            tag, _ = response.get_etag()
            if tag:
                response.set_etag(tag, weak=True)
        return response
