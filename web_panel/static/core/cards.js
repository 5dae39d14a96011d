// Cards as elements. The templates make the same element in cards.html; css/base.css draws it.

const SUIT_SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const FACES = "/cards.svg";
const SVG = "http://www.w3.org/2000/svg";

/** A card of the API as people read it: TH becomes 10♥. */
export function prettyCard(text) {
  return text.slice(0, 1).replace("T", "10") + (SUIT_SIGNS[text.slice(1)] ?? "");
}

/** The letters that this browser shows for J, Q and K where they are others. */
const COURT_LETTERS = JSON.parse(document.body.dataset.courtLetters ?? "{}");
const COURT_CARD = /(?<![\p{L}\d])[JQK](?=[♠♥♦♣])/gu;

/** A sentence with the letters of court cards that this browser shows: J♥ becomes V♥. */
export function withCourtLetters(text) {
  return document.body.dataset.courtLetters ? text.replace(COURT_CARD, (letter) => COURT_LETTERS[letter] ?? letter) : text;
}

/** The rank that a typed letter means: what this browser shows for a court card, or its letter in the API. */
export function rankOfLetter(letter) {
  return Object.keys(COURT_LETTERS).find((rank) => COURT_LETTERS[rank] === letter) ?? letter;
}

/** The suit letter of a card as people read it: H for 5♥; null without a suit. */
export function suitOf(pretty) {
  return Object.keys(SUIT_SIGNS).find((suit) => pretty.endsWith(SUIT_SIGNS[suit])) ?? null;
}

/** The name of a card in words, in the language of the page. */
export function cardName(pretty) {
  const names = JSON.parse(document.body.dataset.cardNames);
  const suit = suitOf(pretty);
  const rank = suit ? pretty.slice(0, -1) : pretty;
  return suit ? names[suit].replace("{rank}", names[rank] ?? rank) : (names[rank] ?? rank);
}

/**
 * An element for a card, given as people read it: 10♥. A card without a suit is one whose suit is not known.
 * @param {string} pretty
 * @param {string} tag "button" for a card that is pressed
 */
export function cardElement(pretty, tag = "span") {
  const suit = suitOf(pretty) ?? "";
  const rank = suit ? pretty.slice(0, -1) : pretty;
  const card = newCard(tag, cardName(pretty));
  card.dataset.suit = suit;
  card.append(newSpan(rank.length > 1 ? "rank is-wide" : "rank", COURT_LETTERS[rank] ?? rank));
  if (suit) card.append(newSpan("sign", SUIT_SIGNS[suit]), newUse("suit", suit));
  card.append(newUse("pips", rank.replace("10", "T") + suit));
  return card;
}

/** A card that lies face down. */
export function cardBack() {
  const card = newCard("span", JSON.parse(document.body.dataset.cardNames).back);
  card.classList.add("is-back");
  card.append(newUse("pips", "back"));
  return card;
}

function newCard(tag, name) {
  const card = document.createElement(tag);
  card.className = "card";
  if (tag === "button") card.type = "button";
  else card.setAttribute("role", "img");
  card.setAttribute("aria-label", name);
  return card;
}

function newSpan(className, text) {
  const span = document.createElement("span");
  span.className = className;
  span.textContent = text;
  return span;
}

function newUse(className, symbol) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${FACES}#${symbol}`);
  svg.append(use);
  return svg;
}
