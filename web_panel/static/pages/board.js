// The main page: follows the state, shows it, and sends commands.

import { Board } from "../board/board.js";
import { Connection } from "../core/connection.js";
import { closeDialogsOnBack, confirm } from "../core/dialogs.js";
import { aroundCount, make, renderLog, renderScores, setText, SpokenNews } from "../core/render.js";
import { Menu } from "../game/menu.js";
import { Primary } from "../game/primary.js";
import { TableCards } from "../game/table_cards.js";

const NOTICE_MS = 8000;
const PENDING_MS = 900; // a peg that holds still sooner is not spoken of
const RACE_MS = 2000; // how long after an answer the stream may still bring an older state
const KEEPERS = ["keeper", "owner"]; // roles
const GONE_ON_KEY = "gone-on"; // in the session: the stored game that this page went on with
const AUTOMATIC_MS = 1600; // pause before a hand whose cards are known is counted by itself
const READING_MS = 3000; // ... after the count of another hand

const byId = (id) => document.getElementById(id);
const board = new Board(byId("drawing"));
const connection = new Connection(show, showHealth);
const primary = new Primary(byId("primary"), byId("dock").dataset.wait);
const tableCards = new TableCards(byId("table-cards"), () => (speech?.isOn && !playback ? speech : null));
const isNarrow = matchMedia("(max-width: 899px)");
const menu = new Menu(byId("menu"), perform);
let isReady = false; // whether every module that this visitor needs is here
let live = null; // the latest state of the board
let latest = null; // the state that is shown: of the board, or of a recording
let playback = null; // a recorded game that is shown instead of the board's
let isFirst = null; // whether the first screen is shown; null: no state yet
let welcome = null;
let ending = null;
let guided = null; // the guidance that is shown: that of a pending peg only if it lasts
let actions = []; // those that this visitor may take
let cardInput = null;
let pegDrag = null; // moves the pegs of a simulated board
let speech = null;
const news = new SpokenNews();
let ownPegs = null; // the screens of a game on a board that people own
let isEntering = false; // the cards of this deal are entered on this page
/** The session of this phone. Its module is loaded only where a phone is paired or wants to be. */
let session = { visitor: JSON.parse(byId("phone").dataset.visitor), update() {}, handles: () => false, inputActions: [] };

let answered = { version: 0, at: -RACE_MS }; // the latest answer of a command that was shown

/** The state in the answer to a command is shown at once, before the stream brings it. */
function showAnswer(state) {
  if (!state?.version || (live && state.version < live.version)) return;
  answered = { version: state.version, at: performance.now() };
  show(state);
}

function show(state) {
  if (state.version < answered.version && performance.now() - answered.at < RACE_MS) return;
  if (live?.deal?.number !== state.deal?.number) isEntering = false;
  live = state;
  if (isReady && !playback) draw(state);
}

function draw(state) {
  latest = state;
  if (!playback) session.update(state);
  if (state.game?.is_dealt && !session.pair && isReady && !isViewer()) openSession(); // it shows the dealt cards
  document.body.toggleAttribute("data-has-game", Boolean(state.game));
  showFirstScreen(state);
  showEnding(state);
  const isCounting = tableCards.show(state);
  renderLog(byId("log"), state);
  showScoreChart(state);
  showSimulation(state);
  showOwnPegs(state);
  if (state.game) board.show(state).then(showLane);
  watchKeypad();
  keepAwake();
  if (playback) announceFrame(state.guidance);
  else sayNews(state, isCounting);
  showGuidance(state);
}

let isAwake = false;

/** The screen stays on while a game is shown, where the browser can. */
async function keepAwake() {
  if (isAwake || !navigator.wakeLock || !latest.game || latest.own_pegs) return; // the screens for own boards say more about it
  isAwake = true;
  const { keepScreenOn } = await import("../own_pegs/wake_lock.js");
  keepScreenOn(() => {});
}

/** A count that is lit step by step is said step by step, with its lights. A screen reader gets the whole text. */
function sayNews({ speech: spoken, guidance }, isCounting) {
  const text = news.next(spoken);
  if (!text) return;
  announceNews(text, guidance.tone);
  const [before, behind] = isCounting ? aroundCount(text, spoken.count) : [text];
  speech?.say(before, behind);
}

/** A recording has no voice, but a screen reader tells each frame. */
function announceFrame({ headline, detail, tone }) {
  const text = `${headline} ${detail}`.trim();
  if (text !== byId("spoken").textContent) announceNews(text, tone);
}

function announceNews(text, tone) {
  byId("spoken").setAttribute("aria-live", tone === "error" ? "assertive" : "polite");
  byId("spoken").textContent = text;
}

let pendingTimer = null;

/** A peg is pending for a moment after each move. Its sentence would only flicker, so the one before stays. */
function showGuidance(state) {
  clearTimeout(pendingTimer);
  const isBrief = state.guidance.topic === "pending" && guided;
  if (isBrief) pendingTimer = setTimeout(() => showSentences(state), PENDING_MS);
  else showSentences(state);
}

function showSentences(state) {
  guided = state.guidance;
  byId("status").dataset.tone = guided.tone;
  document.body.dataset.expects = guided.expects;
  setText(byId("prompt"), guided.headline);
  setText(byId("detail"), guided.detail);
  if (pegDrag) pegDrag.awaited = guided.peg;
  setText(byId("game-title"), state.game?.title ?? "");
  renderScores(byId("scores"), state, guided);
  showSessionParts();
  countByItself();
}

/** Everything that depends on the session beside the state. */
function showSessionParts() {
  if (!latest || !guided) return;
  actions = latest.actions.filter((action) => isAllowed(action) && !session.handles(action));
  welcome?.update(live, mayStart());
  showHeldSeat();
  if (hasOwnPegs()) ownPegs.show(latest, actions, guided);
  showCardInput();
  showPrimary();
  showMenu();
}

const mayStart = () => session.visitor.allowed_commands.includes("new-game");

// The first screen, recorded games, and the end of a game. Their modules are loaded when they are needed.

/** The first screen is for a board without a game. It also asks before a stored game goes on, when the page is opened. */
async function showFirstScreen(state) {
  const isStored = state.game?.go_on && sessionStorage.getItem(GONE_ON_KEY) !== state.game.go_on;
  if (!playback) isFirst = !state.game || Boolean(isFirst !== false && !isViewer() && isStored);
  document.body.toggleAttribute("data-first", isFirst && !playback);
  byId("welcome").hidden = !isFirst || Boolean(playback);
  if (isFirst && !welcome) (await openWelcome()).update(live, mayStart());
}

async function openWelcome() {
  const { Welcome } = await import("./welcome.js");
  welcome ??= new Welcome(byId("welcome"), connection, leaveFirstScreen);
  return welcome;
}

/** Go to the game: a new one with the answer of the board, or the stored one. */
function leaveFirstScreen(answer) {
  if (!answer) sessionStorage.setItem(GONE_ON_KEY, live.game.go_on);
  if (answer) showAnswer(answer);
  else draw(live);
  byId("primary").focus({ preventScroll: true });
}

/** Show a recorded game: "watch" plays the short one for visitors, "replay" steps through one that was played. */
async function startPlayback(kind, path) {
  try {
    const [{ Playback, Recording }, answer] = await Promise.all([import("../moments/playback.js"), connection.get(path)]);
    const page = { show: draw, primaries: playbackPrimaries(kind) };
    playback?.stop();
    hideNotice();
    playback = new Playback(kind, new Recording(answer), byId("playback"), page);
    showPlayback(kind);
    playback.start();
    byId("primary").focus({ preventScroll: true });
  } catch (error) {
    showNotice(error.message);
  }
}

/** While a recording is shown, the pegs of the drawing are not those of the board, and cannot be moved. */
function showPlayback(kind) {
  if (kind) document.body.dataset.playback = kind;
  else delete document.body.dataset.playback;
  for (const id of ["board", "lane"]) byId(id).inert = Boolean(kind);
}

function playbackPrimaries(kind) {
  const { stop, startOwn, back, endReplay } = byId("playback").dataset;
  if (kind === "replay") {
    const end = { key: "end-replay", label: endReplay, press: stopPlayback };
    return { running: end, over: end };
  }
  const startsOwn = mayStart() && !live?.game;
  const over = { key: "watched", label: startsOwn ? startOwn : back, press: startsOwn ? startOwnGame : stopPlayback };
  return { running: { key: "stop-watching", label: stop, press: stopPlayback }, over };
}

/** The board is shown again, as it is now. Nothing is asked of it. */
function stopPlayback() {
  const { kind } = playback;
  playback.stop();
  playback = null;
  showPlayback(null);
  if (location.search.includes("replay=")) history.replaceState(null, "", location.pathname);
  if (live) return draw(live), focusAfterPlayback(kind);
  document.body.removeAttribute("data-has-game");
  document.body.toggleAttribute("data-first", true);
  byId("welcome").hidden = false;
  focusAfterPlayback(kind);
}

function focusAfterPlayback(kind) {
  const target = kind === "watch" && !byId("welcome").hidden ? byId("watch") : byId("primary");
  target.focus({ preventScroll: true });
}

async function startOwnGame() {
  stopPlayback();
  await (await openWelcome()).start();
}

/** The result takes the place of the board when a game is over. */
async function showEnding(state) {
  const isOver = state.game?.phase === "over" && !playback && !state.demo;
  document.body.classList.toggle("is-over", isOver);
  if (!isOver) return ending?.hide();
  if (!ending) {
    const { Ending } = await import("../moments/ending.js");
    ending ??= new Ending(byId("ending"));
  }
  if (document.body.classList.contains("is-over")) ending.show(latest);
}

/** A role limits the commands, and a seat that a phone holds is for that phone alone. */
function isAllowed({ command, seats, is_for_seats_only }) {
  const { allowed_commands, seat, role } = session.visitor;
  if (!allowed_commands.includes(command)) return false;
  if (seats.includes(seat)) return true;
  return is_for_seats_only ? KEEPERS.includes(role) : !seats.some(isHeld);
}

const isHeld = (seat) => latest.seats[seat].held_by !== null;

/** Tell why the cards of a turn cannot be entered here: another phone holds the seat. */
function showHeldSeat() {
  const { allowed_commands, seat } = session.visitor;
  const isTaken = ({ command, seats, is_next }) => is_next && allowed_commands.includes(command) && seats.some(isHeld);
  const action = seat === null && latest.actions.find(isTaken);
  byId("held-seat").hidden = !action;
  if (action) setText(byId("held-seat"), byId("held-seat").dataset.text.replace("{name}", latest.seats[action.seats[0]].held_by));
}

// A board that people own. Its module and its sheet are loaded with the first such game.

async function showOwnPegs(state) {
  const isShown = Boolean(state.own_pegs) && !playback;
  if (isShown && !ownPegs) {
    const [{ OwnPegs }] = await Promise.all([import("../own_pegs/own_pegs.js"), loadSheet("own_pegs")]);
    const page = { send, redraw: showSessionParts, visitor: () => session.visitor };
    ownPegs ??= new OwnPegs(page);
  }
  const isOwn = Boolean(latest.own_pegs) && !playback; // of now: the module may have come late
  document.body.toggleAttribute("data-own-pegs", isOwn);
  for (const id of ["tallies", "peg-strip", "open-fallen"]) byId(id).hidden = !isOwn;
  if (isOwn && guided) showSessionParts();
}

const hasOwnPegs = () => document.body.hasAttribute("data-own-pegs");

/** The sheet is in the page already where the page was opened in such a game. */
function loadSheet(name) {
  if (document.querySelector(`link[href*="-${name}"]`)) return null;
  const link = make("link", "");
  link.rel = "stylesheet";
  link.href = `/styles/${name}.css`;
  document.head.append(link);
  return new Promise((resolve) => (link.onload = link.onerror = resolve));
}

// The lane, below the width of a desk.

let lane = null;
let question = null; // what the lane asks, in the primary place

async function showLane() {
  if (!isNarrow.matches || !latest.game) return;
  if (!lane) {
    const { Lane } = await import("../board/lane.js");
    const viewerSide = () => latest.seats[session.visitor.seat]?.side ?? null;
    lane ??= new Lane(byId("lane"), board, { pegDrag: isViewer() ? null : pegDrag, ask, viewerSide });
  }
  lane.show(latest);
}

/** Ask in the primary place; null: the question has gone. */
function ask(text, onYes) {
  question = text && { key: `question ${text}`, label: text, press: onYes };
  showPrimary();
}

const isViewer = () => !session.visitor.allowed_commands.length;

/** Load the session's module: a visitor who only watches does not need it. */
async function openSession() {
  const { Session } = await import("../phone/session.js");
  if (!session.pair) session = new Session(document.body, connection, session.visitor, showSessionParts, showNotice);
  if (live) show(live);
  return session;
}

/** The texts are data attributes of the element, in the language of the page. */
function showHealth(health) {
  document.body.dataset.health = health;
  setText(byId("health"), byId("health").dataset[health] ?? "");
}

/** The phone that asks to be added, on the page of an owner, who may answer as the keys of the board do. */
function joiningPhone() {
  const asks = guided.topic === "pairing" && session.visitor.role === "owner" && latest.asks_to_join;
  return asks ? { ...asks, label: byId("joining").dataset.add.replace("{name}", asks.name).replace("{number}", asks.number) } : null;
}

async function answerPhone(accepted) {
  await connection.post("pairing/answer", { number: latest.asks_to_join?.number ?? "", accepted }).catch(({ message }) => showNotice(message));
}

// The primary place.

function showPrimary() {
  if (!latest || !guided) return;
  byId("joining").hidden = !joiningPhone();
  primary.show(primaryAction());
}

function primaryAction() {
  const { watching, stopDemo } = byId("dock").dataset;
  if (playback) return playback.primary;
  if (isViewer()) return { key: "watching", label: watching };
  if (question) return question;
  if (latest.demo) return { key: "demo", label: stopDemo, press: () => post("demo", { run: false }) };
  const wait = { key: `${guided.topic} ${guided.waits_for}`, label: guided.waits_for || guided.headline };
  const joining = joiningPhone();
  if (joining) return { key: `join ${joining.number}`, label: joining.label, press: () => answerPhone(true) };
  if (["calibration", "pairing", "fault", "setup"].includes(guided.topic)) return wait;
  if (cardInput?.isAsking) return { key: "asking", label: byId("dock").dataset.asking };
  if (guided.expects === "peg" && !isForOthers(guided.side)) return pegAction() ?? actionOf("move") ?? wait;
  const ofPoints = hasOwnPegs() && ownPegs.primary(buttonOf);
  const own = pegAction() ?? session.primary ?? (ofPoints || null) ?? cardInput?.finish;
  if (own) return own;
  const [action] = actions.filter((each) => each.place === "primary");
  return action ? buttonOf(action) : wait;
}

/** Whether the pegs of a side are for another phone: it holds a seat of that side, and this one does not. */
function isForOthers(side) {
  const seats = latest.seats.filter((seat) => seat.side === side);
  return !isOwnSide(side) && seats.some(({ held_by }) => held_by !== null);
}

const isOwnSide = (side) => latest.seats[session.visitor.seat]?.side === side;

/** On a simulated board the peg can be moved by a press: that of the own side, or of a side that no phone plays. */
function pegAction() {
  const moves = guided.pegs?.length ? guided.pegs : [guided.peg].filter(Boolean);
  const pegs = moves.filter(({ side }) => !isForOthers(side));
  const peg = pegs.find(({ side }) => isOwnSide(side)) ?? pegs[0];
  if (!pegDrag || !peg) return null;
  if (pegs.length > 1 && latest.game.phase === "gather") return pegAllAction(pegs);
  const key = `peg ${peg.from_sensor} ${peg.to_sensor}`;
  return { key, label: peg.label, note: peg.note, press: () => pegDrag.pegIt(peg) };
}

/** After the last count, one press moves the pegs of all sides that play on this phone. */
function pegAllAction(pegs) {
  const note = pegs.map(({ side }) => `${latest.sides[side].name} ${latest.sides[side].owed}`).join(" · ");
  const press = async () => {
    for (const peg of pegs) await pegDrag.pegIt(peg);
  };
  return { key: `pegs ${note}`, label: byId("dock").dataset.pegAll, note, press };
}

function actionOf(command) {
  const action = actions.find((each) => each.place === "primary" && each.command === command);
  return action && buttonOf(action);
}

function buttonOf(action) {
  const key = JSON.stringify([action.command, action.body, latest.deal?.number]);
  return { key, label: action.label, note: action.note, press: () => perform(action) };
}

/** Send an action. What loses something asks first, and then follows what it needs to be typed. */
async function perform(action) {
  if (action.question && !(await isConfirmed(action))) return;
  if (!action.input) return send(action.command, action.body);
  if (action.command === "count" && action.input.kind === "hand") return cardInput.count(action);
  if (action.input.kind === "flush") return cardInput.ask(action);
  const { NumberDialog } = await import("./number_dialog.js");
  new NumberDialog(byId("number-dialog"), connection).open(action, latest.sides);
}

function isConfirmed({ question, label }) {
  return confirm(byId("confirm-dialog"), question, label);
}

let automaticTimer = null;

/** Where nothing is left to ask, a hand whose cards were played is counted by itself, once the one before was read.
 * Points to be pegged wait in their button; only on a board with pegs of wood the pegs come first. */
async function countByItself() {
  clearTimeout(automaticTimer);
  const isQuiet = () => guided.topic === "phase" || Boolean(guided.topic === "points" && pegDrag);
  const find = () => isQuiet() && actions.find((action) => action.is_automatic && action.place === "primary");
  const action = find();
  if (!action || !isEntering || document.hidden) return;
  const key = JSON.stringify(action);
  const isRead = latest.deal.count ? READING_MS : AUTOMATIC_MS;
  await tableCards.counted;
  clearTimeout(automaticTimer);
  automaticTimer = setTimeout(() => JSON.stringify(find()) === key && cardInput?.count(find()), isRead);
}

// The menu.

function showMenu() {
  const shown = primaryAction();
  const isShown = (action) => shown.key === JSON.stringify([action.command, action.body, latest.deal?.number]);
  const hasUndo = document.body.classList.contains("is-over"); // its button gives its place to the replay
  const isOther = (action) => ["menu", "primary"].includes(action.place) && (hasUndo || action.command !== "undo");
  const others = actions.filter((action) => isOther(action) && !isShown(action));
  menu.update(others.filter((action) => action.place === "menu" || guided.expects === "peg"));
  byId("undo").setAttribute("aria-disabled", String(!actions.some((action) => action.command === "undo")));
}

function undo() {
  if (actions.some((action) => action.command === "undo")) send("undo", {});
}

// The card keys.

let choices = [];
let choicesKey = "";
let secondary = [];

/** The module of the card keys is loaded with the first game. */
async function showCardInput() {
  if (!byId("card-input") || !latest.game || playback) return;
  if (!cardInput) {
    const { CardInput } = await import("../phone/card_input.js");
    cardInput ??= new CardInput(byId("card-input"), connection, onCardsSent, showNotice);
    cardInput.onChange = onTyped;
    cardInput.isConfirmed = isConfirmed;
  }
  drawChoices();
  const isOwn = hasOwnPegs();
  if (isOwn && ownPegs.takesPoints) return (byId("card-input").hidden = true);
  const inputs = [...session.inputActions, ...actions.filter((action) => action.input || action.command === "go")];
  cardInput.update(inputs, latest, choices, isOwn ? [...secondary, ...ownPegs.switches] : secondary);
}

/** What is typed for a hand lies on the table, and the primary place follows. */
function onTyped() {
  if (!playback && latest) tableCards.showTyped(cardInput.typedHand, latest);
  showPrimary();
}

/** The buttons stay the same elements while their actions are the same, so that the focus is not lost. */
function drawChoices() {
  const offered = mergeClaims(actions.filter((action) => ["choice", "secondary"].includes(action.place)));
  const key = JSON.stringify(offered);
  if (key === choicesKey) return;
  choicesKey = key;
  const button = (action) => newButton(action.place === "choice" ? "key choice" : "plain", action);
  choices = offered.filter(({ place }) => place === "choice").map(button);
  secondary = offered.filter(({ place }) => place === "secondary").map(button);
}

/** One button claims muggins for all sides of this visitor; its dialog asks for whom. */
function mergeClaims(offered) {
  const claims = offered.filter(({ command }) => command === "claim");
  if (claims.length < 2) return offered;
  const input = { ...claims[0].input, sides: claims.map(({ body }) => body.side) };
  const merged = { ...claims[0], label: byId("dock").dataset.claim, body: {}, input };
  return [...offered.filter(({ command }) => command !== "claim"), merged];
}

function newButton(className, action) {
  const button = make("button", className, action.label);
  button.type = "button";
  button.dataset.command = action.command;
  button.onclick = () => perform(action);
  return button;
}

function onCardsSent(command, answer) {
  isEntering = true;
  hideNotice();
  showAnswer(answer);
  session.onSent?.(command);
}

// Keyboard: cards by their letters, Enter for what is next, Z for undo, L for the lit hole.

isNarrow.addEventListener("change", () => latest?.game && board.show(latest).then(showLane));
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const { target } = event;
  if (document.querySelector("dialog[open]") || target.closest("input, select, textarea, #keypad")) return;
  if (pressPageKey(event.key, target)) event.preventDefault();
});

function pressPageKey(key, target) {
  const isOnControl = target.closest("button, a, summary, .peg, [tabindex='0']") && target.matches(":focus-visible");
  if (hasOwnPegs() && !(key === "Enter" && isOnControl) && ownPegs.pressKey(key)) return true;
  if (key === "Enter") return !isOnControl && (primary.press(), true);
  if (playback && key === "Escape") return stopPlayback(), true;
  if (playback) return !(key === " " && isOnControl) && playback.pressKey(key);
  if (key === "?") return location.assign("/help"), true;
  if (key === "z" || key === "Z") return undo(), true;
  if (key === "l" || key === "L") return Boolean(pegDrag?.goToLitHole(guided?.peg));
  if (!cardInput?.pressKey(key)) return false;
  byId("primary").focus({ preventScroll: true }); // so that Enter does what is next, whatever had the focus
  return true;
}

// The log, the chart and the keys of a simulated board.

/** The chart is drawn by the board, and fetched only while it is open. */
async function showScoreChart(state) {
  const chart = byId("score-chart");
  chart.hidden = !state.game;
  const key = `${state.log[0]?.turn} ${state.sides.map((side) => side.score)}`;
  if (!chart.open || chart.dataset.key === key) return;
  chart.dataset.key = key;
  const answer = await fetch(`/score-chart.svg?lang=${document.documentElement.lang}`).catch(() => null);
  if (!answer?.ok) return;
  const svg = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
  chart.lastElementChild.replaceChildren(document.adoptNode(svg));
}

let isKeypadVisible = false;
let keypadObserver = null;

function showSimulation({ oled }) {
  if (byId("oled") && oled !== null && isKeypadVisible) {
    const picture = `/oled.png?v=${oled}`;
    if (byId("oled").getAttribute("src") !== picture) byId("oled").setAttribute("src", picture);
  }
}

/** The display is fetched only while it is visible. */
function watchKeypad() {
  if (keypadObserver || !byId("keypad")) return;
  keypadObserver = new IntersectionObserver(([entry]) => {
    isKeypadVisible = entry.isIntersecting;
    showSimulation(latest);
  });
  keypadObserver.observe(byId("keypad"));
}

function toggleKeypad() {
  const isOpen = byId("keypad").hidden;
  byId("keypad").hidden = !isOpen;
  byId("open-keypad").setAttribute("aria-expanded", String(isOpen));
  if (!isOpen) return;
  byId("keypad").scrollIntoView({ block: "nearest" });
  byId("keypad").querySelector("button").focus();
}

/** On a phone the log has no place on the page: it is shown in a dialog, with the chart. */
function openLog() {
  const dialog = byId("log-dialog");
  dialog.querySelector(".log-place").append(byId("log"));
  dialog.onclose = () => byId("log-section").append(byId("log"));
  dialog.showModal();
}

async function send(command, body) {
  await post(`commands/${command}`, body);
}

async function post(path, body) {
  try {
    hideNotice();
    showAnswer(await connection.post(path, body));
  } catch (error) {
    showNotice(error.message);
  }
}

let noticeTimer = null;

function showNotice(message) {
  byId("notice").firstElementChild.textContent = message;
  byId("notice").hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(hideNotice, NOTICE_MS);
}

function hideNotice() {
  byId("notice").hidden = true;
}

async function startSpeech() {
  const { Speech } = await import("../core/speech.js");
  speech ??= new Speech(byId("read-aloud"));
}

async function switchColours({ target }) {
  const { switchSuitColours } = await import("../core/suit_colours.js");
  target.setAttribute("aria-pressed", switchSuitColours());
}

const onClick = (id, handler) => byId(id)?.addEventListener("click", handler);
onClick("more", () => menu.open());
onClick("undo", undo);
byId("joining").firstElementChild.addEventListener("click", () => answerPhone(false));
for (const id of ["watch", "watch-again"]) onClick(id, () => startPlayback("watch", "games/watched"));
onClick("replay", () => startPlayback("replay", "games/current/replay"));
onClick("open-keypad", toggleKeypad);
onClick("open-log", openLog);
onClick("four-colours", switchColours);
byId("notice").lastElementChild.addEventListener("click", hideNotice);
byId("score-chart").addEventListener("toggle", () => latest && showScoreChart(latest));
closeDialogsOnBack();

// State and drawing of a game come with the page; the stream follows them.
const firstView = byId("first-view") && JSON.parse(byId("first-view").textContent);
if (firstView) board.useDrawing(firstView.drawing);
if (firstView) show(firstView.state);
// The next state is on its way while the modules below are loaded.
if (session.visitor.role !== "stranger") connection.open();
if (byId("keypad")) {
  const { Keypad, PegDrag } = await import("../board/board_input.js");
  const announce = (text) => (byId("announcement").textContent = text);
  if ("movesPegs" in byId("keypad").dataset) pegDrag = new PegDrag(connection, board, announce, showNotice);
  new Keypad(connection, byId("keypad"), () => latest?.suit_keys ?? {});
}
if (byId("read-aloud") && "speechSynthesis" in window) {
  byId("read-aloud").hidden = false;
  byId("read-aloud").addEventListener("click", startSpeech, { once: true });
  if (localStorage.getItem("read-aloud") === "on") startSpeech();
}

const code = /^#code=(\w+)$/.exec(location.hash)?.[1] ?? ""; // from the QR code
if (code) history.replaceState(null, "", location.pathname + location.search);
document.querySelector(".pair-button")?.addEventListener("click", async () => (await openSession()).pair());
const hasRequest = Boolean(sessionStorage.getItem("pairing-request"));
if (code || hasRequest || session.visitor.phone || localStorage.getItem("phone")) {
  const opened = await openSession();
  if (code || hasRequest) opened.pair(code);
}
isReady = true;
if (live) show(live);
const replayed = new URLSearchParams(location.search).get("replay");
if (replayed) startPlayback("replay", `games/${encodeURIComponent(replayed)}/replay`);
