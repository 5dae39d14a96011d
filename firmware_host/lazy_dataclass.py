"""`dataclass(slots=True)` whose methods are compiled when they are first used.

The decorator of the standard library compiles up to six methods for each class at its definition. That was a third of a
start: until the panel is open, the program defines some 240 of these classes and calls few of their methods. Here

- `__init__`, `__eq__` and `__hash__` are compiled one by one when they are first looked up, from the same source as in
  the standard library. Only a field is set by its slot, which is faster than `object.__setattr__`;
- `__repr__`, and for frozen classes `__setattr__`, `__delattr__` and what copies and pickles, are shared by all.

Callers see no difference, also in `inspect.signature`, `replace`, `fields`, `match` and pickles, with these exceptions:
a dataclass cannot be a subclass of another; a subclass of a frozen one cannot have attributes that change; and to set
an attribute that is no field is a FrozenInstanceError, where Python 3.11 has a TypeError by mistake.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, fields
from reprlib import recursive_repr
from types import FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, slots: bool, frozen: bool = False, kw_only: bool = False) -> Callable[[type], type]:
        """A decorator for a dataclass with slots. Raises TypeError without slots, and for a subclass of a dataclass."""
        if not slots:
            raise TypeError("expected slots=True; use `dataclasses.dataclass` for a class without slots")

        def decorate(cls: type) -> type:
            if dataclasses.is_dataclass(cls):
                raise TypeError(f"expected no dataclass among the bases of {cls.__qualname__}")
            own = {name for name, value in vars(cls).items() if value is not None}  # `__eq__` makes `__hash__` None
            made = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=True, kw_only=kw_only)
            if any(not each.init or each.hash is not None for each in fields(made)):
                raise TypeError(f"expected no init= or hash= in the fields of {cls.__qualname__}")
            methods = {"__repr__": _repr, "__init__": _Uncompiled(made, _init), "__eq__": _Uncompiled(made, _eq)}
            methods |= FROZEN | {"__hash__": _Uncompiled(made, _hash)} if frozen else {"__hash__": None}
            for name, method in methods.items():
                if name not in own:
                    setattr(made, name, method)
            return made

        return decorate


class _Uncompiled:
    """Stands for a method of a class until it is first looked up; then the compiled method takes its place."""

    __slots__ = ("cls", "compiled")

    def __init__(self, cls: type, compiled: Callable[[type], FunctionType]) -> None:
        self.cls, self.compiled = cls, compiled

    def __get__(self, instance: object, owner: type) -> Any:
        method = self.compiled(self.cls)
        setattr(self.cls, method.__name__, method)
        return method.__get__(instance, owner)


def _init(cls: type) -> FunctionType:
    """`__init__`, which sets each field to its argument or default. Fields with `kw_only` come last."""
    given: dict[str, object] = {"MISSING": MISSING}
    body: list[str] = []
    plain: list[str] = ["self"]
    named: list[str] = []
    for each in fields(cls):
        name, value, parameter = each.name, each.name, each.name
        given[f"__set_{name}"] = vars(cls)[name].__set__
        if each.default is not MISSING:
            given[f"__default_{name}"], parameter = each.default, f"{name}=__default_{name}"
        elif each.default_factory is not MISSING:
            given[f"__make_{name}"], parameter = each.default_factory, f"{name}=MISSING"
            value = f"__make_{name}() if {name} is MISSING else {name}"
        body.append(f"__set_{name}(self, {value})")
        (named if each.kw_only else plain).append(parameter)
    if named:
        plain += ["*", *named]
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    init = _compile(cls, "__init__", plain, body or ["pass"], given)
    init.__annotations__ = {each.name: each.type for each in fields(cls)} | {"return": None}
    return init


def _eq(cls: type) -> FunctionType:
    body = [
        "if other.__class__ is self.__class__:",
        f" return {_values(cls, 'self')} == {_values(cls, 'other')}",
        "return NotImplemented",
    ]
    return _compile(cls, "__eq__", ["self", "other"], body)


def _hash(cls: type) -> FunctionType:
    return _compile(cls, "__hash__", ["self"], [f"return hash({_values(cls, 'self')})"])


def _values(cls: type, instance: str) -> str:
    """The source of a tuple of all fields that are compared."""
    return f"({''.join(f'{instance}.{each.name}, ' for each in fields(cls) if each.compare)})"


def _compile(
    cls: type, name: str, parameters: list[str], body: list[str], given: dict[str, object] | None = None
) -> FunctionType:
    """A function of the module of `cls` that also sees the names in `given`."""
    given = given or {}
    lines = [f"def make({', '.join(given)}):", f" def {name}({', '.join(parameters)}):"]
    lines += [f"  {line}" for line in body] + [f" return {name}"]
    made: dict[str, Any] = {}
    exec("\n".join(lines), vars(sys.modules[cls.__module__]), made)
    function = made["make"](**given)
    assert isinstance(function, FunctionType)
    function.__qualname__ = f"{cls.__qualname__}.{name}"
    return function


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _setattr(self: Any, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[object]:
    return [getattr(self, each.name) for each in fields(self)]


def _setstate(self: Any, state: list[object]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


FROZEN: dict[str, Any] = {
    "__setattr__": _setattr,
    "__delattr__": _delattr,
    "__getstate__": _getstate,
    "__setstate__": _setstate,
}
