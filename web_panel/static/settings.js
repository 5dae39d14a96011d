// Settings: each is kept as soon as it is changed, or its refusal stands beside it in the words of the settings file.

const main = document.getElementById("settings");

for (const form of document.querySelectorAll(".setting")) {
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", () => keep(form, toldBy(form)));
  form.querySelector(".usual").addEventListener("click", () => keep(form, null));
}

/** What the controls of a setting say, as the file would have it; null takes its line out. */
function toldBy(form) {
  if (form.dataset.shape === "agreements") {
    const told = [...form.querySelectorAll("[data-option]")].filter((select) => select.value);
    return told.length ? Object.fromEntries(told.map((select) => [select.dataset.option, select.value])) : null;
  }
  const { value } = form.elements[form.dataset.name];
  switch (form.dataset.shape) {
    case "switch": return value === "true";
    case "whole":
    case "figure":
    case "number": return value.trim() === "" ? null : Number(value);
    case "list": return value.split(",").map((each) => each.trim()).filter(Boolean);
    default: return value.trim() || null;
  }
}

async function keep(form, value) {
  const { name } = form.dataset;
  try {
    const { settings } = await post({ changes: { [name]: value } });
    show(form, settings.find((setting) => setting.name === name));
    say(form, "atOnce" in form.dataset ? main.dataset.keptNow : main.dataset.keptLater, "");
  } catch (refused) {
    say(form, "", refused.message);
  }
}

async function post(body) {
  const answer = await fetch(`/api/v1/settings?lang=${document.documentElement.lang}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Error(document.body.dataset.unsent);
  });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(told.says ?? told.message ?? told.detail ?? document.body.dataset.answered.replace("{status}", answer.status));
  return told;
}

function show(form, { value, shape, is_said }) {
  form.querySelector(".usual").hidden = !is_said;
  if (shape === "agreements") {
    for (const select of form.querySelectorAll("[data-option]")) select.value = String(value[select.dataset.option] ?? "");
  } else {
    form.elements[form.dataset.name].value = Array.isArray(value) ? value.join(", ") : (value ?? "");
  }
}

function say(form, kept, refused) {
  form.querySelector(".kept").textContent = kept;
  const alarm = form.querySelector(".refused");
  alarm.textContent = refused;
  alarm.hidden = !refused;
}
