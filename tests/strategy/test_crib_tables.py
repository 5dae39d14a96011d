"""The points of cribs that are counted beforehand."""

from __future__ import annotations

import zlib
from binascii import a2b_base64

from firmware_host.strategy import crib_tables
from tests.tools.make_crib_tables import counted_points, module_text


def test_the_shipped_table_is_what_counting_gives() -> None:
    # Not its text: other versions of zlib may compress it otherwise.
    assert zlib.decompress(a2b_base64(crib_tables.POINTS)) == counted_points()


def test_the_shipped_table_can_be_made_again() -> None:
    made = dict[str, str]()
    exec(module_text(), made)
    assert zlib.decompress(a2b_base64(made["POINTS"])) == counted_points()
