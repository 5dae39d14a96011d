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


BROKEN = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, parent = text.parentElement;
    if (parent.closest("script, style, option, code, svg, [translate=no]")) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    for (const { 0: word, index } of text.data.matchAll(/\\p{L}{3,}/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
      if (lines.some(({ top }) => top > lines[0].bottom - 2)) found.push(word);
    }
  }
  return [...new Set(found)];
}"""
"""Words that begin on one line and end on the next."""

CROWDED = """() => {
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const apart = "dialog, .start-bar, .setup-dock, .segmented, #offline, .visually-hidden, svg, .card"; // bars overlay
  const isFixed = (element) => element.closest(apart);
  const main = document.querySelector("main.page-main");
  if (!main) return [];
  const boxes = [...main.querySelectorAll(".panel, .banner, button, .button, select, textarea, input")]
    .filter((each) => isShown(each) && !isFixed(each))
    .filter((each) => !each.matches(".plain, .reset, [type=checkbox], [type=radio]"));
  const boxOf = (element) => element.getBoundingClientRect();
  const things = boxes.map((element) => ({ element, name: element.innerText || element.name, rect: boxOf(element) }));
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || isFixed(element) || !isShown(element) || element.matches("script")) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    for (const rect of range.getClientRects()) {
      if (rect.width > 1) texts.push({ element, name: walker.currentNode.data, rect });
    }
  }
  const found = [];
  for (const box of things) {
    for (const other of [...things, ...texts]) {
      if (box.element.contains(other.element) || other.element.contains(box.element)) continue;
      const [upper, lower] = box.rect.top < other.rect.top ? [box, other] : [other, box];
      const across = Math.min(upper.rect.right, lower.rect.right) - Math.max(upper.rect.left, lower.rect.left);
      const gap = lower.rect.top - upper.rect.bottom;
      if (across > 2 && gap < LEAST && gap > -upper.rect.height) {
        found.push([upper, lower].map(({ name }) => name.trim().slice(0, 30).replaceAll("\\n", " ")).join(" / "));
      }
    }
  }
  return [...new Set(found)];
}"""
"""Panels, buttons and fields that touch the text, panel or button below or above them, on pages beside the game."""
LEAST_GAP = 3
"""CSS pixels between two things, one of which has an edge or a ground of its own."""


OVERLAPPING = """() => {
  const isShown = (each) => each.checkVisibility({ visibilityProperty: true }) && each.offsetHeight > 1;
  const parts = [...document.querySelectorAll("main:not(.page-main) > *")].filter(isShown);
  const found = [];
  for (const [at, one] of parts.entries()) {
    for (const other of parts.slice(at + 1)) {
      const [here, there] = [one, other].map((each) => each.getBoundingClientRect());
      const across = Math.min(here.right, there.right) - Math.max(here.left, there.left);
      const down = Math.min(here.bottom, there.bottom) - Math.max(here.top, there.top);
      if (across > 1 && down > 1) found.push(`#${one.id} and #${other.id}`);
    }
  }
  return found;
}"""
"""Parts of the main page that lie over one another. On a phone the dock lies over the others, at the window's edge."""


def broken_words(page: Page) -> list[str]:
    """The words of a page that are divided where no hyphen stands. Names may be."""
    found: list[str] = page.evaluate(BROKEN)
    return [word for word in found if word not in NAMES]


def overlapping_parts(page: Page) -> list[str]:
    """Which parts of the main page lie over one another, on a desk."""
    found: list[str] = page.evaluate(OVERLAPPING)
    return found


def crowded_things(page: Page) -> list[str]:
    """What touches a panel, a button or a field."""
    found: list[str] = page.evaluate(CROWDED.replace("LEAST", str(LEAST_GAP)))
    return found
