"""What a visitor of the audit asked for: a night, a subject and a person."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from flask import request
from msgspec import Struct

from firmware_host.club.history import Entry, Topic
from firmware_host.club.members import MemberId
from firmware_host.ui.translator import Translator


def topics_in_words(tr: Translator) -> Mapping[Topic, str]:
    """Each subject as the filter names it."""
    return {
        Topic.RESULTS: tr("Results"),
        Topic.ROUNDS: tr("Rounds and players"),
        Topic.MEMBERS: tr("Members"),
        Topic.JOINING: tr("Boards and phones"),
        Topic.PLAYOFFS: tr("Play-offs"),
    }


class AuditQuery(Struct, frozen=True):
    """The filters of the audit. `topic` None: all subjects; `member` None: everybody; ORGANISER: the organiser."""

    night: int
    topic: Topic | None
    member: MemberId | None

    @classmethod
    def of_request(cls, nights: int) -> AuditQuery:
        """What the query string of the current request asks for; whatever makes no sense in it is left out."""
        night = request.args.get("night", nights, int)
        name = request.args.get("about", "")
        topic = next((topic for topic in Topic if topic.value == name), None)
        who = request.args.get("who", None, int)
        member = None if who is None else MemberId(who)
        return cls(night if 1 <= night <= nights else max(1, nights), topic, member)

    def matches(self, entry: Entry) -> bool:
        """Whether the entry is asked for."""
        return self.topic in (None, entry.topic) and (self.member is None or self.member in entry.people)

    def path(self, page: int) -> str:
        """The address of a page of the same list."""
        about = self.topic.value if self.topic else ""
        return "/audit?" + urlencode(
            {"night": self.night, "about": about, "who": "" if self.member is None else self.member, "page": page}
        )
