"""The addresses that a start prints."""

from __future__ import annotations

from firmware_host.startup.network import encrypted


def test_a_start_with_https_prints_an_https_address_for_phones() -> None:
    assert encrypted("http://192.168.1.20:8080/") == "https://192.168.1.20:8080/"
    assert encrypted("http://[fd00::20]:8080/") == "https://[fd00::20]:8080/"


def test_the_address_of_this_computer_needs_no_https() -> None:
    assert [encrypted(url) for url in ("http://127.0.0.1:8080/", "http://[::1]:8080/")] == [
        "http://127.0.0.1:8080/",
        "http://[::1]:8080/",
    ]
