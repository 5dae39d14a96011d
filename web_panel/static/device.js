// The parts of the board as they are now: every sensor, light and key, the display, and what is wrong with them.

import { Line } from "./live.js";

const LOOK_MS = 1000; // how often to ask after the parts and the keys; pegs and lights come by the stream

const at = (id) => document.getElementById(id);
const holes = document.querySelectorAll("[data-sensor]");

let before = null; // key -> presses, when this page was opened

function show({ pegs, lights, display, trouble, version }) {
  const seeing = new Set(pegs.map((peg) => peg.sensor));
  const lit = new Set(lights.map((light) => light.sensor));
  for (const hole of holes) {
    hole.classList.toggle("is-seeing", seeing.has(Number(hole.dataset.sensor)));
    hole.classList.toggle("is-lit", lit.has(Number(hole.dataset.sensor)));
  }
  write(at("seen"), at("seen").dataset.seen.replace("{holes}", namesOf(seeing) || "0"));
  const tried = lights.find((light) => light.signal === "test");
  write(at("lit"), tried ? at("lit").dataset.lit.replace("{hole}", namesOf(new Set([tried.sensor]))) : "");
  write(at("trouble"), trouble || at("trouble").dataset.well);
  at("trouble").classList.toggle("is-trouble", Boolean(trouble));
  if (at("display")) write(at("display"), display.join("\n"));
  if (at("oled") && at("oled").alt !== display.join(" ")) {
    at("oled").alt = display.join(" ");
    at("oled").src = `/oled.png?v=${version}`;
  }
}

function namesOf(sensors) {
  return [...holes].filter((hole) => sensors.has(Number(hole.dataset.sensor))).map((hole) => hole.dataset.name).join(", ");
}

function showHealthOf({ parts, presses }) {
  before ??= presses;
  at("parts").replaceChildren(...parts.map(rowOf));
  for (const key of document.querySelectorAll("#keys [data-legend]")) {
    const { legend } = key.dataset;
    const times = (presses[legend] ?? 0) - (before[legend] ?? 0) + (legend === "FN" ? (presses["FN held"] ?? 0) - (before["FN held"] ?? 0) : 0);
    if (times <= 0 || key.classList.contains("works")) continue;
    key.classList.add("works");
    key.setAttribute("aria-label", at("keys").dataset.works.replace("{key}", legend));
  }
}

function rowOf({ name, says, is_well, failures }) {
  const row = document.createElement("div");
  row.className = is_well ? "is-well" : "is-ailing";
  row.append(worded("dt", name), worded("dd", failures ? `${says} (${at("parts").dataset.failed.replace("{times}", failures)})` : says));
  return row;
}

function worded(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function write(room, text) {
  if (room.textContent !== text) room.textContent = text;
}

function showHealth(health) {
  document.body.dataset.health = health;
  write(at("health"), at("health").dataset[health] ?? "");
}

async function look() {
  if (document.hidden) return;
  const answer = await fetch(`/api/v1/device?lang=${document.documentElement.lang}`).catch(() => null);
  if (answer?.ok) showHealthOf(await answer.json());
}

const line = new Line(show, showHealth);
line.open();
look();
setInterval(look, LOOK_MS);
at("walk").addEventListener("click", () => line.ask("device/lights", {}).catch((refused) => write(at("lit"), refused.message)));
