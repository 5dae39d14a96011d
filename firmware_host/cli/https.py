"""`cribboard https`: makes the certificates for encrypted pages, and shows what phones must trust."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from firmware_host.cli.games import settings_now, settings_option, state_folder_option
from firmware_host.cli.jsonl import write_line
from firmware_host.errors import HostError
from firmware_host.https.certificate import CertificateFiles, fingerprint, read_certificate
from firmware_host.optional_packages import Option, install_command

NEEDS = "cribboard https: expected the Python module cryptography, got none; run: {command}"
SWITCH_ON = "HTTPS is off. Switch it on: set https = true on the page Settings or in cribboard.toml, then restart."
SWITCHED_ON = "HTTPS is on. A board that runs uses this certificate after its next start."


@click.command("https")
@click.option("--new", "is_new", is_flag=True, help="Make a new authority; every phone must trust the board again.")
@settings_option
@state_folder_option
def command(is_new: bool) -> None:
    """Make a certificate for the names of this board, and the authority that signs it if there is none.

    A board with https = true does this by itself, and renews the certificate. Afterwards open the page /trust of the
    board on each phone, and compare the fingerprint that it shows with the one printed here.
    """
    try:
        from firmware_host.https import authority
    except ImportError as error:
        raise click.ClickException(NEEDS.format(command=install_command(Option.HTTPS))) from error
    from firmware_host.startup.network import board_names  # slow to import

    settings = settings_now()
    files = CertificateFiles(settings.https_folder)
    names = board_names(settings)
    now = datetime.now(UTC)
    try:
        if is_new:
            authority.make_authority(files, names, now)
        authority.renew(files, names, now)
        certificate = read_certificate(files)
        shown = fingerprint(files.authority_certificate)
    except HostError as error:
        raise click.ClickException(str(error)) from error
    write_line(f"authority    {files.authority}")
    write_line(f"fingerprint  {shown}")
    write_line(f"certificate  {', '.join(sorted(certificate.names))}; until {certificate.ends:%Y-%m-%d}")
    write_line(SWITCHED_ON if settings.https else SWITCH_ON)
