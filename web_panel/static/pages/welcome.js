// The first screen: starts the first game, goes on with a stored one, or shows a short game.

const START_LABELS = { by_hand: "startByHand", drawn: "startDrawn" }; // pegs of a game that starts here -> its label

/** The buttons of the first screen. */
export class Welcome {
  #section;
  #connection;
  #onDone;

  /**
   * @param {HTMLElement} section
   * @param {import("../core/connection.js").Connection} connection
   * @param {(answer: object|null) => void} onDone called with the answer of the board to a new game, or with null to go on
   */
  constructor(section, connection, onDone) {
    this.#section = section;
    this.#connection = connection;
    this.#onDone = onDone;
    this.#find("#start").onclick = () => this.start();
    this.#find("#play-board").onclick = () => this.start("#play-board");
    this.#find(".play-on-choices")?.addEventListener("change", () => this.#showChoice());
    this.#showChoice(); // a browser keeps the choice over a reload
    this.#find("#go-on").onclick = () => this.#onDone(null);
  }

  #find(selector) {
    return this.#section.querySelector(selector);
  }

  /** Offer what this visitor may do. */
  update(state, mayStart) {
    const goOn = state?.game?.go_on ?? "";
    this.#find("#go-on").hidden = !goOn;
    this.#find("#go-on").textContent = goOn;
    this.#find("#start-new").hidden = !goOn || !mayStart;
    this.#find(".start").hidden = Boolean(goOn) || !mayStart;
    this.#find(".play-board").hidden = Boolean(goOn) || !mayStart;
    this.#find(".checkbox")?.toggleAttribute("hidden", this.#find(".start").hidden);
  }

  /** What people play on: "by_hand", "drawn", or a board that has to be set up first. Empty where nobody is asked. */
  get #playOn() {
    return this.#find(".play-on-choices :checked")?.value ?? "";
  }

  /** The button says what it starts, and other players or rules are chosen for the same board. */
  #showChoice() {
    const choices = this.#find(".play-on-choices");
    if (!choices) return;
    const pegs = this.#playOn in START_LABELS ? `?pegs=${this.#playOn}` : "";
    for (const link of this.#section.querySelectorAll('a[href^="/new-game"]')) link.href = `/new-game${pegs}`;
    this.#find("#start").textContent = choices.dataset[START_LABELS[this.#playOn] ?? "startBuild"];
  }

  /** Start the game of a button: with the players and rules of the settings, or against the board. */
  async start(button = "#start") {
    const playOn = this.#playOn;
    const isHere = playOn in START_LABELS;
    if (playOn && !isHere && button === "#start") return location.assign(this.#find(".play-on-choices").dataset.build);
    try {
      this.#showError("");
      await this.#setDisplayLanguage();
      const game = { ...JSON.parse(this.#find(button).dataset.body), ...(isHere && { pegs: playOn }) };
      this.#onDone(await this.#connection.post("commands/new-game", game));
    } catch (error) {
      this.#showError(error.message);
    }
  }

  /** Set the display to the language of the page. If that cannot be saved, the next press starts without it. */
  async #setDisplayLanguage() {
    const checkbox = this.#find("#display-language");
    if (!checkbox?.checked) return;
    checkbox.checked = false;
    await this.#connection.post("settings", { changes: { language: document.documentElement.lang } });
  }

  #showError(message) {
    this.#find(".error").textContent = message;
    this.#find(".error").hidden = !message;
  }
}
