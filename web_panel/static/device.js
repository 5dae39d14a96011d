// The parts of the board as they are now: every sensor, the display, and what is wrong.

import { Line } from "./live.js";

const at = (id) => document.getElementById(id);

function show({ pegs, display, trouble, oled }) {
  const seeing = new Set(pegs.map((peg) => peg.sensor));
  const names = [];
  for (const hole of document.querySelectorAll("[data-sensor]")) {
    const isSeeing = seeing.has(Number(hole.dataset.sensor));
    hole.classList.toggle("is-seeing", isSeeing);
    if (isSeeing) names.push(hole.dataset.name);
  }
  write(at("seen"), at("seen").dataset.seen.replace("{holes}", names.join(", ") || "0"));
  write(at("trouble"), trouble || at("trouble").dataset.well);
  at("trouble").classList.toggle("is-trouble", Boolean(trouble));
  write(at("display"), display.join("\n"));
  if (at("oled") && oled !== null) at("oled").src = `/oled.png?v=${oled}`;
}

function write(room, text) {
  if (room.textContent !== text) room.textContent = text;
}

function showHealth(health) {
  document.body.dataset.health = health;
  write(at("health"), at("health").dataset[health] ?? "");
}

new Line(show, showHealth).open();
