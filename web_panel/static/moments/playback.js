// Shows a recorded game on the main page, frame by frame: a replay with controls, or the short game for visitors.

const SLOWEST_MS = 4000;
const MS_A_LETTER = 45; // how long a frame of a replay is shown while it plays by itself
const LEAST_MS = 1100;
const LOG_TURNS = 60;
const NO_GUIDANCE = { expects: "nothing", side: null, peg: null, waits_for: "", topic: "playback" };

/** A recording as states of the page. */
export class Recording {
  #board;
  #frames = [];

  /** @param {{ board: object, frames: object[] }} answer a frame has only the keys that changed */
  constructor({ board, frames }) {
    this.#board = board;
    let all = {};
    for (const frame of frames) this.#frames.push((all = { ...all, ...frame }));
  }

  get length() {
    return this.#frames.length;
  }

  /** The frame at an index as a state. */
  stateAt(index) {
    const frame = this.#frames[index];
    const { headline, detail, tone } = frame;
    const said = this.#frames.slice(Math.max(0, index + 1 - LOG_TURNS), index + 1).reverse();
    return {
      ...frame,
      version: 0,
      board: this.#board,
      guidance: { ...NO_GUIDANCE, headline, detail, tone },
      actions: [],
      seats: [],
      log: said.map((each) => ({ turn: each.turn + 1, text: `${each.headline} ${each.detail}`.trim() })),
      oled: null,
      demo: null,
      is_recorded: true,
    };
  }

  /** How long a frame is shown, in milliseconds; 0 for one that stays. */
  shownMs(index) {
    const { shown_ms, headline, detail } = this.#frames[index];
    if (shown_ms !== undefined) return shown_ms;
    return Math.min(SLOWEST_MS, LEAST_MS + MS_A_LETTER * (headline.length + detail.length));
  }
}

/** Plays a recording. `primary` is what the primary place offers meanwhile. */
export class Playback {
  #recording;
  #section;
  #show;
  #primaries;
  #index = 0;
  #timer = null;

  /**
   * @param {"watch"|"replay"} kind a replay has controls and waits; the short game plays by itself
   * @param {Recording} recording
   * @param {HTMLElement} section has a slider and the buttons `.previous`, `.play` and `.next`
   * @param {object} page `show` draws a state, `primaries` are what the primary place offers until the end (`running`)
   *   and there (`over`)
   */
  constructor(kind, recording, section, { show, primaries }) {
    this.kind = kind;
    this.#recording = recording;
    this.#section = section;
    this.#show = show;
    this.#primaries = primaries;
    this.#slider.max = recording.length - 1;
    this.#slider.oninput = () => this.goTo(Number(this.#slider.value));
    section.querySelector(".previous").onclick = () => this.goTo(this.#index - 1);
    section.querySelector(".next").onclick = () => this.goTo(this.#index + 1);
    this.#playButton.onclick = () => (this.#isPlaying ? this.pause() : this.play());
  }

  get #slider() {
    return this.#section.querySelector("input");
  }

  get #playButton() {
    return this.#section.querySelector(".play");
  }

  get #isPlaying() {
    return this.#timer !== null;
  }

  get #isOver() {
    return this.#index === this.#recording.length - 1;
  }

  get primary() {
    return this.#isOver ? this.#primaries.over : this.#primaries.running;
  }

  /** Show the first frame, and for a replay the controls. */
  start() {
    this.#section.hidden = false;
    this.#draw();
    if (this.kind === "watch") this.play();
  }

  /** Go on by itself, from the beginning if it is at its end. */
  play() {
    if (this.#isOver) this.#index = 0;
    this.#timer = 0;
    this.#draw();
    this.#schedule();
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#drawControls();
  }

  /** Go to a frame, and stay there. */
  goTo(index) {
    this.pause();
    this.#index = Math.min(Math.max(0, index), this.#recording.length - 1);
    this.#draw();
  }

  /** End it. The page then shows the board again. */
  stop() {
    this.pause();
    this.#section.hidden = true;
  }

  /** Arrows, Home, End and the space bar. Returns whether the key meant something. */
  pressKey(key) {
    if (this.kind === "watch") return false;
    const targets = { ArrowLeft: this.#index - 1, ArrowRight: this.#index + 1, Home: 0, End: this.#recording.length - 1 };
    if (key === " ") return this.#playButton.click(), true;
    if (!(key in targets)) return false;
    this.goTo(targets[key]);
    return true;
  }

  #schedule() {
    const shownMs = this.#recording.shownMs(this.#index);
    if (this.#isOver || !shownMs) return this.pause();
    this.#timer = setTimeout(() => {
      this.#index += 1;
      this.#draw();
      this.#schedule();
    }, shownMs);
  }

  #draw() {
    this.#drawControls();
    this.#show(this.#recording.stateAt(this.#index));
  }

  #drawControls() {
    const { play, pause, position } = this.#section.dataset;
    this.#slider.value = this.#index;
    const { guidance } = this.#recording.stateAt(this.#index);
    const place = position.replace("{number}", this.#index + 1).replace("{all}", this.#recording.length);
    this.#slider.setAttribute("aria-valuetext", `${place}: ${guidance.headline}`);
    this.#section.querySelector(".place").textContent = place;
    this.#section.querySelector(".previous").disabled = this.#index === 0;
    this.#section.querySelector(".next").disabled = this.#isOver;
    this.#playButton.setAttribute("aria-label", this.#isPlaying ? pause : play);
    this.#playButton.dataset.state = this.#isPlaying ? "playing" : "paused";
  }
}
