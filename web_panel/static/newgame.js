// Beginning a game: the three questions of the first one, and the dialog with every game and every house rule.

import { make } from "./view.js";

const LONGEST_NAME = 24;

/** One field a player; what was typed before stays. The sentences of the room say what a field is for. */
function askNames(room, players) {
  const usual = room.dataset.usual.split("\n");
  const typed = namesIn(room);
  const fields = Array.from({ length: players }, (_, seat) => {
    const label = room.dataset.player.replace("{number}", seat + 1);
    const field = make("input", "");
    Object.assign(field, { name: "name", value: typed[seat] ?? usual[seat] ?? label, maxLength: LONGEST_NAME, required: true });
    field.setAttribute("aria-label", label);
    field.autocomplete = "off";
    return field;
  });
  room.replaceChildren(room.firstElementChild, ...fields);
}

function namesIn(room) {
  return [...room.querySelectorAll("input[name=name]")].map((field) => field.value.trim());
}

function refuse(form, sentence) {
  const room = form.querySelector(".refused");
  room.textContent = sentence;
  room.hidden = !sentence;
}

/** The first game of a new board: how many, who, how far. */
export class FirstGame {
  #form;
  #line;

  constructor(form, line) {
    this.#form = form;
    this.#line = line;
  }

  hear({ type, target }) {
    if (type === "submit") this.#start();
    else if (target.name === "variant") this.#askNames();
  }

  /** The display in the language of the page. Where that cannot be kept, the next press starts without. */
  async #speakHere(display) {
    display.checked = false;
    await this.#line.ask("settings", { changes: { language: document.documentElement.lang } });
  }

  #askNames() {
    askNames(this.#form.querySelector(".names"), Number(this.#form.querySelector("[name=variant]:checked").dataset.players));
  }

  async #start() {
    const { variant, target, display } = this.#form.elements;
    try {
      refuse(this.#form, "");
      if (display?.checked) await this.#speakHere(display);
      const names = namesIn(this.#form.querySelector(".names"));
      await this.#line.ask("orders/new-game", { variant: variant.value, names, target: Number(target.value) });
    } catch (refused) {
      refuse(this.#form, refused.message);
    }
  }
}

export class GameDialog {
  #dialog;
  #form;
  #line;

  constructor(dialog, line) {
    this.#dialog = dialog;
    this.#form = dialog.querySelector("form");
    this.#line = line;
    this.#form.onchange = (event) => this.#follow(event.target);
    this.#form.onsubmit = (event) => this.#start(event);
    this.#form.querySelector("[value=cancel]").onclick = () => dialog.close();
  }

  open(state) {
    const { game, board } = state ?? {};
    this.#dialog.querySelector("#game-under-way").hidden = !game || game.winner !== null;
    if (game) this.#choose("game", game.variant);
    if (board) this.#choose("board", board.id);
    this.#settle();
    this.#askTarget(game?.target);
    refuse(this.#form, "");
    this.#dialog.showModal();
  }

  #choose(field, value) {
    const select = this.#form.elements[field];
    if ([...select.options].some((option) => option.value === String(value))) select.value = value;
  }

  #follow(changed) {
    if (changed.name === "game") this.#settle();
    if (changed.name === "game" || changed.name === "board") this.#askTarget();
    if (changed.dataset.option === "players") this.#askNames();
    if (changed.name === "name") this.#askDealer();
    this.#markChanged();
  }

  get #game() {
    return this.#form.elements.game.selectedOptions[0].dataset;
  }

  get #rules() {
    return [...this.#form.querySelectorAll("[data-option]")];
  }

  /** Every house rule as the game has it. */
  #settle() {
    const values = JSON.parse(this.#game.values);
    for (const rule of this.#rules) rule.value = values[rule.dataset.option];
    const sentence = this.#dialog.querySelector("#game-sentence");
    sentence.textContent = this.#game.sentence ?? "";
    sentence.hidden = !this.#game.sentence;
    this.#askNames();
    this.#markChanged();
  }

  /** A dot at each group in which something is not as usual for the game. */
  #markChanged() {
    const values = JSON.parse(this.#game.values);
    for (const group of this.#form.querySelectorAll(".house-rules details")) {
      const isChanged = [...group.querySelectorAll("[data-option]")].some((rule) => rule.value !== values[rule.dataset.option]);
      group.querySelector(".changed").hidden = !isChanged;
    }
  }

  #askNames() {
    const players = this.#form.querySelector("[data-option=players]").value;
    askNames(this.#form.querySelector(".names"), Number(players));
    this.#askDealer();
  }

  #askTarget(wanted = JSON.parse(this.#game.values).target) {
    const { target, board } = this.#form.elements;
    const targets = board.selectedOptions[0].dataset.targets.split(" ");
    target.replaceChildren(...targets.map((holes) => new Option(target.dataset.holes.replace("{target}", holes), holes)));
    this.#choose("target", wanted);
  }

  #askDealer() {
    const { dealer } = this.#form.elements;
    const chosen = dealer.value;
    const seated = namesIn(this.#form.querySelector(".names")).map((name, seat) => new Option(name, seat));
    dealer.replaceChildren(new Option(dealer.dataset.cut, ""), ...seated);
    this.#choose("dealer", chosen);
  }

  /** The house rules that differ from what the game is known for. */
  get #agreed() {
    const usual = JSON.parse(this.#game.usual);
    const told = this.#rules.map((rule) => [rule.dataset.option, rule.value]);
    return Object.fromEntries(told.filter(([option, value]) => value !== usual[option]));
  }

  async #start(event) {
    event.preventDefault();
    const { board, target, dealer } = this.#form.elements;
    try {
      await this.#line.ask("orders/new-game", {
        variant: this.#game.variant,
        names: namesIn(this.#form.querySelector(".names")),
        options: this.#agreed,
        board: board.value,
        target: Number(target.value),
        dealer: dealer.value === "" ? null : Number(dealer.value),
      });
      this.#dialog.close();
    } catch (refused) {
      refuse(this.#form, refused.message);
    }
  }
}
