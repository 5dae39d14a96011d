"""A Debian of each release, for all tests that install into one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.install.debian import Debian, unpacked


@pytest.fixture(scope="session", params=["bookworm", "trixie"])
def debian(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Debian]:
    with unpacked(tmp_path_factory.mktemp(request.param), request.param) as debian:
        yield debian
