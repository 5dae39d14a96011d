// The end of a game: the race, the best hand, the points left behind, where the points came from, and sharing.

import { get } from "../core/connection.js";
import { cardElement } from "../core/cards.js";
import { make } from "../core/render.js";

/** Draws the result of the current game. */
export class Ending {
  #section;
  #key = "";
  #result = null;

  /** @param {HTMLElement} section its data attributes have the translated labels */
  constructor(section) {
    this.#section = section;
    this.#find(".share-picture").onclick = () => this.#share("sharePicture");
    this.#find(".share-text").onclick = () => this.#share("shareText");
  }

  #find(selector) {
    return this.#section.querySelector(selector);
  }

  /** Show the result of a game that is over; it is fetched once. */
  async show(state) {
    this.#section.hidden = false;
    const proofs = this.#find(".proofs"); // null for visitors who may not see them
    if (proofs) proofs.hidden = !state.game.is_dealt;
    const key = `${state.game.winner} ${state.sides.map((side) => side.score)} ${state.turns}`;
    if (key === this.#key) return;
    this.#key = key;
    const [result, chart] = await Promise.all([get("games/current/result"), fetchChart()]).catch(() => {
      this.#key = ""; // no connection: fetched with the next state
      return [];
    });
    if (!result || key !== this.#key) return;
    this.#result = { ...result, colours: state.sides.map((side) => side.colour) };
    this.#draw(this.#result, chart);
  }

  hide() {
    this.#section.hidden = true;
    this.#key = "";
  }

  #draw(result, chart) {
    this.#find(".margin").textContent = result.margin;
    this.#find(".race").replaceChildren(...(chart ? [chart] : []));
    this.#find(".figures").replaceChildren(...[bestHand(result.best_hand), ...result.left_behind.map(leftBehind)].filter(Boolean));
    this.#find(".origins").hidden = !result.origins;
    if (result.origins) this.#find(".origins table").replaceChildren(...table(result.origins));
  }

  /** The module that draws and sends the picture is loaded when it is needed. */
  async #share(what) {
    const module = await import("./share.js");
    const { saved, copied } = this.#section.dataset;
    const done = await module[what](this.#result, this.#find(".race svg"));
    this.#find(".shared").textContent = { saved, copied, shared: "" }[done] ?? "";
  }
}

async function fetchChart() {
  const answer = await fetch(`/score-chart.svg?lang=${document.documentElement.lang}`);
  if (!answer.ok) return null;
  return document.adoptNode(new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement);
}

function bestHand(best) {
  if (!best) return null;
  const starter = make("span", "starter", cardElement(best.starter));
  const cards = make("p", "cards", ...best.cards.map((card) => cardElement(card)), starter);
  return make("div", "figure best", make("h3", "", best.title), make("b", "points", String(best.points)), cards);
}

function leftBehind({ title, points, text }) {
  return make("div", "figure", make("h3", "", title), make("b", "points", String(points)), make("p", "note", text));
}

function table({ columns, rows }) {
  const headings = columns.map((name) => heading(name, "col"));
  const head = make("thead", "", make("tr", "", make("td", ""), ...headings));
  const body = rows.map(({ name, points }) => make("tr", "", heading(name, "row"), ...points.map((each) => make("td", "", String(each)))));
  return [head, make("tbody", "", ...body)];
}

function heading(text, scope) {
  const cell = make("th", "", text);
  cell.scope = scope;
  return cell;
}
