// How this phone comes in: the letters on the display and a name, a knock, a key pressed on the board, and the token.

const KNOCK = "knock"; // what is remembered while somebody at the board makes up their mind
const LOOK_AGAIN_MS = 1000;

export class Door {
  #dialog;
  #line;
  #onIn;
  #waiting = null;

  /** `onIn` is called once the phone has its token. */
  constructor(dialog, line, onIn) {
    this.#dialog = dialog;
    this.#line = line;
    this.#onIn = onIn;
    this.#form.onsubmit = (event) => this.#askToComeIn(event);
    this.#form.querySelector("[value=cancel]").onclick = () => dialog.close();
    dialog.onclose = () => this.#walkAway();
  }

  get #form() {
    return this.#dialog.querySelector("form");
  }

  get #isNewcomer() {
    return this.#form.dataset.isNewcomer === "true";
  }

  /** A phone that knocked before its page was loaded again goes on waiting. */
  open(code = "") {
    const { code: letters, name } = this.#form.elements;
    if (code && letters) letters.value = code;
    this.#say("");
    this.#show(false);
    this.#dialog.showModal();
    (letters?.value || !letters ? name : letters).focus();
    const knocked = JSON.parse(sessionStorage.getItem(KNOCK) ?? "null");
    if (knocked && !code) this.#wait(knocked);
  }

  async #askToComeIn(event) {
    event.preventDefault();
    const { code, name } = this.#form.elements;
    try {
      this.#say("");
      if (this.#isNewcomer) return this.#comeIn(await this.#line.ask("pairing/walk-in", { name: name.value }));
      const { knock } = await this.#line.ask("pairing/knock", { name: name.value, code: code.value });
      sessionStorage.setItem(KNOCK, JSON.stringify({ knock, name: name.value }));
      this.#wait({ knock, name: name.value });
    } catch (refused) {
      this.#refuse(refused);
    }
  }

  #wait({ knock, name }) {
    const room = this.#form.querySelector(".waiting");
    room.textContent = room.dataset.says.replace("{name}", name);
    this.#show(true);
    this.#waiting = setTimeout(() => this.#pickUp({ knock, name }), LOOK_AGAIN_MS);
  }

  async #pickUp(knocked) {
    try {
      const told = await this.#line.ask("pairing/pick-up", { knock: knocked.knock });
      if (told.is_waiting) return this.#wait(knocked);
      this.#comeIn(told);
    } catch (refused) {
      if (!refused.status) return this.#wait(knocked); // no line to the board just now
      this.#refuse(refused);
    }
  }

  #comeIn({ phone }) {
    sessionStorage.removeItem(KNOCK);
    this.#dialog.close();
    this.#onIn(phone);
  }

  /** Before the door was opened: the board shall not go on asking. */
  #walkAway() {
    const knocked = JSON.parse(sessionStorage.getItem(KNOCK) ?? "null");
    this.#stopWaiting();
    if (knocked) this.#line.ask("pairing/walk-away", { knock: knocked.knock }).catch(() => {}); // it lapses by itself
  }

  #stopWaiting() {
    clearTimeout(this.#waiting);
    sessionStorage.removeItem(KNOCK);
  }

  #show(isWaiting) {
    for (const part of this.#form.querySelectorAll(".asking")) part.hidden = isWaiting;
    this.#form.querySelector(".waiting").hidden = !isWaiting;
  }

  #refuse({ message }) {
    this.#stopWaiting();
    this.#show(false);
    this.#say(message);
  }

  #say(sentence) {
    const room = this.#form.querySelector(".refused");
    room.textContent = sentence;
    room.hidden = !sentence;
  }
}
