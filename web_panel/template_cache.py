"""Compiled templates, kept from one start to the next."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import mkstemp

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

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
            stored = self._file(bucket).read_bytes()
            digest = stored[:_DIGEST_BYTES]
            code = stored[_DIGEST_BYTES:]
            if sha256(code).digest() == digest:
                bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        code = bucket.bytecode_to_string()
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, exist_ok=True)
            descriptor, name = mkstemp(dir=self._folder)
            try:
                with open(descriptor, "wb") as file:
                    file.write(sha256(code).digest() + code)
                os.replace(name, self._file(bucket))
            except OSError:
                os.unlink(name)

    def _file(self, bucket: Bucket) -> Path:
        return self._folder / bucket.key
