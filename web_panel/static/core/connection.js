// The connection to the board: requests to the API, and the stream of states, which reconnects by itself.

const LANGUAGE_QUERY = `?lang=${document.documentElement.lang}`;

const GRACE_MS = 2000;    // a stream that is back within this time does not count as lost
const SILENCE_MS = 40000; // the stream has a heartbeat every 15 s; after this silence it is dead
const POLL_MS = 1500;     // interval of polling while no stream is available
const RETRY_MS = 30000;   // delay before the stream is tried again
const TICK_MS = 1000;
const MOMENTARY = new Set(["accept-pegs", "claim", "correct", "dealer", "move", "penalty", "redo", "show", "skip", "undo"]);
const AGAIN_MS = [500, 2000]; // pauses before a request without an answer is sent again
const REACTION_MS = 400;  // nobody acts on a state sooner
const ASLEEP_MS = 3000;   // a page that was hidden or stopped for longer opens its stream anew: it may have died meanwhile

/** A request that failed. Its message is for the person. `status` is 0 if there was no answer; `kind` that of a refusal. */
export class RequestError extends Error {
  constructor(message, status = 0, kind = "") {
    super(message);
    this.status = status;
    this.kind = kind;
  }
}

/**
 * Send a GET request to the API.
 * @param {string} path below /api/v1/
 * @returns {Promise<object>} the JSON of the answer
 * @throws {RequestError}
 */
export function get(path) {
  return request(path, {});
}

/**
 * Send a POST request to the API.
 * @param {string} path below /api/v1/
 * @param {object} body becomes JSON
 * @returns {Promise<object|null>} the JSON of the answer, if it has any
 * @throws {RequestError}
 */
export function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return request(path, { method: "POST", headers, body: JSON.stringify(body), keepalive: true });
}

/** A key for one tap, so that the board counts it once however often it is sent. */
export function newIdempotencyKey() {
  return [...crypto.getRandomValues(new Uint32Array(4))].join("-"); // randomUUID needs HTTPS
}

/** As `post`. What has an idempotency key and gets no answer is sent again. */
async function postSurely(path, body) {
  for (const pause of body.idempotency_key ? AGAIN_MS : []) {
    try {
      return await post(path, body);
    } catch (error) {
      if (error.status) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return post(path, body);
}

async function request(path, options) {
  const { notSent, errorStatus } = document.body.dataset;
  const answer = await fetch(`/api/v1/${path}${LANGUAGE_QUERY}`, options).catch(() => {
    throw new RequestError(notSent);
  });
  const body = answer.status === 204 ? null : await answer.json().catch(() => ({}));
  if (answer.ok) return body;
  const message = body?.localized ?? body?.message ?? body?.detail ?? errorStatus.replace("{status}", answer.status);
  throw new RequestError(message, answer.status, body?.kind);
}

/** Follows the state of the board by server-sent events, or by polling where no stream is available. */
export class Connection {
  #stream = null;
  #polling = null;
  #lostTimer = null;
  #receivedAt = 0;
  #hiddenAt = 0; // time of day, as in #tickedAt: the clock of performance.now stands still while a computer sleeps
  #tickedAt = Date.now();
  #moment = null; // the number of turns in the latest state, and in the one before
  #momentBefore = null;
  #shownAt = 0;

  /**
   * @param {(state: object) => void} onState called with each state
   * @param {(health: "live"|"polling"|"lost") => void} onHealth
   */
  constructor(onState, onHealth) {
    this.onState = onState;
    this.onHealth = onHealth;
    setInterval(() => this.#tick(), TICK_MS);
    // A stream over a network that is gone may stay open without a word: a new one shows at once whether it works.
    for (const change of ["online", "offline"]) addEventListener(change, () => this.#stream && this.open());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    document.addEventListener("visibilitychange", () => this.#onVisibility());
  }

  /** Open the stream, in place of any older one. */
  open() {
    this.#stream?.close();
    this.#stream = new EventSource(`/api/v1/stream${LANGUAGE_QUERY}`);
    this.#receivedAt = performance.now();
    this.#stream.addEventListener("state", (event) => {
      this.#stopPolling();
      this.#received("live");
      this.#show(JSON.parse(event.data));
    });
    this.#stream.addEventListener("heartbeat", () => this.#received("live"));
    this.#stream.addEventListener("error", () => this.#onError());
  }

  /**
   * As `post`. While the page polls, the new state is fetched at once. What depends on the moment carries its number: the
   * board refuses it once the game has gone on, so that a double tap or a second phone does nothing twice. A body with
   * `moment: null` counts at any moment, and once for each `idempotency_key`.
   */
  async post(path, body) {
    const isMomentary = MOMENTARY.has(path.replace("commands/", "")) && this.#moment !== null;
    const answer = await postSurely(path, isMomentary ? { moment: this.#seenMoment, ...body } : body);
    this.#note(answer);
    if (this.#polling) await this.#poll();
    return answer;
  }

  /** The moment that the person has seen: the second tap of two was made for the state before the answer to the first. */
  get #seenMoment() {
    const hasSeen = performance.now() - this.#shownAt > REACTION_MS;
    return hasSeen ? this.#moment : this.#momentBefore ?? this.#moment;
  }

  #note(state) {
    if (state?.moment === undefined || state.moment === this.#moment) return;
    this.#momentBefore = this.#moment;
    this.#moment = state.moment;
    this.#shownAt = performance.now();
  }

  #show(state) {
    this.#note(state);
    this.onState(state);
  }

  /** As `get`. */
  get(path) {
    return get(path);
  }

  #received(health) {
    this.#receivedAt = performance.now();
    clearTimeout(this.#lostTimer);
    this.#lostTimer = null;
    this.onHealth(health);
  }

  /** The browser reconnects a broken stream by itself, but gives up on a refused one: then the page polls. */
  #onError() {
    this.#reportLostSoon();
    if (this.#stream.readyState === EventSource.CLOSED) this.#startPolling();
  }

  #reportLostSoon() {
    this.#lostTimer ??= setTimeout(() => this.onHealth("lost"), GRACE_MS);
  }

  /** A device that wakes up shows the page before it notices that its connection is gone. */
  #onVisibility() {
    if (document.hidden) this.#hiddenAt = Date.now();
    else if (this.#stream && !this.#polling && Date.now() - this.#hiddenAt > ASLEEP_MS) this.open();
  }

  /** A computer that slept with the page open tells nobody: the time of day jumps from one tick to the next. */
  #tick() {
    const hasSlept = Date.now() - this.#tickedAt > ASLEEP_MS;
    this.#tickedAt = Date.now();
    if (!this.#stream || this.#polling || document.hidden) return;
    if (hasSlept || performance.now() - this.#receivedAt > SILENCE_MS) this.open();
  }

  #startPolling() {
    this.#stopPolling();
    this.#polling = setInterval(() => this.#poll(), POLL_MS);
    this.#poll();
    setTimeout(() => this.open(), RETRY_MS);
  }

  #stopPolling() {
    clearInterval(this.#polling);
    this.#polling = null;
  }

  async #poll() {
    try {
      const state = await get("state");
      this.#received("polling");
      this.#show(state);
    } catch {
      this.#reportLostSoon();
    }
  }
}
