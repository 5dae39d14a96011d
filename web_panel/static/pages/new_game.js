// The page that starts a game. The form is always complete: Start is enough.

import { post } from "../core/connection.js";
import { make, pegIcon } from "../core/render.js";
import { ask } from "../core/dialogs.js";
import { choiceOf, choose, showAnswers } from "./house_rules.js";
import { nameTwice } from "./names.js";
import { reportLost } from "./page.js";

const MAX_NAME_LENGTH = 24;

/** Players -> the variant of the usual game, for players alone and in two teams. */
const USUAL = { 2: "six_card", 3: "three_hand", 4: "four_single", 5: "five_hand", 6: "six_hand" };

const form = document.getElementById("new-game");
const texts = form.dataset;
const variants = JSON.parse(texts.variants);
const presets = JSON.parse(texts.presets);
const draft = JSON.parse(texts.draft);
const needs = JSON.parse(texts.needs); // firmware_host/cribbage/compatibility.py explains them
const fields = form.elements;
const rules = [...form.querySelectorAll("details[data-option]")];
const names = texts.names.split("\n");
const cardReader = form.querySelector("#read-cards"); // what to do with it; null without a reader

let ownRules = draft.rules; // what "Our own" sets: the rules of the last game, then whatever is changed here

/** What the form says now. */
function game() {
  const players = Number(fields.players.value);
  const { value: seating } = fields.seating;
  const { value: kind } = fields.kind;
  const isTeams = players === 4 && seating === "two_sides";
  const variant = kind !== "usual" ? kind : isTeams ? "four_partners" : USUAL[players];
  return { players, seating, kind, variant };
}

const choices = () => Object.fromEntries(rules.map((rule) => [rule.dataset.option, choiceOf(rule)]));

/** The seats of each side, in playing order. */
function sidesOf({ players, seating }) {
  const seats = [...Array(players).keys()];
  if (seating === "captain") return [[0], [1, 2]];
  const sides = { two_sides: 2, three_sides: 3 }[seating] ?? players;
  return [...Array(sides).keys()].map((side) => seats.filter((seat) => seat % sides === side));
}

// What depends on what: players decide about seating and kind, these about names, board and dealer.

function onPlayers() {
  const { players } = game();
  const fits = (element) => element.dataset.players.split(" ").includes(String(players));
  for (const label of form.querySelectorAll("#seating label")) label.hidden = !fits(label);
  if (form.querySelector("#seating input:checked").closest("label").hidden) fields.seating.value = "single";
  form.querySelector("#seating").hidden = form.querySelectorAll("#seating label:not([hidden])").length < 2;
  for (const option of fields.kind.options) option.hidden = option.disabled = !fits(option);
  if (fields.kind.selectedOptions[0].disabled) fields.kind.value = "usual";
  form.querySelector("#kind").hidden = [...fields.kind.options].filter((option) => !option.disabled).length < 2;
}

function showNames() {
  const { players } = game();
  for (const [seat, field] of nameFields().entries()) names[seat] = field.value;
  const sides = sidesOf(game());
  const colours = fields.board.selectedOptions[0].dataset.colours.split(" ");
  const labels = Array.from({ length: players }, (_, seat) => {
    const side = sides.findIndex((seats) => seats.includes(seat));
    const field = make("input", "");
    const label = texts.player.replace("{number}", seat + 1);
    Object.assign(field, { name: "name", value: names[seat] ?? label, maxLength: MAX_NAME_LENGTH, autocomplete: "off" });
    field.setAttribute("aria-label", label);
    const icon = pegIcon(side);
    if (colours[side]) icon.style.setProperty("--track", colours[side]);
    return make("label", "named", icon, field);
  });
  form.querySelector(".name-fields").replaceChildren(...labels);
  const { tracks } = fields.board.selectedOptions[0].dataset;
  const note = form.querySelector("#off-board");
  note.hidden = sides.length <= Number(tracks);
  note.textContent = texts.offBoard.replace("{tracks}", tracks);
}

const nameFields = () => [...form.querySelectorAll("input[name=name]")];

/** One segment of a segmented control. */
function newSegment(name, value, label, isChecked) {
  const input = make("input", "");
  Object.assign(input, { type: "radio", name, value, defaultChecked: isChecked, checked: isChecked });
  return make("label", "", input, make("span", "", label));
}

function showTargets(wanted) {
  const targets = fields.board.selectedOptions[0].dataset.targets.split(" ");
  const chosen = targets.includes(String(wanted)) ? String(wanted) : targets[0];
  const { seating } = game();
  const offered = seating === "captain" ? targets.filter((target) => target === "121") : targets;
  form.querySelector("#targets").replaceChildren(
    ...offered.map((target) => newSegment("target", target, target, target === chosen || offered.length === 1)),
  );
}

function showDealers() {
  const before = fields.dealer?.value ?? (draft.dealer === null ? "" : String(draft.dealer));
  const seats = nameFields().map((field, seat) => [String(seat), field.value.trim() || field.getAttribute("aria-label")]);
  const chosen = seats.some(([seat]) => seat === before) ? before : "";
  form.querySelector("#dealers").replaceChildren(
    newSegment("dealer", "", texts.cut, chosen === ""),
    ...seats.map(([seat, name]) => newSegment("dealer", seat, name, seat === chosen)),
  );
}

// House rules

/** The choices of a preset: those of the kind of game, changed by the preset. */
const choicesOf = (preset) => ({ ...variants[game().variant], ...(preset === "own" ? ownRules : presets[preset]) });

function applyPreset(preset) {
  fields.preset.value = preset;
  const wanted = choicesOf(preset);
  for (const rule of rules) choose(rule, wanted[rule.dataset.option]);
}

const isMet = (need, values) => need.allowed.includes(values[need.other]);

/** What the game is played with: the usual choice in place of those that do not go with the others. */
function choicesTogether() {
  const { variant, players, seating } = game();
  const target = fields.target.value;
  const values = { ...choices(), variant, target, players: String(players), captain: seating === "captain" ? "on" : "off" };
  const usual = variants[variant];
  const isAgainst = (need) =>
    !isMet(need, values) &&
    values[need.option] !== usual[need.option] &&
    (!need.choices.length || need.choices.includes(values[need.option]));
  for (let need = needs.find(isAgainst); need; need = needs.find(isAgainst)) values[need.option] = usual[need.option];
  return values;
}

/** Show the rules, and the answers to them, that matter beside the others. */
function showRulesThatMatter() {
  const values = choicesTogether();
  for (const rule of rules) {
    const { option } = rule.dataset;
    const unmet = needs.filter((need) => need.option === option && !isMet(need, values));
    rule.hidden = unmet.some((need) => !need.choices.length);
    const without = unmet.flatMap((need) => need.choices);
    for (const input of rule.querySelectorAll("input")) input.closest("label").hidden = without.includes(input.value);
    if (without.includes(choiceOf(rule))) choose(rule, values[option]);
  }
}

/** The preset that has exactly these choices, else one's own. */
function presetNow() {
  const now = choices();
  const isSame = (wanted) => rules.every(({ dataset: { option } }) => wanted[option] === now[option]);
  return Object.keys(presets).find((preset) => isSame(choicesOf(preset))) ?? "own";
}

function onRule() {
  const usual = variants[game().variant];
  const preset = presetNow();
  fields.preset.value = preset;
  if (preset === "own") ownRules = Object.fromEntries(Object.entries(choices()).filter(([name, value]) => value !== usual[name]));
}

// Everything that is only shown

function render() {
  const current = game();
  showRulesThatMatter();
  showAnswers(form);
  const isAgainstBoard = Boolean(fields.level.value);
  form.querySelector("#cards").hidden = isAgainstBoard && !cardReader; // the board plays with cards that it deals
  if (cardReader) cardReader.hidden = !isAgainstBoard || fields.cards.value === "dealt";
  for (const heading of form.querySelectorAll("[data-group]")) {
    let next = heading.nextElementSibling;
    heading.hidden = true;
    for (; next?.matches("details"); next = next.nextElementSibling) if (!next.hidden) heading.hidden = false;
  }
  for (const help of form.querySelectorAll("[data-for]")) {
    help.hidden = ![fields.preset.value, current.seating].includes(help.dataset.for);
  }
  const firstDealer = rules.find((rule) => rule.dataset.option === "first_dealer");
  const dealerHelp = form.querySelector("#dealer-help");
  dealerHelp.textContent = fields.dealer.value === "" ? firstDealer.querySelector("input:checked")?.nextElementSibling.textContent ?? "" : "";
  showAgreement();
}

function showAgreement() {
  const players = form.querySelector("[name=players]:checked").closest("label").dataset.text;
  const preset = form.querySelector("[name=preset]:checked")?.closest("label").textContent.trim() ?? "";
  const muggins = rules.find((rule) => rule.dataset.option === "muggins_mode").querySelector(".answer").textContent;
  form.querySelector("#agreement").textContent = [
    texts.agreement.replace("{players}", players).replace("{target}", fields.target.value),
    texts.rules.replace("{rules}", preset.toLocaleLowerCase(document.documentElement.lang).replace("acc", "ACC")),
    texts.muggins.replace("{answer}", muggins),
  ].join(" ");
  const seat = fields.dealer.value;
  const name = seat === "" ? "" : nameFields()[Number(seat)].value.trim();
  form.querySelector("[type=submit]").textContent = name ? texts.startDealer.replace("{name}", name) : texts.startCut;
}

// Starting

/** The house rules and seating that differ from the variant's. */
function options() {
  const { players, seating, variant, kind } = game();
  const usual = variants[variant];
  const values = choicesTogether();
  const changed = rules.map(({ dataset: { option } }) => [option, values[option]]).filter(([name, value]) => value && value !== usual[name]);
  const own = Object.fromEntries(changed);
  if (kind === "auction" && players !== 2) own.players = players;
  if (seating === "captain") own.captain = "on";
  else if (seating !== usual.sides && !(kind === "auction" && seating === "single")) own.sides = seating;
  return own;
}

async function start() {
  const players = nameFields().map((field) => field.value.trim());
  if (players.some((name) => !name)) return showError(texts.emptyName);
  const twice = nameTwice(players);
  if (twice) return showError(texts.nameTwice.replaceAll("{name}", twice));
  const dialog = document.getElementById("end-game");
  if (dialog && (await ask(dialog)) !== "yes") return;
  const body = {
    variant: game().variant,
    names: players,
    options: options(),
    board: fields.board.value,
    dealer: fields.dealer.value === "" ? null : Number(fields.dealer.value),
  };
  if (draft.pegs) body.pegs = draft.pegs;
  if (fields.level.value) body.levels = players.map((_, seat) => (seat ? fields.level.value : null));
  if (fields.cards.value === "dealt" || (fields.level.value && !cardReader)) body.is_dealt = true;
  if (game().seating !== "captain") body.target = Number(fields.target.value);
  const button = form.querySelector("[type=submit]");
  button.disabled = true;
  try {
    if (fields.display?.checked) await setDisplayLanguage();
    await post("commands/new-game", body);
    location.assign("/");
  } catch (error) {
    if (!error.status) reportLost();
    showError(error.message);
  }
  button.disabled = false;
}

/** Set the display to the language of the page. If that cannot be saved, the next press starts without it. */
async function setDisplayLanguage() {
  fields.display.checked = false;
  await post("settings", { changes: { language: document.documentElement.lang } });
}

function showError(message) {
  form.querySelector(".start-bar .error").textContent = message;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});
form.addEventListener("change", ({ target }) => {
  showError("");
  const { name } = target;
  const before = fields.target.value;
  if (name === "players") onPlayers();
  if (["players", "seating", "kind"].includes(name)) applyPreset(fields.preset.value);
  if (["players", "seating", "board"].includes(name)) showNames();
  if (name === "kind" || name === "players") showTargets(variants[game().variant].target);
  if (name === "board" || name === "seating") showTargets(before);
  if (["players", "name"].includes(name)) showDealers();
  if (name === "preset") applyPreset(target.value);
  if (target.closest("details[data-option]")) onRule();
  render();
});
form.addEventListener("input", ({ target }) => target.name === "name" && (showDealers(), render()));

onPlayers();
showNames();
showTargets(draft.target);
showDealers();
applyPreset("own");
onRule();
render();
form.querySelector("[type=submit]").disabled = false; // pressed before, the browser would submit the form itself
