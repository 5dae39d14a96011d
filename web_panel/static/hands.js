// Fingers for a board of no wood: pegs are dragged by mouse, touch and keyboard, and sixteen keys go down and up.

const REACH_MM = 9; // a peg let go so near a hole goes in
const START_PX = 4; // a pointer that moves less than this was a tap
const FINGER_MM = 10; // a peg dragged by touch stands so far above the finger, or it would not be seen

/** The keys of a keyboard that are keys of the board. */
const LEGENDS = {
  1: "A", a: "A", 0: "10", j: "J", q: "Q", k: "K", f: "FN", Enter: "ENTER", Backspace: "UNDO",
};

export class Hands {
  #held = null; // the peg in the hand, and how it is held
  #line;
  #board;
  #say;

  /** `say` speaks to those who do not see the board, `complain` shows what went wrong. */
  constructor(line, board, say, complain) {
    this.#line = line;
    this.#board = board;
    this.#say = say;
    this.complain = complain;
    board.onNewPeg = (peg) => this.#make(peg);
    addEventListener("pointermove", (event) => this.#drag(event));
    addEventListener("pointerup", (event) => this.#drop(event));
    addEventListener("pointercancel", () => this.#held?.pointer !== undefined && this.#putBack());
  }

  #make(peg) {
    const element = peg.element;
    element.setAttribute("tabindex", "0");
    element.setAttribute("role", "button");
    element.classList.add("is-loose");
    element.addEventListener("pointerdown", (event) => this.#grasp(this.#nearestPeg(event) ?? peg, event));
    // Or the page would scroll: inside a drawing touch-action is not heeded.
    element.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    element.addEventListener("keydown", (event) => this.#steer(peg, event));
    element.addEventListener("blur", () => this.#held?.peg === peg && this.#held.pointer === undefined && this.#putBack());
  }

  // By pointer.

  #grasp(peg, event) {
    if (this.#held || event.button) return;
    event.preventDefault();
    peg.element.focus({ preventScroll: true });
    this.#held = { peg, pointer: event.pointerId, x: event.clientX, y: event.clientY, isMoving: false };
  }

  #drag(event) {
    const held = this.#held;
    if (!held || held.pointer !== event.pointerId) return;
    if (!held.isMoving && Math.hypot(event.clientX - held.x, event.clientY - held.y) < START_PX) return;
    if (!held.isMoving) {
      held.isMoving = true;
      this.#lift(held.peg);
    }
    const tip = this.#tipAt(event);
    held.peg.lieAt(tip);
    this.#aimAt(this.#nearestHole(tip));
  }

  #drop(event) {
    const held = this.#held;
    if (!held || held.pointer !== event.pointerId) return;
    if (!held.isMoving) return void (this.#held = null);
    const hole = this.#nearestHole(this.#tipAt(event));
    if (hole) this.#place(hole.sensor);
    else this.#layAside();
  }

  /** Where the peg's tip is, in the drawing's millimetres. */
  #tipAt(event) {
    const svg = this.#board.svg;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return { x: point.x, y: point.y - (event.pointerType === "touch" ? FINGER_MM : 0) };
  }

  #nearestHole(tip) {
    return nearest([...this.#board.holes.values()].filter((hole) => this.#board.isFree(hole.sensor)), (hole) => hole.at, tip, REACH_MM);
  }

  /** Of two pegs side by side, whose reaches overlap, the one that was meant. */
  #nearestPeg(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.#board.svg.getScreenCTM().inverse());
    const standing = this.#board.pegs.filter((peg) => peg.at !== null);
    return nearest(standing, (peg) => this.#board.holes.get(peg.at).at, point, REACH_MM);
  }

  // By keyboard.

  #steer(peg, event) {
    const held = this.#held?.peg === peg ? this.#held : null;
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (event.key === "Enter" || event.key === " ") {
      if (held) this.#place(held.aim);
      else this.#raise(peg);
    } else if (held && event.key === "Escape") this.#putBack();
    else if (held && steps) this.#walk(held, steps * (event.shiftKey ? 5 : 1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #raise(peg) {
    if (this.#held) return;
    const start = this.#wayOf(peg.track).find((hole) => hole.number === 0);
    this.#held = { peg, aim: peg.at ?? peg.last ?? start.sensor };
    this.#lift(peg);
    this.#hoverAt(this.#board.holes.get(this.#held.aim));
  }

  /** Hole by hole along the track, round and round, passing over those that are taken. */
  #walk(held, steps) {
    const way = this.#wayOf(held.peg.track);
    const now = way.findIndex((hole) => hole.sensor === held.aim);
    let next = (now + steps + way.length) % way.length;
    while (!this.#board.isFree(way[next].sensor)) next = (next + Math.sign(steps) + way.length) % way.length;
    held.aim = way[next].sensor;
    this.#hoverAt(way[next]);
    this.#say(this.#board.placeOf(way[next]));
  }

  /** The holes of a track in the order of play, the game hole last. */
  #wayOf(track) {
    const own = [...this.#board.holes.values()].filter((hole) => hole.track === track || hole.track === null);
    return own.sort((one, other) => one.number - other.number);
  }

  #hoverAt(hole) {
    this.#held.peg.lieAt({ x: hole.at.x + 3, y: hole.at.y - 3 });
    this.#aimAt(hole);
  }

  // What the fingers do to the board.

  #lift(peg) {
    const from = peg.at;
    peg.isHeld = true;
    this.#held.from = from;
    this.#held.lifted = from === null ? Promise.resolve() : this.#line.ask("hands/lift", { sensor: from });
    this.#held.lifted.catch((missed) => {
      this.complain(missed.message);
      this.#letGo();
      this.#board.settle();
    });
    this.#say(`${this.#board.describe(peg)}, ${this.#board.lifted}`);
  }

  async #place(sensor) {
    const { peg, lifted } = this.#letGo();
    peg.promise(sensor);
    this.#board.draw();
    this.#say(this.#board.describe(peg));
    try {
      await lifted;
      await this.#line.ask("hands/place", { sensor });
    } catch (missed) {
      peg.at = null;
      this.complain(missed.message);
      this.#board.settle();
    }
  }

  #putBack() {
    const { from, isMoving, pointer } = this.#held;
    if (pointer !== undefined && !isMoving) this.#held = null;
    else if (from === null) this.#layAside();
    else this.#place(from);
  }

  #layAside() {
    const { peg } = this.#letGo();
    peg.at = peg.last = null;
    this.#board.draw();
    this.#say(this.#board.describe(peg));
  }

  #letGo() {
    const held = this.#held;
    this.#held = null;
    if (held) held.peg.isHeld = false;
    this.#aimAt(null);
    return held;
  }

  #aimAt(hole) {
    this.#board.svg.querySelector(".hole.is-aim")?.classList.remove("is-aim");
    if (hole) this.#board.svg.querySelector(`#h-${hole.sensor}`).classList.add("is-aim");
  }
}

function nearest(things, placeOfThing, point, reach) {
  const far = (thing) => Math.hypot(placeOfThing(thing).x - point.x, placeOfThing(thing).y - point.y);
  const [best] = things.sort((one, other) => far(one) - far(other));
  return best && far(best) <= reach ? best : null;
}

/** The sixteen keys: each goes down and comes up, so that FN can be held. */
export class Pad {
  #down = new Set();
  #line;
  #keys;

  constructor(line, room) {
    this.#line = line;
    this.#keys = new Map([...room.querySelectorAll("[data-legend]")].map((key) => [key.dataset.legend, key]));
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
    addEventListener("keydown", (event) => this.#type(event, true));
    addEventListener("keyup", (event) => this.#type(event, false));
    addEventListener("blur", () => this.#releaseAll());
    addEventListener("pagehide", () => this.#releaseAll());
  }

  /** The keyboard of a computer is the keypad too, unless it is needed elsewhere. */
  #type(event, isDown) {
    const legend = LEGENDS[event.key] ?? LEGENDS[event.key.toLowerCase()] ?? event.key;
    if (!this.#keys.has(legend) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isDown && (event.repeat || isBusy(event))) return;
    if (isDown) event.preventDefault();
    this.#move(legend, isDown);
  }

  #move(legend, isDown) {
    if (this.#down.has(legend) === isDown) return;
    if (isDown) this.#down.add(legend);
    else this.#down.delete(legend);
    this.#keys.get(legend).classList.toggle("is-down", isDown);
    this.#line.ask("keys", { legend, down: isDown }).catch(() => {}); // a key that was down already is down
  }

  #releaseAll() {
    for (const legend of [...this.#down]) this.#move(legend, false);
  }
}

/** Whether a key press belongs to what has the focus: a field, a dialog, or ENTER to a button. */
function isBusy(event) {
  if (document.querySelector("dialog[open]")) return true;
  return event.target.closest("input, select, textarea, summary, .typing, .mine, .peg") || (event.key === "Enter" && event.target.closest("button, a"));
}
