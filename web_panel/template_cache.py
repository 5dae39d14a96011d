"""Compiled templates, kept from one start to the next."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from firmware_host.storage.atomic_file import replace_file
from firmware_host.storage.plain_file import read_file

_DIGEST_BYTES = sha256().digest_size


class TemplateCache(BytecodeCache):
    """Keeps the code of each template in a file of `folder`: compiling takes nearly all of the time for a first page.

    Jinja itself ignores code of another template text or another Python. Each file begins with its checksum, because
    Python does not check the code that it loads. Files that cannot be read are compiled again, and where none can be
    written every start compiles. The folder may be deleted at any time.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            stored = read_file(self._file(bucket))
            digest = stored[:_DIGEST_BYTES]
            code = stored[_DIGEST_BYTES:]
            if sha256(code).digest() == digest:
                bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        code = bucket.bytecode_to_string()
        with suppress(OSError):
            replace_file(self._file(bucket), sha256(code).digest() + code, is_durable=False)

    def _file(self, bucket: Bucket) -> Path:
        return self._folder / bucket.key
