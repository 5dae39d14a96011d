"""Reads and writes the S-expressions of KiCad's files: nested lists of symbols, numbers and quoted texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias
from uuid import NAMESPACE_URL, uuid5

_TOKEN = re.compile(r'\s*(?:(\()|(\))|"((?:[^"\\]|\\.)*)"|([^\s()"]+))', re.S)
_LINE = 100


class Text(str):
    """A text that is written in quotes; a plain `str` is written as it is."""

    __slots__ = ()


Node: TypeAlias = "list[Node] | str | Text"


def parse(text: str) -> list[Node]:
    """The list that a file holds. Raises ValueError if a parenthesis is missing."""
    stack: list[list[Node]] = [[]]
    for match in _TOKEN.finditer(text):
        opened, closed, quoted, word = match.groups()
        if opened:
            stack.append([])
        elif closed:
            done = stack.pop()
            if not stack:
                break
            stack[-1].append(done)
        else:
            stack[-1].append(word if word is not None else Text(quoted.replace('\\"', '"').replace("\\\\", "\\")))
    if len(stack) != 1 or len(stack[0]) != 1 or not isinstance(stack[0][0], list):
        raise ValueError("S-expression: expected one list, got unbalanced parentheses")
    return stack[0][0]


def render(node: Node, indent: int = 0) -> str:
    """The text of a node, indented by tabs; short lists stay on one line."""
    if isinstance(node, Text):
        return '"' + node.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    if isinstance(node, str):
        return node
    flat = "(" + " ".join(render(item) for item in node) + ")"
    if len(flat) + indent < _LINE:
        return flat
    head = [item for item in node if not isinstance(item, list)]
    tail = [item for item in node if isinstance(item, list)]
    if len(head) + len(tail) != len(node) or node[: len(head)] != head:
        return flat
    pad = "\n" + "\t" * (indent + 1)
    return "(" + " ".join(map(render, head)) + "".join(pad + render(item, indent + 1) for item in tail) + ")"


def number(value: float) -> str:
    """A number as KiCad writes it: up to six decimals, no trailing zeros, no negative zero."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def row(head: str, *items: Node | float) -> list[Node]:
    """A list: its head, then items; floats and integers become numbers."""
    return [head, *(number(item) if isinstance(item, (int, float)) else item for item in items)]


def children(node: Sequence[Node], head: str) -> Iterator[list[Node]]:
    """The lists inside `node` that begin with `head`."""
    for item in node:
        if isinstance(item, list) and item and item[0] == head:
            yield item


def child(node: Sequence[Node], head: str) -> list[Node] | None:
    """The first of `children`, or None."""
    return next(children(node, head), None)


def floats(node: Sequence[Node]) -> list[float]:
    """The numbers after the head of a list."""
    return [float(str(item)) for item in node[1:] if not isinstance(item, list)]


def stable_uuid(*words: str) -> Text:
    """A UUID that depends only on `words`, so that files do not change from build to build."""
    return Text(str(uuid5(NAMESPACE_URL, "cribboard/" + "/".join(words))))
