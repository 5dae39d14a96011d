"""Ways to time a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import quantiles
from time import perf_counter, process_time
from typing import Any

ROUNDS = 3

Work = tuple[Callable[..., object], Sequence[tuple[Any, ...]]]
"""A function, and the arguments of each of its calls."""


def seconds(action: Callable[[], object]) -> float:
    """Wall-clock time of one call."""
    began_s = perf_counter()
    action()
    return perf_counter() - began_s


def processor_seconds(action: Callable[[], object]) -> float:
    """Processor time of one call, which other programs disturb less."""
    began_s = process_time()
    action()
    return process_time() - began_s


def calls_per_second(works: Mapping[str, Work]) -> dict[str, float]:
    """The best rate of each work in several rounds, by processor time. Each round does all of them in turn, so that a
    busy machine slows all of them."""
    rounds = [
        {name: _warm_seconds(partial(_call_with_each, *work)) for name, work in works.items()} for _ in range(ROUNDS)
    ]
    return {name: len(arguments) / min(took_s[name] for took_s in rounds) for name, (_, arguments) in works.items()}


def _warm_seconds(action: Callable[[], object]) -> float:
    """As `processor_seconds`, of the second of two calls. Works share their arguments: the first of them would wait for
    all of these to come into the cache, and the next one would find them there."""
    action()
    return processor_seconds(action)


def _call_with_each(call: Callable[..., object], arguments: Sequence[tuple[Any, ...]]) -> None:
    for each in arguments:
        call(*each)


def percentile_99(values: Sequence[float]) -> float:
    """Needs two values; with fewer than 100 it is extrapolated from the largest two."""
    return quantiles(values, n=100)[98]
