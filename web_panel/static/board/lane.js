// The lane of a phone: the holes around the peg that moves, laid straight, the sides one under the other on one scale of
// scores. A score, not a hole, has a place on the lane, because a lapped board uses its holes again.

import { PEG_SHAPES } from "../core/render.js";
import { circle, crossPath, group, marksOf, moveInArc, path, rectangle, shape, text } from "./board.js";

// All lengths are CSS pixels: the drawing is as wide as its place on the page.
const RIM = 22; // from the edge of the wood to the first hole
const PITCH = { least: 24, most: 31 }; // between holes
const FEWEST_HOLES = 10;
const PHONE_HOLES = 14; // more are shown only where they would be further apart than PITCH.most
const ROW = 44; // between sides
const BAND = 24; // more between the upper and the lower sides, for the numbers
const MARGIN = { few: 40, many: 30, bottom: 40 }; // from the edge to the first side, with up to two or more, and to the last
const ROOM_AHEAD = 6; // holes beyond a front peg that may move next
const WELL = 5;
const PEG = 11.5;
const FLAG = { below: 20, onNumbers: 26 }; // from a lit hole to its score; on the numbers it covers the same one
const FINGER = 22; // a peg is taken within this distance
const LIT_FIELD = { x: 24, y: 32 }; // half of the field in which a tap means the lit hole
const TAP = 4; // a pointer that moves less than this is a tap, not a drag
const LIFT = { mouse: 10, touch: 44 }; // a dragged peg is drawn this far above the pointer
const LEAVE = 110; // a peg dropped this far from its row goes back

const SLIDE_MS = 320; // the window on its way; the same time in lane.css
const ASKING_MS = 8000; // a question that is not answered goes away
const HOME_MS = 25; // vibration when a peg is home
const WRONG_MS = [45, 70, 45];

const isStill = matchMedia("(prefers-reduced-motion: reduce)");

/** The lane. On a real board it only shows; with a PegDrag its pegs can be moved. */
export class Lane {
  #container;
  #board;
  #pegDrag;
  #ask;
  #viewerSide;
  #state = null;
  #marks = { lit: [], wrong: [], moves: [] };
  #rows = []; // the sides from top to bottom
  #size = { width: 0, height: 0, holes: 0, pitch: 0 };
  #first = null; // the score at the left end; between two holes while a finger moves the window
  #parts = {}; // groups of the drawing
  #builtKey = "";
  #followedKey = "";
  #views = new Map(); // peg -> { element, x, y, score }
  #touch = null; // { pointer, x, y, peg, first, isMoving }
  #question = null; // { peg, score, timer, key }

  /**
   * @param {HTMLElement} container gets the drawing; its data attributes have the translated labels
   * @param {Board} board knows where the pegs are
   * @param {object} options
   * @param {PegDrag|null} options.pegDrag moves the pegs of a simulated board
   * @param {(question: string|null, onYes?: () => void) => void} options.ask asks in the primary place; null withdraws
   * @param {() => number|null} options.viewerSide the side of this visitor, which is drawn lowest
   */
  constructor(container, board, { pegDrag = null, ask = () => {}, viewerSide = () => null } = {}) {
    this.#container = container;
    this.#board = board;
    this.#pegDrag = pegDrag;
    this.#ask = ask;
    this.#viewerSide = viewerSide;
    board.onDraw = () => this.#drawPegs();
    new ResizeObserver(() => this.#onResize()).observe(container);
    container.addEventListener("pointerdown", (event) => this.#onPointerDown(event));
    container.addEventListener("pointermove", (event) => this.#onPointerMove(event));
    container.addEventListener("pointerup", (event) => this.#onPointerUp(event));
    container.addEventListener("pointercancel", (event) => this.#onPointerCancel(event));
    container.addEventListener("lostpointercapture", (event) => this.#onPointerCancel(event));
    // Prevents scrolling while a peg is dragged: inside an SVG, touch-action has no effect.
    container.addEventListener("touchstart", (event) => this.#pegNear(event.touches[0]) && event.preventDefault(), { passive: false });
    container.addEventListener("click", (event) => this.#onAssistedClick(event));
    addEventListener("keydown", (event) => event.key === "Escape" && this.#withdraw());
  }

  /** Show a state that the board shows already. */
  show(state) {
    vibrate(this.#state, state);
    this.#state = state;
    if (this.#question && this.#question.key !== questionKey(state)) this.#withdraw();
    this.#update();
  }

  /** Make the move that the guidance names, on a simulated board. */
  pegIt() {
    const move = this.#state?.guidance.peg;
    return move ? this.#pegDrag?.pegIt(move) : undefined;
  }

  /** On a wide page the lane is not shown, and the drawing takes the keyboard's focus. */
  #onResize() {
    this.#board.isPicture = this.#container.clientWidth > 0;
    if (!this.#state || !this.#board.svg) return;
    this.#board.draw();
    this.#update();
  }

  #update() {
    if (!this.#state.game || !this.#board.svg || !this.#container.clientWidth) return this.#board.showFrame([]);
    this.#marks = marksOf(this.#state);
    if (!this.#touch) this.#build();
    if (!this.#touch) this.#follow();
    this.#drawMarks();
    this.#drawPegs();
  }

  // Places.

  get #sides() {
    return this.#state.sides;
  }

  get #lastScore() {
    return this.#state.board.target;
  }

  #xOf(score) {
    return RIM + (score - this.#first) * this.#size.pitch;
  }

  #yOf(side) {
    return rowY(this.#rows.indexOf(side), this.#rows.length);
  }

  // What does not change during a game.

  /** The wood with its holes, from the start to the game hole. The window is moved over it. */
  #build() {
    const rows = this.#order();
    const width = this.#container.clientWidth;
    const holes = holesIn(width, this.#state.guidance.tone === "error");
    const key = JSON.stringify([this.#state.board, rows, width, holes, this.#sides.map(({ target, colour }) => [target, colour])]);
    if (key === this.#builtKey) return;
    this.#builtKey = key;
    this.#rows = rows;
    const height = rowY(rows.length - 1, rows.length) + MARGIN.bottom;
    this.#container.dataset.rows = rows.length;
    this.#size = { width, height, holes, pitch: (width - 2 * RIM) / (holes - 1) };
    this.#draw();
    if (this.#first !== null) this.#moveTo(this.#clamped(this.#first), false);
  }

  /** The sides from top to bottom: the visitor's own is the lowest. */
  #order() {
    const sides = this.#sides.map((_, side) => side);
    const own = this.#viewerSide();
    return own === null ? sides : [...sides.filter((side) => side !== own), own];
  }

  /** The groups and the pegs stay the same elements, so that the focus is not lost. */
  #draw() {
    this.#parts.svg ?? this.#createParts();
    const { width, height } = this.#size;
    const { svg, wood, clip, rim, way, marks, target } = this.#parts;
    const set = (element, attributes) => Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    set(svg, { viewBox: `0 0 ${width} ${height}`, width, height });
    set(wood, { width, height });
    set(clip, { width: width - 6, height: height - 6 });
    set(rim, { width: width - 3, height: height - 3 });
    way.replaceChildren(...this.#newWay(), target, marks);
  }

  #createParts() {
    const svg = shape("svg", "lane", { role: "group" });
    const shade = shape("linearGradient", "", { id: "lane-wood", x2: 0, y2: 1 });
    shade.append(...["light", "", "dark"].map((tone, place) => shape("stop", `tone ${tone}`, { offset: place / 2 })));
    const [wood, rim] = [rectangle("wood", { rx: 12, fill: "url(#lane-wood)" }), rectangle("rim", { x: 1.5, y: 1.5, rx: 11 })];
    const clip = rectangle("", { x: 3, y: 3, rx: 9 });
    const clipping = shape("clipPath", "", { id: "lane-clip" });
    const defs = shape("defs");
    const [below, above, way, signs, marks, pegs] = ["clipped", "clipped", "way", "way signs", "marks", "pegs"].map(group);
    clipping.append(clip);
    defs.append(shade, clipping);
    below.append(way);
    above.append(signs);
    svg.append(defs, wood, below, pegs, above, rim);
    this.#container.replaceChildren(svg);
    this.#parts = { svg, wood, clip, rim, way, marks, signs, pegs, target: circle("target", { x: 0, y: 0 }, 11) };
  }

  /** Lines, holes and numbers. x is the score in pitches from -1, so that the whole way needs one transform. */
  *#newWay() {
    const { pitch, height } = this.#size;
    const count = this.#rows.length;
    const last = this.#lastScore;
    const at = (score) => (score + 1) * pitch;
    const bandY = count > 1 ? rowY(upperRows(count), count) - (ROW + BAND) / 2 : marginOf(count) - BAND;
    const acrossAll = (scores) => scores.map((score) => `M${at(score + 0.5)} 10V${bandY - 13}M${at(score + 0.5)} ${bandY + 13}V${height - 10}`).join("");
    const streets = this.#state.game.streets;
    const fives = Array.from({ length: Math.ceil(last / 5) - 1 }, (_, place) => 5 * place + 5);
    yield path("fives", acrossAll(fives.filter((score) => !streets.includes(score))));
    yield path("turns", acrossAll(streets));
    yield path("start", acrossAll([0]));
    for (const side of this.#rows) {
      const { target, colour } = this.#sides[side];
      const y = this.#yOf(side);
      const line = `M${at(-1)} ${y}H${at(target)}`;
      const track = path("track", line);
      track.style.setProperty("--track", colour ?? "var(--wood-ink)");
      yield path("veneer", line);
      yield track;
      yield path("star", starPath(at(target), y));
      const wells = Array.from({ length: target + 2 }, (_, place) => wellPath(place * pitch, y));
      yield path("wells", wells.join(""));
    }
    const numbers = [0, ...fives.filter((score) => last - score > 2), last];
    for (const score of numbers) yield text(String(score), at(score), bandY);
  }

  // The window.

  /**
   * Show the lit hole, then the peg that moves there, then as many front pegs as fit, nearest first. Until these change
   * the window stays where people moved it.
   */
  #follow() {
    const { holes } = this.#size;
    const [first, ...others] = this.#wantedScores();
    const key = JSON.stringify([first, others, this.#builtKey]);
    if (key === this.#followedKey) return;
    this.#followedKey = key;
    let [low, high] = [first, first];
    for (const score of others) {
      const [lower, higher] = [Math.min(low, score), Math.max(high, score)];
      if (higher - lower <= holes - 2) [low, high] = [lower, higher];
    }
    const last = this.#first + holes - 1;
    const isShown = this.#first !== null && (low > this.#first || low === -1) && low >= this.#first && (high < last || high === this.#lastScore) && high <= last;
    if (isShown) return;
    const spare = holes - (high - low + 1);
    this.#moveTo(this.#clamped(low - Math.floor(spare * 0.4)), this.#first !== null);
  }

  #wantedScores() {
    const { side, peg } = this.#state.guidance;
    const { lit, wrong, moves } = this.#marks;
    const own = (mark) => (mark.track === (peg?.side ?? side) ? 0 : 1);
    const scoresOf = (marks) => [...marks].sort((one, other) => own(one) - own(other)).map(({ score }) => score);
    const marked = [...scoresOf(lit), ...scoresOf(wrong), ...scoresOf(moves.map(({ from }) => from))];
    const fronts = this.#sides.map((each, number) => this.#board.frontOf(number)?.score ?? each.score);
    const centre = marked[0] ?? (side === null ? Math.max(...fronts) : fronts[side]);
    // Without a light there is room for the next move.
    const ahead = marked.length ? [] : [centre, Math.min(this.#lastScore, centre + ROOM_AHEAD)];
    const ownFront = side === null ? [] : [fronts[side]];
    const byDistance = fronts.sort((one, other) => Math.abs(one - centre) - Math.abs(other - centre));
    return [...marked, ...ahead, ...ownFront, ...byDistance].filter((score) => score !== null);
  }

  #clamped(first) {
    return Math.max(-1, Math.min(this.#lastScore - this.#size.holes + 1, first));
  }

  #moveTo(first, isSmooth) {
    this.#first = first;
    const shift = `translateX(${(RIM - (first + 1) * this.#size.pitch).toFixed(2)}px)`;
    for (const part of [this.#parts.way, this.#parts.signs]) {
      part.classList.toggle("is-sliding", isSmooth);
      part.style.transform = shift;
    }
    if (!Number.isInteger(first)) return;
    const scores = Array.from({ length: this.#size.holes }, (_, place) => first + place);
    const tracks = this.#rows.filter((side) => this.#sides[side].is_moved_by_hand);
    this.#board.showFrame(tracks.flatMap((track) => scores.map((score) => this.#board.sensorAt(track, score))));
    Object.assign(this.#parts.svg.dataset, { first, pitch: this.#size.pitch });
    const label = this.#container.dataset.label.replace("{first}", Math.max(0, first)).replace("{last}", scores.at(-1));
    this.#parts.svg.setAttribute("aria-label", label);
  }

  // Lights.

  #drawMarks() {
    const { lit, wrong, moves } = this.#marks;
    const key = JSON.stringify([lit, wrong, moves, Math.round(this.#first), this.#builtKey]);
    if (this.#parts.svg.dataset.marks === key) return; // the same marks go on breathing
    this.#parts.svg.dataset.marks = key;
    const isPlaced = ({ score }) => score !== null;
    this.#parts.marks.replaceChildren(
      ...moves.filter(({ from, to }) => isPlaced(from) && isPlaced(to)).map((move) => this.#newArc(move)),
      ...lit.filter(isPlaced).map((light) => this.#newLit(light)),
    );
    this.#parts.signs.replaceChildren(...wrong.filter(isPlaced).map((light) => this.#newWrong(light)));
  }

  /** x within the way, which is moved as a whole. */
  #wayX(score) {
    return (score + 1) * this.#size.pitch;
  }

  #newArc({ track, from, to, isBack }) {
    const shown = Math.max(Math.round(this.#first) - 0.4, Math.min(Math.round(this.#first) + this.#size.holes - 0.6, from.score));
    const [start, end, y] = [this.#wayX(shown), this.#wayX(to.score), this.#yOf(track) - 15];
    const rise = (this.#rows.length > 2 ? 24 : 34) * Math.min(1, 0.45 + Math.abs(end - start) / 160);
    const tip = end - 4 * Math.sign(end - start);
    const barb = 7 * Math.sign(start - end);
    const head = isBack ? `M${tip + barb} ${y - 7}L${tip} ${y}L${tip + barb * 1.3} ${y + 2}` : "";
    return path(isBack ? "arc is-back" : "arc", `M${start} ${y}Q${(start + end) / 2} ${y - rise} ${tip} ${y}${head}`);
  }

  #newLit({ track, score, sensor }) {
    const [x, y] = [this.#wayX(score), this.#yOf(track)];
    const isOverNumbers = this.#rows.indexOf(track) === upperRows(this.#rows.length) - 1;
    const lit = group("lit");
    lit.dataset.sensor = sensor;
    if (this.#pegDrag) {
      lit.setAttribute("role", "button");
      lit.setAttribute("aria-label", this.#container.dataset.lit.replace("{name}", this.#sides[track].name).replace("{score}", Math.max(0, score)));
    }
    const field = { x: x - LIT_FIELD.x, y: y - LIT_FIELD.y, width: 2 * LIT_FIELD.x, height: 2 * LIT_FIELD.y };
    lit.append(rectangle("field", field), circle("glow", { x, y }, 21), circle("ring", { x, y }, 11));
    lit.append(circle("edge", { x, y }, 13.5), circle("edge", { x, y }, 8.5), this.#newFlag(score, x, y, isOverNumbers ? FLAG.onNumbers : FLAG.below));
    return lit;
  }

  #newFlag(score, x, y, drop) {
    const flag = group("flag");
    const label = String(Math.max(0, score));
    const width = 14 + 7 * label.length;
    const box = rectangle("", { x: x - width / 2, y: y + drop, width, height: 15, rx: 4 });
    flag.append(path("", `M${x - 6} ${y + drop + 0.5}L${x} ${y + 15}L${x + 6} ${y + drop + 0.5}Z`), box, text(label, x, y + drop + 8));
    return flag;
  }

  #newWrong({ track, score }) {
    const at = { x: this.#wayX(score), y: this.#yOf(track) };
    const wrong = group("wrong");
    wrong.append(circle("edge", at, 13), circle("ring", at, 13), path("edge", crossPath(at, 8)), path("ring", crossPath(at, 8)));
    return wrong;
  }

  // Pegs.

  /** The pegs of the sides: those on the board, and for a side without any two that show its score. */
  get #pegs() {
    const onBoard = this.#board.pegs.filter(({ track }) => this.#sides[track]?.is_moved_by_hand);
    const others = this.#sides.flatMap((side, track) => {
      if (side.is_moved_by_hand) return [];
      const back = { track, position: "back", score: side.back < side.score ? side.back : -1, key: `${track} back` };
      return [back, { track, position: "front", score: side.score, key: `${track} front` }];
    });
    return [...onBoard, ...others];
  }

  #drawPegs() {
    if (!this.#parts.svg || this.#first === null || !this.#state?.game) return;
    const pegs = this.#pegs;
    const kept = new Set(pegs.map((peg) => peg.key ?? peg));
    for (const [key, view] of this.#views) {
      if (kept.has(key)) continue;
      view.element.remove();
      this.#views.delete(key);
    }
    const places = pegs.map((peg) => ({ peg, ...this.#placeOf(peg) }));
    const mover = this.#marks.moves.map(({ from }) => from.sensor);
    for (const edge of ["left", "right"]) {
      for (const side of this.#rows) hideBehind(places.filter(({ peg }) => peg.track === side), edge, mover);
    }
    for (const place of places) this.#drawPeg(place);
    this.#drawTarget(pegs.find((peg) => peg.isHeld));
  }

  /** The hole that a held peg would go into. */
  #drawTarget(peg) {
    const { target } = this.#parts;
    target.classList.toggle("is-shown", Boolean(peg) && peg.over !== null);
    if (!peg || peg.over === null) return;
    target.setAttribute("cx", this.#wayX(peg.over));
    target.setAttribute("cy", this.#yOf(peg.track));
  }

  /** Where a peg is drawn, and whether it is out of the window: then it stands at its edge with its score. */
  #placeOf(peg) {
    const y = this.#yOf(peg.track);
    const touch = this.#touch;
    if (touch?.peg === peg && touch.isMoving) return { x: touch.x, y: touch.y - touch.lift, state: "lifted", edge: "" };
    const asked = this.#question?.peg === peg ? this.#question.score : null;
    const score = asked ?? peg.over ?? peg.score;
    if (score === null) return { x: this.#size.width - RIM, y: y - 14, state: "lifted", edge: "" }; // in the tray
    const isLifted = asked !== null || peg.isHeld || peg.at === null;
    const x = this.#xOf(score);
    const edge = x < RIM - 8 ? "left" : x > this.#size.width - RIM + 8 ? "right" : "";
    const drawn = { left: RIM - 6, right: this.#size.width - RIM + 6 }[edge] ?? x;
    return { x: drawn, y: isLifted ? y - 16 : y, state: isLifted ? "lifted" : "in-hole", edge, score };
  }

  #drawPeg({ peg, x, y, state, edge, score, isHidden = false }) {
    const view = this.#views.get(peg.key ?? peg) ?? this.#newView(peg);
    const { element } = view;
    element.dataset.state = state;
    element.dataset.position = peg.position;
    element.dataset.edge = edge;
    element.classList.toggle("is-hidden", isHidden);
    if (peg.label) element.setAttribute("aria-label", peg.label);
    element.querySelector("text").textContent = edge ? Math.max(0, score) : "";
    element.style.transform = `translate(${x}px, ${y}px)`;
    if (view.x !== undefined && !this.#touch?.isMoving) this.#animate(view, { x, y, score, state });
    Object.assign(view, { x, y, score, state });
  }

  /** A peg that changes its hole leaps; one that stays moves with the window. */
  #animate(view, { x, y, score, state }) {
    if (view.x === x && view.y === y) return;
    const isLeap = state === "in-hole" && (view.score !== score || view.state === "lifted");
    if (isLeap) {
      if (!view.element.contains(document.activeElement)) view.element.parentNode.append(view.element); // over the others
      return moveInArc(view.element, view, { x, y }, view.state === "lifted" ? 4 : 26);
    }
    const from = `translate(${view.x}px, ${view.y}px)`;
    const slide = [{ transform: from }, { transform: `translate(${x}px, ${y}px)` }];
    if (!isStill.matches && state === "in-hole") view.element.animate(slide, { duration: SLIDE_MS, easing: "ease-out" });
  }

  #newView(peg) {
    const element = group("peg");
    element.style.setProperty("--track", this.#sides[peg.track].colour);
    const head = path("head", PEG_SHAPES[peg.track % PEG_SHAPES.length]);
    element.append(circle("hit-area", { x: 0, y: 0 }, 16), head, circle("dot", { x: 0, y: 0 }, 3.9), text("", 0, 19));
    if (this.#pegDrag && !peg.key) {
      this.#pegDrag.makeKeyMovable(peg, element);
      element.classList.add("is-movable");
    } else {
      element.setAttribute("role", "img");
    }
    if (!peg.key) peg.laneElement = element;
    this.#parts.pegs.append(element);
    const view = { element };
    this.#views.set(peg.key ?? peg, view);
    return view;
  }

  // Finger and mouse.

  #point({ clientX, clientY }) {
    const { left, top } = this.#container.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  /** The peg under the pointer, which can be moved. */
  #pegNear(event) {
    if (!this.#pegDrag || !this.#state?.game) return null;
    const point = this.#point(event);
    const near = [...this.#views].filter(([peg, { element }]) => typeof peg !== "string" && !element.classList.contains("is-hidden"));
    const distance = ([, view]) => Math.hypot(view.x - point.x, view.y - point.y);
    const [best] = near.sort((one, other) => distance(one) - distance(other));
    return best && distance(best) <= FINGER ? best[0] : null;
  }

  #onPointerDown(event) {
    if (event.button || this.#touch || !this.#state?.game) return;
    const point = this.#point(event);
    const lift = event.pointerType === "mouse" ? LIFT.mouse : LIFT.touch;
    this.#touch = { pointer: event.pointerId, ...point, start: point, lift, first: this.#first, peg: this.#pegNear(event), isMoving: false };
    this.#container.setPointerCapture(event.pointerId);
  }

  #onPointerMove(event) {
    const touch = this.#touch;
    if (touch?.pointer !== event.pointerId) return;
    const point = this.#point(event);
    if (!touch.isMoving && Math.hypot(point.x - touch.start.x, point.y - touch.start.y) < TAP) return;
    Object.assign(touch, point);
    if (!touch.isMoving) {
      touch.isMoving = true;
      this.#withdraw();
      if (touch.peg) this.#pegDrag.lift(touch.peg);
    }
    if (touch.peg) {
      const score = this.#nearestFree(touch);
      return score === touch.peg.over ? this.#drawPegs() : this.#board.hoverOver(touch.peg, score);
    }
    this.#moveTo(this.#clamped(touch.first - (touch.x - touch.start.x) / this.#size.pitch), false);
    this.#drawPegs();
  }

  #onPointerUp(event) {
    const touch = this.#touch;
    if (touch?.pointer !== event.pointerId) return;
    if (!touch.isMoving) {
      this.#touch = null;
      this.#update();
      this.#tap(touch.start);
    } else if (touch.peg) {
      const isNear = Math.abs(touch.y - this.#yOf(touch.peg.track)) <= LEAVE;
      const score = isNear ? this.#nearestFree(touch) : null;
      this.#touch = null;
      this.#pegDrag.place(score);
      this.#update();
    } else {
      this.#touch = null;
      this.#moveTo(this.#clamped(Math.round(this.#first)), true);
      this.#drawPegs();
    }
  }

  #onPointerCancel(event) {
    const touch = this.#touch;
    if (touch?.pointer !== event.pointerId) return;
    this.#touch = null;
    if (touch.isMoving && touch.peg) this.#pegDrag.place(null);
    else this.#moveTo(this.#clamped(Math.round(this.#first)), true);
    this.#update();
  }

  /** The free hole of the peg's side that is nearest to the pointer, by its score: only the way along the lane counts. */
  #nearestFree({ x, peg }) {
    const isFree = (score) => this.#board.isFree(this.#board.sensorAt(peg.track, score));
    const shown = Array.from({ length: this.#size.holes }, (_, place) => Math.ceil(this.#first) + place);
    const distance = (score) => Math.abs(this.#xOf(score) - x);
    return shown.filter((score) => score <= this.#lastScore && isFree(score)).sort((one, other) => distance(one) - distance(other))[0];
  }

  /** A tap on the lit hole moves the peg there. One on another hole asks first. */
  #tap({ x, y }) {
    this.#withdraw();
    if (!this.#pegDrag) return;
    const distance = (light) => Math.hypot(this.#xOf(light.score) - x, this.#yOf(light.track) - y);
    const isHit = (light) => Math.abs(this.#xOf(light.score) - x) <= LIT_FIELD.x && Math.abs(this.#yOf(light.track) - y) <= LIT_FIELD.y;
    const [light] = this.#marks.lit.filter(isHit).sort((one, other) => distance(one) - distance(other));
    if (light) return this.#moveToLit(light);
    const [side] = [...this.#rows].sort((one, other) => Math.abs(this.#yOf(one) - y) - Math.abs(this.#yOf(other) - y));
    const score = Math.round(this.#first + (x - RIM) / this.#size.pitch);
    if (Math.abs(this.#yOf(side) - y) <= ROW / 2) this.#askAbout(side, score);
  }

  #moveToLit({ track, sensor, score }) {
    const move = this.#marks.moves.find((each) => each.track === track);
    const isMover = (peg) => (move ? peg.at === move.from.sensor : peg.track === track && peg.at === null);
    const peg = this.#board.pegs.find(isMover) ?? this.#board.rearOf(track);
    return this.#pegDrag.putPeg(peg, sensor, score);
  }

  #askAbout(side, score) {
    const { name, target, is_moved_by_hand: isOnBoard } = this.#sides[side];
    const peg = this.#board.rearOf(side);
    if (!isOnBoard || !peg || score < -1 || score > target) return;
    const sensor = this.#board.sensorAt(side, score);
    if (!this.#board.isFree(sensor)) return;
    this.#question = { peg, score, key: questionKey(this.#state), timer: setTimeout(() => this.#withdraw(), ASKING_MS) };
    this.#drawPegs();
    const question = this.#container.dataset.question.replace("{name}", name).replace("{score}", Math.max(0, score));
    this.#ask(question, () => {
      this.#withdraw();
      return this.#pegDrag.putPeg(peg, sensor, score);
    });
  }

  #withdraw() {
    if (!this.#question) return;
    clearTimeout(this.#question.timer);
    this.#question = null;
    this.#ask(null);
    this.#drawPegs();
  }

  /** A click without a pointer comes from a screen reader. */
  #onAssistedClick(event) {
    const sensor = Number(event.target.closest(".lit")?.dataset.sensor ?? NaN);
    const light = event.detail === 0 && this.#marks.lit.find((each) => each.sensor === sensor);
    if (light && this.#pegDrag) this.#moveToLit(light);
  }
}

/** How many holes a lane of this width shows. A wrong peg is shown larger. */
function holesIn(width, isWrong) {
  const room = width - 2 * RIM;
  const fewest = Math.max(FEWEST_HOLES, Math.ceil(room / PITCH.most) + 1);
  return isWrong ? fewest : Math.max(fewest, Math.min(PHONE_HOLES, Math.floor(room / PITCH.least) + 1));
}

/** A question stands while the pegs and the move that is due are the same. */
function questionKey({ pegs, guidance }) {
  return JSON.stringify([pegs.map(({ sensor }) => sensor), guidance.peg?.to_sensor]);
}

const marginOf = (rows) => (rows > 2 ? MARGIN.many : MARGIN.few);
const upperRows = (rows) => Math.floor(rows / 2);
const rowY = (row, rows) => marginOf(rows) + ROW * row + (row >= upperRows(rows) ? BAND : 0);

/** At an edge of the window one peg of a side is drawn: the one that moves, else the front one, if no other is near. */
function hideBehind(places, edge, movers) {
  const there = places.filter((place) => place.edge === edge);
  const isMover = ({ peg }) => movers.includes(peg.at);
  const shown = there.find(isMover) ?? there.find(({ peg }) => peg.position === "front") ?? there[0];
  const isNear = (place) => place.edge === "" && Math.abs(place.x - shown.x) < 2 * PEG;
  for (const place of there) place.isHidden = place !== shown || (!isMover(place) && places.some(isNear));
}

function wellPath(x, y) {
  return `M${(x - WELL).toFixed(1)} ${y}a${WELL} ${WELL} 0 1 0 ${2 * WELL} 0a${WELL} ${WELL} 0 1 0 ${-2 * WELL} 0`;
}

/** A star of eight rays around the game hole. */
function starPath(x, y) {
  const points = Array.from({ length: 16 }, (_, ray) => {
    const [angle, reach] = [(Math.PI * ray) / 8, ray % 2 ? 7 : ray % 4 ? 12 : 16];
    return `${(x + reach * Math.sin(angle)).toFixed(1)} ${(y - reach * Math.cos(angle)).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}

/** Vibrate once for a peg that is home, twice for one that is wrong. */
function vibrate(before, after) {
  if (!before?.game || !after.game || before.is_recorded || after.is_recorded || !navigator.vibrate) return;
  const isWrong = ({ guidance }) => guidance.tone === "error" && ["points", "pegs_astray"].includes(guidance.topic);
  const isHome = after.sides.some(({ score }, side) => score > (before.sides[side]?.score ?? score));
  if (isWrong(after) && !isWrong(before)) navigator.vibrate(WRONG_MS);
  else if (isHome || (isWrong(before) && !isWrong(after))) navigator.vibrate(HOME_MS);
}
