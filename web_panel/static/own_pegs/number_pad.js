// The numbers: 1 to 12 in one size, 13 to 29 one tap further, in the same place.

import { make, setText } from "../core/render.js";

const USUAL = 12;
const MOST = 29; // points of the best hand

/** Tells how many points somebody tapped. */
export class NumberPad {
  #section;
  #press;
  #first = null; // the number on the first key

  /**
   * @param {HTMLElement} section has the translated labels
   * @param {(points: number) => void} press called with the number that was tapped
   */
  constructor(section, press) {
    this.#section = section;
    this.#press = press;
    this.reset();
  }

  /** Show 1 to 12. */
  reset() {
    if (this.#first !== 1) this.#draw(1, USUAL);
  }

  #draw(first, last) {
    this.#first = first;
    const numbers = this.#section.querySelector(".numbers");
    const hadFocus = numbers.contains(document.activeElement);
    const keys = Array.from({ length: last - first + 1 }, (_each, index) => this.#newKey(String(first + index), () => this.#press(first + index)));
    const others = first === 1 ? [USUAL + 1, MOST] : [1, USUAL];
    const label = this.#section.dataset.more.replace("{first}", others[0]).replace("{last}", others[1]);
    const other = this.#newKey(label, () => this.#draw(...others));
    other.classList.add("wide");
    numbers.classList.toggle("is-more", first !== 1);
    numbers.replaceChildren(...keys, other);
    if (hadFocus) other.focus();
  }

  #newKey(label, press) {
    const key = make("button", "key", label);
    key.type = "button";
    key.onclick = press;
    return key;
  }

  /** Say what is asked, and grey the numbers out while nobody was chosen. */
  show(title, isReady) {
    setText(this.#section.querySelector("h2"), title);
    for (const key of this.#section.querySelectorAll(".numbers .key:not(.wide)")) key.setAttribute("aria-disabled", String(!isReady));
  }
}
