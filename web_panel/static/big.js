// The scores across the room: one figure a side, as large as the screen allows, and the last thing that was said.

import { HEADS } from "./board.js";
import { Line } from "./live.js";
import { head, make } from "./view.js";

const at = (id) => document.getElementById(id);

function show({ prompt, sides, deal, log }) {
  if (at("prompt").textContent !== prompt) at("prompt").textContent = prompt;
  const room = at("figures");
  room.dataset.sides = sides.length;
  room.replaceChildren(...(sides.length ? sides.map((side, number) => figure(side, number, room.dataset.dealer)) : [make("p", "", room.dataset.nobody)]));
  const said = deal?.play ? `${deal.play.count}` : (log[0]?.said ?? "");
  if (at("said").textContent !== said) at("said").textContent = said;
  at("said").classList.toggle("is-count", Boolean(deal?.play));
}

function figure(side, number, dealer) {
  const name = make("h2", "", head(number % HEADS.length), make("span", "name", side.name));
  if (side.is_dealer) name.append(make("span", "dealer", dealer));
  const article = make("article", "", name, make("output", "", String(side.score)), make("p", "", side.step || side.standing));
  article.style.setProperty("--track", side.colour ?? "var(--ink-soft)");
  return article;
}

function showHealth(health) {
  document.body.dataset.health = health;
  at("health").textContent = at("health").dataset[health] ?? "";
}

new Line(show, showHealth).open();
