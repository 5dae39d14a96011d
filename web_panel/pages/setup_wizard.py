"""The page of the set-up wizard and its API, for the owner. The state is in `firmware_host/ui/wizard/wizard.py`.

Pages learn from the stream of states that something changed, and then read `GET /api/v1/setup`, which has what only the
owner may know, such as the pairing code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import TypeVar

from flask import Blueprint, Response, jsonify
from msgspec import to_builtins

from board_drivers.ports import KEY_ROWS
from firmware_host.config.club_stick import stick_of
from firmware_host.config.languages import translator
from firmware_host.config.settings_editor import SettingsEditor
from firmware_host.config.settings_errors import SettingsError, SettingsFileError
from firmware_host.host.loop import Host
from firmware_host.host.snapshot import Snapshot
from firmware_host.pairing.qr_code import pairing_url
from firmware_host.storage.atomic_file import replace_file
from firmware_host.ui.keys.input_state import CalibrateWiring, UserCommand
from firmware_host.ui.wizard.wizard import WizardClosed
from firmware_host.ui.wizard_commands import (
    AnswerQuestion,
    CloseWizard,
    GoToStep,
    MarkHole,
    OpenWizard,
    PlayTestSound,
    Question,
    RepeatStep,
    Step,
)
from web_panel.api.json_body import Body, Whole, reads_json
from web_panel.board_input import BoardInput
from web_panel.json_type import Json
from web_panel.language import language_now
from web_panel.pages.board import first_game
from web_panel.pages.device import device_json, holes_by_track, usual_target
from web_panel.pages.setting_texts import CANNOT_WRITE
from web_panel.pages.settings import required
from web_panel.qr_code import QUIET_ZONE
from web_panel.rendering import render
from web_panel.views.setup_wizard import PhoneAccess, closed_screen, setup_marks, setup_progress, setup_screen

B = TypeVar("B", bound=Body)


class StepBody(Body, frozen=True):
    """A step of the wizard."""

    step: Step


class Answer(Body, frozen=True):
    """Whether what the question asks about was right."""

    question: Question
    is_ok: bool


class StickBody(Body, frozen=True):
    """The texts of the three files on a stick of a club, by their names."""

    files: Mapping[str, str]


class HoleBody(Body, frozen=True):
    """The number of a sensor."""

    sensor: Whole


def make_setup_wizard(host: Host, board_input: BoardInput | None, settings_editor: SettingsEditor | None) -> Blueprint:
    """The page /setup and the routes under /api/v1/setup. `settings_editor`: what the forms of the wizard show."""
    pages = Blueprint("setup-wizard", __name__)

    @pages.get("/setup")
    def setup() -> str:
        plan = host.snapshot.plan
        return render(
            "setup.html",
            plan=plan,
            target=usual_target(plan),
            tracks=holes_by_track(plan),
            keys=KEY_ROWS,
            has_keys=board_input is not None,
            moves_pegs=board_input is not None and board_input.moves_pegs,
            state=setup_json(host, host.snapshot),
            can_calibrate=host.setup.save_wiring is not None,
            settings=settings_editor.running if settings_editor else None,
        )

    @pages.get("/api/v1/setup")
    def state() -> Response:
        """The present step: what it says, what it offers, and what was tried so far."""
        return answer(host, host.snapshot)

    def add(path: str, kind: type[B], command: Callable[[B], UserCommand], summary: str) -> None:
        @reads_json(kind)
        def submit(body: B) -> Response:
            return answer(host, host.submit(command(body)))

        submit.__doc__ = summary
        pages.add_url_rule(f"/api/v1/setup/{path}", f"setup-{path}", submit, methods=["POST"])

    add("open", Body, lambda body: OpenWizard(), "Open the set-up wizard where it stopped.")
    add("close", Body, lambda body: CloseWizard(), "Close the wizard; it does not open by itself any more.")
    add("step", StepBody, lambda body: GoToStep(body.step), "Go to a step: forward, back or past others.")
    add("repeat", StepBody, lambda body: RepeatStep(body.step), "Forget what a step showed, and try it again.")
    summary = "Answer whether all lights shine in a colour, or a sound was heard."
    add("answer", Answer, lambda body: AnswerQuestion(body.question, body.is_ok), summary)
    add("hole", HoleBody, lambda body: MarkHole(body.sensor), "Mark the hole of a sensor: it does not answer.")

    @pages.post("/api/v1/setup/sound")
    @reads_json(Body)
    def sound(body: Body) -> Response:
        """Play a tune on the piezo of the board."""
        return answer(host, host.submit(PlayTestSound()))

    @pages.post("/api/v1/setup/club")
    @reads_json(StickBody)
    def club(body: StickBody) -> Response:
        """Join a club by the files of its stick, from the next start on: all of them, or nothing changes."""
        editor = required(settings_editor)
        try:
            join_by_files(body.files, editor)
        except SettingsError as error:
            return refused_stick(error)
        return answer(host, host.snapshot)

    @pages.post("/api/v1/setup/wiring")
    @reads_json(Body)
    def wiring(body: Body) -> Response:
        """Start the wiring calibration within the wizard, on a board that has a wiring."""
        if host.snapshot.wizard is None or host.setup.save_wiring is None:
            raise WizardClosed("an open set-up of a real board", "none")
        return answer(host, host.submit(CalibrateWiring()))

    return pages


def join_by_files(files: Mapping[str, str], editor: SettingsEditor) -> None:
    """Save password and certificate in the state folder, which the program can write, then the settings that name them.
    Raises SettingsError."""

    def text_of(name: str) -> str:
        if name not in files:
            raise SettingsError("all files of the stick", "no such file", name, "choose all three files")
        return files[name]

    stick = stick_of(text_of, "stick")
    folder = editor.running.state_folder
    try:
        for setting, text in stick.files.items():
            replace_file(folder / stick.name_of(setting), text.encode())
    except OSError as fault:
        got = fault.strerror or str(fault)
        raise SettingsFileError("a folder that can be written", got, str(folder), "free some disk space") from fault
    editor.change(stick.settings_in(folder))


def refused_stick(error: SettingsError) -> Response:
    """409 with the message of `cribboard club join`, and a sentence for the visitor that names the file."""
    tr = translator(language_now())
    if isinstance(error, SettingsFileError):
        localized = tr(CANNOT_WRITE)
    else:
        sentence = tr("These are not the three files of a club’s stick, or one of them is damaged: {file}.")
        localized = sentence.format(file=Path(error.where).name)
    response = jsonify(kind="invalid_setting", message=str(error), localized=localized)
    response.status_code = HTTPStatus.CONFLICT
    return response


def answer(host: Host, snapshot: Snapshot) -> Response:
    """The state for the owner alone."""
    response = jsonify(setup_json(host, snapshot))
    response.headers["Cache-Control"] = "no-store"
    return response


def setup_json(host: Host, snapshot: Snapshot) -> Json:
    """The screen of the present step and what its page draws. Without an open wizard only the way to open it."""
    tr = translator(language_now())
    wizard = snapshot.wizard
    if wizard is None:
        return {"is_open": False, "screen": to_builtins(closed_screen(tr))}
    pairing = snapshot.pairing_state
    address = host.setup.address
    access = PhoneAccess(address, pairing.code, host.setup.is_reachable)
    game = first_game(host.setup)
    words = tr("{names}, to {target} points.").format(names=game["names"], target=game["target"])
    shows_code = wizard.step is Step.PHONE and access.is_reachable and bool(access.code)
    return {
        "is_open": True,
        "is_calibrating": snapshot.calibration is not None,
        "progress": setup_progress(wizard),
        "screen": to_builtins(setup_screen(snapshot, access, words, tr)),
        **setup_marks(wizard, snapshot.plan),
        "names": list(host.setup.names[: host.setup.games[0].players]),
        "first_game": game["body"],
        "qr": qr_picture(pairing_url(address, access.code)) if shows_code else "",
        "requested_by": pairing.requested_by,
        "parts": device_json(host)["parts"],
    }


def qr_picture(text: str) -> str:
    """A QR code as the address of an image, black on white in any colour scheme."""
    import segno

    return str(segno.make_qr(text).svg_data_uri(border=QUIET_ZONE, dark="#000", light="#fff", omitsize=True))
