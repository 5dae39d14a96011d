// The owner merges the names of a player, after a question, and separates them again.

import { post } from "../core/connection.js";
import { closeDialogsOnBack, dialogsLeft } from "../core/dialogs.js";

const notice = document.getElementById("notice");
const dialog = document.getElementById("merge-dialog");
const mergeForm = document.getElementById("merge-form");

for (const button of document.querySelectorAll("[data-unmerge]")) {
  button.addEventListener("click", () => send("unmerge", { name: button.dataset.unmerge }, notice));
}

closeDialogsOnBack();
mergeForm?.addEventListener("submit", (event) => {
  event.preventDefault();
  const { name } = dialog.dataset;
  const other = mergeForm.elements.other.value;
  const question = dialog.querySelector("[data-question]");
  question.textContent = question.dataset.question.replaceAll(/\{(name|other)\}/g, (_, key) => (key === "name" ? name : other));
  const error = dialog.querySelector(".error");
  error.hidden = true;
  dialog.querySelector("form").onsubmit = (submitted) => {
    submitted.preventDefault();
    send("merge", { name, other }, error);
  };
  dialog.querySelector("[value=cancel]").onclick = () => dialog.close();
  dialog.showModal();
});

/** Send a request, and load the page again; or show the error in `alert`. */
async function send(path, body, alert) {
  try {
    await post(`people/${path}`, body);
    dialog?.close();
    await dialogsLeft();
    location.reload();
  } catch (error) {
    alert.textContent = error.message;
    alert.hidden = false;
  }
}
