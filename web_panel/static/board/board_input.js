// Input for a simulated board: its pegs by mouse, touch and keyboard, and its sixteen keys.
// Both are in one module so that the first visit stays within ten requests.

const SNAP_MM = 9; // a peg dropped this near a hole goes into it
const TAP_PX = 4; // a pointer that moves less than this is a tap, not a drag
const TOUCH_OFFSET_MM = 10; // a peg dragged by touch is drawn this far above the finger, to stay visible

/** Key of a keyboard -> legend of the board's key, where they differ. */
const LEGENDS = {
  1: "A", a: "A", 0: "10", j: "J", q: "Q", k: "K", f: "FN", Enter: "ENTER", Backspace: "UNDO",
};

/** Moves the pegs of a board by pointer, keyboard or at a press, and sends each lift and place to the API. */
export class PegDrag {
  /** The one move that is awaited, as in the guidance of the state; null for none. A tap on its lit hole does it. */
  awaited = null;
  #drag = null; // { peg, from, lifted } and { pointer, x, y, isMoving } or { score } by keyboard
  #connection;
  #board;
  #announce;
  #showError;

  /**
   * @param {Connection} connection
   * @param {Board} board
   * @param {(text: string) => void} announce tells screen readers
   * @param {(message: string) => void} showError
   */
  constructor(connection, board, announce, showError) {
    this.#connection = connection;
    this.#board = board;
    this.#announce = announce;
    this.#showError = showError;
    board.onNewPeg = (peg) => this.#makeMovable(peg);
    board.pegs.forEach((peg) => this.#makeMovable(peg));
    addEventListener("pointermove", (event) => this.#onPointerMove(event));
    addEventListener("pointerup", (event) => this.#onPointerUp(event));
    addEventListener("click", (event) => this.#onClick(event));
    addEventListener("pointercancel", () => this.#drag?.pointer !== undefined && this.#putBack());
  }

  /**
   * Make the move of `guidance.peg`. A peg that is in a hand is taken from there.
   * @param {{side: number, from_sensor: number|null, to_sensor: number, to_score: number}} move
   */
  pegIt({ side, from_sensor: from, to_sensor: to, to_score: score }) {
    return this.putPeg(this.#pegOf(side, from), to, score);
  }

  #pegOf(side, sensor) {
    return this.#board.pegs.find((peg) => peg.at === sensor && (sensor !== null || peg.track === side));
  }

  /** Put a peg into the hole of a score. */
  async putPeg(peg, sensor, score) {
    if (!peg || this.#drag || peg.at === sensor) return;
    this.lift(peg);
    await this.#place(sensor, score);
  }

  /**
   * Lift a peg by keyboard: the one that has to move, over its lit hole, where Enter puts it down. Without such a move
   * the focus goes to a back peg, and at the next call to that of the next side.
   * @param {object|null} move `guidance.peg`
   */
  goToLitHole(move) {
    const peg = move && this.#pegOf(move.side, move.from_sensor);
    if (!peg) return this.#focusBackPeg();
    peg.focus();
    this.#liftByKey(peg, move.to_score);
    return true;
  }

  #focusBackPeg() {
    const backs = this.#board.pegs.filter((peg) => peg.position === "back" && peg.at !== null);
    const next = backs[(backs.findIndex((peg) => peg.hasFocus) + 1) % backs.length];
    next?.focus();
    return Boolean(next);
  }

  #makeMovable(peg) {
    const element = peg.element;
    element.classList.add("is-movable");
    element.addEventListener("pointerdown", (event) => this.#onPointerDown(this.#nearestPeg(event) ?? peg, event));
    // Prevents scrolling: inside an SVG, touch-action has no effect.
    element.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    this.makeKeyMovable(peg, element);
  }

  /** Let an element stand for a peg: it takes the focus, and the keys that move the peg. */
  makeKeyMovable(peg, element) {
    element.setAttribute("tabindex", "0");
    element.setAttribute("role", "button");
    element.addEventListener("keydown", (event) => this.#onKeyDown(peg, event));
    element.addEventListener("blur", () => this.#drag?.peg === peg && this.#drag.score !== undefined && this.#putBack());
  }

  // By pointer, on the drawing.

  #onPointerDown(peg, event) {
    if (this.#drag || event.button) return;
    event.preventDefault();
    peg.focus();
    this.#drag = { peg, pointer: event.pointerId, x: event.clientX, y: event.clientY, isMoving: false };
  }

  #onClick(event) {
    if (this.#drag || !this.awaited || event.target.closest(".peg") || !this.#board.svg?.contains(event.target)) return;
    const hole = nearest([...this.#board.holes.values()], ({ at }) => at, this.#pointerPoint(event));
    if (hole?.sensor === this.awaited.to_sensor) this.pegIt(this.awaited);
  }

  #onPointerMove(event) {
    const drag = this.#drag;
    if (!drag || drag.pointer !== event.pointerId) return;
    if (!drag.isMoving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < TAP_PX) return;
    if (!drag.isMoving) {
      drag.isMoving = true;
      this.lift(drag.peg);
    }
    const point = this.#pegPoint(event);
    drag.peg.drawLifted(point);
    this.#board.markTarget(this.#nearestHole(point)?.sensor ?? null);
  }

  #onPointerUp(event) {
    const drag = this.#drag;
    if (!drag || drag.pointer !== event.pointerId) return;
    if (!drag.isMoving) return void (this.#drag = null);
    const hole = this.#nearestHole(this.#pegPoint(event));
    if (hole) this.#place(hole.sensor, this.#board.scoreAt(drag.peg.track, hole.sensor));
    else this.#putInTray();
  }

  /** Where the pointer is, in mm of the drawing. */
  #pointerPoint(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.#board.svg.getScreenCTM().inverse());
  }

  /** Where the dragged peg is drawn, in mm of the drawing. */
  #pegPoint(event) {
    const { x, y } = this.#pointerPoint(event);
    return { x, y: y - (event.pointerType === "touch" ? TOUCH_OFFSET_MM : 0) };
  }

  #nearestHole(point) {
    const free = [...this.#board.holes.values()].filter((hole) => this.#board.isFree(hole.sensor));
    return nearest(free, (hole) => hole.at, point);
  }

  /** The peg that the pointer means: hit areas of neighbours overlap. */
  #nearestPeg(event) {
    const inHoles = this.#board.pegs.filter((peg) => peg.at !== null);
    return nearest(inHoles, (peg) => this.#board.holes.get(peg.at).at, this.#pointerPoint(event));
  }

  // By keyboard.

  #onKeyDown(peg, event) {
    const drag = this.#drag?.peg === peg && this.#drag.score !== undefined ? this.#drag : null;
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || (this.#drag && !drag)) return;
    if (event.key === "Enter" || event.key === " ") {
      if (drag) this.#place(this.#board.sensorAt(peg.track, drag.score), drag.score);
      else this.#liftByKey(peg, peg.score);
    } else if (drag && event.key === "Escape") this.#putBack();
    else if (steps) this.#step(drag ?? this.#liftForArrow(peg), steps * (event.shiftKey ? 5 : 1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** An arrow lifts the peg: a back peg counts its holes from the front peg, which it passes. */
  #liftForArrow(peg) {
    const front = peg.position === "back" ? this.#board.frontOf(peg.track) : null;
    this.#liftByKey(peg, (front ?? peg).score);
    return this.#drag;
  }

  #liftByKey(peg, score) {
    if (this.#drag) return;
    this.#drag = { peg, score: score ?? 0 };
    this.lift(peg);
    this.#board.hoverOver(peg, this.#drag.score);
  }

  /** Walk to another score of the side, over holes that are taken, as far as the start and the game hole. */
  #step(drag, steps) {
    const isFree = (score) => this.#board.isFree(this.#board.sensorAt(drag.peg.track, score));
    const isOnBoard = (score) => score >= -1 && score <= this.#board.lastScore;
    let next = Math.max(-1, Math.min(this.#board.lastScore, drag.score + steps));
    while (isOnBoard(next) && !isFree(next)) next += Math.sign(steps);
    if (isOnBoard(next)) drag.score = next;
    this.#board.hoverOver(drag.peg, drag.score);
    const hole = this.#board.holes.get(this.#board.sensorAt(drag.peg.track, drag.score));
    this.#announce(this.#board.placeName(drag.score, hole));
  }

  // The moves themselves.

  /** Take a peg out of its hole. `place` or `putBack` must follow. */
  lift(peg) {
    const from = peg.at;
    this.#drag ??= { peg };
    peg.isHeld = true;
    this.#drag.from = from;
    this.#drag.lifted = from === null ? Promise.resolve() : this.#connection.post("pegs/lift", { sensor: from });
    this.#drag.lifted.catch((error) => {
      this.#showError(error.message);
      this.#endDrag();
      this.#board.updatePegs();
    });
    this.#announce(`${this.#board.describe(peg)}, ${this.#board.liftedLabel}`);
  }

  /** Put the lifted peg into the hole of a score, or back where there is none. */
  place(score) {
    const { peg } = this.#drag ?? {};
    if (peg && score !== null) return this.#place(this.#board.sensorAt(peg.track, score), score);
    return peg && this.#putBack();
  }

  async #place(sensor, score) {
    if (!this.#drag) return; // the lift was refused
    const { peg, lifted, from } = this.#endDrag();
    peg.placeByHand(sensor, score);
    this.#board.draw();
    this.#announce(this.#board.placeName(score, this.#board.holes.get(sensor))); // a back peg becomes the front peg
    try {
      await lifted;
      await this.#connection.post("pegs/place", { sensor });
    } catch (error) {
      peg.at = null;
      this.#showError(error.message);
      this.#board.updatePegs();
      // Back to where it came from. If that fails too, the next state shows it off the board.
      if (from !== null && from !== sensor) this.#connection.post("pegs/place", { sensor: from }).catch(() => {});
    }
  }

  #putBack() {
    const { from, isMoving, pointer, peg } = this.#drag;
    if (pointer !== undefined && !isMoving) this.#drag = null;
    else if (from === null) this.#putInTray();
    else this.#place(from, peg.score);
  }

  #putInTray() {
    const { peg } = this.#endDrag();
    peg.at = peg.last = peg.score = null;
    this.#board.draw();
    this.#announce(this.#board.describe(peg));
  }

  #endDrag() {
    const drag = this.#drag;
    this.#drag = null;
    if (drag) {
      drag.peg.isHeld = false;
      drag.peg.over = null;
    }
    this.#board.markTarget(null);
    return drag;
  }
}

/** The item nearest to a point, if it is within SNAP_MM. */
function nearest(items, pointOf, point) {
  const distance = (item) => Math.hypot(pointOf(item).x - point.x, pointOf(item).y - point.y);
  const [best] = items.sort((one, other) => distance(one) - distance(other));
  return best && distance(best) <= SNAP_MM ? best : null;
}

/** Sends each press and each release of a key, so that FN can be held. The keyboard types on it while it has the focus. */
export class Keypad {
  #down = new Set();
  #letters = new Map(); // letter that is down -> the legend that it pressed as a suit
  #connection;
  #keys;
  #suitKeys;

  /**
   * @param {Connection} connection
   * @param {HTMLElement} section has a button with `data-legend` for each key
   * @param {() => object} suitKeys suit letter -> legend, while the display asks for a suit
   */
  constructor(connection, section, suitKeys) {
    this.#connection = connection;
    this.#suitKeys = suitKeys;
    this.#keys = new Map([...section.querySelectorAll("[data-legend]")].map((key) => [key.dataset.legend, key]));
    for (const [legend, key] of this.#keys) {
      key.addEventListener("pointerdown", (event) => {
        key.setPointerCapture(event.pointerId);
        this.#move(legend, true);
      });
      for (const end of ["pointerup", "pointercancel"]) key.addEventListener(end, () => this.#move(legend, false));
      key.addEventListener("keydown", (event) => event.key === " " && !event.repeat && this.#move(legend, true));
      key.addEventListener("keyup", (event) => event.key === " " && this.#move(legend, false));
      key.addEventListener("contextmenu", (event) => event.preventDefault());
    }
    section.addEventListener("keydown", (event) => this.#onKey(event, true));
    section.addEventListener("keyup", (event) => this.#onKey(event, false));
    addEventListener("blur", () => this.#releaseAll());
    addEventListener("pagehide", () => this.#releaseAll());
  }

  #onKey(event, isDown) {
    const legend = this.#legendOf(event.key, isDown);
    if (!this.#keys.has(legend) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isDown && event.repeat) return;
    if (isDown) event.preventDefault();
    this.#move(legend, isDown);
  }

  /** A letter names a suit while the display asks for one. It is released as what it pressed, whatever is asked by then. */
  #legendOf(key, isDown) {
    const letter = key.toLowerCase();
    if (isDown && this.#suitKeys()[letter.toUpperCase()]) this.#letters.set(letter, this.#suitKeys()[letter.toUpperCase()]);
    const suitKey = this.#letters.get(letter);
    if (!isDown) this.#letters.delete(letter);
    return suitKey ?? LEGENDS[key] ?? LEGENDS[letter] ?? key;
  }

  #move(legend, isDown) {
    if (this.#down.has(legend) === isDown) return;
    if (isDown) this.#down.add(legend);
    else this.#down.delete(legend);
    this.#keys.get(legend).classList.toggle("is-down", isDown);
    this.#connection.post("keys", { legend, down: isDown }).catch(() => {}); // refused if it was down already
  }

  #releaseAll() {
    for (const legend of [...this.#down]) this.#move(legend, false);
  }
}
