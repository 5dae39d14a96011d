"""Changes one place of the package `game` at a time, and runs the tests of the package. `make mutants`.

python -m tests.game.mutants --seed 1 --number 60

A change that no test notices is a survivor: a rule without a test, code without effect, or a change of nothing (an
equivalent mutant). The changes are those of a slip: a comparison turned round or off by one, a number one too high or
too low, a condition negated, `and` for `or`, two arguments swapped, a statement left out, another value returned.

Each mutant runs in a process of its own, which compiles the changed module from memory: no file is touched. Tests that
end soon come first, and the first failure ends the run.
"""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from msgspec import Struct

ROOT = Path(__file__).parents[2]
PACKAGE = "firmware_host.game"
MODULES = ("decision", "dues", "known_scores", "missed_points", "muggins", "overruns", "peg_moves")
SLOW_TESTS = ("test_game_machine.py", "test_option_combinations.py", "test_random_games.py", "test_muggins_modes.py")
"""Tests that run last, the slowest of them first in this list."""
SPARE_TIME = 5
"""A mutant that takes so many times as long as the unchanged tests, and `SPARE_S` more, hangs: it is killed too."""
SPARE_S = 30
PASSED = 0

SWAPPED: dict[type[ast.AST], tuple[Callable[[], Any], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
}
"""Operator -> those that a slip could write for it."""
SWAPPED_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Mutant(Struct, frozen=True):
    """One change of a module: a node of its tree, and what stands in its place."""

    module: str
    tree: ast.Module
    node: ast.AST
    changed: ast.AST
    line: int

    @property
    def source(self) -> str:
        """The source of the changed module."""
        kept = {id(node): node for node in (self.node, self.changed)}
        return ast.unparse(_Replacer(self.node, self.changed).visit(deepcopy(self.tree, kept)))

    def __str__(self) -> str:
        return f"{self.module}.py:{self.line}  {_text(self.node)}  ->  {_text(self.changed)}"


class _Replacer(ast.NodeTransformer):
    def __init__(self, node: ast.AST, changed: ast.AST) -> None:
        self.node, self.changed = node, changed

    def visit(self, node: ast.AST) -> Any:
        return self.changed if node is self.node else super().visit(node)


def mutants_of(module: str) -> list[Mutant]:
    """Every mutant of a module of the package, by function and place."""
    tree = ast.parse((ROOT / PACKAGE.replace(".", "/") / f"{module}.py").read_text(encoding="utf-8"))
    return [
        Mutant(module, tree, node, changed, line)
        for function in _functions(tree)
        for node, changed, line in _changes(function)
    ]


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The functions and methods. What is outside of them is data, with names that the tests use."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _changes(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, ast.AST, int]]:
    """Nodes of the body, what could stand in their places, and their lines."""
    returned = ast.unparse(function.returns) if function.returns else ""
    for statement in function.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue  # the docstring
        for node in ast.walk(statement):
            for changed_node, changed in _changes_of(node, returned):
                yield changed_node, changed, getattr(changed_node, "lineno", function.lineno)


def _changes_of(node: ast.AST, returned: str) -> Iterator[tuple[ast.AST, ast.AST]]:
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=comparators):
            for swapped in SWAPPED.get(type(operator), ()):
                yield node, ast.Compare(left, [swapped()], comparators)
        case ast.BoolOp(op=operator, values=values):
            yield node, ast.BoolOp(SWAPPED[type(operator)][0](), values)
            for left_out in range(len(values)):
                rest = [value for place, value in enumerate(values) if place != left_out]
                yield node, rest[0] if len(rest) == 1 else ast.BoolOp(operator, rest)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in SWAPPED:
            yield node, ast.BinOp(left, SWAPPED[type(operator)][0](), right)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, operand
        case ast.Constant(value=bool() as value):
            yield node, ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield node, ast.Constant(value + 1)
            yield node, ast.Constant(value - 1)
        case ast.If(test=test) | ast.IfExp(test=test):
            yield test, _negated(test)
        case ast.comprehension(ifs=[test, *_]):
            yield test, _negated(test)
        case ast.Call(func=ast.Name(id=name), args=args) if name in SWAPPED_NAMES:
            yield node, ast.Call(ast.Name(SWAPPED_NAMES[name], ast.Load()), args, node.keywords)
        case ast.Call(func=called, args=[first, second, *others], keywords=keywords):
            yield node, ast.Call(called, [second, first, *others], keywords)
        case ast.Expr() | ast.AugAssign() | ast.Raise():
            yield node, ast.Pass()
        case ast.Return(value=ast.expr() as value) if returned == "bool" and not isinstance(value, ast.Constant):
            yield value, _negated(value)
        case ast.Return(value=ast.expr() as value) if returned == "int":
            yield value, ast.BinOp(value, ast.Add(), ast.Constant(1))
        case ast.Return(value=ast.expr()) if returned.startswith("tuple"):
            yield node, ast.Return(ast.Tuple([], ast.Load()))


def _negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _text(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 70 else f"{text[:67]}..."


class ChangedModule(MetaPathFinder, Loader):
    """Imports one module from this source in place of its file."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        """The specification of the changed module; None for all others."""
        return ModuleSpec(fullname, self) if fullname == self.name else None

    def exec_module(self, module: object) -> None:
        """Runs the changed source."""
        exec(compile(self.source, f"<changed {self.name}>", "exec"), vars(module))


def tests_in_order() -> list[str]:
    """The test files of the package, those that end soon first."""
    files = sorted(path for path in Path(__file__).parent.glob("test_*.py") if path.name not in SLOW_TESTS)
    return [*map(str, files), *(str(Path(__file__).with_name(name)) for name in reversed(SLOW_TESTS))]


def run_tests(module: str, source: str) -> int:
    """The exit status of the tests of the package with this source of the module; "": without any change."""
    import pytest

    if module:
        sys.meta_path.insert(0, ChangedModule(f"{PACKAGE}.{module}", source))
    return pytest.main(["-x", "-q", "-p", "no:cacheprovider", "--tb=no", *tests_in_order()])


def run_apart(mutant: Mutant | None, timeout_s: float | None = None) -> int | None:
    """As `run_tests`, in a process of its own. None: it hung."""
    module, source = (mutant.module, mutant.source) if mutant else ("", "")
    # In CI each run of a property tries the same examples, so a mutant dies in every run or in none.
    environment = {**os.environ, "CI": "1"}
    command = [sys.executable, "-m", "tests.game.mutants", "--run", module]
    try:
        return subprocess.run(
            command, cwd=ROOT, env=environment, timeout=timeout_s, input=source.encode(), capture_output=True
        ).returncode
    except subprocess.TimeoutExpired:
        return None


def main() -> None:
    """Prints each survivor, then how many mutants were killed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="chooses the mutants (1)")
    parser.add_argument("--number", type=int, default=60, help="how many mutants; 0: all of them (60)")
    parser.add_argument("--modules", nargs="+", default=MODULES, metavar="MODULE", help=" ".join(MODULES))
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1, help="processes (one for each core)")
    parser.add_argument("--run", metavar="MODULE", help="run the tests once, with the source of MODULE from stdin")
    options = parser.parse_args()
    if options.run is not None:
        sys.exit(run_tests(options.run, sys.stdin.read()))
    began = monotonic()
    if run_apart(None) != PASSED:
        sys.exit("The tests fail without any change. Fix: make test")
    timeout_s = SPARE_TIME * (monotonic() - began) + SPARE_S
    every = [mutant for module in options.modules for mutant in mutants_of(module)]
    chosen = Random(options.seed).sample(every, options.number) if options.number else every
    with ThreadPoolExecutor(options.at_once) as pool:
        survivors = 0
        for mutant, status in zip(chosen, pool.map(lambda each: run_apart(each, timeout_s), chosen), strict=True):
            if status == PASSED:
                survivors += 1
                print(mutant, flush=True)
    killed = len(chosen) - survivors
    print(f"seed {options.seed}: {killed} of {len(chosen)} mutants killed ({len(every)} are possible)")


if __name__ == "__main__":
    main()
