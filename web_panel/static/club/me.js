// The page of a player: fetched again every three seconds, unless the player is entering something.

import "./commands.js";

const PERIOD_MS = 3000;

const me = document.getElementById("me");
let etag = null;

/** Whether a new part would take away what the player does: types, has typed, reads an error, or has opened a form. */
function isInUse() {
  const fields = [...me.querySelectorAll("input:not([type=hidden])")];
  const errors = [...me.querySelectorAll(".error")];
  return (
    fields.some((field) => field === document.activeElement || field.value !== field.defaultValue) ||
    errors.some((error) => error.textContent) ||
    me.querySelector("details[open], button:disabled") !== null ||
    document.querySelector("dialog[open]") !== null
  );
}

async function refresh() {
  if (isInUse()) return;
  const headers = etag ? { "If-None-Match": etag } : {};
  const answer = await fetch(`/me/part?lang=${document.documentElement.lang}`, { headers, cache: "no-store" }).catch(() => null);
  if (!answer?.ok || isInUse()) return;
  const isFirst = etag === null;
  etag = answer.headers.get("ETag");
  const part = await answer.text();
  if (!isFirst || part.trim() !== me.innerHTML.trim()) me.innerHTML = part; // our own template: names in it are escaped
}

setInterval(refresh, PERIOD_MS);
