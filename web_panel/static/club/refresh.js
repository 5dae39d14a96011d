// Keeps a part of a page fresh: fetched every three seconds, unless somebody is entering something in it.

import { writeDates } from "./dates.js";

const PERIOD_MS = 3000;

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

/** Show what `address` has now in `element`. `partOf` takes the part from the text of an answer. */
export function keepFresh(element, address, partOf) {
  let etag = null;
  let shown = null;
  setInterval(async () => {
    if (isInUse(element)) return;
    const headers = etag ? { "If-None-Match": etag } : {};
    const answer = await fetch(address, { headers, cache: "no-store" }).catch(() => null);
    if (!answer?.ok || isInUse(element)) return;
    etag = answer.headers.get("ETag");
    const part = partOf(await answer.text());
    if (part === shown) return;
    shown = part;
    element.innerHTML = part; // our own template: names in it are escaped
    writeDates(element);
  }, PERIOD_MS);
}
