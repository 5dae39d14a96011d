// The pairing dialog: the code on the display and a name are sent, a key on the board accepts, the token arrives.

const STORAGE_KEY = "pairing-request"; // the pending request, which survives a reload; pages/board.js reads it too
const POLL_MS = 1000;

/** Requests pairing, waits for the answer at the board, and fetches the token. */
export class PairingDialog {
  #dialog;
  #connection;
  #onPaired;
  #timer = null;

  /** `onPaired` is called once the phone has its token. */
  constructor(dialog, connection, onPaired) {
    this.#dialog = dialog;
    this.#connection = connection;
    this.#onPaired = onPaired;
    this.#form.onsubmit = (event) => this.#onSubmit(event);
    this.#form.querySelector("[value=cancel]").onclick = () => dialog.close();
    dialog.onclose = () => this.#cancel();
  }

  get #form() {
    return this.#dialog.querySelector("form");
  }

  get #isLocal() {
    return this.#form.dataset.isLocal === "true";
  }

  /** Open the dialog. A request that was pending before a reload goes on waiting, unless there is a new `code`. */
  open(code = "") {
    const { code: codeField, name } = this.#form.elements;
    if (code && codeField) codeField.value = code;
    this.#showError("");
    this.#showWaiting(false);
    this.#dialog.showModal();
    (codeField?.value || !codeField ? name : codeField).focus();
    const request = pendingRequest();
    if (request && !code) this.#wait(request);
  }

  async #onSubmit(event) {
    event.preventDefault();
    const { code, name } = this.#form.elements;
    try {
      this.#showError("");
      if (this.#isLocal) return this.#finish(await this.#connection.post("pairing/local", { name: name.value }));
      const { secret, number } = await this.#connection.post("pairing/request", { name: name.value, code: code.value });
      const request = { secret, number, name: name.value };
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(request));
      this.#wait(request);
    } catch (error) {
      this.#fail(error);
    }
  }

  #wait(request) {
    const note = this.#form.querySelector(".waiting");
    note.textContent = note.dataset.message.replace("{name}", request.name).replace("{number}", request.number);
    this.#showWaiting(true);
    this.#timer = setTimeout(() => this.#fetchToken(request), POLL_MS);
  }

  async #fetchToken(request) {
    try {
      const answer = await this.#connection.post("pairing/token", { secret: request.secret });
      if (answer.is_waiting) return this.#wait(request);
      this.#finish(answer);
    } catch (error) {
      if (!error.status) return this.#wait(request); // no connection just now
      this.#fail(error);
    }
  }

  #finish({ phone }) {
    sessionStorage.removeItem(STORAGE_KEY);
    this.#dialog.close();
    this.#onPaired(phone);
  }

  /** The dialog was closed: withdraw a pending request, so that the board stops asking. */
  #cancel() {
    const request = pendingRequest();
    this.#stopWaiting();
    if (request) this.#connection.post("pairing/cancel", { secret: request.secret }).catch(() => {}); // it expires anyway
  }

  #stopWaiting() {
    clearTimeout(this.#timer);
    sessionStorage.removeItem(STORAGE_KEY);
  }

  #showWaiting(isWaiting) {
    for (const part of this.#form.querySelectorAll(".request")) part.hidden = isWaiting;
    this.#form.querySelector(".waiting").hidden = !isWaiting;
  }

  #fail({ message }) {
    this.#stopWaiting();
    this.#showWaiting(false);
    this.#showError(message);
  }

  #showError(message) {
    const alert = this.#form.querySelector(".error");
    alert.textContent = message;
    alert.hidden = !message;
  }
}

function pendingRequest() {
  return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "null");
}
