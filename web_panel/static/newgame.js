// The dialog that begins a game: who plays what, on which board, how far, and who deals.

import { make } from "./view.js";

export class GameDialog {
  #dialog;
  #form;
  #line;

  constructor(dialog, line) {
    this.#dialog = dialog;
    this.#form = dialog.querySelector("form");
    this.#line = line;
    this.#form.onchange = (event) => this.#follow(event.target.name);
    this.#form.onsubmit = (event) => this.#start(event);
    this.#form.querySelector("[value=cancel]").onclick = () => dialog.close();
  }

  open(state) {
    const { game, board, sides } = state ?? {};
    this.#dialog.querySelector("#game-under-way").hidden = !game || game.winner !== null;
    if (game) this.#choose("variant", game.variant);
    if (board) this.#choose("board", board.id);
    this.#askNames();
    this.#askTarget(game?.target);
    this.#refuse("");
    this.#dialog.showModal();
  }

  #choose(field, value) {
    const select = this.#form.elements[field];
    if ([...select.options].some((option) => option.value === String(value))) select.value = value;
  }

  #follow(field) {
    if (field === "variant") this.#askNames();
    if (field === "variant" || field === "board") this.#askTarget();
    if (field === "name") this.#askDealer();
  }

  get #variant() {
    return this.#form.elements.variant.selectedOptions[0].dataset;
  }

  /** One field a player; what was typed before stays. */
  #askNames() {
    const room = this.#dialog.querySelector("#names");
    const usual = room.dataset.usual.split("\n");
    const typed = this.#names;
    const fields = Array.from({ length: Number(this.#variant.players) }, (_, seat) => {
      const field = make("input", "");
      Object.assign(field, { name: "name", value: typed[seat] ?? usual[seat] ?? `Player ${seat + 1}`, maxLength: 24, required: true });
      field.setAttribute("aria-label", `Player ${seat + 1}`);
      field.autocomplete = "off";
      return field;
    });
    room.replaceChildren(room.firstElementChild, ...fields);
    this.#askDealer();
  }

  get #names() {
    return [...this.#form.querySelectorAll("input[name=name]")].map((field) => field.value.trim());
  }

  #askTarget(wanted = this.#variant.target) {
    const targets = this.#form.elements.board.selectedOptions[0].dataset.targets.split(" ");
    this.#form.elements.target.replaceChildren(...targets.map((target) => new Option(`${target} holes`, target)));
    this.#choose("target", wanted);
  }

  #askDealer() {
    const chosen = this.#form.elements.dealer.value;
    const dealers = this.#names.map((name, seat) => new Option(name, seat));
    this.#form.elements.dealer.replaceChildren(new Option("Cut for it", ""), ...dealers);
    this.#choose("dealer", chosen);
  }

  async #start(event) {
    event.preventDefault();
    const { variant, board, target, dealer } = this.#form.elements;
    try {
      await this.#line.ask("orders/new-game", {
        variant: variant.value,
        names: this.#names,
        board: board.value,
        target: Number(target.value),
        dealer: dealer.value === "" ? null : Number(dealer.value),
      });
      this.#dialog.close();
    } catch (refused) {
      this.#refuse(refused.message);
    }
  }

  #refuse(sentence) {
    const room = this.#dialog.querySelector("#game-refused");
    room.textContent = sentence;
    room.hidden = !sentence;
  }
}
