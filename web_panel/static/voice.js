// What happens, said aloud by the browser's own voice in the language of the page. Off until somebody wants it.

const REMEMBERED = "voice";

export class Voice {
  #button;
  #told = null; // the last turn that was said, or need not be said any more

  constructor(button) {
    this.#button = button;
    this.#press(true);
    button.addEventListener("click", () => this.#press(!this.#isOn));
  }

  get #isOn() {
    return this.#button.getAttribute("aria-pressed") === "true";
  }

  #press(on) {
    this.#button.setAttribute("aria-pressed", String(on));
    localStorage.setItem(REMEMBERED, on ? "on" : "off");
    if (!on) speechSynthesis.cancel();
  }

  /** Say the newest turn. What was said before the page was opened is history. */
  hear(state) {
    if (!state) return;
    const [latest] = state.log;
    const isNews = this.#told !== null && latest && latest.turn > this.#told;
    this.#told = latest?.turn ?? 0;
    if (isNews && this.#isOn) this.#say(latest.said);
  }

  #say(sentence) {
    const speech = new SpeechSynthesisUtterance(sentence.replaceAll(/[♠♥♦♣]/gu, ""));
    speech.lang = document.documentElement.lang;
    speechSynthesis.speak(speech);
  }
}
