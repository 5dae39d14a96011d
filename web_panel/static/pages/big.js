// The big score: readable across the room. Figures first, then the race to the last hole, then one sentence.

import { Connection } from "../core/connection.js";
import { make, pegIcon, setText } from "../core/render.js";

const byId = (id) => document.getElementById(id);
const section = byId("big-scores");
const articles = []; // one for each side; kept while the sides are the same

function show({ prompt, guidance, sides, game, deal }) {
  const key = sides.map(({ name, target }) => `${name} ${target}`).join("\n");
  if (section.dataset.key !== key) build(sides, game, key);
  sides.forEach((side, number) => update(articles[number], side, guidance?.side === number));
  setText(byId("prompt"), guidance?.headline ?? prompt);
  setText(byId("detail"), guidance?.detail || (deal?.play ? String(deal.play.count) : ""));
  byId("detail").classList.toggle("is-count", !guidance?.detail && Boolean(deal?.play));
}

function build(sides, game, key) {
  section.dataset.key = key;
  section.dataset.sides = sides.length;
  articles.splice(0, articles.length, ...sides.map((side, number) => newSide(side, number, game)));
  section.replaceChildren(...articles);
}

function newSide(side, number, game) {
  const name = make("h2", "", pegIcon(number), make("span", "name", side.name));
  const status = make("p", "status", make("span", "to-go"), make("span", "dealer", section.dataset.dealer));
  const article = make("article", "", name, make("b", "figure"), newRace(side, game), status);
  article.style.setProperty("--track", side.colour);
  return article;
}

/** The way to the last hole: filled as far as the side is, with a mark at the skunk line. */
function newRace(side, game) {
  const race = make("div", "race", make("i", "way"), make("i", "done"), make("i", "at"));
  race.setAttribute("role", "img");
  const [line] = game.skunk_lines;
  if (line && line < side.target) {
    const mark = make("span", "skunk", game.skunk_word);
    mark.style.left = `${(100 * line) / side.target}%`;
    race.append(mark);
  }
  race.append(make("span", "end", String(side.target)));
  return race;
}

function update(article, side, isNext) {
  setText(article.querySelector(".figure"), String(side.score));
  const share = `${(100 * Math.min(side.score, side.target)) / side.target}%`;
  article.querySelector(".done").style.width = share;
  article.querySelector(".at").style.left = share;
  article.querySelector(".race").setAttribute("aria-label", side.progress_label);
  setText(article.querySelector(".to-go"), side.peg_label || side.status_label);
  article.querySelector(".dealer").hidden = !side.is_dealer;
  article.classList.toggle("is-next", !side.is_peg_wrong && (isNext || Boolean(side.peg_label)));
  article.classList.toggle("is-wrong", side.is_peg_wrong);
}

function showHealth(health) {
  document.body.dataset.health = health;
  setText(byId("health"), byId("health").dataset[health] ?? "");
}

new Connection(show, showHealth).open();
