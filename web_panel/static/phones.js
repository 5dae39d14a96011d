// The owner's list of phones: what each may do, and sending it away.

import { Line } from "./live.js";

const notice = document.getElementById("notice");
const line = new Line(() => {}, () => {}); // asks, and never listens

async function tell(path, body) {
  try {
    await line.ask(path, body);
    notice.hidden = true;
    return true;
  } catch (refused) {
    notice.textContent = refused.message;
    notice.hidden = false;
    return false;
  }
}

for (const guest of document.querySelectorAll("[data-phone]")) {
  const { phone, name } = guest.dataset;
  const role = guest.querySelector("select");
  let given = role.value;
  role.addEventListener("change", async () => {
    if (await tell(`phones/${phone}/role`, { role: role.value })) given = role.value;
    else role.value = given;
  });
  guest.querySelector("button").addEventListener("click", async () => {
    const isSure = confirm(guest.parentElement.dataset.sure.replace("{name}", name));
    if (isSure && (await tell(`phones/${phone}/send-away`, {}))) guest.remove();
  });
}
