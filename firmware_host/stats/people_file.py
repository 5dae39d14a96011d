"""The file of merged names, `people.json` in the state folder: `{"format": 1, "people": [["Ann", "Annie"], ..]}`.

Each list is one person; its first name is shown.
"""

from __future__ import annotations

from typing import Any

from firmware_host.stats.people import People
from firmware_host.storage.document_file import DocumentFile


class PeopleFile(DocumentFile[People]):
    """The merged names in their file."""

    NAME = "people.json"
    KEY = "people"
    EXPECTED = 'merged names, {"format": 1, "people": [["Ann", "Annie"], ..]}'
    FIX = "correct the file, or move it away: then no names are merged"

    @staticmethod
    def empty() -> People:
        """No names are merged."""
        return People()

    @staticmethod
    def decoded(value: Any) -> People:
        """The merged names. Raises ValueError if the value is not a list of lists of names."""
        if not isinstance(value, list):
            raise ValueError("something else than a list of people")
        for number, group in enumerate(value, 1):
            if not isinstance(group, list) or not all(isinstance(name, str) for name in group):
                raise ValueError(f"person {number} is something else than a list of names")
        return People(tuple(map(tuple, value)))

    @staticmethod
    def encoded(content: People) -> object:
        """A list of the names of each person."""
        return content.groups
