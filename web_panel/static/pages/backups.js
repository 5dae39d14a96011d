// Restores a backup: checks the file, uploads it in chunks that fit the body limit, and asks the board to use it.

import { post } from "../core/connection.js";
import { ask } from "../core/dialogs.js";
import { reportLost } from "./page.js";

const SIGNATURE = "SQLite format 3\0"; // the first bytes of every backup

const byId = (id) => document.getElementById(id);
const section = byId("restore");
const input = byId("backup-file");
let file = null;
let isStopped = false;

if (section) {
  const drop = section.querySelector(".drop");
  input.addEventListener("change", () => choose(input.files[0]));
  drop.addEventListener("dragover", (event) => event.preventDefault());
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    choose(event.dataTransfer.files[0]);
  });
  byId("start-restore").addEventListener("click", async () => (await ask(byId("confirm"))) === "yes" && restore());
  byId("stop-restore").addEventListener("click", () => (isStopped = true));
}

/** Take a file if it is a backup, else say why not. */
async function choose(chosen) {
  if (!chosen) return;
  byId("file-name").textContent = `${chosen.name}, ${sizeOf(chosen)}`;
  const start = await chosen.slice(0, SIGNATURE.length).text();
  const isTooLarge = chosen.size > Number(section.dataset.maxBytes);
  const reason = start !== SIGNATURE ? section.dataset.noBackup : isTooLarge ? section.dataset.tooLarge : "";
  file = reason ? null : chosen;
  showResult("", reason.replace("{file}", chosen.name));
  byId("start-restore").disabled = !file;
}

function sizeOf({ size }) {
  const unit = size < 1e6 ? "kilobyte" : "megabyte";
  const number = size < 1e6 ? size / 1e3 : size / 1e6;
  const format = { style: "unit", unit, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(document.documentElement.lang, format).format(number);
}

async function restore() {
  isStopped = false;
  showRunning(true);
  try {
    const chunks = await upload();
    if (isStopped) return showResult(section.dataset.stopped, "");
    showResult(section.dataset.checking, "");
    byId("stop-restore").hidden = true;
    byId("progress").removeAttribute("value");
    await post("backup/restore", { chunks });
    showResult(section.dataset.done, "");
    byId("restore-status").className = "good";
  } catch (error) {
    if (!error.status) reportLost();
    showResult("", `${section.dataset.failed} ${error.message}`);
  } finally {
    showRunning(false);
  }
}

/** Upload the file; returns the number of its chunks. */
async function upload() {
  const size = Number(section.dataset.chunkBytes);
  const chunks = Math.ceil(file.size / size);
  for (let number = 0; number < chunks && !isStopped; number++) {
    const bytes = new Uint8Array(await file.slice(number * size, (number + 1) * size).arrayBuffer());
    await post("backup/chunks", { number, chunk: btoa(String.fromCharCode(...bytes)) });
    const percent = Math.round((100 * (number + 1)) / chunks);
    byId("progress").value = percent;
    byId("restore-status").textContent = section.dataset.sending.replace("{percent}", percent);
  }
  return chunks;
}

function showRunning(isRunning) {
  byId("progress").hidden = byId("stop-restore").hidden = !isRunning;
  byId("progress").value = 0;
  byId("start-restore").disabled = isRunning || !file;
  input.disabled = isRunning;
}

function showResult(status, error) {
  byId("restore-status").className = "";
  byId("restore-status").textContent = status;
  byId("restore-error").textContent = error;
}
