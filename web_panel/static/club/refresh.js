// Keeps a part of a page fresh: fetched every three seconds, unless somebody is entering something in it.

import { writeDates } from "./dates.js";
import { fetchPart } from "./part.js";

const PERIOD_MS = 3000;
const FORBIDDEN = 403; // the log-in has ended: the page shows the form, and leads back

/** Whether a new part would take away what somebody does: types, has typed, reads an error, or has opened a form. */
function isInUse(element) {
  const fields = [...element.querySelectorAll("input:not([type=hidden]), textarea, select")];
  const errors = [...element.querySelectorAll(".error")];
  return (
    fields.some((field) => field === document.activeElement || (field.type !== "checkbox" && hasChanged(field))) ||
    errors.some((error) => error.textContent) ||
    element.querySelector("details[open]:not([data-open]), button:disabled") !== null ||
    document.querySelector("dialog[open]") !== null
  );
}

function hasChanged(field) {
  if (field.tagName !== "SELECT") return field.value !== field.defaultValue;
  const first = [...field.options].findIndex((option) => option.defaultSelected);
  return field.selectedIndex !== Math.max(0, first);
}

/**
 * Replace the content of an element. What has the focus keeps it, if it is still there. Many buttons are alike: they are
 * told apart by the form or the details around them, which have the number of their table.
 */
function replaceContent(element, part) {
  const held = element.contains(document.activeElement) ? document.activeElement : null;
  const unit = held?.closest("form, details") ?? held;
  const place = unit && [unit, ...unit.querySelectorAll("*")].indexOf(held);
  const known = unit?.outerHTML;
  element.innerHTML = part; // our own template: names in it are escaped
  writeDates(element);
  if (!unit) return;
  const again = [...element.querySelectorAll(unit.localName)].find((each) => each.outerHTML === known);
  if (again) [again, ...again.querySelectorAll("*")][place].focus({ preventScroll: true });
}

/** Show what `address` has now in `element`. `partOf` takes the part from the text of an answer. */
export function keepFresh(element, address, partOf) {
  let etag = null;
  let shown = null;
  setInterval(async () => {
    const answer = await fetchPart(address, etag); // also while somebody types: is there still a computer to send it to?
    if (answer?.status === FORBIDDEN && !isInUse(element)) return location.reload();
    if (!answer?.ok || isInUse(element)) return;
    etag = answer.headers.get("ETag");
    const part = partOf(await answer.text());
    if (part === shown) return;
    shown = part;
    replaceContent(element, part);
  }, PERIOD_MS);
}
