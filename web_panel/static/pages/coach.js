// The count coach: asks for the parts of a hand one by one, and lights the cards of a score as a hint.

import { cardElement, prettyCard } from "../core/cards.js";
import { post } from "../core/connection.js";
import { make } from "../core/render.js";
import { reportLost } from "./page.js";

const HINT_FIRST = -1; // stands for an answer before which a hint was asked for

const byId = (id) => document.getElementById(id);
const section = byId("exercise");

if (section) start();

function start() {
  const { verdicts, tries, name, isTeacher, starter } = section.dataset;
  const sentences = JSON.parse(verdicts);
  const points = byId("points");
  let exercise = JSON.parse(section.dataset.exercise);
  let hands = Number(section.dataset.hands);
  let answers = []; // the first answer to each part
  let place = 0; // of the part that is asked
  let tried = 0;
  let hints = 0;

  byId("answer").addEventListener("submit", (event) => {
    event.preventDefault();
    if (points.value !== "" && points.checkValidity()) check(points.valueAsNumber);
    points.focus();
  });
  byId("hint").addEventListener("click", hint);
  byId("next").addEventListener("click", () => fetchNext({ cards: [...exercise.held, exercise.starter], answers, hands }));
  for (const radio of document.querySelectorAll("[name=level]")) {
    radio.addEventListener("change", () => fetchNext({ level: Number(radio.value) }));
  }
  show();

  function part() {
    return exercise.parts[place];
  }

  function show() {
    const cards = exercise.held.map((card) => cardElement(prettyCard(card)));
    const turned = make("span", "starter", "");
    turned.append(make("small", "", starter), cardElement(prettyCard(exercise.starter)));
    byId("hand").replaceChildren(...cards, turned);
    answers = [];
    place = 0;
    byId("said").replaceChildren();
    byId("count").hidden = byId("next").hidden = true;
    byId("answer").hidden = false;
    ask();
  }

  function ask() {
    tried = hints = 0;
    byId("question").textContent = part().question;
    points.value = "";
    light([]);
  }

  function check(given) {
    if (answers.length === place) answers.push(given);
    tried += 1;
    points.value = "";
    if (given === part().points) return finish([sentences.right, part().solution], true);
    const verdict = given < part().points ? sentences.low : sentences.high;
    if (tried >= Number(tries)) return finish([verdict, part().solution], false);
    say(verdict, "error");
  }

  /** The number of scores first, then one score after the other with its cards lit, then the solution. */
  function hint() {
    if (answers.length === place) answers.push(HINT_FIRST);
    const { scores, how_many, solution } = part();
    if (hints > scores.length) return finish([solution], false);
    const shown = scores[hints - 1];
    say(shown ? shown.text : how_many);
    light(shown?.places ?? []);
    hints += 1;
    points.focus();
  }

  function finish(texts, isRight) {
    byId("said").replaceChildren();
    say(texts.join(" "), isRight ? "good" : "error");
    place += 1;
    if (part()) return ask();
    light([]);
    byId("answer").hidden = true;
    byId("count").textContent = exercise.count;
    byId("count").hidden = byId("next").hidden = false;
    byId("next").focus();
  }

  function say(text, tone = "") {
    byId("said").append(make("p", tone, text));
  }

  function light(places) {
    [...byId("hand").querySelectorAll(".card")].forEach((card, each) => card.classList.toggle("is-lit", places.includes(each)));
  }

  /** Send a counted hand or a level, and show the hand that comes next. */
  async function fetchNext(body) {
    byId("error").textContent = "";
    byId("next").disabled = true;
    try {
      const answer = await post("coach/hand", { ...body, ...(isTeacher === "true" ? { name } : {}), level: body.level ?? levelOfVisitor() });
      exercise = answer.exercise;
      if (answer.progress) showProgress(answer.progress);
      else byId("level-name").textContent = levelName(exercise.level);
      show();
      if (!body.level) points.focus();
    } catch (error) {
      if (!error.status) reportLost();
      byId("error").textContent = error.message;
    }
    byId("next").disabled = false;
  }

  /** Whose progress is not kept stays at the level that was chosen. */
  function levelOfVisitor() {
    return name ? undefined : exercise.level;
  }

  function levelName(level) {
    return document.querySelector(`[name=level][value="${level}"]`).ariaLabel;
  }

  function showProgress(progress) {
    hands = progress.hands;
    document.querySelector(`[name=level][value="${progress.level}"]`).checked = true;
    byId("level-name").textContent = progress.level_name;
    byId("sentences").replaceChildren(...progress.sentences.filter(Boolean).map((text) => make("p", "", text)));
    byId("kinds").hidden = !progress.kinds.length;
    byId("kinds").querySelector("tbody").replaceChildren(...progress.kinds.map(newRow));
  }

  function newRow({ name: kind, found, shown, is_blind_spot }) {
    const row = make("tr", is_blind_spot ? "total" : "", "");
    const head = make("th", "", kind);
    head.scope = "row";
    row.append(head, make("td", "", `${found}/${shown}`));
    return row;
  }
}
