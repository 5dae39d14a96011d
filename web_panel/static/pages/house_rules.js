// House rules as questions: the present answer of each stands in its row.

/** Write the short answer of every house rule inside `root` into its row. */
export function showAnswers(root) {
  for (const rule of root.querySelectorAll("details[data-option]")) {
    rule.querySelector(".answer").textContent = rule.querySelector("input:checked")?.dataset.short ?? "";
  }
  const changed = root.querySelector(".changed");
  const number = root.querySelectorAll('.all-rules input:checked:not([value=""])').length;
  if (changed) changed.textContent = number ? changed.dataset.text.replace("{number}", number) : "";
}

/** The choice of a house rule. */
export function choiceOf(rule) {
  return rule.querySelector("input:checked")?.value ?? "";
}

/** Choose an answer of a house rule. */
export function choose(rule, choice) {
  for (const input of rule.querySelectorAll("input")) input.checked = input.value === choice;
}
