"""After the state folder was deleted the owner is still the owner, or reads how to become it again."""

from __future__ import annotations

from pathlib import Path

from firmware_host.config.board_plans import load_plan
from firmware_host.config.settings import Settings
from firmware_host.doctor.findings import DoctorContext
from firmware_host.doctor.machine import ThisMachine
from firmware_host.doctor.storage_checks import check_phones
from firmware_host.pairing.registry import PhoneRegistry, Role
from tests.web_panel.conftest import PhoneClient, Rig, json_of

TOLD = "The board’s list of phones was deleted."


def main_page(phone: PhoneClient) -> str:
    return phone.client.get("/", buffered=True).text


def test_a_forgotten_phone_reads_how_it_becomes_the_owner_and_does(real_rig: Rig) -> None:
    owner, stranger = PhoneClient(real_rig).pair("Ann"), PhoneClient(real_rig)
    assert TOLD not in main_page(owner)
    real_rig.host.pairing.registry.phones = ()  # as after a start without the file
    assert TOLD in main_page(owner) and TOLD not in main_page(stranger)
    assert json_of(owner.get("/me"))["role"] == "viewer"
    owner.pair("Ann")
    assert json_of(owner.get("/me"))["role"] == "owner" and TOLD not in main_page(owner)


def test_a_phone_that_was_removed_is_told_nothing_while_there_is_an_owner(real_rig: Rig) -> None:
    owner, removed = PhoneClient(real_rig).pair("Ann"), PhoneClient(real_rig).pair("Ben")
    phone = json_of(removed.get("/me"))["phone"]
    owner.post(f"/phones/{phone['id']}/remove", {})
    assert json_of(removed.get("/me"))["role"] == "viewer" and TOLD not in main_page(removed)


def test_the_doctor_says_that_a_board_has_no_owner(tmp_path: Path) -> None:
    settings = Settings(state_folder=tmp_path)
    context = DoctorContext(ThisMachine(), settings, load_plan(settings.board))
    told = "the first phone that is added becomes the owner"
    assert [told in finding.got for finding in check_phones(context)] == [False]
    settings.journal.touch()
    assert [told in finding.got for finding in check_phones(context)] == [False, True]
    phone, _ = PhoneRegistry(settings.phones).add_phone("Ann")
    assert phone.role is Role.OWNER
    assert [told in finding.got for finding in check_phones(context)] == [False]
