"""HostError: the base class of every error outside the rules of the game, such as files and settings.

The other two families are separate on purpose: `Refusal` (cribbage.rule_errors) is a command that the rules forbid, and
`DriverError` (board_drivers.ports) is a device that does not answer; board_drivers imports nothing from here.

| subclass | raised when |
|---|---|
| `startup.errors.StartupError` | the program cannot start: no free port, or the board plan does not fit the hardware |
| `storage.sqlite_file.JournalError` | the journal cannot be opened, read or written |
| `storage.sqlite_file.JournalCorrupt` (a JournalError) | the journal does not hold what was written into it |
| `storage.journal.UnreadableEvent` (a JournalError) | an event could not be read again, so it is not written |
| `storage.event_codec.CodecError` | one event of the journal cannot be decoded |
| `config.settings_errors.SettingsError` | the settings file, environment or options cannot be used |
| `config.wiring_store.WiringStoreError` | the stored wiring does not fit the board |
| `config.card_tags.CardTagsError` | the file of card tags cannot be read or written |
| `club_server.store.ClubFileError` | the file of the club cannot be opened, read or written |
| `club_server.store.ClubFileDamaged` (a ClubFileError) | the file of the club does not hold what was written into it |
| `club_server.store.UnreadableEvent` (a ClubFileError) | an event could not be read again, so it is not written |
| `club_server.accounts.AccountsError` | the accounts of the club cannot be read, written or checked |
| `mqtt_messages.reading.MalformedMessage` | an MQTT message is not what its type says |
| `mqtt_messages.reading.UnknownVersion` (a MalformedMessage) | an MQTT message has another version |
| `telemetry.local_broker.LocalBrokerError` | the broker of the club cannot be configured or started |
| `league.database.LeagueError` | the database, the brokers or the configuration of a league cannot be used |
| `https.certificate.CertificateError` | the certificate of the pages cannot be made, read or used |
| `pairing.registry.PhoneRegistryError` | the file of paired phones cannot be read or written |
| `storage.document_file.DocumentError` | the file of merged names or of learners cannot be read or written |
| `storage.checked_file.NewerFormat` | a newer program wrote a small file of the state folder |
| `simulation.fault_plan.FaultPlanError` | a fault plan cannot be read, or names what the board does not have |
"""

from __future__ import annotations


class HostError(Exception):
    """Text: "WHERE: expected EXPECTED, got GOT; FIX", always one line; the CLI prints it as it is.

    `where` is a path or a place in a file. `expected` and `got` are noun phrases. `fix` is an instruction to the user,
    without a capital letter or full stop. Each part is also an attribute, for callers that lay out the text themselves.
    """

    def __init__(self, expected: str, got: str, where: str, fix: str) -> None:
        super().__init__(" ".join(f"{where}: expected {expected}, got {got}; {fix}".split()))
        self.expected = expected
        self.got = got
        self.where = where
        self.fix = fix
