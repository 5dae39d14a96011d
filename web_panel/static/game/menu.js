// The menu "More": the actions that are not next, grouped.

import { openSheet } from "../core/dialogs.js";
import { make } from "../core/render.js";

/** Lists actions in its dialog, and sends them. */
export class Menu {
  #dialog;
  #list;
  #perform;
  #key = "";

  /**
   * @param {HTMLDialogElement} dialog has a container `#actions`
   * @param {(action: object) => void} perform does an action
   */
  constructor(dialog, perform) {
    this.#dialog = dialog;
    this.#list = dialog.querySelector("#actions");
    this.#perform = perform;
    // Before the item's own handler, which may move the focus: closing gives it back to the button "More".
    // A link leaves the page: closing would go back in the history and cancel that.
    dialog.addEventListener("click", ({ target }) => target.closest("[data-item]:not(a)") && dialog.close(), true);
    addEventListener("pageshow", ({ persisted }) => persisted && dialog.close());
  }

  /** Open the menu. */
  open() {
    openSheet(this.#dialog);
  }

  /** The actions stay the same elements while they are the same, so that the focus is not lost. */
  update(actions) {
    const key = JSON.stringify(actions);
    if (key === this.#key) return;
    this.#key = key;
    this.#list.hidden = !actions.length;
    this.#list.replaceChildren(...actions.map((action) => this.#newItem(action)));
  }

  #newItem(action) {
    const item = make("button", "", action.label);
    item.type = "button";
    item.dataset.item = "";
    item.dataset.command = action.command;
    item.dataset.group = action.group;
    item.onclick = () => this.#perform(action);
    return item;
  }
}
