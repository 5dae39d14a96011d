// "Pegs fell over?": where each peg belongs, by its number and as people count on wood.

import { openSheet } from "../core/dialogs.js";
import { make } from "../core/render.js";
import { sideShape, sideSign, svg } from "./shapes.js";

const STORAGE_KEY = "rounds-of-board"; // "1" or "2"
const STREET = 30;
const GROUP = 5;

/** The dialog, filled each time it is opened and while it is open. */
export class FallenPegs {
  #dialog;
  #state = null;

  /** @param {HTMLDialogElement} dialog */
  constructor(dialog) {
    this.#dialog = dialog;
    const rounds = localStorage.getItem(STORAGE_KEY) === "2" ? "2" : "1";
    dialog.querySelector(`[name="rounds"][value="${rounds}"]`).checked = true;
    dialog.addEventListener("change", () => this.#choose());
    const say = dialog.querySelector(".say");
    say.hidden = !("speechSynthesis" in window);
    say.onclick = () => this.#say();
    dialog.addEventListener("close", () => "speechSynthesis" in window && speechSynthesis.cancel());
  }

  get #rounds() {
    return this.#dialog.querySelector('[name="rounds"]:checked').value;
  }

  #choose() {
    localStorage.setItem(STORAGE_KEY, this.#rounds);
    this.#draw();
  }

  /** Take a new state. */
  show(state) {
    this.#state = state;
    if (this.#dialog.open) this.#draw();
  }

  open() {
    this.#draw();
    openSheet(this.#dialog);
  }

  #placesOf(number) {
    const side = this.#state.own_pegs.sides[number];
    const [front, back] = this.#rounds === "2" ? side.where_twice : side.where;
    const { front: frontPeg, back: backPeg } = this.#dialog.dataset;
    return [{ name: frontPeg, hole: side.front, where: front }, { name: backPeg, hole: side.back, where: back }];
  }

  #draw() {
    const { sides } = this.#state;
    const parts = sides.map((side, number) => {
      const rows = this.#placesOf(number).map(({ name, hole, where }) => make("li", "", make("span", "", name), make("b", "", String(hole)), make("span", "where", where)));
      const part = make("section", "fallen-side", make("h3", "", sideSign(number), side.name), make("ul", "", ...rows), ...this.#drawStreets(number, side.target));
      part.dataset.side = number;
      return part;
    });
    this.#dialog.querySelector(".fallen-sides").replaceChildren(...parts);
  }

  /** The streets in which the pegs stand, drawn in fives. */
  #drawStreets(number, target) {
    const { front, back } = this.#state.own_pegs.sides[number];
    const holes = [back, front].filter((hole) => hole > 0 && hole < target);
    const streets = [...new Set(holes.map((hole) => Math.floor((hole - 1) / STREET)))];
    return streets.map((street) => drawStreet(number, street * STREET, back, front));
  }

  #say() {
    const sentences = this.#state.sides.flatMap((side, number) => [`${side.name}.`, ...this.#placesOf(number).map(({ name, hole, where }) => `${name} ${hole}: ${where}.`)]);
    const utterance = new SpeechSynthesisUtterance(sentences.join(" "));
    utterance.lang = document.documentElement.lang;
    speechSynthesis.cancel();
    speechSynthesis.speak(utterance);
  }
}

/** One street of 30 holes from `first` + 1 on. */
function drawStreet(number, first, back, front) {
  const drawing = svg("svg", { viewBox: "0 0 330 44", class: "peg-street", "aria-hidden": "true" });
  const placeOf = (hole) => (hole - first - 0.5) * 10 + Math.floor((hole - first - 1) / GROUP) * 5;
  for (let hole = first + 1; hole <= first + STREET; hole += 1) {
    drawing.append(svg("circle", { cx: placeOf(hole), cy: 16, r: 2.4, class: "hole" }));
    if (hole % GROUP) continue;
    const label = svg("text", { x: placeOf(hole), y: 41 });
    label.append(String(hole));
    drawing.append(label);
  }
  for (const [hole, name] of [[back, "back"], [front, "front"]]) {
    if (hole <= first || hole > first + STREET) continue;
    const place = svg("g", { transform: `translate(${placeOf(hole)} 16)`, class: name });
    place.append(svg("circle", { r: 12, class: "peg-ring" }), svg("path", { d: sideShape(number), transform: "scale(1.5)" }));
    if (name === "front") place.append(svg("circle", { r: 2.2, class: "dot" }));
    drawing.append(place);
  }
  return drawing;
}
