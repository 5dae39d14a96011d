// My cards: told, laid away, played and shown from this phone. Nobody else sees them before.

import { card, make } from "./view.js";
import { pretty } from "./typing.js";

const BEFORE_STARTER = ["deal", "bid"];

export class Mine {
  #room;
  #line;
  #onChange;
  #onStranger;
  #complain;
  #state = null;
  #seat = null;
  #told = null; // what the board knows of my hand
  #turn = ""; // for which turn it was told
  #chosen = new Set(); // places of the cards that go to the crib
  #skipped = null; // the deal that goes without my cards
  #drawn = ""; // what the cards were drawn from
  #isChanging = false;
  #wantsFocus = false;
  #advice = [];

  /** `onStranger` is called when the board does not know this phone any more. */
  constructor(room, line, onChange, onStranger, complain) {
    this.#room = room;
    this.#line = line;
    this.#onChange = onChange;
    this.#onStranger = onStranger;
    this.#complain = complain;
    for (const button of room.querySelectorAll("[data-does]")) button.onclick = () => this.#does[button.dataset.does]();
  }

  #does = {
    lay: () => this.#order("lay-away", { cards: this.#picked() }),
    go: () => this.#order("go", { seat: this.#seat }),
    advice: () => this.#askAdvice(),
    change: () => this.#set(() => (this.#isChanging = true)),
    keep: () => this.#set(() => (this.#isChanging = false)),
    clear: () => this.#order("deal", { cards: [] }),
    skip: () => this.#set(() => (this.#skipped = this.#told.deal)),
    tell: () => this.#set(() => (this.#skipped = null)),
  };

  /** Ask again only when a turn was taken, or taken back. */
  async hear(state, seat) {
    this.#state = state;
    const isSeated = seat !== null && seat < state.seats.length;
    const turn = isSeated && state.deal ? JSON.stringify([seat, state.turns, state.deal.number, state.game.phase, state.log[0]]) : "";
    this.#seat = isSeated ? seat : null;
    if (turn === this.#turn) return;
    this.#turn = turn;
    await this.#look();
  }

  async #look() {
    const turn = this.#turn;
    let told = null;
    try {
      told = turn ? await this.#line.look("my/hand") : null;
    } catch (refused) {
      if (refused.status === 403) this.#onStranger();
      if (!refused.status) return void (this.#turn = "?"); // no line just now: look again at the next news
    }
    if (turn !== this.#turn) return; // a later turn is being looked at
    if (this.#told?.deal !== told?.deal) this.#isChanging = false;
    const isSame = JSON.stringify(this.#told?.dealt) === JSON.stringify(told?.dealt);
    this.#set(() => {
      this.#told = told;
      if (isSame && told?.laid_away.length === 0) return; // what is half chosen stays
      this.#chosen.clear();
      this.#advice = [];
    });
  }

  /** Something was typed, as it was asked for in private. */
  told(order) {
    if (order === "deal") this.#isChanging = false;
    this.#look();
  }

  #set(change) {
    const hadFocus = this.#room.contains(document.activeElement);
    change();
    this.#draw();
    this.#onChange();
    if (this.#wantsFocus || (hadFocus && !document.activeElement?.offsetParent)) this.takeFocus();
  }

  /** Whoever goes by keyboard stays here when the button that was pressed is gone: now, or once there is a hand. */
  takeFocus() {
    this.#wantsFocus = this.#room.hidden;
    this.#room.focus();
  }

  get #stage() {
    const told = this.#told;
    if (!told || this.#seat === null) return "";
    if (BEFORE_STARTER.includes(told.phase) && !this.#state.deal?.starter) {
      if (this.#isChanging) return "telling";
      if (!told.dealt.length) return this.#skipped === told.deal ? "untold" : "telling";
      return told.kept.length ? "kept" : "laying";
    }
    if (told.to_show?.cards.length) return "showing";
    if (!told.kept.length || told.phase !== "play") return "";
    return !told.is_to_play ? "waiting" : told.fits.length ? "turn" : "stuck";
  }

  /** What the typing of this page asks for in private: the hand as it was dealt, and what of it has to be told to count. */
  get asks() {
    const { deal, hand, crib } = this.#room.dataset;
    const [told, stage] = [this.#told, this.#stage];
    const own = { seats: [], body: {}, cards: [], is_next: true, least: 1 };
    if (stage === "telling") return [{ ...own, order: "deal", label: deal, kind: "deal", size: told.to_deal, enough: told.to_keep, is_suited: told.needs_suits }];
    if (stage !== "showing") return [];
    const { is_crib, cards } = told.to_show;
    return [{ ...own, order: "count", label: is_crib ? crib : hand, kind: "hand", cards, size: cards.length }];
  }

  /** Whether something that everybody could be asked for is asked of my own cards here. */
  handles({ order, seats }) {
    const stage = this.#stage;
    if (order === "show") return ["turn", "stuck", "waiting"].includes(stage); // nobody ends the play over cards in hand
    if (order === "starter") return ["telling", "laying"].includes(stage);
    if (!seats.includes(this.#seat)) return false;
    if (order === "count") return stage === "showing";
    return ["play", "go"].includes(order) && ["turn", "stuck"].includes(stage);
  }

  #draw() {
    const [told, stage, room] = [this.#told, this.#stage, this.#room];
    room.hidden = !told || this.#seat === null;
    if (room.hidden) return;
    room.querySelector("h2").textContent = room.dataset.title.replace("{seat}", told.name);
    room.querySelector(".hand").setAttribute("aria-label", room.dataset.hand);
    this.#drawHand(told, stage);
    this.#drawButtons(told, stage);
    const says = (room.dataset[stage] ?? "").replace("{chosen}", this.#chosen.size).replace("{all}", told.to_lay_away);
    const hint = room.querySelector(".hint");
    if (hint.textContent !== says) hint.textContent = says;
    this.#drawAdvice(stage);
  }

  #drawHand(told, stage) {
    const cards = { laying: told.dealt, telling: [], untold: [], showing: [] }[stage] ?? (stage === "kept" ? told.kept : told.in_hand);
    const drawn = JSON.stringify([stage, cards, [...this.#chosen], told.fits]);
    if (drawn === this.#drawn) return; // a finger may be on them
    this.#drawn = drawn;
    const focused = document.activeElement?.dataset?.place;
    const room = this.#room.querySelector(".hand");
    room.replaceChildren(...cards.map((text, place) => this.#newCard(text, place, stage)));
    room.hidden = !cards.length;
    if (focused !== undefined && cards.length) (room.querySelector(`[data-place="${focused}"]`) ?? room.lastElementChild)?.focus();
  }

  #newCard(text, place, stage) {
    if (!["laying", "turn"].includes(stage)) return card(pretty(text));
    const button = make("button", card(pretty(text)).className, pretty(text));
    button.type = "button";
    button.dataset.place = place;
    if (stage === "laying") {
      button.setAttribute("aria-pressed", String(this.#chosen.has(place)));
      button.onclick = () => this.#choose(place);
    } else {
      button.classList.toggle("does-not-fit", !this.#told.fits.includes(text));
      button.onclick = () => this.#order("play", { card: text, seat: this.#seat });
    }
    return button;
  }

  #drawButtons(told, stage) {
    const isHeld = ["laying", "kept"].includes(stage);
    const shown = {
      lay: stage === "laying" && this.#chosen.size === told.to_lay_away,
      go: stage === "stuck",
      advice: stage === "laying" && told.has_advice && !this.#advice.length,
      change: isHeld,
      keep: stage === "telling" && this.#isChanging,
      clear: isHeld,
      skip: stage === "telling" && !this.#isChanging,
      tell: stage === "untold",
    };
    for (const button of this.#room.querySelectorAll("[data-does]")) button.hidden = !shown[button.dataset.does];
  }

  #drawAdvice(stage) {
    const room = this.#room.querySelector(".advice");
    room.hidden = stage !== "laying" || !this.#advice.length;
    room.replaceChildren(...(room.hidden ? [] : this.#advice.map((best) => make("li", "", this.#newAdvice(best)))));
  }

  #newAdvice({ lay_away, total }) {
    const lang = document.documentElement.lang;
    const points = total.toLocaleString(lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    const label = this.#room.dataset.worth.replace("{cards}", lay_away.map(pretty).join(" ")).replace("{points}", points);
    const button = make("button", "", label);
    button.type = "button";
    button.onclick = () => this.#set(() => (this.#chosen = placesOf(lay_away, this.#told.dealt)));
    return button;
  }

  #choose(place) {
    if (!this.#chosen.delete(place)) this.#chosen.add(place);
    if (this.#chosen.size > this.#told.to_lay_away) this.#chosen.delete([...this.#chosen][0]); // the first gives way
    this.#draw();
  }

  #picked() {
    return [...this.#chosen].map((place) => this.#told.dealt[place]);
  }

  async #askAdvice() {
    const told = await this.#line.look("my/advice").catch((refused) => this.#complain(refused.message));
    this.#set(() => (this.#advice = told?.discards ?? []));
  }

  async #order(order, body) {
    try {
      await this.#line.ask(`orders/${order}`, body);
    } catch (refused) {
      this.#complain(refused.message);
      if (refused.status === 403) this.#onStranger();
    }
    await this.#look();
  }
}

/** Where these cards lie in the hand, each once. */
function placesOf(cards, hand) {
  const places = new Set();
  for (const text of cards) places.add(hand.findIndex((own, place) => own === text && !places.has(place)));
  return places;
}
