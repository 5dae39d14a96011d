// Who this phone is at the table: let in or not, on which seat, and with which cards.

import { Mine } from "./mine.js";
import { make } from "./view.js";

const WAS_IN = "phone"; // the name by which this browser was let in: whoever is sent away is told so

export class Me {
  #room;
  #line;
  #onChange;
  #complain;
  #mine;
  #table = "";
  #state = null;

  /** `who` is what the board knows of this phone; `onChange` is called whenever that, or its cards, became another. */
  constructor(room, line, who, onChange, complain) {
    this.who = who;
    this.#room = room;
    this.#line = line;
    this.#onChange = onChange;
    this.#complain = complain;
    this.#mine = new Mine(room.querySelector(".mine"), line, () => this.#onChange(), () => this.refresh(), complain);
    room.querySelector(".stand-up").onclick = () => this.#sit(null);
    room.querySelector(".forget").onclick = () => this.#leave();
    this.#remember();
    this.#draw();
  }

  async comeIn(code = "") {
    if (this.who.phone) return;
    const { Door } = await import("./door.js");
    new Door(document.getElementById("door"), this.#line, () => this.refresh()).open(code);
  }

  /** A phone came, went, changed its seat, or may do more or less: who am I now? */
  hear(state) {
    const table = JSON.stringify([state.seats, state.phone_changes]);
    const isNews = this.#table && this.#table !== table;
    this.#table = table;
    this.#state = state;
    if (isNews) this.refresh();
    this.#draw();
    this.#mine.hear(state, this.who.seat);
  }

  handles(asked) {
    return this.#mine.handles(asked);
  }

  told(order) {
    this.#mine.told(order);
  }

  get ownAsks() {
    return this.#mine.asks;
  }

  async refresh() {
    const who = await this.#line.look("my").catch(() => null);
    if (!who) return void (this.#table = "?"); // no line just now: ask again at the next news
    const isOther = this.who.role !== who.role; // what the page offers depends on it
    this.who = who;
    this.#remember();
    this.#draw();
    if (isOther) return void location.reload();
    if (this.#state) this.#mine.hear(this.#state, who.seat);
    this.#onChange();
  }

  #remember() {
    this.isGone = !this.who.phone && Boolean(localStorage.getItem(WAS_IN));
    if (this.who.phone) localStorage.setItem(WAS_IN, this.who.phone.name);
  }

  #draw() {
    const { phone, seat } = this.who;
    const isSeated = Boolean(phone) && seat !== null && seat < (this.#state?.seats.length ?? 0);
    this.#room.querySelector(".come-in").hidden = Boolean(phone);
    this.#room.querySelector(".leaving").hidden = !phone;
    this.#room.querySelector(".stand-up").hidden = !isSeated;
    this.#say(isSeated);
    this.#drawSeats(phone && !isSeated ? (this.#state?.seats ?? []) : []);
  }

  #say(isSeated) {
    const room = this.#room.querySelector(".standing");
    const { phone } = this.who;
    const key = phone ? (this.#state?.seats.length ? "choose" : "in") : this.isGone ? "gone" : "";
    if (key) setText(room, room.dataset[key].replace("{name}", phone?.name));
    room.hidden = isSeated;
  }

  #drawSeats(seats) {
    const room = this.#room.querySelector(".seats");
    const key = JSON.stringify(seats);
    if (room.dataset.of === key) return;
    room.dataset.of = key;
    for (const old of room.querySelectorAll("[data-seat]")) old.remove();
    room.append(...seats.map((seat, number) => this.#newSeat(seat, number)));
  }

  #newSeat({ name, held_by }, number) {
    const says = this.#room.querySelector(".seats").dataset;
    const label = (held_by === null ? says.free : says.held).replace("{seat}", name).replace("{name}", held_by);
    const button = make("button", held_by === null ? "next" : "", label);
    button.type = "button";
    button.dataset.seat = number;
    button.disabled = held_by !== null;
    button.onclick = () => this.#sit(number);
    return button;
  }

  async #sit(seat) {
    try {
      this.who = await this.#line.ask("my/seat", { seat });
    } catch (refused) {
      this.#complain(refused.message);
    }
    await this.refresh();
    this.#mine.takeFocus();
  }

  async #leave() {
    localStorage.removeItem(WAS_IN);
    await this.#line.ask("my/leave", {}).catch((refused) => this.#complain(refused.message));
    location.reload();
  }
}

function setText(room, sentence) {
  if (room.textContent !== sentence) room.textContent = sentence;
}
