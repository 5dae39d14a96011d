// Renders the state of a game: the scores with their progress bars, the log, and the news as text to be spoken.

import { withCourtLetters } from "./cards.js";

/** The outlines of peg heads, one for each side, so that sides do not differ by colour alone. In a box of 10. */
export const PEG_SHAPES = [
  "M0-4.2A4.2 4.2 0 1 1 0 4.2 4.2 4.2 0 1 1 0-4.2Z",
  "M-3.8-3.8H3.8V3.8H-3.8Z",
  "M0-4.8 4.6 3.4H-4.6Z",
  "M0-5 3.4 0 0 5-3.4 0Z",
  "M-1.6-4.6H1.6V-1.6H4.6V1.6H1.6V4.6H-1.6V1.6H-4.6V-1.6H-1.6Z",
  "M0-5 1.5-1.9 4.8-1.5 2.4 .8 3 4.2 0 2.6-3 4.2-2.4 .8-4.8-1.5-1.5-1.9Z",
];

/**
 * Create an element.
 * @param {string} tag
 * @param {string} className empty for none
 * @param {...(Node|string)} children
 */
export function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.map((child) => (typeof child === "string" ? withCourtLetters(child) : child)));
  return element;
}

/** Set a text only where it differs: a live region announces every change. */
export function setText(element, text) {
  const shown = withCourtLetters(text ?? "");
  if (element.textContent !== shown) element.textContent = shown;
}

/** An icon in the shape of a side's pegs. */
export function pegIcon(side) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "-5 -5 10 10");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(svg.namespaceURI, "path");
  shape.setAttribute("d", PEG_SHAPES[side % PEG_SHAPES.length]);
  svg.append(shape);
  return svg;
}

/** Show every side's score in `section`, whose data attributes have the translated labels. `guided` says who is next. */
export function renderScores(section, state, guided) {
  const { sides, game } = state;
  section.hidden = !game;
  if (!game) return;
  const key = sides.map((side) => side.name).join("\n");
  if (section.dataset.key !== key) {
    section.dataset.key = key;
    section.dataset.sides = sides.length;
    section.replaceChildren(...sides.map((side, number) => newScore(side, number, section.dataset)));
  }
  sides.forEach((side, number) => updateScore(section.children[number], side, game, number, guided));
}

function newScore(side, number, labels) {
  const name = make("h2", "", pegIcon(number), make("span", "name", side.name), make("span", "dealer", labels.dealer));
  name.title = side.name;
  const link = make("a", "breakdown-link", make("b", "score"), make("span", "visually-hidden", labels.breakdown));
  link.href = `/score-breakdown#side-${number}`;
  link.title = labels.breakdown;
  const status = make("p", "status", make("b", "peg-label"), make("span", "status-label"));
  return make("article", "side", name, link, status);
}

function updateScore(article, side, game, number, guided) {
  const isNext = guided.side === number && guided.tone === "next";
  const isWrong = side.is_peg_wrong || (guided.side === number && guided.tone === "error");
  article.style.setProperty("--track", side.colour);
  article.classList.toggle("is-winner", game.winner === number);
  article.classList.toggle("is-next", isNext);
  article.classList.toggle("is-wrong", isWrong);
  article.querySelector(".dealer").hidden = !side.is_dealer;
  article.querySelector(".dealer").title = article.querySelector(".dealer").textContent;
  setText(article.querySelector(".score"), String(side.score));
  setText(article.querySelector(".peg-label"), side.peg_label);
  setText(article.querySelector(".status-label"), side.peg_label ? "" : side.status_label);
}

/** Show the latest turns in `list`. */
export function renderLog(list, state) {
  const items = state.log.map(({ turn, text }) => {
    const item = make("li", "", text);
    item.value = turn;
    return item;
  });
  list.replaceChildren(...items);
}

/** Finds what is new in `state.speech`, for the browser's voice and for screen readers. */
export class SpokenNews {
  #turn = null; // of the last state; null: none was received yet
  #prompt = null; // the last one that was said

  /** @returns {string} what to say now, empty for nothing. The first state has no new turn. */
  next({ turn, said, prompt }) {
    const news = [];
    if (this.#turn !== null && turn !== this.#turn) news.push(said);
    this.#turn = turn;
    if (prompt && prompt !== this.#prompt) {
      this.#prompt = prompt;
      news.push(prompt);
    }
    return news.filter(Boolean).join(" ");
  }
}

/** What of `text` is said before and behind `count`, a part of it that is said step by step. */
export function aroundCount(text, count) {
  const at = count ? text.indexOf(count) : -1;
  if (at < 0) return [text, ""];
  const behind = text.slice(at + count.length).replace(/^[.,]\s*/, "");
  return [text.slice(0, at).trim(), behind];
}
