// The scores as buttons: what one reads from across the table is what one taps.

import { make, setText } from "../core/render.js";
import { sideSign } from "./shapes.js";

const LONG_NAME = 8; // letters; a longer one is written smaller, in two lines where it must

/** A tile for each side. It stays the same element, so that the focus is not lost. */
export class Tallies {
  #section;
  #key = "";
  #choose;

  /**
   * @param {HTMLElement} section has the word for the crib as `data-crib`
   * @param {(side: number) => void} choose called with the side that was tapped
   */
  constructor(section, choose) {
    this.#section = section;
    this.#choose = choose;
  }

  /** `chosen` scores next; `next` are the sides with a gold edge; `mayScore` tells for whom this page enters points. */
  show({ sides, own_pegs: pegs }, chosen, next, mayScore) {
    const key = sides.map(({ name }) => name).join("\n");
    if (key !== this.#key) {
      this.#key = key;
      this.#section.dataset.sides = sides.length;
      this.#section.replaceChildren(...sides.map((side, number) => this.#newTile(side, number)));
    }
    sides.forEach((side, number) => {
      const tile = this.#section.children[number];
      const { last, owner_of_crib: ownsCrib } = pegs.sides[number];
      tile.setAttribute("aria-pressed", String(chosen === number));
      tile.setAttribute("aria-disabled", String(!mayScore(number)));
      tile.classList.toggle("is-next", next.includes(number));
      tile.querySelector(".crib").hidden = !ownsCrib;
      setText(tile.querySelector("b"), String(side.score));
      setText(tile.querySelector(".to-go"), side.peg_label || side.status_label);
      setText(tile.querySelector(".last"), last > 0 ? `+${last}` : "");
    });
  }

  #newTile(side, number) {
    const crib = make("span", "crib", make("i", ""), make("span", "", this.#section.dataset.crib));
    const who = make("span", "who", sideSign(number), make("span", "name", side.name), crib);
    const tile = make("button", "score-tile", who, make("b", ""), make("span", "to-go"), make("span", "last"));
    tile.classList.toggle("has-long-name", side.name.length > LONG_NAME);
    tile.type = "button";
    tile.dataset.side = number;
    tile.onclick = () => this.#choose(number);
    return tile;
  }
}
