// The forms of the organiser and of players: each is sent as JSON, and the page is loaded again with what it changed.

import { post } from "../core/connection.js";
import { confirm, dialogsLeft } from "../core/dialogs.js";
import { writeDates } from "./dates.js";
import { textOf } from "./list_file.js";

const FORBIDDEN = 403; // also after a restart of the club's computer, which forgets who has logged in

/** The fields of a form as a JSON object: numbers as numbers, checkboxes as true or false, or as a list of numbers. */
function fieldsOf(form) {
  const fields = {};
  for (const field of form.elements) {
    if (!field.name) continue;
    if ("list" in field.dataset) fields[field.name] = [...(fields[field.name] ?? []), ...(field.checked ? [Number(field.value)] : [])];
    else if (field.type === "checkbox") fields[field.name] = field.checked;
    else if (field.type === "number" || "number" in field.dataset) fields[field.name] = Number(field.value);
    else fields[field.name] = field.value;
  }
  return fields;
}

/** Send a form by the button that was pressed, which may name a command of its own. */
async function send(form, button) {
  const { command, then, question, asks } = { ...form.dataset, ...button.dataset };
  const error = form.querySelector(".error");
  if (question && !(await confirm(document.getElementById("question"), question, button.textContent))) return;
  button.disabled = true;
  try {
    const isSent = await postSure(command, fieldsOf(form), asks, button.textContent);
    await dialogsLeft();
    if (!isSent) button.disabled = false;
    else if (then) location.assign(then);
    else location.reload();
  } catch (fault) {
    button.disabled = false;
    if (error) error.textContent = fault.message;
    if (error && fault.status === FORBIDDEN && command !== "login") error.append(" ", logInLink());
  }
}

/** Send fields. A refusal of a kind in `asks` is a question: who says yes sends them again. Returns whether they are sent. */
async function postSure(command, fields, asks, label) {
  try {
    await post(command, fields);
  } catch (fault) {
    if (!asks?.split(" ").includes(fault.kind)) throw fault;
    if (!(await confirm(document.getElementById("question"), fault.message, label))) return false;
    await post(command, { ...fields, sure: true });
  }
  return true;
}

/** A link to this page: without a log-in it shows the form, and then what was here. */
function logInLink() {
  const link = document.createElement("a");
  link.href = location.href;
  link.textContent = document.body.dataset.logIn;
  return link;
}

document.addEventListener("submit", (event) => {
  if (!("command" in event.target.dataset)) return;
  event.preventDefault();
  send(event.target, event.submitter ?? event.target.querySelector("[type=submit]"));
});

// A file that is chosen is read into the text field that `data-into` names.
document.addEventListener("change", async (event) => {
  const { into, codePage, refusal } = event.target.dataset;
  const [file] = (into && event.target.files) || [];
  if (!file) return;
  const text = textOf(new Uint8Array(await file.arrayBuffer()), codePage);
  document.getElementById(into).value = text ?? "";
  event.target.form.querySelector(".error").textContent = text === null ? refusal : "";
});

/** Upload a backup in chunks that fit the body limit, and let the club's computer restore it. */
async function restore(form) {
  const [file] = form.querySelector("[type=file]").files;
  const button = form.querySelector("[type=submit]");
  const status = form.querySelector("[role=status]");
  if (!(await confirm(document.getElementById("question"), form.dataset.question, button.textContent))) return;
  const size = Number(form.dataset.chunkBytes);
  const chunks = Math.ceil(file.size / size);
  button.disabled = true;
  try {
    for (let number = 0; number < chunks; number++) {
      const bytes = new Uint8Array(await file.slice(number * size, (number + 1) * size).arrayBuffer());
      await post("backup/chunk", { number, chunk: btoa(String.fromCharCode(...bytes)) });
      status.textContent = `${Math.round((100 * (number + 1)) / chunks)} %`;
    }
    await post("backup/restore", { chunks });
    await dialogsLeft();
    location.assign("/organiser");
  } catch (fault) {
    button.disabled = false;
    status.textContent = "";
    form.querySelector(".error").textContent = fault.message;
  }
}

document.getElementById("restore")?.addEventListener("submit", (event) => {
  event.preventDefault();
  restore(event.target);
});

const print = document.getElementById("print");
if (print) {
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}
writeDates(document);
