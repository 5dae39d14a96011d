// What can be read off the game: the scores with their streets, the cards on the table, and the story so far.

import { HEADS } from "./board.js";

/** An element with a class, perhaps a text, and its children. */
export function make(tag, dress, ...children) {
  const element = document.createElement(tag);
  if (dress) element.className = dress;
  element.append(...children);
  return element;
}

export function showScores(room, state) {
  const { sides, game } = state;
  room.hidden = !game;
  if (!game) return;
  const names = sides.map((side) => side.name).join("\n") + `\n${game.target}`;
  if (room.dataset.of !== names) {
    room.dataset.of = names;
    room.dataset.sides = sides.length;
    room.replaceChildren(...sides.map((side, number) => newScore(side, number, game, room.dataset)));
  }
  sides.forEach((side, number) => showScore(room.children[number], side, game, number));
}

function newScore(side, number, game, says) {
  const name = make("h2", "", head(number), make("span", "name", side.name), make("span", "dealer", says.dealer));
  const why = make("a", "why", make("output", "score"), make("span", "unseen", says.why));
  why.href = `/why#side-${number}`;
  why.title = says.why;
  const standing = make("p", "standing", make("b", "step"), make("span", "short"));
  return make("article", "side", name, why, standing, newWay(game, side.target));
}

/** The head of a side's pegs: what tells sides apart where colours do not. */
export function head(number) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "-5 -5 10 10");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(svg.namespaceURI, "path");
  shape.setAttribute("d", HEADS[number % HEADS.length]);
  svg.append(shape);
  return svg;
}

/** The way from start to game hole as a bar: streets are notches, a skunk line is a taller one with its letter. */
function newWay(game, target) {
  const way = make("div", "way", make("i", "walked"), make("i", "peg back"), make("i", "peg front"));
  way.setAttribute("role", "img");
  for (const hole of game.streets.filter((street) => street < target)) way.append(mark("street", hole / target, ""));
  game.skunk_lines.forEach((line, place) => {
    const letter = game.target === 61 ? "L" : "S".repeat(place + 1);
    way.append(mark("skunk", (line - 0.5) / target, letter));
  });
  return way;
}

function mark(dress, share, letter) {
  const notch = make("i", dress, letter);
  notch.style.left = `${100 * share}%`;
  return notch;
}

function showScore(article, side, game, number) {
  article.style.setProperty("--track", side.colour ?? "var(--ink-soft)");
  article.classList.toggle("is-winner", game.winner === number);
  article.querySelector(".dealer").hidden = !side.is_dealer;
  article.querySelector(".score").textContent = side.score;
  article.querySelector(".step").textContent = side.step;
  article.querySelector(".step").classList.toggle("is-urgent", side.owed !== 0 && !side.pending);
  const way = article.querySelector(".way");
  way.querySelector(".walked").style.width = shareOf(side.score, side);
  way.querySelector(".peg.front").style.left = shareOf(side.score, side);
  way.querySelector(".peg.back").style.left = shareOf(side.back, side);
  way.setAttribute("aria-label", side.way);
  article.querySelector(".short").textContent = side.standing;
}

const shareOf = (score, side) => `${(100 * Math.min(score, side.target)) / side.target}%`;

export function showPlay(room, state) {
  const deal = state.deal;
  room.hidden = !deal || !(deal.starter || deal.play || deal.count);
  if (room.hidden) return room.replaceChildren();
  const says = room.dataset;
  room.replaceChildren(...[starterOf(deal, says), seriesOf(deal, state, says), countOf(deal)].filter(Boolean));
}

function starterOf(deal, says) {
  return deal.starter && make("div", "", make("h2", "", says.starter), make("p", "cards", card(deal.starter)));
}

function seriesOf(deal, state, says) {
  if (!deal.play) return null;
  const cards = deal.play.cards.map((laid) => {
    const face = card(laid.card);
    face.style.setProperty("--track", state.sides[laid.side].colour ?? "");
    return face;
  });
  return make("div", "series", make("h2", "", says.count), make("output", "count", String(deal.play.count)), make("p", "cards", ...cards));
}

function countOf(deal) {
  if (!deal.count) return null;
  const { title, cards, points, said } = deal.count;
  const figures = make("output", "count", String(points));
  return make("div", "series", make("h2", "", title), figures, make("p", "cards", ...cards.map(card)), make("p", "said", said));
}

export function card(text) {
  return make("b", /[♥♦]/.test(text) ? "card is-red" : "card", text);
}

export function showLog(list, state) {
  const told = state.log.map(({ turn, said }) => {
    const item = make("li", "", said);
    item.value = turn;
    return item;
  });
  list.closest("section").hidden = !told.length;
  list.replaceChildren(...told);
}
