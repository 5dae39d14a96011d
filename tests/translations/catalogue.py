"""The gettext catalogues, kept with Babel: `make translations` runs this module.

It extracts the sentences of the program, updates the `.po` files, which translators edit, and compiles them to `.mo`
files, which the standard library reads at run time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, BinaryIO

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import firmware_host
import web_panel
from firmware_host.board.drawing import drawing, labels
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.config.languages import LANGUAGES
from firmware_host.cribbage.compatibility import NEEDS
from firmware_host.cribbage.options import OPTIONS
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.variants import PRESETS, VARIANTS
from firmware_host.game.rule_errors import NOT_NOW
from firmware_host.ui.display import prompts
from firmware_host.ui.spoken import turns
from firmware_host.ui.texts import cadence, coach_messages, drill_messages, fault_messages, messages, spoken_words
from web_panel.pages import house_rules, setting_texts
from web_panel.pages.house_rules import sentence_of
from web_panel.views import card_names

ROOT = Path(__file__).parents[2]
TRANSLATIONS = ROOT / "firmware_host" / "translations"
TRANSLATED = LANGUAGES[1:]

PACKAGES = ("firmware_host", "web_panel")
EXTRACTORS = [("**.py", "tests.translations.catalogue:extract_called"), ("**/templates/**.html", "jinja2")]
Forms = tuple[str, ...]
"""One sentence: a single form, or all its plural forms."""
KEYWORDS = {"tr": None, "_": None, "counted": (1, 2)}
"""Function -> which of its arguments are sentences, from 1; None: the first."""


def has_keywords(text: str) -> bool:
    """Whether the text may call one of KEYWORDS: one Python file in six does."""
    return re.search(rf"\b({'|'.join(KEYWORDS)})\(", text) is not None


def extract_called(file: BinaryIO, *arguments: Any, **options: Any) -> Iterator[Any]:
    """As the extractor of Babel for Python, which tokenizes whole files."""
    if has_keywords(file.read().decode()):
        file.seek(0)
        yield from extract_python(file, *arguments, **options)


def sentences_of_options() -> Iterator[str]:
    """The sentences of all house rules and of their choices, without the choices that are numbers."""
    for option in OPTIONS:
        yield option.sentence
        yield from (sentence for text in option.choices if not (sentence := sentence_of(option, text)).isdecimal())


def refusals() -> Iterator[type[Refusal]]:
    """Every subclass of Refusal in the program, at any depth. Imports all modules to find them."""
    for package in (firmware_host, web_panel):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    found: list[type[Refusal]] = [Refusal]
    for kind in found:
        found += kind.__subclasses__()
    yield from found[1:]


def sentences_of_refusals() -> Iterator[tuple[str, Forms]]:
    """(file, forms) of each sentence of a refusal."""
    for kind in refusals():
        forms = (vars(kind).get(name, "") for name in ("sentence", "sentence_of_many"))
        if sentence := tuple(filter(None, forms)):
            yield f"{kind.__module__.replace('.', '/')}.py", sentence


TABLES = {
    "firmware_host/ui/texts/cadence.py": cadence.PHRASES,
    "firmware_host/ui/texts/coach_messages.py": coach_messages.TEXTS,
    "firmware_host/ui/texts/drill_messages.py": drill_messages.TEXTS,
    "firmware_host/ui/texts/messages.py": tuple(messages.BREACHES.values()),
    "firmware_host/ui/display/prompts.py": tuple(prompts.QUESTIONS.values()),
    "firmware_host/ui/spoken/turns.py": (turns.COUNT_OF_HAND,),
    "firmware_host/ui/texts/spoken_words.py": spoken_words.WORDS,
    "firmware_host/ui/texts/fault_messages.py": (
        *fault_messages.UNREAD.values(),
        *fault_messages.PEG_FAULTS.values(),
        *fault_messages.HOLE_FAULTS.values(),
    ),
    "firmware_host/board/drawing/labels.py": (*labels.WORDS, drawing.DESCRIPTION),
    "firmware_host/game/rule_errors.py": tuple(NOT_NOW.values()),
    "firmware_host/cribbage/variants.py": (
        *(name.replace("_", " ") for name in VARIANTS),
        *(text for preset in PRESETS.values() for text in (preset.label, preset.sentence)),
    ),
    "firmware_host/cribbage/compatibility.py": tuple(dict.fromkeys(need.sentence for need in NEEDS)),
    "firmware_host/cribbage/options.py": tuple(dict.fromkeys(sentences_of_options())),
    "web_panel/views/card_names.py": (
        *card_names.RANK_WORDS.values(),
        *card_names.OF_SUITS.values(),
        card_names.FACE_DOWN,
    ),
    "web_panel/pages/house_rules.py": house_rules.texts(),
    "web_panel/pages/setting_texts.py": setting_texts.SENTENCES,
    "hardware/boards": tuple(
        dict.fromkeys(track.name for board in plan_ids() for track in load_plan(board).track_info)
    ),
}
"""File -> sentences that are translated from a table, so that no call of `_` holds them as a literal."""


@cache
def template() -> Catalog:
    """Every sentence of the program, each with the files it is in."""
    catalog = Catalog(charset="utf-8")
    for file, message in (*_literals(), *_table_entries()):
        catalog.add(message, locations=[(file, 1)])
    return catalog


def _literals() -> Iterator[tuple[str, str | Forms]]:
    for package in PACKAGES:
        for file, _, message, _, _ in extract_from_dir(ROOT / package, EXTRACTORS, keywords=KEYWORDS):
            yield f"{package}/{file}", message


def _table_entries() -> Iterator[tuple[str, str | Forms]]:
    for file, sentences in TABLES.items():
        for sentence in sentences:
            yield file, sentence
    for file, (one, *many) in sentences_of_refusals():
        yield file, (one, *many) if many else one


def po_file(language: str) -> Path:
    """The catalogue that translators edit."""
    return TRANSLATIONS / language / "LC_MESSAGES" / "cribboard.po"


def read(language: str) -> Catalog:
    """The `.po` file; an empty catalogue for a new language. Raises PoFileError."""
    path = po_file(language)
    if not path.exists():
        return Catalog(locale=language, fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def translations(catalog: Catalog) -> dict[Forms, Forms]:
    """Sentence -> its translation, both with all forms; without the header."""
    return {forms(message.id): forms(message.string) for message in catalog if message.id}


def forms(sentence: str | Sequence[str] | None) -> Forms:
    """A message id or string of Babel as a tuple."""
    return (sentence or "",) if sentence is None or isinstance(sentence, str) else tuple(sentence)


def write(language: str, catalog: Catalog) -> None:
    """Writes the `.po` file and the compiled `.mo` file beside it."""
    path = po_file(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=120, ignore_obsolete=True, include_lineno=False)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalog)


def main() -> None:
    """Adds new sentences, removes stale ones, compiles, and lists the sentences without a translation."""
    now = template()
    for language in TRANSLATED:
        catalog = read(language)
        catalog.update(now, no_fuzzy_matching=True, update_creation_date=False)
        write(language, catalog)
        known = translations(catalog)
        waiting = [sentence[0] for sentence, translated in known.items() if not all(translated)]
        print(f"{language}: {len(known)} sentences, {len(waiting)} to translate", *waiting, sep="\n  ")


if __name__ == "__main__":
    main()
