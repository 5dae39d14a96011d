"""The desk where settings are changed while the board runs: judged as at a start, then written into the user's file.

The file is the user's own: tomlkit keeps its remarks, its order and its layout, and only the lines that change are
written anew. It is replaced whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from stat import S_IMODE
from threading import Lock

from firmware_host.board.facts import PlanError
from firmware_host.durable import replace_durably
from firmware_host.plans import NoSuchPlan, load_plan
from firmware_host.settings import AT_ONCE, Settings, SettingsFault, Sources, parse_toml

NEW_FILE_MODE = 0o644

Changes = Mapping[str, object]
"""Setting -> its new value; None takes its line out, and what is usual counts again."""


class SettingsDesk:
    """`running`: what the board goes by; `written`: what it will go by at its next start. Any thread may ask.

    `take_up` is called with the settings that run from now on, after the file was kept.
    """

    def __init__(self, sources: Sources, running: Settings, take_up: Callable[[Settings], None]) -> None:
        self.sources, self.running, self._take_up = sources, running, take_up
        self._lock = Lock()

    @property
    def said(self) -> Mapping[str, object]:
        """What the file says now, as it stands there. Raises SettingsFault."""
        return parse_toml(self.sources.text, str(self.sources.file))

    @property
    def written(self) -> Settings:
        """Raises SettingsFault where somebody wrote into the file what cannot be meant."""
        return self.sources.load()

    def change(self, changes: Changes) -> None:
        """Into the file, all of it or nothing. Raises SettingsFault, and then neither file nor board has changed."""
        with self._lock:
            text = self.sources.text if self.sources.file.exists() else ""
            said = parse_toml(text, str(self.sources.file))
            wanted = {key: value for key, value in {**said, **changes}.items() if value is not None}
            settled = self.sources.load(wanted)
            _must_be_a_board(settled, self.sources)
            self._keep(rewritten(text, changes), wanted)
            self.running = replace(self.running, **{key: getattr(settled, key) for key in AT_ONCE})
        self._take_up(self.running)

    def _keep(self, text: str, wanted: Mapping[str, object]) -> None:
        file = self.sources.file.resolve()  # a link stays a link
        content = _in_utf_8(text, str(file))
        if parse_toml(text, str(file)) != wanted:
            raise SettingsFault("lines that can be changed one by one", "others", str(file), "change the file by hand")
        try:
            mode = S_IMODE(file.stat().st_mode) if file.exists() else NEW_FILE_MODE
            replace_durably(file, content, mode)
        except OSError as fault:
            mend = "make room, or mend its rights; nothing has changed"
            raise SettingsFault("a file that can be written", fault.strerror or str(fault), str(file), mend) from fault


def _in_utf_8(text: str, where: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as fault:
        raise SettingsFault("whole characters", ascii(text[fault.start]), where, "write it anew") from fault


def _must_be_a_board(settings: Settings, sources: Sources) -> None:
    """A start without its board would end at once: better not to write that down."""
    try:
        load_plan(settings.board)
    except (NoSuchPlan, PlanError) as fault:
        raise SettingsFault("a board", str(fault), f"{sources.file}, board", "choose another") from fault


def rewritten(text: str, changes: Changes) -> str:
    """A settings file with some lines changed, and everything else as its author left it."""
    import tomlkit  # only who changes something waits for it

    document = tomlkit.parse(text)
    for key, value in changes.items():
        before = document.get(key)
        if value is None:
            document.pop(key, None)
        elif isinstance(value, Mapping) and isinstance(before, Mapping):
            _make_equal(before, value)
        else:
            document[key] = value
    return tomlkit.dumps(document)


def _make_equal(table: object, wanted: Mapping[str, object]) -> None:
    """A table changed entry by entry, so that the remarks beside the others stay."""
    assert isinstance(table, dict)
    for key in [key for key in table if key not in wanted]:
        del table[key]
    for key, value in wanted.items():
        if key not in table or table[key] != value:
            table[key] = value
