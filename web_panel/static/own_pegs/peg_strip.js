// Both pegs of each side on a straight strip from 0 to the target, whatever shape the board at home has.

import { make, setText } from "../core/render.js";
import { sideShape, svg } from "./shapes.js";

/** The strip. A gold ring marks the hole to which a peg moves now. */
export class PegStrip {
  #section;
  #key = "";

  /** @param {HTMLElement} section has the words for both pegs as `data-back` and `data-front` */
  constructor(section) {
    this.#section = section;
  }

  show({ sides, game, own_pegs: pegs }) {
    const key = `${game.target} ${game.streets} ${sides.map(({ name }) => name).join("\n")}`;
    if (key !== this.#key) {
      this.#key = key;
      this.#section.dataset.sides = sides.length;
      this.#section.replaceChildren(...sides.map((side, number) => newRow(number, side, game)), newScale(game));
    }
    sides.forEach((side, number) => this.#update(this.#section.children[number], side, number, pegs));
  }

  #update(row, side, number, pegs) {
    const { front, back } = pegs.sides[number];
    const isMoved = pegs.news.some((move) => move.side === number && move.hole === front);
    row.classList.toggle("is-moved", isMoved);
    for (const [name, hole] of [["back", back], ["front", front], ["peg-ring", front]]) {
      row.querySelector(`.${name}`).style.setProperty("--at", hole / side.target);
    }
    row.querySelector(".peg-ring").toggleAttribute("hidden", !isMoved);
    const { back: backPeg, front: frontPeg } = this.#section.dataset;
    setText(row.querySelector(".spoken"), `${side.name}: ${backPeg} ${back}, ${frontPeg} ${front}`);
    setText(row.querySelector(".from"), `${back} › `);
    setText(row.querySelector(".to"), String(front));
  }
}

function newRow(number, side, game) {
  const track = make("span", "peg-track", ...game.streets.map((hole) => mark(hole / side.target)), peg(number, "back"), ring(), peg(number, "front"));
  const figures = make("span", "peg-holes", make("span", "from"), make("b", "to"));
  for (const part of [track, figures]) part.setAttribute("aria-hidden", "true");
  const row = make("p", "peg-row", make("span", "spoken visually-hidden"), track, figures);
  row.dataset.side = number;
  return row;
}

function peg(number, name) {
  const shape = svg("svg", { viewBox: "-6 -6 12 12", class: name });
  shape.append(svg("path", { d: sideShape(number) }));
  if (name === "front") shape.append(svg("circle", { r: 1.5, cy: number === 2 ? 0.8 : 0 })); // the middle of a triangle is lower
  return shape;
}

const ring = () => make("i", "peg-ring");

function mark(at) {
  const line = make("i", "street-line");
  line.style.setProperty("--at", at);
  return line;
}

function newScale({ streets, target }) {
  const numbers = streets.map((hole) => {
    const number = make("span", "", String(hole));
    number.style.setProperty("--at", hole / target);
    return number;
  });
  const scale = make("p", "peg-scale", make("span", "peg-track", ...numbers), make("span", "peg-holes", String(target)));
  scale.setAttribute("aria-hidden", "true");
  return scale;
}
