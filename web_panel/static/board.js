// The board as it lies on the table: the drawing, its lights, and the pegs.

const SVG = "http://www.w3.org/2000/svg";

/** The heads of pegs, one shape a track, so that colour never tells alone. In a box of 10 round the middle. */
export const HEADS = [
  "M0-4.2A4.2 4.2 0 1 1 0 4.2 4.2 4.2 0 1 1 0-4.2Z",
  "M-3.8-3.8H3.8V3.8H-3.8Z",
  "M0-4.8 4.6 3.4H-4.6Z",
  "M0-5 5 0 0 5-5 0Z",
];

const HOVER_MM = 4; // how high a lifted peg is drawn over its hole
const PROMISE_MS = 1500; // how long a peg set down may take until the sensors tell of it

/** What stands in the drawing's own units round a hole: the same signs for eyes that do not see the blinking. */
const SIGNS = { rest: 2.6, from: 6.2, to: 3.4, next: 4.4, wrong: 6.2 };

export class Board {
  holes = new Map();
  pegs = [];
  #room;
  #drawn = "";
  #ready = null;
  #sheet = new CSSStyleSheet();
  #lights = new Map();
  #newest = null;
  #upright = matchMedia("(max-width: 599px)");

  constructor(room) {
    this.#room = room;
    document.adoptedStyleSheets.push(this.#sheet);
    this.#upright.addEventListener("change", () => this.show(this.#newest));
  }

  get svg() {
    return this.#room.firstElementChild;
  }

  async show(state) {
    if (!state) return;
    this.#newest = state;
    const { id, target } = state.board;
    const url = `/boards/${id}/${target}/${this.#upright.matches ? "standing" : "lying"}.svg`;
    if (url !== this.#drawn) {
      this.#drawn = url;
      this.#ready = this.#draw(url).catch(() => (this.#drawn = "")); // no line: drawn with the next state
    }
    await this.#ready;
    if (!this.svg || state !== this.#newest) return;
    this.#light(state.lights);
    this.settle();
  }

  /** Fetch a drawing. Its style becomes a sheet of the page, which allows no style inside its elements. */
  async #draw(url) {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`no drawing at ${url}`);
    let style = "";
    const bare = (await answer.text()).replace(/<style>([^]*?)<\/style>/, (_, found) => ((style = found), ""));
    if (url !== this.#drawn) return;
    this.#sheet.replaceSync(style);
    const drawing = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
    this.#room.replaceChildren(document.adoptNode(drawing));
    const { width, height } = drawing.viewBox.baseVal;
    this.#room.dataset.shape = Math.min(width, height) / Math.max(width, height) > 0.3 ? "broad" : "slim";
    this.#room.style.setProperty("--shape", width / height);
    this.#lights.clear();
    drawing.setAttribute("role", "group"); // no picture any more: its pegs can be taken in hand
    drawing.append(group("lights"), group("pegs"));
    this.#findHoles(drawing);
    this.#setOut();
  }

  #findHoles(drawing) {
    this.holes.clear();
    for (const hole of drawing.querySelectorAll(".hole")) {
      const { sensor, track, hole: number } = hole.dataset;
      this.holes.set(Number(sensor), {
        sensor: Number(sensor),
        track: track === "shared" ? null : Number(track),
        number: Number(number),
        at: middleOf(hole.querySelector(".well")),
        light: middleOf(hole.querySelector(".light")),
      });
    }
  }

  /** Two pegs a track, as bought. Which is where, the sensors tell. */
  #setOut() {
    const { tracks } = this.#newest.board;
    this.pegs = tracks.flatMap((track, number) => [new Peg(number, track), new Peg(number, track)]);
    this.svg.querySelector(".pegs").append(...this.pegs.map((peg) => peg.element));
    this.pegs.forEach((peg) => this.onNewPeg?.(peg));
  }

  #light(lights) {
    const layer = this.svg.querySelector(".lights");
    const wanted = new Map(lights.map((light) => [`${light.sensor} ${light.signal}`, light]));
    for (const [key, lit] of this.#lights) {
      if (!wanted.has(key)) {
        lit.remove();
        this.#lights.delete(key);
      }
    }
    for (const [key, light] of wanted) {
      if (this.#lights.has(key)) continue;
      const lit = this.#newLight(light);
      this.#lights.set(key, lit);
      layer.append(lit);
    }
    this.#pointTheWay(lights, layer);
  }

  #newLight({ sensor, track, signal }) {
    const hole = this.holes.get(sensor);
    const lit = group(`signal ${signal}`);
    lit.style.setProperty("--track", this.#newest.board.tracks[track].colour);
    lit.append(circle("glow", hole.light, 2.1), circle("sign", hole.at, SIGNS[signal]));
    // All lights of a board blink together, whenever each was lit.
    lit.style.setProperty("--phase", `${-(performance.now() % 1000)}ms`);
    return lit;
  }

  /** An arc from the hole to move from to the one to move to, where a track has just one such pair. */
  #pointTheWay(lights, layer) {
    layer.querySelectorAll(".arc").forEach((arc) => arc.remove());
    for (const track of new Set(lights.map((light) => light.track))) {
      const own = lights.filter((light) => light.track === track);
      const ends = own.filter((light) => light.signal === "from" || light.signal === "wrong");
      const goals = own.filter((light) => light.signal === "to");
      if (ends.length !== 1 || goals.length !== 1) continue;
      const arc = document.createElementNS(SVG, "path");
      arc.setAttribute("class", "arc");
      arc.setAttribute("d", arcPath(this.holes.get(ends[0].sensor).at, this.holes.get(goals[0].sensor).at));
      layer.append(arc);
    }
  }

  /** Let every peg stand where the sensors see one. A peg seen nowhere hovers where it was last, or lies in the tray. */
  settle() {
    const seen = new Map(this.#newest.pegs.map((peg) => [peg.sensor, peg]));
    const free = new Set(seen.keys());
    for (const peg of this.pegs) peg.keep(seen, free);
    for (const sensor of free) {
      const loose = this.pegs.filter((peg) => peg.isLoose);
      const own = loose.find((peg) => peg.track === seen.get(sensor).track);
      (own ?? loose[0])?.stand(sensor);
    }
    for (const peg of this.pegs) peg.rank = seen.get(peg.at)?.rank ?? peg.rank;
    this.draw();
  }

  /** Put every peg where it is now, and those that are nowhere into the tray below the board. */
  draw() {
    const { width, height } = this.svg.viewBox.baseVal;
    const inTray = this.pegs.filter((peg) => !peg.isHeld && peg.at === null && peg.last === null);
    inTray.forEach((peg, place) => peg.lieAt({ x: width / 2 + 14 * (place - (inTray.length - 1) / 2), y: height + 9 }));
    for (const peg of this.pegs) {
      if (peg.isHeld) continue;
      const hole = this.holes.get(peg.at ?? peg.last);
      if (hole && peg.at === null) peg.lieAt({ x: hole.at.x + HOVER_MM, y: hole.at.y - HOVER_MM });
      else if (hole) peg.standAt(hole.at);
      peg.element.setAttribute("aria-label", this.describe(peg));
    }
    this.#room.dataset.tray = inTray.length;
  }

  describe(peg) {
    const hole = this.holes.get(peg.at);
    const kind = this.#says[peg.rank || "peg"].replace("{track}", peg.name);
    return `${kind}, ${hole ? this.placeOf(hole) : this.#says.inHand}`;
  }

  /** A hole as it is spoken. */
  placeOf(hole) {
    if (hole.track === null) return this.#says.gameHole;
    return { [-1]: this.#says.backStart, 0: this.#says.start }[hole.number] ?? this.#says.hole.replace("{number}", hole.number);
  }

  get lifted() {
    return this.#says.lifted;
  }

  /** The sentences of the board in the language of the page: they stand at its place in the document. */
  get #says() {
    return this.#room.dataset;
  }

  isFree(sensor) {
    return !this.pegs.some((peg) => peg.at === sensor && !peg.isHeld);
  }
}

/** A peg of the page. `at` is the sensor it stands over, `last` the one it stood over before it was lifted. */
class Peg {
  at = null;
  last = null;
  rank = "";
  isHeld = false;
  #promised = 0;

  constructor(track, { name, colour }) {
    this.track = track;
    this.name = name;
    this.element = group("peg");
    this.element.style.setProperty("--track", colour);
    const head = document.createElementNS(SVG, "path");
    head.setAttribute("class", "head");
    head.setAttribute("d", HEADS[track % HEADS.length]);
    this.element.append(circle("reach", { x: 0, y: 0 }, 7), head, circle("eye", { x: 0, y: 0 }, 1.3));
  }

  get isLoose() {
    return this.at === null && !this.isHeld;
  }

  /** Claim the hole this peg is known to be in; let go of it when the sensors see nothing there any more. */
  keep(seen, free) {
    free.delete(this.isHeld ? this.last : this.at);
    if (this.isHeld || this.at === null || seen.has(this.at)) {
      if (seen.has(this.at)) this.#promised = 0;
      return;
    }
    if (performance.now() > this.#promised) this.at = null;
  }

  stand(sensor) {
    this.at = this.last = sensor;
  }

  /** Set down by this page: it stands, although the sensors have not told of it yet. */
  promise(sensor) {
    this.stand(sensor);
    this.#promised = performance.now() + PROMISE_MS;
  }

  standAt(point) {
    this.#moveTo(point, "standing");
  }

  lieAt(point) {
    this.#moveTo(point, "lifted");
  }

  #moveTo({ x, y }, posture) {
    this.element.style.transform = `translate(${x}px, ${y}px)`;
    this.element.dataset.posture = posture;
    this.element.dataset.rank = this.rank;
    this.element.toggleAttribute("data-unknown", this.at === null && this.last === null && !this.isHeld);
  }
}

function group(dress) {
  const element = document.createElementNS(SVG, "g");
  element.setAttribute("class", dress);
  return element;
}

function circle(dress, { x, y }, radius) {
  const element = document.createElementNS(SVG, "circle");
  for (const [name, value] of Object.entries({ class: dress, cx: x, cy: y, r: radius })) element.setAttribute(name, value);
  return element;
}

function middleOf(round) {
  return { x: round.cx.baseVal.value, y: round.cy.baseVal.value };
}

/** Bowed to one side by a sixth of its length, and stopping short of the holes themselves. */
function arcPath(from, to) {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy) || 1;
  const bow = { x: (from.x + to.x) / 2 + dy / 6, y: (from.y + to.y) / 2 - dx / 6 };
  const short = (end) => {
    const reach = Math.hypot(bow.x - end.x, bow.y - end.y) || 1;
    const step = Math.min(5, length / 3) / reach;
    return `${(end.x + (bow.x - end.x) * step).toFixed(1)} ${(end.y + (bow.y - end.y) * step).toFixed(1)}`;
  };
  return `M${short(from)}Q${bow.x.toFixed(1)} ${bow.y.toFixed(1)} ${short(to)}`;
}
