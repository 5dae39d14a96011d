// The fields for the players' names in a form that starts a game.

import { make } from "../core/render.js";

const MAX_NAME_LENGTH = 24;

/**
 * Show one field for each player. Names that were typed before stay.
 * @param {HTMLFieldSetElement} fieldset its data attributes have the default names and the translated label
 * @param {number} players
 */
export function showNameFields(fieldset, players) {
  const defaults = fieldset.dataset.defaultNames.split("\n");
  const typed = readNames(fieldset);
  const fields = Array.from({ length: players }, (_, seat) => {
    const label = fieldset.dataset.player.replace("{number}", seat + 1);
    const field = make("input", "");
    const value = typed[seat] ?? defaults[seat] ?? label;
    Object.assign(field, { name: "name", value, maxLength: MAX_NAME_LENGTH, required: true, autocomplete: "off" });
    field.setAttribute("aria-label", label);
    return field;
  });
  fieldset.replaceChildren(fieldset.firstElementChild, ...fields);
}

/** The names in the order of the seats. */
export function readNames(fieldset) {
  return [...fieldset.querySelectorAll("input[name=name]")].map((field) => field.value.trim());
}
