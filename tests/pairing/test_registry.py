"""The registry of phones: roles, seats, tokens that are stored as hashes only, and a file replaced atomically."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.cribbage.rules import Seat
from firmware_host.pairing.registry import NoSuchPhone, PhoneRegistry, PhoneRegistryError, Role, SeatTaken
from firmware_host.storage import atomic_file


def test_the_first_phone_is_owner_and_later_ones_are_players() -> None:
    registry = PhoneRegistry()
    assert [registry.add_phone(name)[0].role for name in ("Ann", "Ben", "Cleo")] == [
        Role.OWNER,
        Role.PLAYER,
        Role.PLAYER,
    ]


def test_without_an_owner_the_next_phone_becomes_owner() -> None:
    registry = PhoneRegistry()
    registry.remove(registry.add_phone("Ann")[0].id)
    assert registry.add_phone("Ben")[0].role is Role.OWNER


def test_a_token_belongs_to_one_phone_until_it_is_removed() -> None:
    registry = PhoneRegistry()
    (ann, token), (ben, other) = registry.add_phone("Ann"), registry.add_phone("Ben")
    assert (registry.phone_with_token(token), registry.phone_with_token(other)) == (ann, ben)
    assert (
        registry.phone_with_token("")
        is registry.phone_with_token("\ud800")
        is registry.phone_with_token(ann.token_hash)
        is None
    )
    registry.remove(ann.id)
    assert registry.phone_with_token(token) is None and registry.phone_with_token(other) == ben


def test_a_seat_is_held_by_one_phone_at_a_time(tmp_path: Path) -> None:
    registry = PhoneRegistry()
    ann, ben = registry.add_phone("Ann")[0], registry.add_phone("Ben")[0]
    assert registry.set_seat(ann.id, Seat(0)).seat == registry.set_seat(ann.id, Seat(0)).seat == 0
    with pytest.raises(SeatTaken, match="Ann"):
        registry.set_seat(ben.id, Seat(0))
    registry.set_seat(ann.id, None)
    assert registry.set_seat(ben.id, Seat(0)).seat == 0


def test_removing_an_unknown_phone_is_refused() -> None:
    with pytest.raises(NoSuchPhone):
        PhoneRegistry().remove("1f")


def test_phones_are_kept_over_a_restart_and_tokens_are_not_written(tmp_path: Path) -> None:
    path = tmp_path / "state" / "phones.json"
    registry = PhoneRegistry(path)
    ann, token = registry.add_phone("Ann <b>ï</b>")
    registry.set_role(ann.id, Role.KEEPER)
    registry.set_seat(ann.id, Seat(1))
    reopened = PhoneRegistry(path)
    assert reopened.phones == registry.phones and reopened.phone_with_token(token) == registry.phones[0]
    assert token not in path.read_text("utf-8") and path.stat().st_mode & 0o077 == 0


def test_a_change_that_cannot_be_written_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def disk_full(folder: int, name: str, content: bytes, mode: int, *, is_durable: bool) -> None:
        (tmp_path / name).write_bytes(content[:9])
        raise OSError(28, "No space left on device")

    path = tmp_path / "phones.json"
    registry = PhoneRegistry(path)
    registry.add_phone("Ann")
    before = registry.phones
    monkeypatch.setattr(atomic_file, "_write", disk_full)
    with pytest.raises(PhoneRegistryError, match="No space left"):
        registry.add_phone("Ben")
    assert registry.phones == PhoneRegistry(path).phones == before


@pytest.mark.parametrize(
    "text", ["", "[]", '{"format": 1}', '{"format": 9, "phones": []}', '{"format": 1, "phones": [{"id": 1}]}']
)
def test_a_corrupt_file_is_reported_and_not_changed(tmp_path: Path, text: str) -> None:
    path = tmp_path / "phones.json"
    path.write_text(text)
    with pytest.raises(PhoneRegistryError, match="phones.json"):
        PhoneRegistry(path)
    assert path.read_text() == text


def seated(*players: str) -> PhoneRegistry:
    """Phones in the seats of these players, in order; no phone for an empty name."""
    registry = PhoneRegistry()
    for seat, player in enumerate(players):
        if player:
            registry.set_seat(registry.add_phone(f"{player}'s phone")[0].id, Seat(seat))
    return registry


@pytest.mark.parametrize(
    ("before", "names", "seats"),
    [
        (("Ann", "Ben"), ("Ann", "Ben"), [0, 1]),
        (("Ann", "Ben"), ("Ben", "Ann"), [1, 0]),
        (("Ann", "Ben"), ("Cat", "Dan"), [None, None]),
        (("Ann", "Ben"), ("Cat", " ann "), [1, None]),
        (("Ann", "Ben", "Cat"), ("Cat", "Ann"), [1, None, 0]),
        (("Jean  Luc", "Ben"), ("jean luc", "Ann"), [0, None]),
        (("Ann", "ann"), ("Ann", "ann"), [0, 1]),
        (("Ann", "ann"), ("Ann", "Ben"), [0, None]),
    ],
)
def test_seats_follow_the_players_into_another_game(
    before: tuple[str, ...], names: tuple[str, ...], seats: list[int | None]
) -> None:
    registry = seated(*before)
    registry.move_to_game(before, names)
    assert [phone.seat for phone in registry.phones] == seats


def test_without_an_earlier_game_every_seat_is_freed() -> None:
    registry = seated("Ann", "Ben")
    registry.move_to_game((), ("Ann", "Ben"))
    assert [phone.seat for phone in registry.phones] == [None, None]


def test_a_phone_that_lost_its_seat_is_remembered_until_it_takes_another() -> None:
    registry = seated("Ann", "Ben")
    ann, ben = registry.phones
    registry.move_to_game(("Ann", "Ben"), ("Cat", "Ben"))
    assert registry.lost_seats == {ann.id: "Ann"}
    registry.move_to_game(("Cat", "Ben"), ("Cat", "Eve"))
    assert registry.lost_seats == {ann.id: "Ann", ben.id: "Ben"}
    registry.set_seat(ann.id, Seat(0))
    assert registry.lost_seats == {ben.id: "Ben"}


def test_seats_are_moved_in_memory_even_if_the_file_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = PhoneRegistry(tmp_path / "phones.json")
    registry.set_seat(registry.add_phone("Ann")[0].id, Seat(0))

    def disk_full(folder: int, name: str, content: bytes, mode: int, *, is_durable: bool) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic_file, "_write", disk_full)
    with pytest.raises(PhoneRegistryError):
        registry.move_to_game(("Ann", "Ben"), ("Cat", "Dan"))
    assert [phone.seat for phone in registry.phones] == [None]
