"""Gzips text responses of 1 KiB or more when the client accepts it. Wi-Fi is often the slowest part."""

from __future__ import annotations

import zlib

from flask import Flask, Response, request

TEXT_TYPES = frozenset({"text/html", "text/css", "text/javascript", "image/svg+xml", "application/json"})
MIN_BYTES = 1024
"""A smaller response fits one packet either way."""
GZIP = 16 + zlib.MAX_WBITS
"""Asks zlib for the header of a gzip file, without a time in it. The module `gzip` would take memory of its own."""


def install_compression(app: Flask) -> None:
    """Compress text responses of `app`. What is made while it is sent is left alone: event streams
    would be late, and a download would have to be in memory as a whole."""

    @app.after_request
    def compress(response: Response) -> Response:
        if response.status_code != 200 or response.mimetype not in TEXT_TYPES:
            return response
        if response.is_streamed and not response.direct_passthrough:  # a file of the program is passed through
            return response
        response.vary.add("Accept-Encoding")
        if not request.accept_encodings["gzip"]:
            return response
        response.direct_passthrough = False
        plain = response.get_data()
        if len(plain) >= MIN_BYTES:
            response.set_data(zlib.compress(plain, level=6, wbits=GZIP))
            response.content_encoding = "gzip"
            tag, _ = response.get_etag()
            if tag:
                response.set_etag(tag, weak=True)
        return response
