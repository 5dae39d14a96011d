"""The text of a file with a list of members, whichever program wrote it.

| the file | is read as |
|---|---|
| begins with the byte order mark of UTF-16 | UTF-16 |
| is UTF-8, with or without a mark | UTF-8 |
| anything else | the code page of Windows for the language of the club |

The last is what Excel writes as "CSV": the code page depends on the language of Windows. A text with a control
character or with U+FFFD, the sign for a lost letter, is no list. `web_panel/static/club/list_file.js` has the same rule
for the page.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping

from firmware_host.club.rule_errors import NotAListFile

BYTE_ORDER_MARK = "\ufeff"
CODE_PAGES: Mapping[str, str] = {"pl": "windows-1250", "ru": "windows-1251"}
WESTERN = "windows-1252"

_NOT_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]")


def code_page(language: str) -> str:
    """The code page of Windows in a language, as Python and browsers call it."""
    return CODE_PAGES.get(language, WESTERN)


def text_of(data: bytes, code_page: str) -> str:
    """The text of a file, without a byte order mark. Raises NotAListFile."""
    encodings = ("utf-16",) if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else ("utf-8", code_page)
    for encoding in encodings:
        try:
            return checked_text(data.decode(encoding))
        except UnicodeDecodeError:
            continue
    raise _not_a_list("bytes that are not")


def checked_text(text: str) -> str:
    """The text without a byte order mark. Raises NotAListFile for a text that was no text, or was decoded wrongly."""
    if found := _NOT_TEXT.search(text):
        raise _not_a_list(f"U+{ord(found[0]):04X}")
    return text.removeprefix(BYTE_ORDER_MARK)


def _not_a_list(got: str) -> NotAListFile:
    return NotAListFile("text in UTF-8, UTF-16 or the code page of Windows", got)
