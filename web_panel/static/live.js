// The line to the board: the state as it changes, orders on their way, and a connection that heals by itself.

const IN_LANGUAGE = `?lang=${document.documentElement.lang}`;
const STREAM = `/api/v1/stream${IN_LANGUAGE}`;
const STATE = `/api/v1/state${IN_LANGUAGE}`;

const GRACE_MS = 2000;    // a stream that comes back this soon was never lost
const SILENCE_MS = 40000; // the board says something every 15 s; a line silent for longer is dead
const POLL_MS = 1500;     // how often to ask while no stream is to be had
const AGAIN_MS = 30000;   // and when to try for a stream again

/** What was not done, and why. Without a `status` there was no answer at all. */
export class Refused extends Error {
  constructor(sentence, status = 0) {
    super(sentence);
    this.status = status;
  }
}

async function read(answer) {
  const told = answer.status === 204 ? null : await answer.json().catch(() => ({}));
  if (answer.ok) return told;
  const sentence = told?.says ?? told?.message ?? told?.detail ?? document.body.dataset.answered.replace("{status}", answer.status);
  throw new Refused(sentence, answer.status);
}

export class Line {
  #stream = null;
  #polling = null;
  #verdict = null;
  #heardAt = 0;

  /** `onState` gets each state, `onHealth` "live", "polling" or "lost". */
  constructor(onState, onHealth) {
    this.onState = onState;
    this.onHealth = onHealth;
    setInterval(() => this.#listenForSilence(), 5000);
    addEventListener("online", () => this.open());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    document.addEventListener("visibilitychange", () => document.hidden || this.#listenForSilence());
  }

  open() {
    this.#stream?.close();
    this.#stream = new EventSource(STREAM);
    this.#heardAt = performance.now();
    this.#stream.addEventListener("state", (event) => {
      this.#stopPolling();
      this.#hear("live");
      this.onState(JSON.parse(event.data));
    });
    this.#stream.addEventListener("heartbeat", () => this.#hear("live"));
    this.#stream.addEventListener("error", () => this.#stumble());
  }

  /** Ask for something. Returns the answer's JSON; throws a Refused, whose message is fit to be shown. */
  async ask(path, body) {
    const answer = await fetch(`/api/v1/${path}${IN_LANGUAGE}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      keepalive: true,
    }).catch(() => {
      throw new Refused(document.body.dataset.unsent);
    });
    const told = await read(answer);
    if (this.#polling) await this.#poll();
    return told;
  }

  /** What the board knows. Returns JSON; throws as `ask` does. */
  async look(path) {
    const answer = await fetch(`/api/v1/${path}${IN_LANGUAGE}`).catch(() => {
      throw new Refused(document.body.dataset.unsent);
    });
    return read(answer);
  }

  #hear(health) {
    this.#heardAt = performance.now();
    clearTimeout(this.#verdict);
    this.#verdict = null;
    this.onHealth(health);
  }

  /** The browser opens a broken stream again by itself, but gives up on one that was refused: then we poll. */
  #stumble() {
    this.#verdict ??= setTimeout(() => this.onHealth("lost"), GRACE_MS);
    if (this.#stream.readyState === EventSource.CLOSED) this.#startPolling();
  }

  #listenForSilence() {
    if (!this.#polling && performance.now() - this.#heardAt > SILENCE_MS) this.open();
  }

  #startPolling() {
    this.#stopPolling();
    this.#polling = setInterval(() => this.#poll(), POLL_MS);
    this.#poll();
    setTimeout(() => this.open(), AGAIN_MS);
  }

  #stopPolling() {
    clearInterval(this.#polling);
    this.#polling = null;
  }

  async #poll() {
    try {
      const answer = await fetch(STATE);
      const state = await answer.json();
      this.#hear("polling");
      this.onState(state);
    } catch {
      this.#verdict ??= setTimeout(() => this.onHealth("lost"), GRACE_MS);
    }
  }
}
