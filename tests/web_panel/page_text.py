"""Finds text of a page that is not translated, and text that is cut off or lies over the edge of its place."""

from __future__ import annotations

import re
from typing import NamedTuple

from playwright.sync_api import Page

from tests.web_panel.pseudo_locale import CLOSE, OPEN

ALLOWED = re.compile(r"[♠♥♦♣✓✕★⌫‹›·•–−+×%…:;,.!?()/|=&*#<>→←\"'“”’\s-]|\d+|\b(?:SSD|ssd|sh)\d+\b|\b[A-ZŚ]\b")
"""What needs no translation: numbers, cards, initials, signs."""

NAMES = (
    *("cribboard", "English", "Français", "Русский", "Polski", "CSV", "JSON", "Ann", "Ben", "Red", "Blue", "Wi-Fi"),
    *("Maximiliana", "Bartholomew", "Konstantin", "Wilhelmina", "Alexandrina", "Świętosława"),
    *("ENTER", "UNDO", "FN_", "FN", "F", "Q", "Backspace", "Enter", "Esc", "AM", "PM", "OLED"),
    "A2345678910JQK",  # the legends of the card keys, which have no space between them
    *("Classic 61", "Continuous 121"),
    *("iPhone, iPad", "Android", "Windows", "macOS"),
)
"""Names of players, languages, products, systems, boards and keys."""

TEXTS = """() => {
  const texts = [];
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return texts.push(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    if (node.matches("script, style, time, title, #oled, #parts .detail, [translate=no], input")) return;
    if (!node.checkVisibility({ visibilityProperty: true }) && !node.matches("option, svg *")) return;
    const isBlock = !getComputedStyle(node).display.startsWith("inline");
    if (isBlock) texts.push("\\n");
    for (const child of node.childNodes) walk(child);
    if (isBlock) texts.push("\\n");
    for (const name of ["aria-label", "title", "placeholder", "alt"]) {
      if (node.hasAttribute(name)) texts.push("\\n" + node.getAttribute(name) + "\\n");
    }
  };
  walk(document.body);
  texts.push("\\n" + document.title);
  return texts.join("");
}"""
"""All visible text with the labels for screen readers, a line for each block. Dates are formatted by the browser."""

CUT_OFF = """() => {
  const found = [];
  const isScrollable = (style) => /auto|scroll/.test(style.overflowX) || /auto|scroll/.test(style.overflowY);
  const isHidden = (element) => element.closest(".visually-hidden, .card .sign, .dealer, svg, .skip-link");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, parent = text.parentElement;
    if (!text.data.trim() || parent.matches("script, style, option") || isHidden(parent)) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue;
      const reason = outside(box, parent);
      if (reason) { found.push(`${reason}: ${text.data.trim().slice(0, 60)}`); break; }
    }
  }
  function outside(box, parent) {
    const letters = box.height * 0.2; // of the line above and below the letters
    for (let element = parent; element && element !== document.documentElement; element = element.parentElement) {
      const style = getComputedStyle(element), edge = element.getBoundingClientRect();
      if (style.textOverflow === "ellipsis" && element.matches(".name, select")) return null; // on purpose
      if (style.position === "fixed" && element.matches("dialog")) break;
      const isButton = element.matches("button, .button, .panel, .key, dialog, .side, .segmented label");
      if (isScrollable(style)) return null;
      const clips = /hidden|clip/.test(style.overflowX) || /hidden|clip/.test(style.overflowY);
      if (!clips && !isButton) continue;
      const name = element.id ? "#" + element.id : element.tagName.toLowerCase() + "." + element.className;
      if (box.left < edge.left - 1 || box.right > edge.right + 1) return `over the side of ${name}`;
      if (box.top + letters < edge.top - 1 || box.bottom - letters > edge.bottom + 1) return `over the edge of ${name}`;
    }
    if (box.left < -1 || box.right > innerWidth + 1) return "outside the page";
    return null;
  }
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} px wide`);
  return [...new Set(found)];
}"""
"""Lines of text that reach over their button, panel or page, or that an ancestor hides. Names may end in "…"."""


class Untranslated(NamedTuple):
    """Text outside brackets."""

    text: str
    line: str


def untranslated_texts(page: Page) -> list[Untranslated]:
    """The text of a page in the pseudo-locale that no translator has seen."""
    found = []
    for line in filter(str.strip, page.evaluate(TEXTS).split("\n")):
        rest = outside_brackets(line)
        for name in sorted(NAMES, key=len, reverse=True):
            rest = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "", rest)
        if rest := ALLOWED.sub("", rest):
            found.append(Untranslated(rest, line.strip()[:120]))
    return found


def outside_brackets(line: str) -> str:
    """The text that is in no brackets of the pseudo-locale."""
    depth, kept = 0, []
    for letter in line:
        if letter == CLOSE:
            depth = max(0, depth - 1)
        elif letter == OPEN:
            depth += 1
        elif depth == 0:
            kept.append(letter)
    return "".join(kept)


def cut_off_texts(page: Page) -> list[str]:
    """What text is cut off, and by what."""
    found: list[str] = page.evaluate(CUT_OFF)
    return found
