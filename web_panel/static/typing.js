// What people tell the table: the starter, cards as they are played, hands at the show; claims, bids and corrections.

import { card, make } from "./view.js";

const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const TYPED = { 1: "A", 0: "T" }; // what a finger on a keyboard means by it
const REMEMBERED = "typing";
const CARDS = ["rank", "card", "hand", "deal"]; // kinds of asks that are typed on the keys of cards

export class Typing {
  #room;
  #line;
  #complain;
  #onTold;
  #others = "";
  #asks = "";
  #ask = null; // the cards that are asked for now
  #cards = []; // typed so far
  #asking = "cards"; // what is still to be told of them
  #starter = "";
  #sides = [];

  /** `onTold` is called with the order that was given. */
  constructor(room, line, onTold, complain) {
    this.#room = room;
    this.#line = line;
    this.#onTold = onTold;
    this.#complain = complain;
    for (const key of room.querySelectorAll("[data-rank]")) key.onclick = () => this.#addRank(key.dataset.rank);
    for (const key of room.querySelectorAll("[data-suit]")) key.onclick = () => this.#addSuit(key.dataset.suit);
    this.#at(".yes").onclick = () => this.#addSuit(suitOf(this.#starter));
    this.#at(".no").onclick = () => this.#addSuit(null);
    this.#at(".erase").onclick = () => this.#erase();
    this.#at(".finish").onclick = () => this.#finish();
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
    this.#sides = sides;
    const [first] = asks;
    const asked = first && CARDS.includes(first.kind) ? first : null;
    this.#showOthers(asks.filter((ask) => ask !== asked), sides);
    const key = JSON.stringify([asked, deal?.number, deal?.play?.cards.length]);
    if (key === this.#asks) return;
    this.#asks = key;
    this.#ask = asked;
    this.#begin();
  }

  #showOthers(asks, sides) {
    const key = JSON.stringify([asks, sides.map((side) => side.name)]);
    if (key === this.#others) return;
    this.#others = key;
    this.#at(".more").replaceChildren(...asks.map((ask) => this.#newButton(ask)));
  }

  #newButton(ask) {
    const button = make("button", ask.is_next ? "next" : "", ask.label);
    button.type = "button";
    button.onclick = () => this.#askFigure(ask);
    return button;
  }

  async #askFigure(ask) {
    const { Figures } = await import("./figures.js");
    new Figures(this.#at("dialog"), this.#line).open(ask, this.#sides);
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
    const isDone = { hand: isWhole, deal: this.#cards.length === ask.enough }[ask.kind];
    this.#at(".asked").textContent = ask.label;
    this.#at(".held").replaceChildren(...this.#cards.map((text) => card(pretty(text))));
    this.#at(".held").hidden = !this.#cards.length;
    this.#at(".ranks").hidden = isWhole || this.#asking === "suit";
    this.#at(".suits").hidden = !isAsking;
    this.#at(".erase").hidden = this.#cards.length <= ask.cards.length;
    this.#at(".finish").hidden = !isDone || isAsking;
    this.#at(".finish").textContent = this.#at(".finish").dataset[ask.kind === "deal" ? "deal" : "count"];
    if (isAsking) this.#drawQuestion(ask);
  }

  /** Four suits to choose from; of a jack only whether it is of the starter's. */
  #drawQuestion({ kind, is_suited }) {
    const isOneCard = kind === "card" || is_suited;
    const isYesNo = this.#asking === "nobs";
    for (const key of this.#room.querySelectorAll("[data-suit]")) key.hidden = isYesNo;
    this.#at(".yes").hidden = !isYesNo;
    this.#at(".no").textContent = this.#at(".no").dataset[isOneCard ? "unseen" : "no"];
    if (isOneCard) this.#at(".question").textContent = "";
    this.#at(isYesNo ? ".yes" : "[data-suit]").focus();
  }

  #addRank(rank) {
    if (!this.#ask || this.#cards.length >= this.#ask.size) return;
    this.#cards.push(rank);
    if (this.#ask.kind === "rank") return void this.#send({ card: rank });
    if (this.#ask.is_suited) this.#asking = "suit";
    this.#draw();
    if (this.#ask.kind === "deal") this.#sendIfWhole();
    if (this.#ask.kind === "hand" && this.#cards.length === this.#ask.size) this.#goOn(null);
  }

  #addSuit(suit) {
    if (this.#ask?.kind === "card") return void this.#send({ card: this.#cards[0] + (suit ?? "") });
    if (this.#asking === "suit") return this.#suitLast(suit);
    this.#goOn(suit);
  }

  /** Where every suit counts, each card gets its own at once. */
  #suitLast(suit) {
    this.#cards.push(this.#cards.pop() + (suit ?? ""));
    this.#asking = "cards";
    this.#draw();
    this.#sendIfWhole();
    this.#at("[data-rank]").focus();
  }

  #sendIfWhole() {
    if (this.#asking === "cards" && this.#cards.length === this.#ask.size) this.#send({ cards: this.#cards });
  }

  #finish() {
    if (this.#ask.kind === "deal") this.#send({ cards: this.#cards });
    else this.#goOn(null);
  }

  /** The board says which question is next; with none left, the hand is counted. */
  async #goOn(suit) {
    await this.#try(async () => {
      const told = await this.#line.ask("hand", { cards: this.#cards, asking: this.#asking, suit });
      this.#cards = told.cards;
      if (told.asking === "nothing") return this.#give({ cards: told.cards });
      this.#asking = told.asking;
      this.#at(".question").textContent = told.question;
      this.#draw();
    });
  }

  async #send(body) {
    await this.#try(() => this.#give(body));
  }

  async #give(body) {
    const { order } = this.#ask;
    await this.#line.ask(`orders/${order}`, body);
    this.#onTold(order);
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
    const isSuited = this.#ask.is_suited;
    this.#cards = this.#cards.slice(0, -1).map((text) => (isSuited ? text : text[0]));
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

export function pretty(text) {
  return text.slice(0, 1).replace("T", "10") + (SIGNS[text.slice(1)] ?? "");
}

/** The letter of the suit of a card as it is shown: H of 5♥. */
function suitOf(shown) {
  return Object.keys(SIGNS).find((suit) => shown.endsWith(SIGNS[suit])) ?? null;
}
