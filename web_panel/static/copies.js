// A copy goes to the board in pieces as small as any order; the board looks at all of it before anything changes.

const button = document.getElementById("bring-back");
const chosen = document.getElementById("copy");
const said = document.getElementById("brought");

chosen?.addEventListener("change", () => (button.disabled = !chosen.files.length));
button?.addEventListener("click", bringBack);

async function bringBack() {
  button.disabled = true;
  try {
    const bytes = new Uint8Array(await chosen.files[0].arrayBuffer());
    const size = Number(button.dataset.piece);
    const pieces = Math.ceil(bytes.length / size);
    for (let number = 0; number < pieces; number++) {
      await give("pieces", { number, piece: inBase64(bytes.subarray(number * size, (number + 1) * size)) });
      said.textContent = `${Math.round((100 * (number + 1)) / pieces)} %`;
    }
    await give("put-back", { pieces });
    said.textContent = button.dataset.done;
  } catch (fault) {
    said.textContent = fault.message;
  }
  button.disabled = false;
}

function inBase64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

async function give(what, body) {
  const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(`/api/v1/copy/${what}?lang=${document.documentElement.lang}`, sent);
  } catch {
    throw new Error(document.body.dataset.unsent);
  }
  if (answer.ok) return;
  const told = await answer.json().catch(() => ({}));
  throw new Error(told.says ?? told.message ?? told.detail ?? document.body.dataset.answered.replace("{status}", answer.status));
}
