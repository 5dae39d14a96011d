// The owner's page of phones: sets what each may do, and removes phones.

import { post } from "../core/connection.js";
import { ask } from "../core/dialogs.js";
import { reportLost } from "./page.js";

const notice = document.getElementById("notice");
const dialog = document.getElementById("remove");

/** Send a request, and show its error. Returns whether it succeeded. */
async function send(path, body) {
  try {
    await post(path, body);
    notice.textContent = "";
    return true;
  } catch (error) {
    if (!error.status) reportLost();
    notice.textContent = error.message;
    return false;
  }
}

document.getElementById("open-pairing")?.addEventListener("click", async () => {
  const shown = document.getElementById("pairing-code");
  try {
    const { code, picture } = await post("pairing/open", {});
    shown.firstElementChild.innerHTML = picture;
    shown.lastElementChild.textContent = shown.dataset.text.replace("{code}", code);
    shown.hidden = false;
  } catch (error) {
    notice.textContent = error.message;
  }
});

for (const item of document.querySelectorAll("[data-phone]")) {
  const { phone, name } = item.dataset;
  const role = item.querySelector("select");
  let saved = role.value;
  role.addEventListener("change", async () => {
    if (await send(`phones/${phone}/role`, { role: role.value })) saved = role.value;
    else role.value = saved;
    item.querySelector(".right").textContent = role.selectedOptions[0].dataset.right;
  });
  item.querySelector("button").addEventListener("click", async () => {
    dialog.querySelector("h2").textContent = dialog.dataset.text.replace("{name}", name);
    if ((await ask(dialog)) === "yes" && (await send(`phones/${phone}/remove`, {}))) item.remove();
  });
}
