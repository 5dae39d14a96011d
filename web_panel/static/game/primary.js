// The primary place: the one gold button, or the outline that says what is awaited. It never moves and never vanishes.

import { setText } from "../core/render.js";

const PAUSE_MS = 400; // after a change the place ignores presses: a finger may still mean the button before

/** The one button for what is next. It stays the same element, so that the focus is never lost. */
export class Primary {
  #button;
  #waitText;
  #shown = null;
  #changedAt = -PAUSE_MS;

  /**
   * @param {HTMLButtonElement} button has `.label` and `.note`
   * @param {string} waitText shown while an answer takes long
   */
  constructor(button, waitText) {
    this.#button = button;
    this.#waitText = waitText;
    button.addEventListener("click", () => this.press());
  }

  /** Whether there is something to press. */
  get isActive() {
    return Boolean(this.#shown?.press);
  }

  /** Show `{ key, label, note, press }`; without `press` it is an outline. A change is one of `key` or label. */
  show(action) {
    const isSame = this.#shown && this.#shown.key === action.key && this.#shown.label === action.label;
    if (!isSame) this.#changedAt = performance.now();
    this.#shown = action;
    this.#draw();
  }

  #draw() {
    const { label, note, press } = this.#shown;
    this.#button.className = press ? "primary" : "slot";
    this.#button.setAttribute("aria-disabled", String(!press));
    setText(this.#button.querySelector(".label"), label || "\u00a0");
    setText(this.#button.querySelector(".note"), note ?? "");
  }

  /** Do it, unless the place has just changed. While the answer is awaited, another press does nothing. */
  async press() {
    const action = this.#shown;
    if (!action?.press || performance.now() - this.#changedAt < PAUSE_MS || this.#button.ariaBusy === "true") return;
    this.#button.ariaBusy = "true";
    const slow = setTimeout(() => setText(this.#button.querySelector(".label"), this.#waitText), PAUSE_MS);
    try {
      await action.press();
    } finally {
      clearTimeout(slow);
      this.#button.ariaBusy = "false";
      this.#draw();
    }
  }
}
