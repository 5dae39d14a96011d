// Dialogs: the Back button closes one instead of leaving the page, and the buttons of its menu answer it.

let hasEntry = false; // whether an entry of the history stands for the open dialog
let isLeaving = false; // whether that entry is being left
let isWatching = false;
const waiting = []; // called when no entry is left

/** Watch all dialogs of the page, also those of modules that are loaded later. */
export function closeDialogsOnBack() {
  if (isWatching) return;
  isWatching = true;
  new MutationObserver(update).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["open"] });
  addEventListener("popstate", () => {
    if (isLeaving) {
      isLeaving = false;
      update();
    } else {
      hasEntry = false;
      for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    }
    if (!hasEntry && !isLeaving) for (const resolve of waiting.splice(0)) resolve();
  });
}

/** Wait until no entry of the history stands for a dialog. A page that is loaded again sooner would go back once more. */
export async function dialogsLeft() {
  if (hasEntry || isLeaving) await new Promise((resolve) => waiting.push(resolve));
}

/** One dialog may follow another at once: they share the entry. */
function update() {
  const isOpen = Boolean(document.querySelector("dialog[open]"));
  if (isLeaving || isOpen === hasEntry) return;
  hasEntry = isOpen;
  if (isOpen) return history.pushState({ dialog: true }, "");
  isLeaving = true;
  history.back();
}

/** Open a dialog that is closed by a click on its backdrop, too. */
export function openSheet(dialog) {
  closeDialogsOnBack();
  dialog.onclick = ({ target }) => {
    if (target === dialog) dialog.close(); // in braces: a handler that returns false would make links inside dead
  };
  dialog.showModal();
}

/**
 * Open a dialog and wait for an answer. Back and Escape close it without one. The first button of its menu has the
 * focus: it is the one that loses nothing, so that a second Enter does not answer the question.
 * @param {HTMLDialogElement} dialog
 * @returns {Promise<string>} the value of the button of its menu that was pressed; empty for none
 */
export function ask(dialog) {
  closeDialogsOnBack();
  return new Promise((resolve) => {
    let answer = "";
    const choose = (event) => {
      const button = event.target.closest("menu button");
      if (!button) return;
      event.preventDefault(); // the dialog is closed here, and not by its form
      answer = button.value;
      dialog.close();
    };
    dialog.addEventListener("click", choose);
    dialog.addEventListener("close", () => {
      dialog.removeEventListener("click", choose);
      resolve(answer);
    }, { once: true });
    dialog.showModal();
    dialog.querySelector("menu button").focus();
  });
}

/**
 * Ask before something that loses something.
 * @param {HTMLDialogElement} dialog has an `h2`, and buttons with the values `cancel` and `yes`
 * @param {string} question
 * @param {string} label of the button that says yes
 * @returns {Promise<boolean>} whether it was answered with yes
 */
export async function confirm(dialog, question, label) {
  dialog.querySelector("h2").textContent = question;
  dialog.querySelector("[value=yes]").textContent = label;
  return (await ask(dialog)) === "yes";
}
