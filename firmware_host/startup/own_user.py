"""A program that root starts goes on as the owner of the state folder.

Root may write any file, and the owner of the folder decides what is in it. So `sudo cribboard ..` gives up root as soon
as it knows the folder: what it then writes, its owner could have written too.

| the path of the state folder | the program |
|---|---|
| a folder of it belongs to another user | goes on as that user, with that user's groups |
| root owns all of it, and nobody else can change it | stays root |
| root owns it, but others can write to a folder of it | refuses, and says what to do |
"""

from __future__ import annotations

import logging
import os
import pwd
from collections.abc import Callable, Mapping
from pathlib import Path
from stat import S_ISVTX, S_IWGRP, S_IWOTH

from firmware_host.config.settings import Settings
from firmware_host.config.settings_sources import CHANGES_NAME, Sources, prepare_changes, sources_of
from firmware_host.startup.errors import StartupError

log = logging.getLogger(__name__)

ROOT = 0


def load_settings(path: Path | None, environ: Mapping[str, str], overrides: Mapping[str, object]) -> Settings:
    """The settings of this start, as the user who may have them. The arguments are those of `sources_of`.

    Raises SettingsError and StartupError.
    """
    return settings_as_owner(sources_of(path, environ, overrides))


def settings_as_owner(sources: Sources) -> Settings:
    """The settings from these sources, as the user who may have them. Raises SettingsError and StartupError."""
    in_file = sources.in_file
    become_owner(sources.state_folder(in_file))
    return sources.load(in_file)


def settings_at_start(sources: Sources) -> Settings:
    """The settings with which a board starts: as `settings_as_owner`, after `prepare_changes`. Raises SettingsError and
    StartupError."""
    in_file = sources.in_file
    folder = sources.state_folder(in_file)
    become_owner(folder)
    prepare_changes(folder / CHANGES_NAME)
    return sources.load(in_file)


def become_owner(folder: Path) -> None:
    """Give up root for the owner of a folder, which may be missing yet. Does nothing for other users. Raises
    StartupError."""
    if os.geteuid() != ROOT:
        return
    owner = owner_of_path(folder)
    if owner is None:
        return
    user, group = owner
    try:
        _become(user, group)
    except OSError as fault:
        fix = f"run it as the owner: sudo -u '#{user}' cribboard"
        raise StartupError("to give up root", fault.strerror or str(fault), str(folder), fix) from fault
    log.info("goes on as user %d, the owner of %s", user, folder)


def _become(user: int, group: int) -> None:
    try:
        entry = pwd.getpwuid(user)
    except KeyError:
        os.setgroups([])
    else:
        group = entry.pw_gid
        os.initgroups(entry.pw_name, group)
        os.environ["HOME"] = entry.pw_dir
    os.setgid(group)
    os.setuid(user)


def owner_of_path(folder: Path, stat: Callable[[Path], os.stat_result] = os.stat) -> tuple[int, int] | None:
    """User and group of the first folder on the path that is not root's; None if all are. Raises StartupError for one
    that others can write to: they could put another folder there."""
    for part in (*reversed(folder.parents), folder):
        try:
            found = stat(part)
        except OSError:
            return None  # it will be made, in a folder of root
        if found.st_uid != ROOT:
            return found.st_uid, found.st_gid
        is_open = found.st_mode & S_IWOTH or (found.st_mode & S_IWGRP and found.st_gid != ROOT)
        if is_open and not found.st_mode & S_ISVTX:
            fix = f"run: sudo chmod go-w {part}, or run it as another user than root"
            raise StartupError("a folder that root alone can change", "one that others can", str(part), fix)
    return None
