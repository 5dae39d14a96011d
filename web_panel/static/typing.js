// What people tell the table: the starter, cards as they are played, hands at the show; claims, bids and corrections.

import { card, make } from "./view.js";

const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const TYPED = { 1: "A", 0: "T" }; // what a finger on a keyboard means by it
const REMEMBERED = "typing";

export class Typing {
  #room;
  #line;
  #complain;
  #asks = "";
  #ask = null; // the cards that are asked for now
  #cards = []; // typed so far
  #asking = "cards"; // what is still to be told of them
  #starter = "";
  #figures;

  constructor(room, line, complain) {
    this.#room = room;
    this.#line = line;
    this.#complain = complain;
    this.#figures = new Figures(room.querySelector("dialog"), line);
    for (const key of room.querySelectorAll("[data-rank]")) key.onclick = () => this.#addRank(key.dataset.rank);
    for (const key of room.querySelectorAll("[data-suit]")) key.onclick = () => this.#addSuit(key.dataset.suit);
    this.#at(".yes").onclick = () => this.#addSuit(suitOf(this.#starter));
    this.#at(".no").onclick = () => this.#addSuit(null);
    this.#at(".erase").onclick = () => this.#erase();
    this.#at(".finish").onclick = () => this.#goOn(null);
    room.addEventListener("keydown", (event) => this.#type(event));
    this.#at("details").open = localStorage.getItem(REMEMBERED) !== "closed";
    this.#at("details").addEventListener("toggle", ({ target }) => localStorage.setItem(REMEMBERED, target.open ? "open" : "closed"));
  }

  #at(selector) {
    return this.#room.querySelector(selector);
  }

  /** What is half typed stays while the table asks for the same. */
  show({ asks, deal, sides }) {
    this.#room.hidden = !asks.length;
    this.#starter = deal?.starter ?? "";
    const key = JSON.stringify([asks, deal?.number, deal?.play?.cards.length]);
    if (key === this.#asks) return;
    this.#asks = key;
    const [first] = asks;
    const isCards = first && ["rank", "card", "hand"].includes(first.kind);
    this.#ask = isCards ? first : null;
    this.#begin();
    const others = asks.filter((ask) => ask !== this.#ask);
    this.#at(".more").replaceChildren(...others.map((ask) => this.#newButton(ask, sides)));
  }

  #newButton(ask, sides) {
    const button = make("button", ask.is_next ? "next" : "", ask.label);
    button.type = "button";
    button.onclick = () => this.#figures.open(ask, sides);
    return button;
  }

  #begin() {
    this.#cards = [...(this.#ask?.cards ?? [])];
    this.#asking = "cards";
    this.#draw();
  }

  #draw() {
    const ask = this.#ask;
    this.#at("details").hidden = !ask;
    if (!ask) return;
    const isWhole = this.#cards.length >= ask.size;
    const isAsking = this.#asking !== "cards" || (ask.kind === "card" && isWhole);
    this.#at(".asked").textContent = ask.label;
    this.#at(".held").replaceChildren(...this.#cards.map((text) => card(pretty(text))));
    this.#at(".held").hidden = !this.#cards.length;
    this.#at(".ranks").hidden = isWhole;
    this.#at(".suits").hidden = !isAsking;
    this.#at(".erase").hidden = this.#cards.length <= ask.cards.length;
    this.#at(".finish").hidden = !(ask.kind === "hand" && isWhole && !isAsking);
    if (isAsking) this.#drawQuestion(ask);
  }

  /** Four suits to choose from; of a jack only whether it is of the starter's. */
  #drawQuestion({ kind }) {
    const isYesNo = this.#asking === "nobs";
    for (const key of this.#room.querySelectorAll("[data-suit]")) key.hidden = isYesNo;
    this.#at(".yes").hidden = !isYesNo;
    this.#at(".no").textContent = this.#at(".no").dataset[kind === "card" ? "unseen" : "no"];
    if (kind === "card") this.#at(".question").textContent = "";
    this.#at(isYesNo ? ".yes" : "[data-suit]").focus();
  }

  #addRank(rank) {
    if (!this.#ask || this.#cards.length >= this.#ask.size) return;
    this.#cards.push(rank);
    if (this.#ask.kind === "rank") return void this.#send({ card: rank });
    this.#draw();
    if (this.#ask.kind === "hand" && this.#cards.length === this.#ask.size) this.#goOn(null);
  }

  #addSuit(suit) {
    if (this.#ask?.kind === "card") return void this.#send({ card: this.#cards[0] + (suit ?? "") });
    this.#goOn(suit);
  }

  /** The board says which question is next; with none left, the hand is counted. */
  async #goOn(suit) {
    await this.#try(async () => {
      const told = await this.#line.ask("hand", { cards: this.#cards, asking: this.#asking, suit });
      this.#cards = told.cards;
      if (told.asking === "nothing") return this.#line.ask(`orders/${this.#ask.order}`, { cards: told.cards });
      this.#asking = told.asking;
      this.#at(".question").textContent = told.question;
      this.#draw();
    });
  }

  async #send(body) {
    await this.#try(() => this.#line.ask(`orders/${this.#ask.order}`, body));
  }

  /** What is refused is typed again from the beginning. */
  async #try(work) {
    try {
      await work();
    } catch (refused) {
      this.#complain(refused.message);
      this.#begin();
    }
  }

  #erase() {
    if (this.#cards.length <= this.#ask.cards.length) return;
    this.#cards = this.#cards.slice(0, -1).map((text) => text[0]);
    this.#asking = "cards";
    this.#draw();
    this.#at("[data-rank]").focus();
  }

  /** Cards by the keyboard, while the focus is here. */
  #type(event) {
    if (event.target.closest("dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = TYPED[event.key] ?? event.key.toUpperCase();
    const button = this.#at(`[data-suit="${CSS.escape(key)}"]`) ?? this.#at(`[data-rank="${CSS.escape(key)}"]`);
    if (event.key === "Backspace") this.#erase();
    else if (button && button.offsetParent) button.click();
    else return;
    event.preventDefault();
  }
}

function pretty(text) {
  return text.slice(0, 1).replace("T", "10") + (SIGNS[text.slice(1)] ?? "");
}

/** The letter of the suit of a card as it is shown: H of 5♥. */
function suitOf(shown) {
  return Object.keys(SIGNS).find((suit) => shown.endsWith(SIGNS[suit])) ?? null;
}

/** The dialog for a number: a claim, a bid, or a score that is set right with a reason. */
class Figures {
  #dialog;
  #form;
  #line;

  constructor(dialog, line) {
    this.#dialog = dialog;
    this.#form = dialog.querySelector("form");
    this.#line = line;
    this.#form.querySelector("[value=cancel]").onclick = () => dialog.close();
  }

  open(ask, sides) {
    const isScore = ask.kind === "score";
    const { side, points, reason } = this.#form.elements;
    this.#dialog.querySelector("h2").textContent = ask.label;
    side.replaceChildren(...sides.map(({ name }, number) => new Option(name, number)));
    side.onchange = () => isScore && (points.value = sides[side.value].score);
    side.parentElement.hidden = reason.parentElement.hidden = !isScore;
    points.min = ask.least;
    points.value = isScore ? sides[0].score : ask.least;
    this.#form.onsubmit = (event) => this.#give(event, ask);
    this.#refuse("");
    this.#dialog.showModal();
    points.select();
  }

  #typed(ask) {
    const { side, points, reason } = this.#form.elements;
    if (ask.kind !== "score") return { ...ask.body, points: Number(points.value) };
    return { side: Number(side.value), score: Number(points.value), reason: reason.value };
  }

  async #give(event, ask) {
    event.preventDefault();
    try {
      await this.#line.ask(`orders/${ask.order}`, this.#typed(ask));
      this.#dialog.close();
    } catch (refused) {
      this.#refuse(refused.message);
    }
  }

  #refuse(sentence) {
    const room = this.#form.querySelector(".refused");
    room.textContent = sentence;
    room.hidden = !sentence;
  }
}
