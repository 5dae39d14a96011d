// The set-up wizard: shows the step that the board is at. Every answer is a request; no page keeps a step of its own.

import { Connection } from "../core/connection.js";
import { make, setText } from "../core/render.js";
import { Primary } from "../game/primary.js";
import { HoleMap } from "./hole_map.js";
import { nameTwice } from "./names.js";
import { reportLost } from "./page.js";
import { newPart } from "./parts.js";

const POLL_MS = 1000; // interval for the parts of the board, of which the stream does not tell everything
const MAX_NAME_LENGTH = 10; // as the settings take them
const NOTES_HZ = [523, 659, 784];
const NOTE_S = 0.18;

const byId = (id) => document.getElementById(id);
const form = byId("setup");
const texts = form.dataset;
const connection = new Connection(onState, showHealth);
const primary = new Primary(byId("primary"), texts.wait);

let setup = JSON.parse(texts.state); // as `GET /api/v1/setup` answers
let pegs = new Set(); // sensors that see a peg
let wasOpen = setup.is_open;
let shownStep = null;

// The state of the board. The stream tells that something changed; the owner's part is read then.

let isReading = false;
let isStale = false;

async function read() {
  isStale = true;
  if (isReading) return;
  isReading = true;
  while (isStale) {
    isStale = false;
    try {
      show(await connection.get("setup"));
    } catch (error) {
      if (!error.status) reportLost();
      else showError(error.message);
    }
  }
  isReading = false;
}

function onState(state) {
  pegs = new Set(state.pegs.map((peg) => peg.sensor));
  read();
}

function showHealth(health) {
  document.body.dataset.health = health;
  setText(byId("health"), byId("health").dataset[health] ?? "");
}

/** Send what a button stands for. The answer is the next state. */
async function send({ path, body }) {
  try {
    showError("");
    show(await connection.post(path, body ?? {}));
  } catch (error) {
    if (!error.status) reportLost();
    showError(error.message);
  }
}

function showError(message) {
  const alert = form.querySelector(".error");
  alert.textContent = message;
  alert.hidden = !message;
}

// What is shown

function show(now) {
  setup = now;
  if (wasOpen && !now.is_open) return location.assign("/"); // closed, or a game began
  wasOpen = now.is_open;
  const step = now.is_open ? now.progress.step : "closed";
  document.body.dataset.step = step;
  for (const section of form.querySelectorAll("[data-of]")) section.hidden = section.dataset.of !== step;
  const { screen } = now;
  setText(form.querySelector("h1"), screen.headline);
  setText(byId("detail"), screen.detail);
  showProgress(now.progress);
  showAction(byId("back"), screen.back);
  showAction(byId("skip"), screen.skip);
  showChoices(screen.choices);
  primary.show(primaryOf(step, screen));
  byId("later").hidden = !now.is_open;
  if (!now.is_open) return;
  showParts(now);
  showMarks(now);
  showNames(now);
  showPhone(now);
  if (step !== shownStep) onStep(step);
  if (now.question === "page" && shownQuestion !== "page") playHere();
  shownQuestion = now.question;
}

let shownQuestion = null;

/** Another step: it begins at its top, and without the error of the one before. */
function onStep(step) {
  const isFirst = shownStep === null;
  shownStep = step;
  showError("");
  if (step === "sensors") map.load();
  if (!isFirst) scrollTo({ top: 0 });
}

function showProgress(progress) {
  const text = progress ? texts.progress.replace("{number}", progress.number).replace("{of}", progress.of) : "";
  setText(byId("setup-progress"), text);
  form.querySelector(".setup-bar").hidden = !progress;
  if (progress) form.querySelector(".setup-bar i").style.width = `${(100 * progress.number) / progress.of}%`;
}

function showAction(button, action) {
  button.hidden = !action;
  if (!action) return;
  setText(button, action.label);
  button.onclick = () => send(action);
}

let choicesKey = "";

/** The buttons stay the same elements while their actions are the same, so that the focus is not lost. */
function showChoices(choices) {
  const key = JSON.stringify(choices);
  if (key === choicesKey) return;
  choicesKey = key;
  byId("choices").replaceChildren(...choices.map((choice) => {
    const button = make("button", "", choice.label);
    button.type = "button";
    button.onclick = () => press(choice);
    return button;
  }));
}

/** In the question about this device, its own sound is played, and not that of the board. */
function press(choice) {
  return choice.path === "setup/sound" && setup.question === "page" ? playHere() : send(choice);
}

function primaryOf(step, screen) {
  const key = JSON.stringify([step, screen.primary, screen.headline]);
  const { start, putPeg, pressEnter } = byId("primary").dataset;
  if (step === "game") return { key, label: start, press: startGame };
  if (step === "sensors" && setup.hole !== null && putPeg) return { key: putPeg, label: putPeg, press: () => touch(setup.hole) };
  if (step === "phone" && setup.requested_by && pressEnter) return { key, label: pressEnter, press: () => pressKey("ENTER") };
  if (!screen.primary) return { key, label: screen.waits_for };
  const { label } = screen.primary;
  if (step === "language") return { key, label, press: () => saveAndGo({ language: document.documentElement.lang }) };
  if (step === "names") return { key, label, press: saveNames };
  if (step === "broker") return { key, label, press: () => saveAndGo(brokerToSave()) };
  return { key, label, press: () => send(screen.primary) };
}

/** Save settings, then go on. What cannot be saved is said, and the step can be skipped. */
async function saveAndGo(changes) {
  const { primary: next } = setup.screen;
  try {
    if (Object.keys(changes).length) await connection.post("settings", { changes });
  } catch (error) {
    if (!error.status) reportLost();
    return showError(error.message);
  }
  await send(next);
}

async function startGame() {
  try {
    showError("");
    wasOpen = false; // this page leaves by itself
    await connection.post("commands/new-game", setup.first_game);
    location.assign("/");
  } catch (error) {
    wasOpen = true;
    if (!error.status) reportLost();
    showError(error.message);
  }
}

// Names

/** The fields are made once. What is typed stays; other names follow the settings. */
function showNames({ names }) {
  const fields = byId("names");
  if (fields.childElementCount === names.length) {
    for (const [seat, field] of fields.querySelectorAll("input").entries()) {
      if (field.value === field.defaultValue) field.value = names[seat];
      field.defaultValue = names[seat];
    }
    return;
  }
  fields.replaceChildren(...names.map((name, seat) => {
    const field = make("input", "");
    Object.assign(field, { name: "name", value: name, defaultValue: name, maxLength: MAX_NAME_LENGTH, autocomplete: "off" });
    return make("label", "", fields.dataset.player.replace("{number}", seat + 1), field);
  }));
}

async function saveNames() {
  const changes = namesToSave();
  const twice = nameTwice(changes.names ?? []);
  if (twice) return showError(texts.nameTwice.replaceAll("{name}", twice));
  await saveAndGo(changes);
}

/** Nothing, if no name was changed: the usual names then follow the language. */
function namesToSave() {
  const fields = [...byId("names").querySelectorAll("input")];
  const isChanged = fields.some((field) => field.value.trim() !== field.defaultValue);
  return isChanged ? { names: fields.map((field) => field.value.trim()) } : {};
}

/** What was changed of the broker; nothing, if no broker is named. */
function brokerToSave() {
  const fields = [...byId("broker").querySelectorAll("input")];
  const changed = fields.filter((field) => field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value.trim() !== field.defaultValue);
  const valueOf = { checkbox: (field) => field.checked, number: (field) => field.valueAsNumber || 0, text: (field) => field.value.trim() };
  return Object.fromEntries(changed.map((field) => [field.name, valueOf[field.type](field)]));
}

/** Join a club by the files of its stick, then go on. */
async function joinClub({ target }) {
  const { primary: next } = setup.screen;
  try {
    showError("");
    const texts = await Promise.all([...target.files].map(async (file) => [file.name, await file.text()]));
    await connection.post("setup/club", { files: Object.fromEntries(texts) });
  } catch (error) {
    target.value = "";
    if (!error.status) reportLost();
    return showError(error.message);
  }
  await send(next);
}

// Parts, holes and keys

function showParts({ parts }) {
  const list = byId("parts");
  const key = JSON.stringify(parts);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...parts.map((part) => newPart(part, list.dataset)));
}

/** What a hole shows: a fault first, then what happens now, then what is known. */
function stateOf(sensor) {
  const result = setup.holes?.[sensor];
  if (result === "dead" || result === "stuck") return `${result}_hole`;
  if (setup.hole === sensor) return "lit";
  if (pegs.has(sensor)) return "peg";
  return result ? "tried" : "ok";
}

const canMovePegs = "movesPegs" in byId("map").dataset;
const map = new HoleMap(byId("map"), stateOf, canMovePegs ? touch : null);

/** On a simulated board: put a peg in a hole and take it out again, or first out where one stands. */
async function touch(sensor) {
  const movements = pegs.has(sensor) ? ["lift"] : ["place", "lift"];
  try {
    for (const movement of movements) {
      await connection.post(`pegs/${movement}`, { sensor });
      if (movement === "place") await new Promise((done) => setTimeout(done, 120)); // so that the sensors see it
    }
  } catch (error) {
    showError(error.message);
  }
}

function showMarks({ keys, question, hole }) {
  map.render();
  map.zoomTo(hole);
  const { works, missing } = byId("keys").dataset;
  for (const key of document.querySelectorAll("#keys [data-legend]")) {
    const { legend } = key.dataset;
    const isPressed = keys.includes(legend);
    key.classList.toggle("is-working", isPressed);
    const label = (isPressed ? works : missing).replace("{key}", legend);
    if (key.getAttribute("aria-label") !== label) key.setAttribute("aria-label", label);
  }
  byId("colour").dataset.colour = question ?? "";
}

/** A key of a board whose keys are on the page. */
async function pressKey(legend) {
  try {
    for (const down of [true, false]) await connection.post("keys", { legend, down });
  } catch (error) {
    showError(error.message);
  }
}

// Sound of this phone or computer. A browser plays it only after a press.

let audio = null;

function playHere() {
  if (navigator.userActivation?.hasBeenActive === false) return;
  audio ??= new AudioContext();
  audio.resume();
  NOTES_HZ.forEach((frequency, number) => {
    const note = audio.createOscillator();
    const volume = audio.createGain();
    const start = audio.currentTime + number * NOTE_S;
    note.frequency.value = frequency;
    volume.gain.setValueAtTime(0.25, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + NOTE_S);
    note.connect(volume).connect(audio.destination);
    note.start(start);
    note.stop(start + NOTE_S);
  });
  if (!("speechSynthesis" in window)) return;
  const words = new SpeechSynthesisUtterance(texts.spoken);
  words.lang = document.documentElement.lang;
  setTimeout(() => speechSynthesis.speak(words), 1000 * NOTE_S * NOTES_HZ.length);
}

// Phone

function showPhone({ qr }) {
  const picture = byId("qr");
  picture.hidden = !qr;
  if (qr && picture.getAttribute("src") !== qr) picture.src = qr;
}

form.addEventListener("submit", (event) => event.preventDefault());
byId("later").addEventListener("click", () => send({ path: "setup/close" }));
byId("stick").addEventListener("change", joinClub);
byId("calibrate")?.addEventListener("click", () => send({ path: "setup/wiring" }));
for (const key of document.querySelectorAll("button[data-legend]")) key.addEventListener("click", () => pressKey(key.dataset.legend));
show(setup);
connection.open();
setInterval(() => !document.hidden && document.body.dataset.step === "board" && read(), POLL_MS);
