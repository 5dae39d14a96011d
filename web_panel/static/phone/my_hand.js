// The cards of this phone's own seat: entered, discarded, played and shown here, and hidden from everybody else.

import { cardBack, cardElement, prettyCard } from "../core/cards.js";
import { make, setText } from "../core/render.js";

const BEFORE_STARTER = ["deal", "bid"]; // phases
const RETRY_MS = 1000; // after the board did not answer

/** Shows the hand of the seat that this phone holds, with the buttons of its stage. */
export class MyHand {
  #section;
  #connection;
  #onChange;
  #onUnpaired;
  #showError;
  #state = null;
  #seat = null;
  #isDealt = false; // the board dealt this hand, and the seat is one that this phone shows
  #hand = null; // what GET /api/v1/me/hand answered
  #turnKey = ""; // the turn for which it was fetched
  #chosen = new Set(); // places in the hand of the cards to discard
  #skippedDeal = null; // number of the deal that is played without these cards
  #drawnKey = ""; // what the drawn cards depend on
  #isChanging = false;
  #isHidden = false; // the cards lie face down, for a phone that others can see
  #wantsFocus = false;
  #advice = [];

  /**
   * @param {HTMLElement} section has the translated texts as data attributes
   * @param {Connection} connection
   * @param {() => void} onChange called whenever the hand or its stage changed
   * @param {() => void} onUnpaired called when the board does not accept this phone any more
   * @param {(message: string) => void} showError
   */
  constructor(section, connection, onChange, onUnpaired, showError) {
    this.#section = section;
    this.#connection = connection;
    this.#onChange = onChange;
    this.#onUnpaired = onUnpaired;
    this.#showError = showError;
    for (const button of this.#buttons) button.onclick = () => this.#buttonActions[button.dataset.action]();
  }

  get #buttons() {
    return this.#section.querySelectorAll("[data-action]");
  }

  #buttonActions = {
    advice: () => this.#fetchAdvice(),
    change: () => this.#set(() => (this.#isChanging = true)),
    keep: () => this.#set(() => (this.#isChanging = false)),
    clear: () => this.#send("deal", { cards: [] }),
    skip: () => this.#set(() => (this.#skippedDeal = this.#hand.deal)),
    hide: () => this.#set(() => (this.#isHidden = !this.#isHidden)),
    enter: () => this.#set(() => (this.#skippedDeal = null)),
  };

  /** Take a new state. The hand is fetched again only when a turn was taken or undone. */
  async update(state, seat, isDealt = false) {
    this.#state = state;
    this.#isDealt = isDealt;
    const isSeated = seat !== null && seat < state.seats.length;
    const key = isSeated && state.deal ? JSON.stringify([seat, isDealt, state.turns, state.deal.number, state.game.phase, state.log[0]]) : "";
    this.#seat = isSeated ? seat : null;
    if (key === this.#turnKey) return;
    this.#turnKey = key;
    await this.#fetchHand();
  }

  async #fetchHand() {
    const key = this.#turnKey;
    let hand = null;
    try {
      const path = this.#isDealt ? `me/hand/${this.#seat}` : "me/hand";
      hand = key ? await this.#connection.get(path) : null;
    } catch (error) {
      if (error.status === 403) this.#onUnpaired();
      // The game may wait for this very hand, and then no new state comes: it is fetched again for the same turn.
      const isUnanswered = !error.status || error.status === 429 || error.status >= 500;
      if (isUnanswered) return void setTimeout(() => key === this.#turnKey && this.#fetchHand(), RETRY_MS);
    }
    if (key !== this.#turnKey) return; // the hand of a later turn is being fetched
    if (this.#hand?.deal !== hand?.deal) this.#isChanging = false;
    const isSame = JSON.stringify(this.#hand?.dealt) === JSON.stringify(hand?.dealt);
    this.#set(() => {
      this.#hand = hand;
      if (isSame && hand?.discarded.length === 0 && hand.phase !== "play") return; // keep what is half chosen
      this.#chosen.clear();
      this.#advice = [];
    });
  }

  /** A command was sent from the page's card input. */
  onSent(command) {
    if (command === "deal") this.#isChanging = false;
    this.#fetchHand();
  }

  #set(change) {
    const hadFocus = this.#section.contains(document.activeElement);
    change();
    this.#draw();
    this.#onChange();
    if (this.#wantsFocus || (hadFocus && !document.activeElement?.offsetParent)) this.takeFocus();
  }

  /** Move the focus here, now or once there is a hand: the focused button may have disappeared. */
  takeFocus() {
    this.#wantsFocus = this.#section.hidden;
    this.#section.focus();
  }

  /** What the player does now. Each stage has a hint among the data attributes. */
  get #stage() {
    const hand = this.#hand;
    if (!hand || this.#seat === null) return "";
    if (BEFORE_STARTER.includes(hand.phase) && !this.#state.deal?.starter) {
      if (this.#state.game?.is_dealt && !hand.dealt.length) return "";
      if (this.#isChanging) return "entering";
      if (!hand.dealt.length) return this.#skippedDeal === hand.deal ? "skipped" : "entering";
      return hand.kept.length ? "kept" : "discarding";
    }
    if (hand.to_show?.cards.length && !this.#state.game?.is_dealt) return "showing";
    if (!hand.kept.length || hand.phase !== "play") return "";
    return !hand.is_to_play ? "waiting" : hand.playable.length ? "turn" : "go";
  }

  /** The actions for the page's card input that only this phone has: to enter the dealt hand, or to show it. */
  get inputActions() {
    const { deal, hand: handLabel, crib: cribLabel } = this.#section.dataset;
    const [hand, stage] = [this.#hand, this.#stage];
    const own = { seats: [], body: {}, is_next: true };
    if (stage === "entering") {
      const input = { kind: "deal", cards: [], size: hand.to_deal, min_size: hand.to_keep, needs_suits: hand.needs_suits };
      return [{ ...own, command: "deal", label: deal, input }];
    }
    if (stage !== "showing") return [];
    const { is_crib, cards } = hand.to_show;
    const input = { kind: "hand", cards, size: cards.length };
    return [{ ...own, command: "count", label: is_crib ? cribLabel : handLabel, input }];
  }

  /** What the primary place says while this phone is to act with its cards: without `press` what is awaited. */
  get primary() {
    const { dataset } = this.#section;
    const stage = this.#stage;
    if (stage === "discarding") return this.#discard(dataset);
    if (stage === "go") return { key: "go", label: dataset.sayGo, press: () => this.#send("go", { seat: this.#seat }) };
    return stage === "turn" ? { key: "turn", label: dataset.turn } : null;
  }

  #discard({ discard, toCrib }) {
    const cards = this.#chosenCards();
    if (cards.length < this.#hand.to_discard) return { key: `choose ${cards.length}`, label: this.#hint("discarding") };
    const label = discard.replace("{cards}", cards.map(prettyCard).join(" "));
    return { key: `discard ${cards}`, label, note: toCrib, press: () => this.#send("discard", { cards, seat: this.#seat }) };
  }

  #hint(stage) {
    const text = this.#section.dataset[stage] ?? "";
    return text.replace("{chosen}", this.#chosen.size).replace("{all}", this.#hand.to_discard);
  }

  /** Whether this hand offers an action itself, so that the page must not. */
  handles({ command, seats }) {
    const stage = this.#stage;
    if (command === "show") return ["turn", "go", "waiting"].includes(stage); // nobody ends the play with cards in hand
    if (command === "starter") return ["entering", "discarding"].includes(stage);
    if (!seats.includes(this.#seat)) return false;
    if (command === "count") return stage === "showing";
    return ["play", "go"].includes(command) && ["turn", "go"].includes(stage);
  }

  #draw() {
    const [hand, stage, section] = [this.#hand, this.#stage, this.#section];
    section.hidden = !hand || this.#seat === null || hand.phase === "over";
    document.body.dataset.hand = section.hidden ? "" : stage;
    if (section.hidden) return void this.#forgetCards(); // the phone may be in other hands now
    section.querySelector("h2").textContent = section.dataset.title.replace("{seat}", hand.name);
    section.querySelector(".hand").setAttribute("aria-label", section.dataset.hand);
    this.#drawCards(hand, stage);
    this.#drawButtons(hand, stage);
    setText(section.querySelector(".hint"), this.#hint(stage));
    this.#drawAdvice(stage);
  }

  /** A hidden card is still in the page. */
  #forgetCards() {
    this.#drawnKey = "";
    this.#section.querySelector(".hand").replaceChildren();
    this.#section.querySelector(".advice").replaceChildren();
  }

  #drawCards(hand, stage) {
    const hidden = ["entering", "skipped", "showing"];
    const shown = { discarding: hand.dealt, kept: hand.kept }[stage] ?? hand.in_hand;
    const cards = hidden.includes(stage) ? [] : shown;
    const key = JSON.stringify([stage, cards, [...this.#chosen], hand.playable, this.#isHidden]);
    if (key === this.#drawnKey) return; // a finger may be on them
    this.#drawnKey = key;
    const focused = document.activeElement?.dataset?.place;
    const list = this.#section.querySelector(".hand");
    list.replaceChildren(...cards.map((card, place) => this.#newCard(card, place, stage)));
    list.hidden = !cards.length;
    list.style.setProperty("--columns", cards.length > 4 ? Math.ceil(cards.length / 2) : 4);
    if (focused !== undefined && cards.length) (list.querySelector(`[data-place="${focused}"]`) ?? list.lastElementChild)?.focus();
  }

  #newCard(card, place, stage) {
    if (this.#isHidden) return cardBack();
    if (!["discarding", "turn"].includes(stage)) return cardElement(prettyCard(card));
    const button = cardElement(prettyCard(card), "button");
    button.dataset.place = place;
    if (stage === "discarding") {
      button.setAttribute("aria-pressed", String(this.#chosen.has(place)));
      button.dataset.tag = this.#section.dataset.toCrib;
      button.onclick = () => this.#choose(place);
    } else {
      const isPlayable = this.#hand.playable.includes(card);
      button.classList.add(isPlayable ? "is-playable" : "is-unplayable");
      button.setAttribute("aria-disabled", String(!isPlayable)); // a press is answered with the reason
      button.onclick = () => this.#send("play", { card, seat: this.#seat });
    }
    return button;
  }

  #drawButtons(hand, stage) {
    const canChange = ["discarding", "kept"].includes(stage) && !this.#state.game?.is_dealt;
    const isChoice = stage === "turn" && hand.playable.length > 1;
    const isShown = {
      advice: hand.has_advice && !this.#advice.length && (stage === "discarding" || isChoice),
      change: canChange,
      keep: stage === "entering" && this.#isChanging,
      clear: canChange,
      skip: stage === "entering" && !this.#isChanging,
      hide: ["discarding", "kept", "turn", "go", "waiting"].includes(stage),
      enter: stage === "skipped",
    };
    for (const button of this.#buttons) button.hidden = !isShown[button.dataset.action];
    const advice = this.#section.querySelector('[data-action="advice"]');
    setText(advice, stage === "turn" ? advice.dataset.play : advice.dataset.discard);
    const hide = this.#section.querySelector('[data-action="hide"]');
    setText(hide, this.#isHidden ? hide.dataset.show : hide.dataset.hide);
  }

  #drawAdvice(stage) {
    const list = this.#section.querySelector(".advice");
    list.hidden = !["discarding", "turn"].includes(stage) || !this.#advice.length;
    const write = stage === "turn" ? (card) => this.#adviceOnCard(card) : (discard) => this.#newAdvice(discard);
    list.replaceChildren(...(list.hidden ? [] : this.#advice.map((each) => make("li", "", write(each)))));
  }

  #average(cards, points) {
    const text = points.toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    return this.#section.dataset.average.replace("{cards}", cards).replace("{points}", text.replace("-", "−"));
  }

  #adviceOnCard({ card, points, win }) {
    const label = card === "go" ? this.#section.dataset.sayGo : prettyCard(card);
    const average = this.#average(label, points);
    return win === null ? average : `${average} · ${Math.round(100 * win)} %`;
  }

  #newAdvice({ cards, total }) {
    const button = make("button", "", this.#average(cards.map(prettyCard).join(" "), total));
    button.type = "button";
    button.onclick = () => this.#set(() => (this.#chosen = placesOf(cards, this.#hand.dealt)));
    return button;
  }

  #choose(place) {
    if (!this.#chosen.delete(place)) this.#chosen.add(place);
    if (this.#chosen.size > this.#hand.to_discard) this.#chosen.delete([...this.#chosen][0]); // the oldest choice
    this.#draw();
    this.#onChange();
  }

  #chosenCards() {
    return [...this.#chosen].map((place) => this.#hand.dealt[place]);
  }

  async #fetchAdvice() {
    const advice = await this.#connection.get("me/advice").catch((error) => this.#showError(error.message));
    this.#set(() => (this.#advice = [...(advice?.discards ?? []), ...(advice?.cards ?? [])]));
  }

  async #send(command, body) {
    try {
      await this.#connection.post(`commands/${command}`, body);
    } catch (error) {
      this.#showError(error.message);
      if (error.status === 403) this.#onUnpaired();
    }
    await this.#fetchHand();
  }
}

/** The places of cards in the hand, each once. */
function placesOf(cards, hand) {
  const places = new Set();
  for (const card of cards) places.add(hand.findIndex((own, place) => own === card && !places.has(place)));
  return places;
}
