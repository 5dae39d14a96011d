// The page put together: a line to the board, what it tells, and what people ask.

import { Board } from "./board.js";
import { Line } from "./live.js";
import { make, showLog, showPlay, showScores } from "./view.js";

const NOTICE_MS = 8000;
const HEALTH = {
  opening: "",
  live: "",
  polling: "Following a little behind",
  lost: "Connection lost, trying again …",
};

const at = (id) => document.getElementById(id);
const board = new Board(at("drawing"));
const line = new Line(show, showHealth);
let newest = null;

function show(state) {
  newest = state;
  showPrompt(state);
  showOffers(state.offers);
  at("welcome").hidden = Boolean(state.game);
  document.body.toggleAttribute("data-has-game", Boolean(state.game));
  showScores(at("scores"), state);
  showPlay(at("play"), state);
  showLog(at("log"), state);
  showSimulation(state);
  board.show(state);
}

function showPrompt({ prompt, trouble }) {
  if (at("prompt").textContent !== prompt) at("prompt").textContent = prompt;
  at("now").classList.toggle("is-trouble", Boolean(trouble));
}

function showHealth(health) {
  document.body.dataset.health = health;
  if (at("health").textContent !== HEALTH[health]) at("health").textContent = HEALTH[health];
}

/** The buttons of the moment. They are kept while they stay the same, so that the focus is not lost. */
function showOffers(offers) {
  const key = JSON.stringify(offers);
  if (at("offers").dataset.of === key) return;
  const focused = document.activeElement?.dataset?.order;
  at("offers").dataset.of = key;
  at("offers").replaceChildren(...offers.map(newOffer));
  if (focused) at("offers").querySelector(`[data-order="${focused}"]`)?.focus();
}

function newOffer({ order, label, is_next, body }) {
  const button = make("button", is_next ? "next" : "", label);
  button.type = "button";
  button.dataset.order = order;
  button.addEventListener("click", () => give(`orders/${order}`, body));
  return button;
}

function showSimulation({ oled, demo }) {
  if (at("oled") && oled !== null) {
    const picture = `/oled.png?v=${oled}`;
    if (at("oled").getAttribute("src") !== picture) at("oled").setAttribute("src", picture);
  }
  if (at("demo")) {
    at("demo").textContent = demo ? "Stop the demo" : "Watch a demo";
    at("demo").setAttribute("aria-pressed", String(Boolean(demo)));
  }
}

async function give(path, body) {
  try {
    hush();
    await line.ask(path, body);
  } catch (refused) {
    complain(refused.message);
  }
}

let hushing = null;

function complain(sentence) {
  at("notice").textContent = sentence;
  at("notice").hidden = false;
  clearTimeout(hushing);
  hushing = setTimeout(hush, NOTICE_MS);
}

function hush() {
  at("notice").hidden = true;
}

async function askForGame() {
  const { GameDialog } = await import("./newgame.js");
  new GameDialog(at("game-dialog"), line).open(newest);
}

at("new-game").addEventListener("click", askForGame);
at("demo")?.addEventListener("click", () => give("demo", { run: !newest?.demo }));
at("ask-help").addEventListener("click", () => at("help").showModal());
addEventListener("keydown", (event) => {
  if (event.key === "?" && !document.querySelector("dialog[open]") && !event.target.closest("input, select")) at("help").showModal();
});

if (at("pad")) {
  const { Hands, Pad } = await import("./hands.js");
  new Hands(line, board, (spoken) => (at("spoken").textContent = spoken), complain);
  new Pad(line, at("pad"));
}
line.open();
