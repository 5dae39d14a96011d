// This phone's session: whether it is paired, its role, its seat and its hand.

import { make, setText } from "../core/render.js";
import { MyHand } from "./my_hand.js";

const STORAGE_KEY = "phone"; // the name by which this browser was paired: shows later that it was removed; pages/board.js reads it too

const SEATED_KEY = "seated"; // in the session: the game in which this phone took the seat of its name by itself

/** Shows the phone's status, and lets it pair, take a seat, leave it, and play its hand. */
export class Session {
  #section;
  #connection;
  #onChange;
  #showError;
  #hand;
  #seatsKey = "";
  #state = null;
  #asked = 0; // how often this page asked who its visitor is
  #open = null; // the seat whose cards are shown, where this phone shows those of several people

  /**
   * @param {HTMLElement} section has the translated texts as data attributes
   * @param {Connection} connection
   * @param {object} visitor what `GET /api/v1/me` answers
   * @param {() => void} onChange called whenever the visitor or its hand changed
   * @param {(message: string) => void} showError
   */
  constructor(section, connection, visitor, onChange, showError) {
    this.visitor = visitor;
    this.#section = section;
    this.#connection = connection;
    this.#onChange = onChange;
    this.#showError = showError;
    const onUnpaired = () => this.refresh();
    this.#hand = new MyHand(section.querySelector(".own-hand"), connection, () => this.#onChange(), onUnpaired, showError);
    section.querySelector(".leave-seat").onclick = () => this.#takeSeat(null);
    section.querySelector(".unpair").onclick = () => this.#unpair();
    this.#remember();
    this.#draw();
  }

  /** Open the pairing dialog, unless this phone is paired. */
  async pair(code = "") {
    if (this.visitor.phone) return;
    const { PairingDialog } = await import("./pairing.js");
    new PairingDialog(document.getElementById("pairing-dialog"), this.#connection, () => this.refresh()).open(code);
  }

  /** Take a new state. The visitor is fetched again when a phone, a role or a seat changed since, or before the first state. */
  update(state) {
    const key = JSON.stringify([state.seats, state.phone_changes, dealtKey(state)]);
    const isChanged = this.#seatsKey !== key;
    this.#seatsKey = key;
    this.#state = state;
    if (isChanged) this.refresh();
    else this.#takeOwnSeat();
    this.#draw();
    this.#updateHand();
  }

  /** The hand of the phone's seat; where the board deals, of the seats that this phone shows, one at a time. */
  #updateHand() {
    const { hands = [], seat } = this.visitor;
    const isDealt = this.#state.game?.is_dealt && hands.length > 0;
    if (!isDealt) return void this.#hand.update(this.#state, seat);
    const next = this.#nextShown();
    if (this.#open !== next) this.#open = null;
    this.#hand.update(this.#state, hands.length === 1 ? hands[0] : this.#open, true);
  }

  /** The seat that is to act with cards that this phone shows; null: none of them. */
  #nextShown() {
    return this.#state?.deal?.to_act.find((seat) => this.visitor.hands?.includes(seat)) ?? null;
  }

  /** On one phone for several people: hand it on, and then show the cards. Null: nothing is to be covered. */
  get #cover() {
    const next = this.#nextShown();
    if (next === null || this.visitor.hands.length < 2 || this.#open === next) return null;
    const { show, give } = this.#section.querySelector(".own-hand").dataset;
    const { name } = this.#state.seats[next];
    const press = () => {
      this.#open = next;
      this.#updateHand();
      this.#onChange();
    };
    return { key: `cover ${next}`, label: show.replace("{name}", name), note: give.replace("{name}", name), press };
  }

  /** Whether the phone's own hand offers this action, so that the page must not. */
  handles(action) {
    return this.#hand.handles(action);
  }

  /** What the primary place says while this phone is to act with its cards; null: nothing of its own. */
  get primary() {
    return this.#cover ?? this.#hand.primary;
  }

  /** A command was sent from the page's card input. */
  onSent(command) {
    this.#hand.onSent(command);
  }

  /** The actions with an input that only this phone has. */
  get inputActions() {
    return this.#hand.inputActions;
  }

  /** Fetch the visitor again. A page whose role changed is loaded anew: its content depends on the role. */
  async refresh() {
    const asked = (this.#asked += 1);
    const visitor = await this.#connection.get("me").catch(() => null);
    if (asked !== this.#asked) return; // asked again meanwhile: this answer may be the older one
    if (!visitor) return void (this.#seatsKey = "?"); // no connection: fetched again with the next state
    const isOtherRole = this.visitor.role !== visitor.role;
    this.visitor = visitor;
    this.#remember();
    this.#draw();
    if (isOtherRole) return void location.reload();
    if (this.#state) this.#updateHand();
    this.#onChange();
    this.#takeOwnSeat();
  }

  /** A phone with the name of a player sits there by itself, once in each game: who leaves the seat is not put back. */
  #takeOwnSeat() {
    const { phone, seat, lost_seat } = this.visitor;
    const seats = this.#state?.seats ?? [];
    const isOwn = ({ name, held_by }) => held_by === null && name.toLowerCase() === phone?.name.toLowerCase();
    const own = seats.findIndex(isOwn);
    const game = JSON.stringify([phone?.id, seats.map(({ name }) => name)]);
    if (!phone || seat !== null || lost_seat || own < 0 || sessionStorage.getItem(SEATED_KEY) === game) return;
    sessionStorage.setItem(SEATED_KEY, game);
    this.#takeSeat(own);
  }

  #remember() {
    this.isRemoved = !this.visitor.phone && Boolean(localStorage.getItem(STORAGE_KEY));
    if (this.visitor.phone) localStorage.setItem(STORAGE_KEY, this.visitor.phone.name);
  }

  #draw() {
    const { phone, seat } = this.visitor;
    const isSeated = Boolean(phone) && seat !== null && seat < (this.#state?.seats.length ?? 0);
    this.#section.querySelector(".pair-button")?.toggleAttribute("hidden", Boolean(phone));
    this.#section.querySelector(".phone-menu").hidden = !phone;
    this.#section.querySelector(".home-screen").hidden = navigator.standalone !== false; // an iPhone, in its browser
    this.#section.querySelector(".leave-seat").hidden = !isSeated;
    document.body.toggleAttribute("data-unseated", Boolean(phone) && !isSeated && Boolean(this.#state?.seats.length));
    this.#drawStatus(isSeated);
    this.#drawSeats(phone && !isSeated ? (this.#state?.seats ?? []) : []);
  }

  #drawStatus(isSeated) {
    const status = this.#section.querySelector(".phone-status");
    const { phone, lost_seat } = this.visitor;
    const choose = lost_seat ? "lost" : "choose";
    const key = phone ? (this.#state?.seats.length ? choose : "paired") : this.isRemoved ? "removed" : "";
    if (key) setText(status, status.dataset[key].replace("{name}", phone?.name).replace("{player}", lost_seat));
    status.hidden = isSeated || (!key && this.visitor.is_local);
  }

  #drawSeats(seats) {
    const row = this.#section.querySelector(".seats");
    const key = JSON.stringify(seats);
    if (row.dataset.key === key) return;
    row.dataset.key = key;
    for (const old of row.querySelectorAll("[data-seat]")) old.remove();
    row.append(...seats.map((seat, number) => this.#newSeatButton(seat, number, row.dataset)));
  }

  #newSeatButton({ name, held_by }, number, labels) {
    const label = (held_by === null ? labels.free : labels.held).replace("{seat}", name).replace("{name}", held_by);
    const button = make("button", held_by === null ? "primary" : "", label);
    button.type = "button";
    button.dataset.seat = number;
    button.disabled = held_by !== null;
    button.onclick = () => this.#takeSeat(number);
    return button;
  }

  async #takeSeat(seat) {
    try {
      this.visitor = await this.#connection.post("me/seat", { seat });
    } catch (error) {
      this.#showError(error.message);
    }
    await this.refresh();
    this.#hand.takeFocus();
  }

  async #unpair() {
    localStorage.removeItem(STORAGE_KEY);
    await this.#connection.post("me/leave", {}).catch((error) => this.#showError(error.message));
    location.reload();
  }
}

/** Changes when the board deals: then the visitor shows other hands. */
function dealtKey({ game, deal }) {
  return game?.is_dealt && deal ? [deal.number, game.phase !== "deal" || deal.to_act.length > 0] : null;
}
