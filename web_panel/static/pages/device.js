// The device page: a map of the board that shows each hole's health, the display, the keys, and the state of each part.

import { Connection } from "../core/connection.js";
import { make, setText } from "../core/render.js";
import { HoleMap } from "./hole_map.js";
import { newPart } from "./parts.js";

const POLL_MS = 1000; // interval for parts, keys and faults; pegs and lights come by the stream
const byId = (id) => document.getElementById(id);
const map = byId("map");
const tried = new Set(); // sensors that saw a peg come since the page was opened

let before = null; // the sensors that saw a peg in the last state
let seen = new Set();
let lit = new Set();
let faults = new Map(); // sensor -> kind of its fault
let firstPresses = null; // key -> presses, when this page was opened

// The map

/** What a hole shows: a fault first, then what happens now, then what is known. */
function stateOf(sensor) {
  if (faults.has(sensor)) return faults.get(sensor);
  if (lit.has(sensor)) return "lit";
  if (seen.has(sensor)) return "peg";
  return tried.has(sensor) ? "tried" : "ok";
}

const holes = new HoleMap(map, stateOf);

function render() {
  holes.render();
  setText(byId("tried"), map.dataset.label.replace("{tried}", tried.size).replace("{all}", holes.holes.size));
}

// State

function showState({ pegs, lights, display, fault, version }) {
  seen = new Set(pegs.map((peg) => peg.sensor));
  for (const sensor of seen) if (before && !before.has(sensor)) tried.add(sensor);
  before = seen;
  lit = new Set(lights.filter((light) => light.signal === "test").map((light) => light.sensor));
  setText(byId("seen-pegs"), byId("seen-pegs").dataset.seen.replace("{holes}", holes.namesOf(seen) || "0"));
  setText(byId("lit-hole"), lit.size ? byId("lit-hole").dataset.lit.replace("{hole}", holes.namesOf(lit)) : "");
  setText(byId("fault"), fault || byId("fault").dataset.ok);
  byId("fault").classList.toggle("error", Boolean(fault));
  byId("fault").classList.toggle("good", !fault);
  if (byId("display")) setText(byId("display"), display.join("\n"));
  if (byId("oled") && byId("oled").alt !== display.join(" ")) {
    byId("oled").alt = display.join(" ");
    byId("oled").src = `/oled.png?v=${version}`;
  }
  render();
}

function showDevice({ parts, presses, hole_faults }) {
  firstPresses ??= presses;
  showParts(parts);
  faults = new Map(hole_faults.flatMap(({ kind, sensors }) => sensors.map((sensor) => [sensor, kind])));
  byId("hole-faults").hidden = !hole_faults.length;
  const texts = hole_faults.map(({ text }) => text);
  if (byId("hole-faults").textContent !== texts.join("")) byId("hole-faults").replaceChildren(...texts.map((text) => make("li", "", text)));
  render();
  const newPresses = (key) => (presses[key] ?? 0) - (firstPresses[key] ?? 0);
  for (const key of document.querySelectorAll("#keys [data-legend]")) {
    const { legend } = key.dataset;
    const times = newPresses(legend) + (legend === "FN" ? newPresses("FN held") : 0);
    if (times <= 0 || key.classList.contains("is-working")) continue;
    key.classList.add("is-working");
    key.setAttribute("aria-label", byId("keys").dataset.works.replace("{key}", legend));
  }
}

/** The list is built again only when something changed, so that an open detail stays open. */
function showParts(parts) {
  const list = byId("parts");
  const key = JSON.stringify(parts);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...parts.map((part) => newPart(part, list.dataset)));
}

function showHealth(health) {
  document.body.dataset.health = health;
  setText(byId("health"), byId("health").dataset[health] ?? "");
}

const connection = new Connection(showState, showHealth);

async function poll() {
  if (document.hidden) return;
  const device = await connection.get("device").catch(() => null);
  if (device) showDevice(device);
}

await holes.load();
connection.open();
poll();
setInterval(poll, POLL_MS);
byId("test-lights").addEventListener("click", () => {
  connection.post("device/lights", {}).catch((error) => setText(byId("lit-hole"), error.message));
});
byId("test-voice").addEventListener("click", () => {
  connection.post("device/voice", {}).catch((error) => setText(byId("voice-error"), error.message));
});
