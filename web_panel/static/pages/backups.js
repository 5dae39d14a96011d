// Restores a backup: checks the file, uploads it in chunks that fit the body limit, and asks the board to use it. A broken
// line is waited for: the upload goes on with the chunk that the board expects, and the check goes on without the page.

import { get, post, RequestError } from "../core/connection.js";
import { ask } from "../core/dialogs.js";
import { reportLost } from "./page.js";

const SIGNATURE = "SQLite format 3\0"; // the first bytes of every backup

const RETRY_MS = [500, 1000, 2000, 4000, 8000]; // delays before a request is sent again; the last one repeats
const PATIENCE_MS = 300000;                      // how long a broken line is waited for
const POLL_MS = 1000;                            // interval of looking how far the check is

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
  byId("stop-restore").addEventListener("click", stop);
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
    if (!isStopped) await check(chunks);
    if (isStopped) {
      await post("backup/cancel", {}).catch(() => {}); // the next upload or start of the board deletes it, too
      const progress = await get("backup/restore").catch(() => null);
      if (progress?.stage !== "done") return showResult(section.dataset.stopped, "");
    }
    showResult(section.dataset.done, "");
    byId("restore-status").className = "good";
  } catch (error) {
    if (!error.status) reportLost();
    showResult("", `${section.dataset.failed} ${error.message}`);
  } finally {
    showRunning(false);
  }
}

function stop() {
  isStopped = true;
  byId("stop-restore").hidden = true;
}

/** Upload the file; returns the number of its chunks. */
async function upload() {
  const size = Number(section.dataset.chunkBytes);
  const chunks = Math.ceil(file.size / size);
  for (let number = 0; number < chunks && !isStopped; number++) {
    const bytes = new Uint8Array(await file.slice(number * size, (number + 1) * size).arrayBuffer());
    const chunk = btoa(String.fromCharCode(...bytes));
    await send(() => post("backup/chunks", { number, chunk }));
    showProgress("sending", number + 1, chunks);
  }
  return chunks;
}

/** Let the board check the upload and use it. A check of many games is followed until it ends. */
async function check(chunks) {
  showProgress("checking", 0, 1);
  let progress = await send(() => post("backup/restore", { chunks }), () => get("backup/restore"));
  while (progress?.stage === "checking" && !isStopped) {
    showProgress("checking", progress.games, progress.all_games);
    await pause(POLL_MS);
    progress = await send(() => get("backup/restore"));
  }
  if (progress?.stage === "failed") throw new RequestError(progress.localized, 409);
  if (progress?.stage === "receiving" && !isStopped) throw new RequestError(section.dataset.incomplete, 409);
}

/** Send a request, and send it again while the line is broken; `again` is sent instead if the first may have arrived. */
async function send(request, again = request) {
  const end = performance.now() + PATIENCE_MS;
  for (let tries = 0, next = request; ; tries++, next = again) {
    try {
      return await next();
    } catch (error) {
      if (error.status || performance.now() > end) throw error;
      byId("restore-status").textContent = section.dataset.waiting;
      await pause(RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]);
      if (isStopped) return null;
    }
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function showProgress(step, done, all) {
  const percent = all ? Math.round((100 * done) / all) : 0;
  byId("progress").value = percent;
  byId("restore-status").textContent = section.dataset[step].replace("{percent}", percent);
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
