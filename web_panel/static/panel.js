// The page put together: a line to the board, what it tells, and what people ask.

import { Board } from "./board.js";
import { Line } from "./live.js";
import { make, showLog, showPlay, showScores } from "./view.js";

const NOTICE_MS = 8000;

const at = (id) => document.getElementById(id);
const board = new Board(at("drawing"));
const line = new Line(show, showHealth);
let newest = null;
let typing = null;
let me = { who: JSON.parse(at("me").dataset.who), hear() {}, handles: () => false, ownAsks: [] };
let voice = null;

function show(state) {
  newest = state;
  me.hear(state);
  showPrompt(state);
  showMine();
  document.body.toggleAttribute("data-has-game", Boolean(state.game));
  showScores(at("scores"), state);
  showPlay(at("play"), state);
  showLog(at("log"), state);
  showCourse(state);
  showSimulation(state);
  board.show(state).then(watchPad);
  voice?.hear(state);
}

/** The buttons and keys of the moment, as far as they are this phone's to press. */
function showAsked() {
  if (!newest) return;
  const isMine = (asked) => isForMe(asked) && !me.handles(asked);
  const asks = [...me.ownAsks, ...newest.asks.filter(isMine)];
  showOffers(newest.offers.filter(isMine));
  showTyping({ ...newest, asks });
}

/** A seat that a phone holds speaks for itself; and not everybody may do everything. */
function isForMe({ order, seats }) {
  const isHeld = seats.some((seat) => newest.seats[seat].held_by !== null);
  return me.who.may.includes(order) && (!isHeld || seats.includes(me.who.seat));
}

/** Whoever was let in, or wants to be, gets what belongs to one phone alone; who only watches does not need it. */
async function meet() {
  const { Me } = await import("./me.js");
  if (!me.comeIn) me = new Me(at("me"), line, me.who, showMine, complain);
  if (newest) show(newest);
  return me;
}

function showMine() {
  showBegin();
  showAsked();
}

/** Ways to begin a game, for whoever may. */
function showBegin() {
  const mayBegin = me.who.may.includes("new-game");
  for (const way of [at("new-game"), at("demo")]) if (way) way.hidden = !mayBegin;
  at("welcome").hidden = !mayBegin || !newest || Boolean(newest.game);
}

function showPrompt({ prompt, trouble }) {
  if (at("prompt").textContent !== prompt) at("prompt").textContent = prompt;
  at("now").classList.toggle("is-trouble", Boolean(trouble));
}

/** What is wrong with the line stands, in the language of the page, where it will be told. */
function showHealth(health) {
  document.body.dataset.health = health;
  const said = at("health").dataset[health] ?? "";
  if (at("health").textContent !== said) at("health").textContent = said;
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

/** Before the first game: three questions, all answered already, and a start. */
async function askFirstGame(event) {
  if (event.type === "submit") event.preventDefault();
  const { FirstGame } = await import("./newgame.js");
  new FirstGame(at("first-game"), line).hear(event);
}

let latestAsked = null;

/** Cards and figures to be typed: the module comes with the first game. */
async function showTyping(state) {
  latestAsked = state;
  if (!state.game) return void (at("typing").hidden = true);
  const { Typing } = await import("./typing.js");
  typing ??= new Typing(at("typing"), line, (order) => me.told?.(order), complain);
  typing.show(latestAsked);
}

/** The chart is drawn by the board, and fetched only while somebody looks at it. */
async function showCourse(state) {
  const chart = at("course");
  chart.hidden = !state.game;
  const turn = `${state.log[0]?.turn} ${state.sides.map((side) => side.score)}`;
  if (!chart.open || chart.dataset.turn === turn) return;
  chart.dataset.turn = turn;
  const answer = await fetch(`/course.svg?lang=${document.documentElement.lang}`).catch(() => null);
  if (!answer?.ok) return;
  const drawing = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
  chart.lastElementChild.replaceChildren(document.adoptNode(drawing));
}

function showSimulation({ oled, demo }) {
  if (at("oled") && oled !== null && isPadSeen) {
    const picture = `/oled.png?v=${oled}`;
    if (at("oled").getAttribute("src") !== picture) at("oled").setAttribute("src", picture);
  }
  if (at("demo")) {
    at("demo").textContent = demo ? at("demo").dataset.stop : at("demo").dataset.watch;
    at("demo").setAttribute("aria-pressed", String(Boolean(demo)));
  }
}

let isPadSeen = false;
let padWatch = null;

/** The display is fetched only while somebody sees it: on a phone it lies far below, once the board is drawn. */
function watchPad() {
  if (padWatch || !at("pad")) return;
  padWatch = new IntersectionObserver(([pad]) => {
    isPadSeen = pad.isIntersecting;
    showSimulation(newest);
  });
  padWatch.observe(at("pad"));
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

/** A voice for whoever wants one, now or when this browser was here before. */
async function giveVoice() {
  const { Voice } = await import("./voice.js");
  voice ??= new Voice(at("voice"));
  voice.hear(newest);
}

at("new-game").addEventListener("click", askForGame);
for (const kind of ["change", "submit"]) at("first-game").addEventListener(kind, askFirstGame);
at("demo")?.addEventListener("click", () => give("demo", { run: !newest?.demo }));
at("ask-help").addEventListener("click", () => at("help").showModal());
at("course").addEventListener("toggle", () => newest && showCourse(newest));
addEventListener("keydown", (event) => {
  if (event.key === "?" && !document.querySelector("dialog[open]") && !event.target.closest("input, select")) at("help").showModal();
});

if (at("pad")) {
  const { Hands, Pad } = await import("./hands.js");
  if ("hasLoosePegs" in at("pad").dataset) new Hands(line, board, (spoken) => (at("spoken").textContent = spoken), complain);
  new Pad(line, at("pad"));
}
at("voice").hidden = !("speechSynthesis" in window);
at("voice").addEventListener("click", giveVoice, { once: true });
if (localStorage.getItem("voice") === "on") giveVoice();

const code = /^#in=(\w+)$/.exec(location.hash)?.[1] ?? "";
if (code) history.replaceState(null, "", location.pathname + location.search);
at("me").querySelector(".come-in").addEventListener("click", async () => (await meet()).comeIn());
if (code || me.who.phone || localStorage.getItem("phone") || sessionStorage.getItem("knock")) {
  const known = await meet();
  if (code || sessionStorage.getItem("knock")) known.comeIn(code);
}
showMine();
if (me.who.role !== "stranger") line.open();
