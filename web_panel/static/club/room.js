// The screen of the room: fetched again every two seconds, and drawn when something has changed.

import { writeDates } from "./dates.js";

const PERIOD_MS = 2000;
const LOST_AFTER = 3; // failures in a row

const room = document.getElementById("room");
const offline = document.getElementById("offline");
let etag = null;
let failures = 0;

async function refresh() {
  const headers = etag ? { "If-None-Match": etag } : {};
  const answer = await fetch(`/room?lang=${document.documentElement.lang}`, { headers, cache: "no-store" }).catch(() => null);
  failures = answer && (answer.ok || answer.status === 304) ? 0 : failures + 1;
  offline.hidden = failures < LOST_AFTER;
  if (!answer?.ok) return;
  etag = answer.headers.get("ETag");
  room.innerHTML = await answer.text(); // our own template: names in it are escaped
  writeDates(room);
}

writeDates(room);
setInterval(refresh, PERIOD_MS);
