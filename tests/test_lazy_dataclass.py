"""The lazy dataclass behaves as that of the standard library, which decorates the same class here."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import typing
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, field, fields, replace
from typing import Any

import pytest

from firmware_host.lazy_dataclass import dataclass

Decorator = Callable[[type], Any]


def leap(decorator: Decorator, name: str = "Leap") -> Any:
    """A class with defaults, a factory, a field that is not compared, and one that only `kw_only` passes."""

    class Leap:
        """A leap of a peg."""

        seat: int
        holes: int = 2
        pegs: list[int] = field(default_factory=list)
        since_s: float = field(default=0.0, compare=False)
        note: str = field(default="", repr=False, kw_only=True)

        @property
        def twice(self) -> int:
            return 2 * self.holes

    Leap.__name__ = Leap.__qualname__ = name
    return decorator(Leap)


Leap = leap(dataclass(frozen=True, slots=True))
StandardLeap = leap(dataclasses.dataclass(frozen=True, slots=True), "StandardLeap")
Changing = leap(dataclass(slots=True), "Changing")
StandardChanging = leap(dataclasses.dataclass(slots=True), "StandardChanging")
PAIRS = [pytest.param(Leap, StandardLeap, id="frozen"), pytest.param(Changing, StandardChanging, id="changing")]


@dataclass(frozen=True, slots=True)
class Empty:
    """Has no field."""


@dataclass(frozen=True, slots=True)
class Doubled:
    """Checks its field."""

    value: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", 2 * self.value)


@dataclass(frozen=True, slots=True)
class Own:
    """Has methods of its own where others have compiled ones."""

    value: int

    def __eq__(self, other: object) -> bool:
        return True

    def __repr__(self) -> str:
        return "own"


@dataclass(frozen=True, slots=True)
class Around:
    """May contain itself."""

    parts: list[object]


def parameters_of(cls: Any) -> list[tuple[object, ...]]:
    """Without what stands for a default that a factory makes: each decorator has its own."""
    made = {each.name for each in fields(cls) if each.default_factory is not dataclasses.MISSING}
    parameters = inspect.signature(cls).parameters.values()
    return [(each.name, each.kind, each.annotation, each.name in made or each.default) for each in parameters]


@pytest.mark.parametrize(("lazy", "standard"), PAIRS)
def test_same_arguments_defaults_and_annotations(lazy: Any, standard: Any) -> None:
    assert parameters_of(lazy) == parameters_of(standard)
    assert typing.get_type_hints(lazy.__init__) == typing.get_type_hints(standard.__init__)
    assert asdict(lazy(1, note="n")) == asdict(standard(1, note="n"))
    assert lazy(1).pegs is not lazy(1).pegs
    wrong_calls: list[Callable[[Any], object]] = [
        lambda cls: cls(),
        lambda cls: cls(1, 2, [], 0.0, "n"),
        lambda cls: cls(1, hole=2),
    ]
    for call in wrong_calls:
        with pytest.raises(TypeError) as ours:
            call(lazy)
        with pytest.raises(TypeError) as theirs:
            call(standard)
        assert str(ours.value) == str(theirs.value).replace(standard.__name__, lazy.__name__)


@pytest.mark.parametrize(("lazy", "standard"), PAIRS)
def test_same_text_fields_and_matched_arguments(lazy: Any, standard: Any) -> None:
    assert repr(lazy(1, note="n")) == repr(standard(1, note="n")).replace(standard.__name__, lazy.__name__)
    assert [each.name for each in fields(lazy)] == [each.name for each in fields(standard)]
    assert lazy.__match_args__ == standard.__match_args__
    assert lazy.__slots__ == standard.__slots__
    assert not hasattr(lazy(1), "__dict__")


@pytest.mark.parametrize(("lazy", "standard"), PAIRS)
def test_same_equality(lazy: Any, standard: Any) -> None:
    assert lazy(1) == lazy(1, since_s=5.0)
    assert lazy(1) != lazy(2)
    assert lazy(1) != lazy(1, note="n")
    assert lazy(1) != standard(1)
    assert lazy(1).__eq__(1) is NotImplemented


def test_same_hash() -> None:
    pegs = (1,)  # a list has no hash
    assert hash(Leap(1, pegs=pegs)) == hash(StandardLeap(1, pegs=pegs)) == hash(Leap(1, pegs=pegs, since_s=5.0))
    assert Changing.__hash__ is StandardChanging.__hash__ is None


@pytest.mark.parametrize("cls", [Leap, StandardLeap])
def test_frozen_field_cannot_be_set_or_deleted(cls: Any) -> None:
    one = cls(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'holes'"):
        one.holes = 3
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'holes'"):
        del one.holes
    assert one.holes == 2


def test_attribute_that_is_no_field_cannot_be_set() -> None:
    with pytest.raises(FrozenInstanceError):
        Leap(1).hole = 3


def test_fields_of_a_class_that_is_not_frozen_can_be_set() -> None:
    one = Changing(1)
    one.holes = 3
    assert one == Changing(1, 3)


@pytest.mark.parametrize("cls", [Leap, Changing])
def test_copies_and_pickles(cls: Any) -> None:
    one = cls(1, 3, [4], 5.0, note="n")
    copies = [copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one)), replace(one)]
    assert [asdict(each) for each in copies] == [asdict(one)] * len(copies)
    assert replace(one, holes=4) == cls(1, 4, [4], 5.0, note="n")


def test_compiled_method_takes_the_place_of_what_stood_for_it() -> None:
    fresh = leap(dataclass(frozen=True, slots=True))
    assert not inspect.isfunction(vars(fresh)["__init__"])
    fresh(1)
    assert inspect.isfunction(vars(fresh)["__init__"])
    assert not inspect.isfunction(vars(fresh)["__eq__"])
    assert fresh.__eq__ is vars(fresh)["__eq__"]


def test_empty_class_methods_of_a_class_and_post_init() -> None:
    assert Empty() == Empty() and hash(Empty()) == hash(()) and repr(Empty()) == "Empty()"
    assert Doubled(2).value == 4
    assert Own(1) == 2 and repr(Own(1)) == "own" and hash(Own(1)) == hash((1,))


def test_class_that_contains_itself_has_a_text() -> None:
    around = Around([])
    around.parts.append(around)
    assert repr(around) == "Around(parts=[...])"


def test_what_is_not_supported_is_refused() -> None:
    with pytest.raises(TypeError, match="slots=True"):
        dataclass(frozen=True, slots=False)
    with pytest.raises(TypeError, match="among the bases of .*Longer"):

        @dataclass(frozen=True, slots=True)
        class Longer(Empty):
            more: int = 0

    with pytest.raises(TypeError, match="init= or hash="):

        @dataclass(frozen=True, slots=True)
        class Secret:
            value: int = field(default=0, init=False)
