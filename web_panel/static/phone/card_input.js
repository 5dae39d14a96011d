// The card keys: the starter, cards as they are played, hands at the show, and the questions about their suits.

import { cardElement, prettyCard, rankOfLetter, suitOf } from "../core/cards.js";
import { setText } from "../core/render.js";

const KEY_RANKS = { 1: "A", 0: "T" }; // key of a keyboard -> rank, where they differ
const RANKS = "A23456789TJQK";
const FULL_COUNT = 31;
const CARD_KINDS = ["rank", "card", "hand", "deal", "flush"]; // kinds of input that are typed on these keys

/** Enters cards for the first action that needs cards. A few equal answers, such as who deals, take the keys' place. */
export class CardInput {
  #section;
  #connection;
  #showError;
  #onSent;
  #actionKey = "";
  #action = null; // the action that the cards are for
  #go = null; // the action of the Go key
  #count = 0; // of the series that is played
  #mayLead = false; // whether nobody else's phone would have to say go
  #choices = [];
  #hasSecondary = false;
  #cards = []; // entered so far
  #question = "cards"; // "cards", "suit" (of the last card), "flush" (of all cards), or what the board asks
  #label = ""; // the question as a sentence
  #starter = "";
  #wasAsked = true; // every suit that could matter was asked about; otherwise the count is a minimum
  #offersFlush = false; // the board offers a flush after the count, so it is not asked about before

  /**
   * @param {HTMLElement} section
   * @param {Connection} connection
   * @param {(command: string, answer: object) => void} onSent called with each command that was accepted
   * @param {(message: string) => void} showError
   */
  constructor(section, connection, onSent, showError) {
    this.#section = section;
    this.#connection = connection;
    this.#onSent = onSent;
    this.#showError = showError;
    for (const button of section.querySelectorAll("[data-rank]")) button.onclick = () => this.#addRank(button.dataset.rank);
    for (const button of section.querySelectorAll("[data-suit]")) button.onclick = () => this.#addSuit(button.dataset.suit);
    this.#find(".yes").onclick = () => this.#addSuit(suitOf(this.#starter));
    this.#find(".no").onclick = () => this.#addSuit(null);
    this.#find(".erase").onclick = () => this.#erase();
    this.#find(".go").onclick = () => this.#go && this.#try(() => this.#post("go", this.#go.body));
  }

  #find(selector) {
    return this.#section.querySelector(selector);
  }

  /**
   * Take a new state. Cards half entered stay while the action is the same.
   * @param {object[]} actions those that this visitor may take
   * @param {object} state
   * @param {HTMLElement[]} choices buttons that take the place of the keys
   * @param {HTMLElement[]} secondary small buttons beside the keys' title
   */
  update(actions, { deal, seats }, choices, secondary) {
    this.#starter = deal?.starter ?? "";
    this.#offersFlush = Boolean(deal?.offers_flush);
    this.#choices = choices;
    this.#go = actions.find((action) => action.command === "go") ?? null;
    const isShared = seats.every(({ held_by }) => held_by === null);
    this.#count = deal?.play?.count ?? 0;
    this.#mayLead = Boolean(this.#go) && isShared;
    // What is in another place is typed only once its button is pressed.
    const isHere = ({ input, place }) => CARD_KINDS.includes(input?.kind) && !["menu", "primary", "secondary"].includes(place);
    const action = actions.find(isHere) ?? null;
    const key = JSON.stringify([action, deal?.number, deal?.play?.cards.length]);
    this.#find(".secondary-actions").replaceChildren(...secondary);
    this.#hasSecondary = secondary.length > 0;
    if (key !== this.#actionKey || !this.#isOffered(actions)) {
      this.#actionKey = key;
      this.#start(action);
    }
    this.#draw();
  }

  /** Whether the action that is answered now can still be taken: nothing may be left of a hand that was counted. */
  #isOffered(actions) {
    const key = ({ command, body, input }) => JSON.stringify([command, body, input?.kind]);
    return !this.#action || actions.some((action) => key(action) === key(this.#action));
  }

  /** Count a hand whose cards are all known; a suit is asked for only where it matters. */
  async count(action) {
    this.#start(action);
    await this.#fetchQuestion(null);
  }

  /** Ask for the one suit of a hand that was counted. */
  ask(action) {
    this.#start(action);
    this.#draw();
  }

  /** The button that finishes what is entered, for the primary place; null while something is missing. */
  get finish() {
    const { kind, cards, min_size } = this.#action?.input ?? {};
    const isDone = { hand: this.#isComplete, deal: this.#cards.length === min_size }[kind];
    if (!isDone || this.#question !== "cards") return null;
    const label = this.#find(".texts").dataset[kind === "deal" ? "deal" : "count"];
    return { key: `finish ${this.#cards}`, label, press: () => (kind === "deal" ? this.#send({ cards: this.#cards }) : this.#fetchQuestion(null)) };
  }

  /** The cards typed so far for a hand that is counted, as people read them. */
  get typedHand() {
    return this.#action?.input?.kind === "hand" ? this.#cards.map(prettyCard) : [];
  }

  /** Whether a question about the cards must be answered before anything else: a hand that was counted can wait. */
  get isAsking() {
    return Boolean(this.#action) && this.#question !== "cards" && this.#input.kind === "hand";
  }

  /** Called when what is entered changes, to draw the primary place again. */
  onChange() {}

  /** Asks a person the question of an action. */
  async isConfirmed() {
    return true;
  }

  get #input() {
    return this.#action.input;
  }

  get #isComplete() {
    return Boolean(this.#action) && this.#cards.length >= this.#input.size;
  }

  #start(action) {
    this.#action = action;
    this.#cards = [...(action?.input.cards ?? [])];
    this.#wasAsked = true;
    this.#question = action?.input.kind === "flush" ? "flush" : "cards";
    this.#label = action?.input.kind === "flush" ? action.label : "";
  }

  #restart() {
    this.#start(this.#action);
    this.#draw();
  }

  #draw() {
    const hadFocus = this.#section.contains(document.activeElement);
    const hasChoices = this.#choices.length > 0;
    this.#section.hidden = !this.#action && !hasChoices && !this.#go && !this.#hasSecondary;
    const isOneCard = this.#action && (this.#input.kind === "card" || this.#input.needs_suits);
    const needsSuit = Boolean(this.#action) && (this.#question !== "cards" || (isOneCard && this.#input.kind === "card" && this.#isComplete));
    this.#find(".choices").hidden = !hasChoices || needsSuit;
    if (hasChoices) this.#drawChoices();
    const isKnown = !this.#go && (!this.#action || this.#input.cards.length >= this.#input.size); // nothing is left to type
    this.#find(".ranks").hidden = hasChoices || needsSuit || isKnown;
    this.#find(".suits").hidden = !needsSuit;
    setText(this.#find(".input-title"), needsSuit ? this.#label || this.#find(".texts").dataset.whichSuit : (this.#action?.label ?? ""));
    const typed = this.#action && this.#input.kind !== "flush" ? this.#cards : [];
    const text = typed.join();
    if (this.#find(".entered").dataset.cards !== text) {
      this.#find(".entered").dataset.cards = text;
      this.#find(".entered").replaceChildren(...typed.map((card) => cardElement(prettyCard(card))));
    }
    this.#find(".erase").hidden = !this.#action || this.#cards.length <= this.#input.cards.length;
    for (const key of this.#section.querySelectorAll("[data-rank]")) key.disabled = !this.#action || this.#isComplete;
    for (const key of this.#section.querySelectorAll("[data-rank]")) key.classList.toggle("is-over", this.#passes(key.dataset.rank));
    this.#find(".go").disabled = !this.#go;
    if (needsSuit) this.#drawSuits(isOneCard);
    if (hadFocus && !document.activeElement?.offsetParent) this.takeFocus();
    this.onChange();
  }

  /** Move the focus to the first key that can be pressed. */
  takeFocus() {
    [...this.#section.querySelectorAll("button:not(:disabled)")].find((button) => button.offsetParent)?.focus();
  }

  #drawChoices() {
    const box = this.#find(".choices");
    if ([...box.children].every((child, place) => child === this.#choices[place]) && box.children.length === this.#choices.length) return;
    box.replaceChildren(...this.#choices);
  }

  /** Four suits to choose from; for nobs only whether the jack has the starter's suit. */
  #drawSuits(isOneCard) {
    const isYesNo = this.#question === "nobs";
    const { kind, suits } = this.#input;
    this.#find(".suits").classList.toggle("is-yes-no", isYesNo);
    for (const button of this.#section.querySelectorAll("[data-suit]")) {
      button.hidden = isYesNo || (kind === "flush" && !suits.includes(button.dataset.suit));
    }
    this.#find(".yes").hidden = !isYesNo;
    this.#find(".no").hidden = kind === "flush";
    setText(this.#find(".no"), this.#find(".no").dataset[isOneCard ? "notSeen" : "no"]);
  }

  #addRank(rank) {
    if (!this.#action || this.#isComplete) return;
    const { kind, needs_suits } = this.#input;
    this.#cards.push(rank);
    this.#label = "";
    if (kind === "rank") return void this.#send({ card: rank });
    if (needs_suits) this.#question = "suit";
    this.#draw();
    if (kind === "deal") this.#sendIfComplete();
    if (kind === "hand" && this.#isComplete) this.#fetchQuestion(null);
  }

  #addSuit(suit) {
    const { kind } = this.#action?.input ?? {};
    if (kind === "card") return void this.#send({ card: this.#cards[0] + (suit ?? "") });
    if (kind === "flush") return void this.#send({ cards: this.#cards.map((rank) => rank + suit) });
    if (this.#question === "suit") return this.#addSuitToLast(suit);
    this.#fetchQuestion(suit);
  }

  /** Where every suit counts, each card gets its suit at once. */
  #addSuitToLast(suit) {
    this.#cards.push(this.#cards.pop() + (suit ?? ""));
    this.#question = "cards";
    this.#draw();
    this.#sendIfComplete();
  }

  #sendIfComplete() {
    if (this.#question === "cards" && this.#cards.length === this.#input.size) this.#send({ cards: this.#cards });
  }

  /** The board decides which question about suits is next; after the last one the hand is counted. */
  async #fetchQuestion(suit) {
    await this.#try(async () => {
      let answer = await this.#ask(suit);
      if (answer.question === "flush" && this.#offersFlush) {
        this.#wasAsked = false;
        this.#question = "flush";
        answer = await this.#ask(null);
      }
      this.#question = answer.question;
      const body = { ...this.#action.body, cards: this.#cards, suits_were_asked: this.#wasAsked };
      if (answer.question === "nothing") return this.#post(this.#action.command, body);
      this.#label = answer.label;
      this.#draw();
    });
  }

  async #ask(suit) {
    const answer = await this.#connection.post("hand", { cards: this.#cards, question: this.#question, suit });
    this.#cards = answer.cards;
    return answer;
  }

  async #send(body) {
    const goes = this.#leads(body.card) ? { says_goes: true, seat: undefined } : {};
    await this.#try(() => this.#post(this.#action.command, { ...this.#action.body, ...body, ...goes }));
  }

  /** Whether a card passes 31 in the series that is played. */
  #passes(rank) {
    const pips = Math.min(RANKS.indexOf(rank[0]) + 1, 10);
    return this.#action?.command === "play" && pips > FULL_COUNT - this.#count;
  }

  /** A card that passes 31 says that nobody could play: it leads the next series, and no tap is needed for the goes. */
  #leads(card) {
    return Boolean(card) && this.#mayLead && this.#passes(card);
  }

  /** Some commands need another one before: the starter of the next deal begins it, and asks if that loses something. */
  async #post(command, body) {
    const { first, first_body } = this.#action?.input ?? {};
    if (first && command !== "go") {
      if (this.#action.question && !(await this.isConfirmed(this.#action))) return this.#restart();
      await this.#connection.post(`commands/${first}`, first_body);
    }
    const answer = await this.#connection.post(`commands/${command}`, body);
    this.#onSent(command, answer);
  }

  /** After an error the input starts again. */
  async #try(work) {
    try {
      await work();
    } catch (error) {
      this.#showError(error.message);
      this.#restart();
    }
  }

  #erase() {
    if (!this.#action || this.#cards.length <= this.#input.cards.length) return;
    const hasSuits = this.#input.needs_suits;
    this.#cards = this.#cards.slice(0, -1).map((card) => (hasSuits ? card : card[0]));
    this.#question = "cards";
    this.#draw();
  }

  /** A key of the keyboard. Returns whether it is one of these keys. */
  pressKey(key) {
    if (key === "Backspace") return this.#eraseByKey();
    if (!/^[0-9\p{L}]$/u.test(key)) return false;
    const name = KEY_RANKS[key] ?? key.toUpperCase();
    const isYesNo = this.#question === "nobs";
    const isNo = key === "0" && ["flush", "nobs"].includes(this.#question) && !this.#find(".no").hidden;
    if (isNo) return this.#find(".no").click(), true; // as on the board
    if (isYesNo && name === suitOf(this.#starter)) return this.#find(".yes").click(), true;
    const keys = [`[data-suit="${name}"]`, `[data-rank="${rankOfLetter(name)}"]`, name === "G" ? ".go" : ""].filter(Boolean);
    const button = keys.map((selector) => this.#find(selector)).find((found) => found?.offsetParent && !found.disabled);
    button?.click();
    return Boolean(button);
  }

  #eraseByKey() {
    const canErase = !this.#find(".erase").hidden;
    if (canErase) this.#erase();
    return canErase;
  }
}

/** A button for one of a few equal answers. */
export function newChoice(label, press) {
  const button = make("button", "key choice", label);
  button.type = "button";
  button.onclick = press;
  return button;
}
