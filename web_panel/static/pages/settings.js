// The settings page: each setting is saved as soon as it is changed, or its field says what it takes.

import { post } from "../core/connection.js";
import { switchSuitColours } from "../core/suit_colours.js";
import { showAnswers } from "./house_rules.js";
import { reportLost } from "./page.js";

const main = document.getElementById("main");
document.getElementById("four-colours").addEventListener("change", switchSuitColours);

const forms = [...document.querySelectorAll(".setting")];

for (const form of forms) {
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", (event) => onChange(form, event.target));
  form.querySelector(".reset").addEventListener("click", () => save(form, null));
  showAnswers(form);
}

function onChange(form, changed) {
  const file = form.querySelector(".own-file");
  if (file && changed.name === "value") {
    file.hidden = changed.value !== "";
    if (!file.hidden) return file.querySelector("input").focus();
  }
  showAnswers(form);
  save(form, valueOf(form));
}

/** The value of a form as the settings file has it; null removes its line. */
function valueOf(form) {
  if (form.dataset.control === "house-rules") {
    const chosen = [...form.querySelectorAll("[data-option]")].map((rule) => [rule.dataset.option, checkedIn(rule).value]);
    const changed = chosen.filter(([, value]) => value);
    return changed.length ? Object.fromEntries(changed) : null;
  }
  const { value: field, file } = form.elements;
  const text = (field.value || file?.value || "").trim();
  switch (form.dataset.control) {
    case "switch": return field.checked;
    case "number-choice": return Number(text);
    case "integer":
    case "number": return numberOf(text);
    case "list": return text.split(",").map((item) => item.trim()).filter(Boolean);
    default: return text || null;
  }
}

const checkedIn = (rule) => rule.querySelector("input:checked");

/** The number, with a point or a comma. What is no number is sent as it is: the board says what it takes. */
function numberOf(text) {
  const number = Number(text.replace(",", "."));
  return text === "" || Number.isNaN(number) ? text : number;
}

async function save(form, value) {
  const { name } = form.dataset;
  try {
    const { settings } = await post("settings", { changes: { [name]: value } });
    for (const other of forms) showRestart(other, settings.find((setting) => setting.name === other.dataset.name));
    const saved = settings.find((setting) => setting.name === name);
    show(form, saved, value === null);
    showResult(form, saved.needs_restart ? main.dataset.savedLater : main.dataset.savedNow, "");
    document.getElementById("restart").hidden = !settings.some((setting) => setting.needs_restart);
  } catch (error) {
    if (!error.status) reportLost();
    showResult(form, "", error.message);
  }
}

/** Show what is stored now: after a reset it is the default. */
function show(form, { value, control, is_set }, wasReset) {
  form.querySelector(".reset").hidden = !is_set;
  if (!wasReset) return;
  if (control === "house-rules") {
    for (const rule of form.querySelectorAll("[data-option]")) {
      for (const choice of rule.querySelectorAll("input")) choice.checked = choice.value === String(value[rule.dataset.option] ?? "");
    }
    return showAnswers(form);
  }
  const field = form.elements.value;
  if (control === "switch") field.checked = value;
  else field.value = Array.isArray(value) ? value.join(", ") : (value ?? "");
}

function showRestart(form, { needs_restart }) {
  form.toggleAttribute("data-restart", needs_restart);
}

function showResult(form, saved, error) {
  form.querySelector(".saved").textContent = saved;
  form.querySelector(".error").textContent = error;
  const fields = form.querySelectorAll("[name=value]");
  for (const field of fields) field.toggleAttribute("aria-invalid", false);
  if (error) for (const field of fields) field.setAttribute("aria-invalid", "true");
}

// Search: by label, help and the name in the file.

const search = document.getElementById("search");
search?.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const form of forms) {
    const text = form.dataset.search.toLowerCase();
    form.hidden = !words.every((word) => text.includes(word));
    found += !form.hidden;
  }
  for (const section of document.querySelectorAll(".sections section")) {
    section.hidden = !section.querySelector(".setting:not([hidden])");
    document.querySelector(`.menu a[href="#${section.id}"]`).hidden = section.hidden;
  }
  const { foundNone, found: several } = main.dataset;
  document.getElementById("found").textContent = words.length ? (found ? several.replace("{number}", found) : foundNone) : "";
});
