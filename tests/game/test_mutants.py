"""`make mutants` changes what it says, and nothing else."""

from __future__ import annotations

import ast
from importlib.util import module_from_spec

from tests.game.mutants import PACKAGE, ROOT, ChangedModule, mutants_of


def test_each_mutant_is_another_program_of_at_most_one_changed_line() -> None:
    source = ast.unparse(ast.parse((ROOT / "firmware_host/game/decision.py").read_text(encoding="utf-8")))
    for mutant in mutants_of("decision"):
        changed = mutant.source
        assert changed != source, mutant
        compile(changed, str(mutant), "exec")
        differing = {*changed.splitlines()} - {*source.splitlines()}
        assert len(differing) <= 1, mutant


def test_changed_module_takes_the_place_of_one_file() -> None:
    finder = ChangedModule(f"{PACKAGE}.forfeits", "FORFEITABLE = ()")
    assert finder.find_spec(f"{PACKAGE}.dues", None) is None
    spec = finder.find_spec(f"{PACKAGE}.forfeits", None)
    assert spec is not None
    module = module_from_spec(spec)
    finder.exec_module(module)
    assert module.FORFEITABLE == ()
