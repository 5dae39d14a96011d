"""The file of merged names, `people.json` in the state folder: `{"format": 1, "people": [["Ann", "Annie"], ..]}`.

Each list is one person; its first name is shown.
"""

from __future__ import annotations

from firmware_host.stats.people import People
from firmware_host.storage.document_file import FORMAT, Document, DocumentFile


class PeopleDocument(Document, frozen=True):
    """The names of each person."""

    people: tuple[tuple[str, ...], ...]


class PeopleFile(DocumentFile[People]):
    """The merged names in their file."""

    NAME = "people.json"
    DOCUMENT = PeopleDocument
    EXPECTED = 'merged names, {"format": 1, "people": [["Ann", "Annie"], ..]}'
    FIX = "correct the file, or move it away: then no names are merged"

    @staticmethod
    def empty() -> People:
        """No names are merged."""
        return People()

    @staticmethod
    def decoded(document: PeopleDocument) -> People:
        """The merged names. Raises ValueError as People does."""
        return People(document.people)

    @staticmethod
    def encoded(content: People) -> PeopleDocument:
        """The names of each person."""
        return PeopleDocument(FORMAT, content.groups)
