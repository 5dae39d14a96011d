// Reads aloud what the board says, with the browser's own voice, in the language of the page.

const STORAGE_KEY = "read-aloud"; // "on" or "off"; pages/board.js reads it too
const SLOWEST_START_MS = 3000; // a voice that has not begun by then is missing
const MS_A_LETTER = 120; // slower than any voice: a part that has not ended by then was cut off

/** Speaks while its button is pressed. */
export class Speech {
  #button;

  /** @param {HTMLButtonElement} button switches speech on and off; it is on from the start */
  constructor(button) {
    this.#button = button;
    this.#switch(true);
    button.addEventListener("click", () => this.#switch(!this.isOn));
  }

  get isOn() {
    return this.#button.getAttribute("aria-pressed") === "true";
  }

  #switch(on) {
    this.#button.setAttribute("aria-pressed", String(on));
    localStorage.setItem(STORAGE_KEY, on ? "on" : "off");
    if (!on) speechSynthesis.cancel();
  }

  /** Say this in place of what is being said. `behind` is said after what `sayAll` is asked for meanwhile. */
  say(text, behind = "") {
    if (!this.isOn) return;
    speechSynthesis.cancel();
    speak(text);
    if (behind) setTimeout(() => this.isOn && speak(behind));
  }

  /**
   * Say texts one after the other, behind what is being said.
   * @param {string[]} texts
   * @param {(index: number) => void} onStart called as each text begins
   * @returns {Promise<number>} how many were said: fewer where the browser has no voice, or it was switched off
   */
  async sayAll(texts, onStart) {
    const parts = texts.map(queue);
    for (const [index, part] of parts.entries()) {
      if (!(await part.isStarted)) return index;
      onStart(index);
      await part.ended;
    }
    return texts.length;
  }
}

function speak(text) {
  if (text) speechSynthesis.speak(newUtterance(text));
}

function queue(text) {
  const utterance = newUtterance(text);
  const started = new Promise((resolve) => (utterance.onstart = () => resolve(true)));
  const failed = new Promise((resolve) => (utterance.onerror = () => resolve(false)));
  const ended = new Promise((resolve) => (utterance.onend = resolve));
  speechSynthesis.speak(utterance);
  const isStarted = Promise.race([started, failed, silence()]);
  const isOver = isStarted.then(() => Promise.race([ended, failed, after(SLOWEST_START_MS + text.length * MS_A_LETTER)]));
  return { isStarted, ended: isOver };
}

/** False, once the voice has been silent for a while. */
async function silence() {
  do await after(SLOWEST_START_MS);
  while (speechSynthesis.speaking);
  return false;
}

const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function newUtterance(text) {
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = document.documentElement.lang;
  return utterance;
}
