// The screen of the room: fetched again every two seconds, and drawn when something has changed.

import { writeDates } from "./dates.js";
import { fetchPart } from "./part.js";

const PERIOD_MS = 2000;

const room = document.getElementById("room");
let etag = null;

async function refresh() {
  const answer = await fetchPart(`/room?lang=${document.documentElement.lang}`, etag);
  if (!answer?.ok) return;
  etag = answer.headers.get("ETag");
  room.innerHTML = await answer.text(); // our own template: names in it are escaped
  writeDates(room);
}

writeDates(room);
setInterval(refresh, PERIOD_MS);
