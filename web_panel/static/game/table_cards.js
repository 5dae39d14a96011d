// The cards on the table: the starter, the series being played, and the count of a hand, which lights up step by step.

import { cardBack, cardElement } from "../core/cards.js";
import { make, setText } from "../core/render.js";

const COMBINATION_MS = 900; // how long one combination is lit when nothing is said aloud
const TOGETHER_MS = 450; // ... and each of those that are said in one breath, such as the runs of a double run
const CARD_MS = 90; // from one card of a combination to the next

/** Draws the cards on the table. It draws them anew only where they changed, so that a count is not interrupted. */
export class TableCards {
  #section;
  #voice;
  #key = null;
  #counted = null; // the count that is shown
  #typed = []; // the cards of the hand that is being typed, as people read them
  #run = 0; // number of the latest count that was begun
  /** Settles when the count that is lit step by step is complete. */
  counted = Promise.resolve();
  #isReduced = matchMedia("(prefers-reduced-motion: reduce)");

  /**
   * @param {HTMLElement} section its data attributes have the translated labels
   * @param {() => Speech|null} voice reads aloud, if it is switched on
   */
  constructor(section, voice) {
    this.#section = section;
    this.#voice = voice;
  }

  /** Show a state. Returns whether a count is lit step by step from now on. */
  show({ deal, sides, guidance }) {
    const hand = this.#handToCount(deal, guidance);
    const key = JSON.stringify([hand, deal?.starter, deal?.play, deal?.finished, deal?.count, sides.map((side) => side.colour)]);
    if (key === this.#key) return false;
    const isFirst = this.#key === null;
    this.#key = key;
    const before = this.#counted;
    this.#counted = deal?.count && !hand ? JSON.stringify([deal.number, deal.count]) : null;
    this.#run += 1;
    this.#section.classList.toggle("is-count", Boolean(this.#counted || hand));
    if (!deal) return this.#section.replaceChildren(), false;
    const labels = this.#section.dataset;
    const newParts = hand ? newHand : this.#counted ? newCount : newSeries;
    this.#section.replaceChildren(newStarter(deal, labels), ...newParts({ ...deal, hand }, sides, labels));
    if (!this.#counted) return false;
    if (isFirst || this.#counted === before || this.#isReduced.matches || !deal.count.steps.length) return this.#finish(deal.count), false;
    this.counted = this.#begin(deal);
    return true;
  }

  /** Cards that are typed for a hand lie on the table at once. */
  showTyped(cards, state) {
    this.#typed = cards;
    return this.show(state);
  }

  /** The hand that is counted next, once its turn has come; the count before it stays until a card of it is typed. */
  #handToCount(deal, { expects, topic }) {
    const next = deal?.to_count;
    const cards = [...(next?.cards ?? []), ...this.#typed.slice(next?.cards.length ?? 0)];
    const isNext = next && (this.#typed.length > next.cards.length || (topic === "phase" && !deal.count));
    return isNext && (cards.length || expects === "hand") ? { title: next.title, cards } : null;
  }

  /** Each step is lit while it is said, or for a while where nothing is said. */
  async #begin(deal) {
    const { steps } = deal.count;
    const run = this.#run;
    const isCurrent = () => run === this.#run;
    let lighting = null;
    const light = (at) => (lighting = isCurrent() && this.#light(steps[at], run));
    setText(this.#find(".count"), "0");
    await null; // the sentence before the count is spoken first
    const voice = this.#voice();
    const said = voice ? await voice.sayAll(steps.map((step) => step.text), light) : 0;
    await lighting;
    for (let at = said; at < steps.length && isCurrent(); at += 1) await Promise.all([light(at), after(COMBINATION_MS)]);
    if (isCurrent()) this.#finish(deal.count);
  }

  /** Light the combinations of a step one after the other, card by card, and add them to the list. */
  async #light({ text, total, combinations }, run) {
    setText(this.#find(".series h2"), text);
    setText(this.#find(".count"), String(total));
    this.#addToTally(combinations, total);
    for (const places of combinations) {
      if (run !== this.#run) return;
      this.#lightCards(places);
      await after(TOGETHER_MS);
    }
    if (run !== this.#run || combinations.length === 1) return;
    this.#lightCards([...new Set(combinations.flat())]);
    await after(TOGETHER_MS);
  }

  #lightCards(places) {
    this.#cards.forEach((card, place) => {
      const order = places.indexOf(place);
      card.classList.toggle("is-lit", order >= 0);
      card.classList.toggle("is-dim", order < 0);
      card.style.transitionDelay = order > 0 ? `${order * CARD_MS}ms` : "";
    });
  }

  /** The whole count: no card is lit, and the list has every combination. */
  #finish(count) {
    for (const card of this.#cards) card.classList.remove("is-lit", "is-dim");
    this.#find(".tally").replaceChildren();
    for (const { combinations, total } of count.steps) this.#addToTally(combinations, total);
    setText(this.#find(".series h2"), count.title);
    setText(this.#find(".cadence"), count.text);
    setText(this.#find(".count"), count.points === null ? "" : `${count.points}${count.is_minimum ? "+" : ""}`);
  }

  #addToTally(combinations, total) {
    const texts = this.#cards.map((card) => card.textContent);
    const rows = combinations.map((places) => make("span", "cards", ...places.map((place) => cardElement(texts[place]))));
    this.#find(".tally").append(make("li", "", ...rows, make("b", "", String(total))));
  }

  /** The cards of the hand, and the starter after them. */
  get #cards() {
    return [...this.#section.querySelectorAll(".series .card"), this.#find(".starter-pile .card")];
  }

  #find(selector) {
    return this.#section.querySelector(selector);
  }
}

const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function newStarter(deal, labels) {
  const card = deal.starter ? cardElement(deal.starter) : cardBack();
  return make("div", "pile starter-pile", make("h2", "", labels.starter), make("p", "cards", card));
}

/** The series that is played, or the one before it, dimmed, until a card leads the next. */
function newSeries(deal, sides, labels) {
  const isFinished = Boolean(deal.finished);
  const series = deal.finished ?? deal.play;
  const cards = (series?.cards ?? []).map(({ card, side }) => {
    const element = cardElement(card);
    element.style.setProperty("--track", sides[side].colour);
    return element;
  });
  if (!cards.length) cards.push(make("b", "card is-empty"));
  const count = make("div", "pile total", make("h2", "", labels.count), make("b", "count", String(deal.play?.count ?? 0)));
  const fan = newFan(deal.finished?.text || labels.played, cards);
  fan.classList.toggle("is-finished", isFinished);
  return [fan, count];
}

/** A hand before it is counted. */
function newHand({ hand }) {
  return [newFan(hand.title, hand.cards.length ? hand.cards.map((card) => cardElement(card)) : [make("b", "card is-empty")])];
}

/** The running total and the steps are not announced: the guidance says the points, and the log the whole count. */
function newCount({ count }) {
  const total = make("div", "pile total", make("b", "count"));
  const fan = newFan(count.title, count.cards.map((card) => cardElement(card)));
  return [fan, total, make("ol", "tally"), make("p", "cadence")];
}

function newFan(title, cards) {
  const row = make("p", "cards", ...cards);
  row.style.setProperty("--cards", cards.length);
  return make("div", "pile series", make("h2", "", title), row);
}
