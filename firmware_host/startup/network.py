"""Where the panel listens, the names by which phones reach it, and what they may see."""

from __future__ import annotations

import errno
import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from firmware_host.config.settings import Settings
from firmware_host.game.state import Table
from firmware_host.host.loop import Host
from firmware_host.startup.errors import StartupError
from firmware_host.ui.referee_mode import RefereeMode
from web_panel.security.allowed_hosts import LOOPBACK, LanHostNames, is_loopback, own_addresses, own_names
from web_panel.security.local_sockets import is_own_user

if TYPE_CHECKING:
    from firmware_host.config.settings_editor import SettingsEditor
    from web_panel.app import AccessPolicy


def listen(address: str, port: int, tries: int) -> socket.socket:
    """A listening socket on the first free port of `tries` from `port` on. Raises StartupError."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    for candidate in range(port, min(port + tries, 65536)):
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((address, candidate))
            listening.listen()  # before this another program could bind the same port
        except OSError as fault:
            listening.close()
            if fault.errno != errno.EADDRINUSE:
                got = fault.strerror or str(fault)
                raise StartupError(
                    "an address to listen on", got, f"{address}:{candidate}", "choose another"
                ) from fault
        else:
            return listening
    last = min(port + tries, 65536) - 1
    where = f"{address}, port {port}" if tries == 1 else f"{address}, ports {port} to {last}"
    raise StartupError("a free port", "ports in use", where, "choose another with --port")


def address_of(listening: socket.socket) -> str:
    """The URL for a phone. A socket that listens on all interfaces is reached by this computer's first LAN address."""
    name, port = listening.getsockname()[:2]
    if ip_address(name).is_unspecified:
        name = next(iter(own_addresses()), "127.0.0.1")
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"


def encrypted(url: str) -> str:
    """An URL of `address_of` with HTTPS, on the same port. A loopback address stays as it is: no certificate of the
    pages is valid for it, and nothing leaves this computer."""
    return url if is_loopback(urlsplit(url).hostname or "") else url.replace("http:", "https:", 1)


def board_names(settings: Settings) -> frozenset[str]:
    """All names and addresses by which phones can reach the board now."""
    return own_names() | {name.lower() for name in settings.names_on_lan}


def access_policy_of(settings: Settings, host: Host, settings_editor: SettingsEditor | None) -> AccessPolicy:
    """On the loopback interface the panel answers to loopback names, on the LAN to every name of this computer."""
    from web_panel.app import AccessPolicy

    on_lan = settings.names_on_lan
    names = LOOPBACK | set(on_lan) if is_loopback(settings.address) else LanHostNames(on_lan)

    def now() -> Settings:
        return settings_editor.running if settings_editor else settings

    def gives_advice(table: Table | None) -> bool:
        return now().advice and host.snapshot.referee_mode is not RefereeMode.SILENT

    proxies = frozenset(settings.trusted_proxies)
    return AccessPolicy(
        names,
        lambda: now().open_watching,
        lambda: now().open_history,
        lambda: now().seatless_play,
        gives_advice,
        proxies,
        is_own_user,
    )
