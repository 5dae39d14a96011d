// A game on a board that people own: they move its pegs, the page keeps the score and says where each peg goes.
// Nothing is awaited and nothing is confirmed. A score is two taps, the player and the number; entered cards score alone.

import { newIdempotencyKey } from "../core/connection.js";
import { make, setText } from "../core/render.js";
import { FallenPegs } from "./fallen_pegs.js";
import { NumberPad } from "./number_pad.js";
import { PegStrip } from "./peg_strip.js";
import { Tallies } from "./tallies.js";
import { keepScreenOn } from "./wake_lock.js";

const STORAGE_KEY = "own-pegs-entry"; // "points" or "cards": what this browser entered last
const MOST_DIGITS = 2;
const KEEPERS = ["keeper", "owner"]; // roles

const byId = (id) => document.getElementById(id);

/** The tiles, the strip, the number pad and the dialog of fallen pegs. */
export class OwnPegs {
  #page;
  #tallies = new Tallies(byId("tallies"), (side) => this.#choose(side));
  #strip = new PegStrip(byId("peg-strip"));
  #pad;
  #toPoints;
  #fallen = new FallenPegs(byId("fallen-dialog"));
  #labels;
  #state = null;
  #actions = [];
  #guided = null;
  #chosen = null; // the side that scores next
  #isClaim = false; // whether it claims muggins
  #typed = ""; // digits of the keyboard
  #entry = null; // what was chosen for this deal: "points" or "cards"
  #deal = null;

  /** @param {object} page `send(command, body)`, `redraw()`, `visitor()` */
  constructor(page) {
    this.#page = page;
    const pad = byId("number-pad");
    this.#labels = pad?.dataset;
    if (pad) {
      this.#pad = new NumberPad(pad, (points) => this.#score(points));
      pad.querySelector(".other").onclick = () => this.#pressOther();
      pad.querySelector(".muggins").onclick = () => this.#toggleClaim();
      this.#toPoints = make("button", "plain", this.#labels.points);
      this.#toPoints.type = "button";
      this.#toPoints.onclick = () => this.#enter("points");
    }
    byId("take-back").onclick = () => page.send("undo", {});
    byId("open-fallen").onclick = () => this.#fallen.open();
    keepScreenOn(() => (byId("screen-note").hidden = false));
  }

  /** Take a new state, with the actions of this visitor and the guidance that is shown. */
  show(state, actions, guided) {
    if (state.deal?.number !== this.#deal) this.#entry = null;
    this.#deal = state.deal?.number;
    this.#state = state;
    this.#actions = actions;
    this.#guided = guided;
    if (!state.own_pegs.takes_points) this.#chosen = null;
    this.#draw();
  }

  #draw() {
    const { own_pegs: pegs } = this.#state;
    document.body.dataset.entry = this.#isForPoints ? "points" : "cards";
    this.#tallies.show(this.#state, this.#chosen, this.#next, (side) => this.#mayScore(side));
    this.#strip.show(this.#state);
    this.#fallen.show(this.#state);
    const mayUndo = pegs.take_back && this.#actions.some(({ command }) => command === "undo");
    byId("take-back").hidden = !mayUndo;
    setText(byId("take-back"), pegs.take_back);
    this.#drawPad();
  }

  /** The sides with a gold edge: who scored just now, and with cards who is next. */
  get #next() {
    const { news } = this.#state.own_pegs;
    if (this.#isForPoints) return news.map(({ side }) => side);
    return this.#guided?.tone === "next" && this.#guided.side !== null ? [this.#guided.side] : [];
  }

  #drawPad() {
    if (!this.#pad) return;
    const pad = byId("number-pad");
    pad.hidden = !this.takesPoints;
    const hasSide = this.#chosen !== null;
    const { who, howMany, cards, points, cancel, claims } = this.#labels;
    const asked = (this.#isClaim ? claims : howMany).replace("{name}", this.#nameOf(this.#chosen));
    this.#pad.show(`${hasSide ? asked : who}${this.#typed && ` ${this.#typed}`}`, hasSide);
    setText(pad.querySelector(".other"), hasSide ? cancel : this.#isForPoints ? cards : points);
    pad.querySelector(".muggins").hidden = !hasSide || !this.#claimOf(this.#chosen);
    pad.querySelector(".muggins").setAttribute("aria-pressed", String(this.#isClaim));
  }

  #nameOf(side) {
    return this.#state.sides[side]?.name ?? "";
  }

  #claimOf(side) {
    return this.#actions.find(({ command, body }) => command === "claim" && body.side === side);
  }

  /** Whether the page asks for points, not for cards: as chosen in this deal, else as its cards say, else as before. */
  get #isForPoints() {
    const { takes_points: takesPoints, has_cards: hasCards } = this.#state.own_pegs;
    if (!takesPoints || !this.#pad) return false;
    return (this.#entry ?? (hasCards ? "cards" : (localStorage.getItem(STORAGE_KEY) ?? "points"))) === "points";
  }

  /** Whether the number pad is in the place of the card keys. */
  get takesPoints() {
    return Boolean(this.#pad && this.#state) && (this.#isForPoints || this.#chosen !== null);
  }

  /** The button in the head of the card keys that asks for points instead; none where nobody scores. */
  get switches() {
    return this.#state?.own_pegs.takes_points && this.#pad ? [this.#toPoints] : [];
  }

  #enter(entry) {
    localStorage.setItem(STORAGE_KEY, entry);
    this.#entry = entry;
    this.#redraw();
  }

  #redraw() {
    this.#draw();
    this.#page.redraw();
  }

  #mayScore(side) {
    const { allowed_commands: allowed, seat, role } = this.#page.visitor();
    if (!this.#state.own_pegs.takes_points || !allowed.includes("move")) return false;
    const { seats } = this.#state.own_pegs.sides[side];
    const isHeld = seats.some((each) => this.#state.seats[each].held_by !== null);
    return seats.includes(seat) || !isHeld || KEEPERS.includes(role);
  }

  #choose(side) {
    if (!this.#mayScore(side)) return;
    this.#chosen = this.#chosen === side ? null : side;
    this.#isClaim = false;
    this.#typed = "";
    this.#pad.reset();
    this.#redraw();
  }

  #drop() {
    this.#chosen = null;
    this.#isClaim = false;
    this.#typed = "";
    this.#pad.reset();
  }

  #toggleClaim() {
    this.#isClaim = !this.#isClaim;
    this.#redraw();
  }

  #pressOther() {
    if (this.#chosen === null) return this.#enter("cards");
    this.#drop();
    this.#redraw();
  }

  async #score(points) {
    const side = this.#chosen;
    if (side === null) return;
    const command = this.#isClaim ? "claim" : "move";
    this.#drop();
    this.#redraw();
    // At any moment: somebody else may have scored meanwhile. Over a bad line it may arrive twice.
    await this.#page.send(command, { side, points, moment: null, idempotency_key: newIdempotencyKey() });
  }

  /** What the primary place says while points are entered; null: as without own pegs. */
  primary(buttonOf) {
    if (!this.takesPoints) return null;
    if (this.#chosen !== null) return { key: `number ${this.#chosen}`, label: this.#labels.tap.replace("{name}", this.#nameOf(this.#chosen)) };
    const primary = this.#actions.find(({ place }) => place === "primary") ?? this.#actions.find(({ command }) => command === "next-deal");
    return primary ? buttonOf(primary) : null;
  }

  /** A key of the keyboard: a digit chooses the side, then digits and Enter say how many. Escape gives up. */
  pressKey(key) {
    if (!this.takesPoints) return false;
    if (key === "Escape" || key === "Backspace") {
      if (this.#chosen === null) return false;
      if (key === "Backspace" && this.#typed) this.#typed = this.#typed.slice(0, -1);
      else this.#drop();
      return this.#redraw(), true;
    }
    if (key === "Enter" && Number(this.#typed)) return this.#score(Number(this.#typed)), true;
    if (!/^\d$/.test(key)) return false;
    if (this.#chosen === null) this.#choose(Number(key) - 1);
    else if (this.#typed.length < MOST_DIGITS) this.#typed += key;
    return this.#redraw(), true;
  }
}
