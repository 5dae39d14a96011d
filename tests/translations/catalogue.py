"""The catalogue of all that is said, kept with Babel: `make words` takes what the program says now into the `.po`
files, where translators write, and compiles them. At run time the standard library reads the compiled files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import firmware_host
import web_panel
from firmware_host.cribbage.options import OPTIONS
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.variants import PRESETS, VARIANTS
from firmware_host.languages import LANGUAGES
from firmware_host.plans import load_plan, plan_ids
from firmware_host.settings import SENTENCES
from firmware_host.table import cadence, hindrances, wording
from firmware_host.table.refusals import NOT_NOW
from web_panel.house_rules import GROUPS, sentence_of
from web_panel.settings_page import SECTIONS

ROOT = Path(__file__).parents[2]
TRANSLATIONS = ROOT / "firmware_host" / "translations"
TRANSLATED = LANGUAGES[1:]

ROOMS = ("firmware_host", "web_panel")
READ_AS = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
Forms = tuple[str, ...]
"""A sentence: one form, or all those of a sentence that counts something."""
SAID_BY = {"_": None, "counted": (1, 2)}
"""Function -> which of its arguments are sentences; None: the first."""


def sentences_of_options() -> Iterator[str]:
    for option in OPTIONS:
        yield option.sentence
        yield from (sentence for text in option.choices if not (sentence := sentence_of(option, text)).isdecimal())


def refusals() -> Iterator[type[Refusal]]:
    """Every kind of refusal that the program knows, and the special cases of some."""
    for package in (firmware_host, web_panel):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    found: list[type[Refusal]] = [Refusal]
    for kind in found:
        found += kind.__subclasses__()
    yield from found[1:]


def sentences_of_refusals() -> Iterator[tuple[str, Forms]]:
    """Each with the file it stands in."""
    for kind in refusals():
        forms = (vars(kind).get(name, "") for name in ("sentence", "sentence_of_many"))
        if said := tuple(filter(None, forms)):
            yield f"{kind.__module__.replace('.', '/')}.py", said


TABLES = {
    "firmware_host/table/cadence.py": cadence.PHRASES,
    "firmware_host/table/wording.py": (
        *wording.FAULTS.values(),
        *wording.BREACHES.values(),
        *wording.QUESTIONS.values(),
    ),
    "firmware_host/table/hindrances.py": tuple(hindrances.UNREAD.values()),
    "firmware_host/table/refusals.py": tuple(NOT_NOW.values()),
    "firmware_host/cribbage/variants.py": (
        *(name.replace("_", " ") for name in VARIANTS),
        *(preset.sentence for preset in PRESETS.values()),
    ),
    "firmware_host/cribbage/options.py": tuple(dict.fromkeys(sentences_of_options())),
    "firmware_host/settings.py": tuple(SENTENCES.values()),
    "web_panel/house_rules.py": tuple(GROUPS),
    "web_panel/settings_page.py": tuple(SECTIONS),
    "hardware/boards": tuple(dict.fromkeys(track.name for board in plan_ids() for track in load_plan(board).inlays)),
}
"""What is looked up from a table, where no call spells it out."""


@cache
def template() -> Catalog:
    """Every sentence of the program, each with the files that say it."""
    catalog = Catalog(charset="utf-8")
    for file, message in (*_called(), *_tabled()):
        catalog.add(message, locations=[(file, 1)])
    return catalog


def _called() -> Iterator[tuple[str, str | Forms]]:
    for room in ROOMS:
        for file, _, message, _, _ in extract_from_dir(ROOT / room, READ_AS, keywords=SAID_BY):
            yield f"{room}/{file}", message


def _tabled() -> Iterator[tuple[str, str | Forms]]:
    for file, sentences in TABLES.items():
        for sentence in sentences:
            yield file, sentence
    for file, (one, *many) in sentences_of_refusals():
        yield file, (one, *many) if many else one


def po_file(language: str) -> Path:
    return TRANSLATIONS / language / "LC_MESSAGES" / "cribboard.po"


def read(language: str) -> Catalog:
    """What the translators wrote; an empty catalogue for a language that is new. Raises PoFileError."""
    path = po_file(language)
    if not path.exists():
        return Catalog(locale=language, fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def translations(catalog: Catalog) -> dict[Forms, Forms]:
    """Sentence -> its translation. The header is left out."""
    return {forms(message.id): forms(message.string) for message in catalog if message.id}


def forms(sentence: str | Sequence[str] | None) -> Forms:
    return (sentence or "",) if sentence is None or isinstance(sentence, str) else tuple(sentence)


def write(language: str, catalog: Catalog) -> None:
    """The `.po` file and, beside it, the `.mo` file."""
    path = po_file(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=120, ignore_obsolete=True, include_lineno=False)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalog)


def main() -> None:
    """Takes new sentences in and stale ones out, compiles, and says what waits for a translation."""
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
