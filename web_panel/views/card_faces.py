"""The faces of the cards, drawn by the program itself: one SVG file with a symbol for each card. Pure.

A page shows a card as its rank in text, the sign of its suit, and the pips or the figure, each a `<use>` of this file.
The rank is text of the page, so that it is selected, read aloud and found like any other. `static/css/base.css` puts
the parts together: small cards have a large sign instead of the pips. Colours are custom properties of the page, so
that two or four colours, day and night need no second drawing.

| symbol    | what                                                     | box          |
|-----------|----------------------------------------------------------|--------------|
| `H`       | the sign of a suit                                       | 10 by 10     |
| `TH`      | ten pips; `JH` a figure                                  | 50 by 70     |
| `T`, `J`  | a card whose suit is not known: discs instead of signs   | 50 by 70     |
| `back`    | the back                                                 | 50 by 70     |
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from firmware_host.cribbage.cards import LETTERS, Suit

SIGNS = {
    "S": "M0-4.6C1.5-2.2 4.5-.4 4.5 1.9A2.1 2.1 0 0 1 .7 3.1L1.6 4.7H-1.6L-.7 3.1"
    "A2.1 2.1 0 0 1-4.5 1.9C-4.5-.4-1.5-2.2 0-4.6",
    "H": "M0 4.6C-1.5 2.3-4.7.7-4.7-1.8A2.35 2.35 0 0 1 0-2.6A2.35 2.35 0 0 1 4.7-1.8C4.7.7 1.5 2.3 0 4.6Z",
    "D": "M0-4.8L3.7 0L0 4.8L-3.7 0Z",
    "C": "M-1.6 4.7L-.6 2.6A2.2 2.2 0 1 1-1.9-.7A2.2 2.2 0 1 1 1.9-.7A2.2 2.2 0 1 1 .6 2.6L1.6 4.7Z",
    "": "M0-2.6A2.6 2.6 0 1 1 0 2.6A2.6 2.6 0 1 1 0-2.6Z",
}
"""Suit -> its sign, around the middle of a box of 10. Without a suit a disc."""

SUIT_LETTERS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}

LEFT = 21.5
MIDDLE = 31.5
RIGHT = 41.5
"""Columns of the pips. The index has the left edge of the card."""
ROWS_OF_TWO = {4: (12, 58), 5: (12, 58), 6: (12, 35, 58), 7: (12, 35, 58), 8: (12, 35, 58)}
ROWS_OF_FOUR = (12, 27.3, 42.7, 58)
MIDDLE_ROWS = {
    1: (35,),
    2: (12, 58),
    3: (12, 35, 58),
    5: (35,),
    7: (23.5,),
    8: (23.5, 46.5),
    9: (35,),
    10: (19.7, 50.3),
}
"""Number of pips -> heights of those in the middle column."""
HEIGHT = 70
ACE_SCALE = 2.4
PIP_SCALE = 1.05

CROWN = "M-7-21L-8-29L-3.6-25L0-30.5L3.6-25L8-29L7-21Z"
TIARA = "M-6-21.5L-7-27L-3.2-24.5L0-29L3.2-24.5L7-27L6-21.5Q0-24-6-21.5Z"
CAP = "M-7.5-20Q-6-28 3-26Q8-25 7.5-20Q0-23-7.5-20Z"
FEATHER = "M2-25Q8-33 13-29Q9-28 8.5-24.5Q6-26 2-25Z"
LONG_HAIR = "M-8-10Q-8.5-24 0-24Q8.5-24 8-10L5.4-10Q6-18 4.5-20H-4.5Q-6-18-5.4-10Z"
SHORT_HAIR = "M-6.6-13.5V-20H6.6V-13.5L4.9-14.5V-19H-4.9V-14.5Z"
BEARD = "M-5-17.5Q-4.5-8.5 0-8.5Q4.5-8.5 5-17.5Q3-14 0-14Q-3-14-5-17.5Z"
ROBE = "M-15.5 0L-14-5.5Q-12-10.5-4-11.5H4Q12-10.5 14-5.5L15.5 0Z"
COLLAR = "M-4.5-11.5L0-3.5L4.5-11.5Z"
EYES = "M-2.3-18.4h.1M2.3-18.4h.1"


class Figure(Struct, frozen=True):
    """What tells a jack, a queen and a king apart: hair in the colour of the suit, and headgear in gold."""

    hair: str
    headgear: tuple[str, ...]


FIGURES = {"J": Figure(SHORT_HAIR, (CAP, FEATHER)), "Q": Figure(LONG_HAIR, (TIARA,)), "K": Figure(BEARD, (CROWN,))}


@cache
def card_faces() -> bytes:
    """The SVG file with all symbols, in UTF-8."""
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(_symbols())}</svg>'.encode()


def _symbols() -> Iterator[str]:
    for suit in Suit:
        yield f'<symbol id="{suit.value}" viewBox="-5 -5 10 10"><path d="{SIGNS[suit.value]}" {INK}/></symbol>'
    for suit_letter in ("", *(suit.value for suit in Suit)):
        for number, letter in enumerate(LETTERS, 1):
            drawing = _figure(letter, suit_letter) if letter in FIGURES else _pips(number, suit_letter)
            yield f'<symbol id="{letter}{suit_letter}" viewBox="0 0 50 70">{drawing}</symbol>'
    yield f'<symbol id="back" viewBox="0 0 50 70">{_back()}</symbol>'


INK = 'fill="currentColor"'


def _pips(number: int, suit: str) -> str:
    scale = ACE_SCALE if number == 1 else PIP_SCALE
    places = [(MIDDLE, y) for y in MIDDLE_ROWS.get(number, ())]
    places += [(x, y) for y in ROWS_OF_TWO.get(number, ROWS_OF_FOUR if number > 8 else ()) for x in (LEFT, RIGHT)]
    signs = "".join(
        f'<path d="{SIGNS[suit]}" transform="translate({x} {y}) scale({_turned(scale, y)})"/>' for x, y in places
    )
    return f"<g {INK}>{signs}</g>"


def _turned(scale: float, y: float) -> str:
    """Pips in the lower half stand on their heads."""
    return f"{scale:g} {-scale:g}" if y > HEIGHT / 2 else f"{scale:g}"


def _figure(letter: str, suit: str) -> str:
    """A half figure with the sign of its suit, twice: the lower one turned by half a circle."""
    half = _half_figure(FIGURES[letter]) + f'<path d="{SIGNS[suit]}" {INK} transform="translate(-11 -25) scale(.75)"/>'
    halves = f'<g transform="translate(31 35)">{half}</g><g transform="translate(31 35) rotate(180)">{half}</g>'
    frame = '<rect x="14.5" y="3" width="33" height="64" rx="2.5" fill="none" stroke="currentColor" stroke-width=".7"/>'
    return frame + halves


def _half_figure(figure: Figure) -> str:
    line = 'stroke="currentColor" stroke-width=".8" stroke-linejoin="round"'
    face = f'<circle cy="-17" r="5.2" fill="var(--card)" {line}/>'
    eyes = f'<path d="{EYES}" stroke="currentColor" stroke-width="1.3" stroke-linecap="round"/>'
    gold = "".join(f'<path d="{path}" fill="var(--card-gold)" {line}/>' for path in (COLLAR, *figure.headgear))
    return f'<path d="{ROBE}" {INK}/>{face}<path d="{figure.hair}" {INK}/>{eyes}{gold}'


def _back() -> str:
    """A lattice within a frame."""
    lines = "".join(f"M{7 * at - 63} 63L{7 * at} 0M{7 * at} 63L{7 * at - 63} 0" for at in range(16))
    lattice = f'<path d="{lines}" fill="none" stroke="var(--card)" stroke-width=".9" opacity=".55"/>'
    ground = '<rect x="4" y="4" width="42" height="62" rx="2" fill="var(--card-back)"/>'
    return f'{ground}<svg x="4" y="4" width="42" height="62">{lattice}</svg>'


class CardParts(Struct, frozen=True):
    """A card as the page puts it together."""

    symbol: str
    """The name of its symbol: TH."""
    rank: str
    """As people read it: 10."""
    suit: str
    """S, H, D, C; empty if it is not known."""
    sign: str
    """♥; empty without a suit."""


def card_parts(pretty: str) -> CardParts:
    """The parts of a card as people read it, such as 10♥, or of a card of the API, such as TH."""
    suit = SUIT_LETTERS.get(pretty[-1], pretty[-1] if len(pretty) > 1 and pretty[-1] in "SHDC" else "")
    rank = (pretty[:-1] if suit else pretty).replace("T", "10")
    sign = next((sign for sign, letter in SUIT_LETTERS.items() if letter == suit), "")
    return CardParts(rank.replace("10", "T") + suit, rank, suit, sign)
