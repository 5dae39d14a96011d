"""The default names of players follow the language of the settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.config.settings_sources import load_settings
from firmware_host.startup.boards import host_setup_of
from firmware_host.ui.texts.side_names import default_names, in_other_language

NAMES = {
    "en": ("Red", "Blue", "Yellow", "Green", "Violet", "Black"),
    "fr": ("Rouge", "Bleu", "Jaune", "Vert", "Violet", "Noir"),
    "ru": ("Красный", "Синий", "Жёлтый", "Зелёный", "Фиолетовый", "Чёрный"),
    "pl": ("Czerwony", "Niebieski", "Żółty", "Zielony", "Fioletowy", "Czarny"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_without_a_name_are_named_in_the_language_of_the_settings(language: str, tmp_path: Path) -> None:
    settings = load_settings(None, {}, {"language": language, "state_folder": tmp_path, "names": ["Ann"]})
    assert host_setup_of(settings).names == ("Ann", *NAMES[language][1:])


@pytest.mark.parametrize("board", plan_ids())
def test_players_without_a_name_have_the_colours_of_the_tracks(board: str) -> None:
    tracks = load_plan(board).track_info
    assert [name.lower() for name in NAMES["en"][: len(tracks)]] == [track.name for track in tracks]


def test_names_that_somebody_chose_are_not_translated() -> None:
    english, polish = translator("en"), translator("pl")
    assert in_other_language(("Blue", "Blue", "Ann"), english, polish) == ("Blue", "Niebieski", "Ann")
    assert in_other_language(default_names(polish), polish, english) == NAMES["en"]
