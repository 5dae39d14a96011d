// The drawing of the board with its lights and pegs. It also keeps where each peg is, for the lane.

import { PEG_SHAPES } from "../core/render.js";

const SVG = "http://www.w3.org/2000/svg";

const HOVER_MM = 4; // distance of a lifted peg from its hole
const PLACING_MS = 1500; // how long the sensors may take to report a peg that was placed here
const MOVE_MS = 320; // a peg on its way from hole to hole
const FLAG_MM = { width: 11, height: 7.5, distance: 11 };
const BACK_BOW_MM = 12; // the bend of an arrow back, which is often only one hole long
const FRAME_MM = 6; // from the holes of the lane's window to the frame round them

const isStill = matchMedia("(prefers-reduced-motion: reduce)");

/** Signal -> radius in mm of the ring round its hole: a sign for people who cannot see the blinking. */
const RING_RADII = { rest: 2.6, from: 6.2, to: 4.1, next: 4.4, wrong: 5.6 };

/**
 * What the lights mean: the lit holes, the holes with a wrong peg, and on each track with one start and one goal the
 * move between them. Holes are `{ sensor, track, score }`. The peg that the guidance names may stand in the other
 * start hole, or be in a hand: then there is a lit hole, and no move to it.
 */
export function marksOf({ lights, guidance }) {
  const isError = guidance?.tone === "error";
  const lit = lights.filter(({ signal }) => signal === "to");
  const wrong = lights.filter(({ signal }) => signal === "wrong" && isError);
  const moves = lit.flatMap((to) => {
    const goals = lit.filter(({ track }) => track === to.track);
    const starts = lights.filter(({ signal, track }) => ["from", "wrong"].includes(signal) && track === to.track);
    const peg = guidance?.peg?.side === to.track && guidance.peg.to_sensor === to.sensor ? guidance.peg : null;
    if (goals.length !== 1 || starts.length !== 1 || peg?.from_sensor === null) return [];
    const from = peg ? { ...starts[0], sensor: peg.from_sensor } : starts[0];
    return [{ track: to.track, from, to, isBack: wrong.includes(starts[0]) }];
  });
  return { lit, wrong, moves };
}

/** Move an element along an arc with a small bounce at its end; at once where people want no motion. */
export function moveInArc(element, from, to, height) {
  if (isStill.matches || Math.hypot(to.x - from.x, to.y - from.y) < 1) return;
  const at = (part, rise) => {
    const [x, y] = [from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part - height * rise];
    return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  };
  const way = Array.from({ length: 11 }, (_, step) => step / 10);
  const frames = way.map((part) => ({ transform: at(part, 4 * part * (1 - part)), offset: part * 0.82 }));
  element.animate([...frames, { transform: at(1, 0.12), offset: 0.91 }, { transform: at(1, 0) }], { duration: MOVE_MS, easing: "ease-out" });
}

/**
 * The board on the page. `holes` are the holes by sensor, `pegs` all pegs.
 * `onNewPeg`, if set, is called with each peg that is created, `onDraw` after the pegs were drawn.
 */
export class Board {
  holes = new Map();
  pegs = [];
  isPicture = false; // the pegs are moved on the lane, and the drawing is only looked at, or dragged on
  #container;
  #url = "";
  #loading = null;
  #drawings = new Map(); // address -> SVG
  #sheet = new CSSStyleSheet();
  #lights = new Map();
  #sensors = new Map(); // track and number of a hole -> its sensor
  #state = null;

  /** @param {HTMLElement} container gets the drawing; its data attributes have the translated labels */
  constructor(container) {
    this.#container = container;
    document.adoptedStyleSheets.push(this.#sheet);
  }

  /** The drawing, once it is loaded. */
  get svg() {
    return this.#container.firstElementChild;
  }

  /** Show the board of a state, loading its drawing first if it is another one. */
  async show(state) {
    if (!state) return;
    this.#state = state;
    const { id, target } = state.board;
    const url = `/boards/${id}/${target}/landscape.svg?lang=${document.documentElement.lang}`;
    if (url !== this.#url) {
      this.#url = url;
      this.#loading = this.#load(url).catch(() => (this.#url = "")); // no connection: loaded with the next state
    }
    await this.#loading;
    if (!this.svg || state !== this.#state) return;
    this.#updateLights(state);
    this.updatePegs();
  }

  /** A drawing that came with the page need not be fetched. */
  useDrawing({ address, svg }) {
    this.#drawings.set(address, svg);
  }

  /** Show a drawing. Its style becomes a style sheet of the page: the CSP forbids inline style. */
  async #load(url) {
    const drawn = this.#drawings.get(url) ?? (await fetchDrawing(url));
    let style = "";
    const svg = drawn.replace(/<style>([^]*?)<\/style>/, (_, found) => ((style = found), ""));
    if (url !== this.#url) return;
    this.#sheet.replaceSync(style);
    const drawing = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    this.#container.replaceChildren(document.adoptNode(drawing));
    const { width, height } = drawing.viewBox.baseVal;
    this.#container.dataset.shape = Math.min(width, height) / Math.max(width, height) > 0.3 ? "wide" : "narrow";
    this.#container.style.setProperty("--shape", width / height);
    this.#lights.clear();
    drawing.setAttribute("role", "group"); // not an image: its pegs can be moved
    drawing.append(group("lights"), group("pegs"), group("signs"));
    this.#findHoles(drawing);
    this.#createPegs();
  }

  #findHoles(drawing) {
    this.holes.clear();
    this.#sensors.clear();
    for (const hole of drawing.querySelectorAll(".hole")) {
      const { sensor, track, hole: number } = hole.dataset;
      this.holes.set(Number(sensor), {
        sensor: Number(sensor),
        track: track === "shared" ? null : Number(track),
        number: Number(number),
        at: centreOf(hole.querySelector(".well")),
        light: centreOf(hole.querySelector(".light")),
      });
      this.#sensors.set(`${track} ${number}`, Number(sensor));
    }
  }

  /** Two pegs for each track. Their places come from the sensors. */
  #createPegs() {
    const { tracks } = this.#state.board;
    this.pegs = tracks.flatMap((track, number) => [new Peg(number, track), new Peg(number, track)]);
    this.svg.querySelector(".pegs").append(...this.pegs.map((peg) => peg.element));
    this.pegs.forEach((peg) => this.onNewPeg?.(peg));
  }

  #updateLights(state) {
    const [layer, signs] = [this.svg.querySelector(".lights"), this.svg.querySelector(".signs")];
    const marks = marksOf(state);
    const isWrong = (light) => marks.wrong.includes(light);
    const keyOf = (light) => `${light.sensor} ${light.signal} ${light.score} ${isWrong(light)}`;
    const wanted = new Map(state.lights.map((light) => [keyOf(light), light]));
    for (const [key, lit] of this.#lights) {
      if (!wanted.has(key)) {
        lit.remove();
        this.#lights.delete(key);
      }
    }
    for (const [key, light] of wanted) {
      if (this.#lights.has(key)) continue;
      const lit = this.#newLight(light, isWrong(light));
      this.#lights.set(key, lit);
      (isWrong(light) ? signs : layer).append(lit); // a cross is over its peg
    }
    this.svg.querySelectorAll(".arc").forEach((arc) => arc.remove());
    for (const move of marks.moves) (move.isBack ? signs : layer).append(this.#newArc(move));
  }

  #newLight({ sensor, track, signal, score }, isWrong) {
    const hole = this.holes.get(sensor);
    const lit = group(`signal ${signal}`);
    lit.style.setProperty("--track", this.#state.board.tracks[track].colour);
    lit.append(circle("glow", hole.light, 2.1), circle("sign", hole.at, RING_RADII[signal]));
    if (signal === "to" && score !== null) lit.append(this.#newFlag(hole, score));
    if (isWrong) lit.append(path("cross", crossPath(hole.at, RING_RADII.wrong * 0.7)));
    // All lights blink together, whenever each was switched on.
    lit.style.setProperty("--phase", `${-(performance.now() % 1400)}ms`);
    return lit;
  }

  /** The score of a lit hole on a flag, on the side where the fewest other holes are near. */
  #newFlag({ sensor, at }, score) {
    const { width, height, distance } = FLAG_MM;
    const size = this.svg.viewBox.baseVal;
    const others = [...this.holes.values()].filter((hole) => hole.sensor !== sensor);
    const roomAt = ({ x, y }) => {
      if (x < width / 2 || y < height / 2 || x > size.width - width / 2 || y > size.height - height / 2) return 0;
      return Math.min(8, ...others.map((hole) => Math.hypot(hole.at.x - x, hole.at.y - y)));
    };
    const places = [[0, -1], [0, 1], [1, 0], [-1, 0], [1, -1], [-1, -1], [1, 1], [-1, 1]];
    const points = places.map(([dx, dy]) => ({ x: at.x + dx * distance, y: at.y + dy * distance }));
    const { x, y } = points.reduce((best, point) => (roomAt(point) > roomAt(best) ? point : best));
    const flag = group("flag");
    flag.append(rectangle("", { x: x - width / 2, y: y - height / 2, width, height, rx: 2 }), text(String(Math.max(0, score)), x, y));
    return flag;
  }

  #newArc({ from, to, isBack }) {
    const [start, end] = [this.holes.get(from.sensor).at, this.holes.get(to.sensor).at];
    if (!isBack) return path("arc", arcPath(start, end, bowOf(start, end, 0)));
    const bow = bowOf(start, end, BACK_BOW_MM);
    return path("arc is-back", arcPath(start, end, bow) + arrowHead(end, bow));
  }

  /** Frame the holes that the lane shows; none: no frame. */
  showFrame(sensors) {
    if (!this.svg) return;
    this.svg.querySelector(".frame")?.remove();
    const points = sensors.map((sensor) => this.holes.get(sensor)?.at).filter(Boolean);
    if (!points.length) return;
    const { width, height } = this.svg.viewBox.baseVal;
    const [left, top] = ["x", "y"].map((axis) => Math.max(1, Math.min(...points.map((point) => point[axis])) - FRAME_MM));
    const right = Math.min(width - 1, Math.max(...points.map(({ x }) => x)) + FRAME_MM);
    const bottom = Math.min(height - 1, Math.max(...points.map(({ y }) => y)) + FRAME_MM);
    this.svg.querySelector(".lights").before(rectangle("frame", { x: left, y: top, width: right - left, height: bottom - top, rx: 4 }));
  }

  /** Put the pegs where the sensors see some. A peg that is seen nowhere hovers over its last hole, or is in the tray. */
  updatePegs() {
    const seen = new Map(this.#state.pegs.map((peg) => [peg.sensor, peg]));
    const free = new Set(seen.keys());
    for (const peg of this.pegs) peg.claim(seen, free);
    for (const sensor of free) {
      const loose = this.pegs.filter((peg) => peg.isLoose);
      const own = loose.find((peg) => peg.track === seen.get(sensor).track);
      (own ?? loose[0])?.placeAt(sensor);
    }
    for (const peg of this.pegs) {
      const found = seen.get(peg.at);
      if (found && !peg.isHeld) [peg.position, peg.score] = [found.position, found.score];
    }
    this.draw();
  }

  /** Draw every peg at its place, and those without a place in the tray below the board. */
  draw() {
    const { width, height } = this.svg.viewBox.baseVal;
    const inTray = this.pegs.filter((peg) => !peg.isHeld && peg.at === null && peg.last === null);
    inTray.forEach((peg, place) => peg.drawLifted({ x: width / 2 + 14 * (place - (inTray.length - 1) / 2), y: height + 9 }));
    for (const peg of this.pegs) {
      peg.label = this.describe(peg);
      peg.element.setAttribute("aria-label", peg.label);
      if (peg.isHeld) continue;
      const hole = this.holes.get(peg.at ?? peg.last);
      if (hole && peg.at === null) peg.drawLifted({ x: hole.at.x + HOVER_MM, y: hole.at.y - HOVER_MM });
      else if (hole) peg.drawInHole(hole.at);
    }
    this.#container.dataset.tray = inTray.length;
    this.#container.setAttribute("aria-hidden", String(this.isPicture));
    this.svg.querySelectorAll(".is-movable").forEach((peg) => peg.setAttribute("tabindex", this.isPicture ? "-1" : "0"));
    this.onDraw?.();
  }

  /** Draw a held peg over the hole of a score. */
  hoverOver(peg, score) {
    const sensor = this.sensorAt(peg.track, score);
    const hole = this.holes.get(sensor);
    peg.over = score;
    peg.drawLifted({ x: hole.at.x + 3, y: hole.at.y - 3 });
    this.markTarget(sensor);
    this.onDraw?.();
  }

  /** Mark the hole that a held peg would go into; null for none. */
  markTarget(sensor) {
    this.svg.querySelector(".hole.is-target")?.classList.remove("is-target");
    if (sensor !== null) this.svg.querySelector(`#h-${sensor}`).classList.add("is-target");
  }

  // Holes and scores.

  /** The number of the hole of a score: -1 and 0 are the start holes. */
  #holeOf(score) {
    const { target, lap, game_hole } = this.#state.board;
    if (score >= target) return game_hole;
    return score <= 0 ? score : ((score - 1) % lap) + 1;
  }

  /** The sensor of a score on a track, or null if the board has no such hole. */
  sensorAt(track, score) {
    const number = this.#holeOf(score);
    return this.#sensors.get(`${track} ${number}`) ?? this.#sensors.get(`shared ${number}`) ?? null;
  }

  /** The score of a sensor on a track, of several laps the one nearest to the side's score, or null. */
  scoreAt(track, sensor) {
    const near = this.#state.sides[track]?.score ?? 0;
    const all = Array.from({ length: this.lastScore + 2 }, (_, place) => place - 1);
    const scores = all.filter((score) => this.sensorAt(track, score) === sensor);
    return scores.sort((one, other) => Math.abs(one - near) - Math.abs(other - near))[0] ?? null;
  }

  /** The score of the game hole. */
  get lastScore() {
    return this.#state.board.target;
  }

  /** The front peg of a side, if it is seen. */
  frontOf(track) {
    return this.pegs.find((peg) => peg.track === track && peg.position === "front" && peg.at !== null);
  }

  /** The peg of a side that moves next: the back one, or one that is in nobody's hole. */
  rearOf(track) {
    const own = this.pegs.filter((peg) => peg.track === track);
    return own.find((peg) => peg.at === null) ?? own.find((peg) => peg.position === "back") ?? own.find((peg) => peg.position !== "front");
  }

  /** The peg and its place as a text. */
  describe(peg) {
    const kind = this.#labels[peg.position || "peg"].replace("{track}", peg.name);
    return `${kind}, ${peg.at === null ? this.#labels.inHand : this.placeName(peg.score, this.holes.get(peg.at))}`;
  }

  /** The name of a score for screen readers, with the number at its hole where that differs. */
  placeName(score, hole) {
    if (hole.track === null || score === this.lastScore) return this.#labels.gameHole;
    if (hole.number <= 0) return hole.number ? this.#labels.backStart : this.#labels.start;
    if (score === null || score === hole.number) return this.#labels.hole.replace("{number}", hole.number);
    return this.#labels.scoreHole.replace("{score}", score).replace("{hole}", hole.number);
  }

  /** The word for a lifted peg. */
  get liftedLabel() {
    return this.#labels.lifted;
  }

  /** The translated labels. */
  get #labels() {
    return this.#container.dataset;
  }

  /** Whether no peg is at the sensor. */
  isFree(sensor) {
    return !this.pegs.some((peg) => peg.at === sensor && !peg.isHeld);
  }
}

/**
 * A peg on the page. `at` is its sensor, or null; `last` is the sensor where it was before it was lifted. `score` is
 * its place on the lane. `over` is the score over which a held peg hovers.
 */
class Peg {
  at = null;
  last = null;
  score = null;
  over = null;
  position = "";
  label = "";
  isHeld = false;
  laneElement = null; // the same peg on the lane
  #placedUntil = 0;
  #drawnAt = null; // the hole where it was drawn last

  constructor(track, { name, colour }) {
    this.track = track;
    this.name = name;
    this.colour = colour;
    this.element = group("peg");
    this.element.style.setProperty("--track", colour);
    this.element.append(circle("hit-area", { x: 0, y: 0 }, 7), path("head", PEG_SHAPES[track % PEG_SHAPES.length]), circle("dot", { x: 0, y: 0 }, 1.3));
  }

  /** Whether the peg has the keyboard's focus, on the drawing or on the lane. */
  get hasFocus() {
    return [this.element, this.laneElement].includes(document.activeElement);
  }

  /** Give the peg the focus where it is shown to everybody: on the lane, or on a drawing without one. */
  focus() {
    const isOnLane = this.laneElement?.checkVisibility();
    (isOnLane ? this.laneElement : this.element).focus({ preventScroll: true });
  }

  get isLoose() {
    return this.at === null && !this.isHeld;
  }

  /** Take the peg's own hole out of `free`. If the sensors see nothing there any more, the peg loses its place. */
  claim(seen, free) {
    free.delete(this.isHeld ? this.last : this.at);
    if (this.isHeld || this.at === null || seen.has(this.at)) {
      if (seen.has(this.at)) this.#placedUntil = 0;
      return;
    }
    if (performance.now() > this.#placedUntil) this.at = null;
  }

  /** The sensors see this peg at a sensor. */
  placeAt(sensor) {
    this.at = this.last = sensor;
  }

  /** The page placed this peg. It stays there until the sensors report it, or PLACING_MS have passed. */
  placeByHand(sensor, score) {
    this.placeAt(sensor);
    this.score = score;
    this.#placedUntil = performance.now() + PLACING_MS;
  }

  drawInHole(point) {
    const before = this.#drawnAt;
    this.#drawAt(point, "in-hole");
    this.#drawnAt = point;
    if (before && before !== point) moveInArc(this.element, before, point, Math.min(14, Math.hypot(point.x - before.x, point.y - before.y) / 3));
  }

  drawLifted(point) {
    this.#drawnAt = point;
    this.#drawAt(point, "lifted");
  }

  #drawAt({ x, y }, state) {
    this.element.style.transform = `translate(${x}px, ${y}px)`;
    this.element.dataset.state = state;
    this.element.dataset.position = this.position;
    this.element.toggleAttribute("data-unknown", this.at === null && this.last === null && !this.isHeld);
  }
}

async function fetchDrawing(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`no drawing at ${url}`);
  return answer.text();
}

/** An SVG element with a class and attributes. */
export function shape(tag, className, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  if (className) element.setAttribute("class", className);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

export const group = (className) => shape("g", className);
export const path = (className, d) => shape("path", className, { d });
export const rectangle = (className, attributes) => shape("rect", className, attributes);
export const circle = (className, { x, y }, r) => shape("circle", className, { cx: x, cy: y, r });

/** A text in the middle of a point. */
export function text(content, x, y) {
  const element = shape("text", "", { x, y });
  element.textContent = content;
  return element;
}

/** Two strokes across a point. */
export function crossPath({ x, y }, reach) {
  return `M${x - reach} ${y - reach}L${x + reach} ${y + reach}M${x - reach} ${y + reach}L${x + reach} ${y - reach}`;
}

function centreOf(circle) {
  return { x: circle.cx.baseVal.value, y: circle.cy.baseVal.value };
}

/** The bend of an arc between two holes: a sixth of its length to the left, or more. */
function bowOf(from, to, least) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const bend = Math.max(length / 6, least) / length;
  return { x: (from.x + to.x) / 2 + dy * bend, y: (from.y + to.y) / 2 - dx * bend };
}

/** A point before the end of an arc. */
function before(end, bow, length) {
  const reach = Math.hypot(bow.x - end.x, bow.y - end.y) || 1;
  const step = Math.min(length, reach / 2) / reach;
  return { x: end.x + (bow.x - end.x) * step, y: end.y + (bow.y - end.y) * step };
}

const pair = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** A path from hole to hole that ends before the holes. */
function arcPath(from, to, bow) {
  return `M${pair(before(from, bow, 5))}Q${pair(bow)} ${pair(before(to, bow, 5))}`;
}

/** The head of an arrow at the end of an arc. */
function arrowHead(to, bow) {
  const tip = before(to, bow, 5);
  const angle = Math.atan2(bow.y - tip.y, bow.x - tip.x);
  const barb = (turn) => pair({ x: tip.x + 3.2 * Math.cos(angle + turn), y: tip.y + 3.2 * Math.sin(angle + turn) });
  return `M${barb(0.6)}L${pair(tip)}L${barb(-0.6)}`;
}
