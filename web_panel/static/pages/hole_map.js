// A drawing of the board with a sign for the state of each hole, and the list of holes that says the same in words.

import { reportLost } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";

const LARGE = new Set(["lit", "dead_hole", "stuck_hole", "weak_hole"]);
const ZOOM_MM = 90; // width and height of what is shown around a hole

/** State of a hole -> its sign, in a box of 12. Shapes differ, so that colour is not needed. */
const SIGNS = {
  ok: "M-1 0A1 1 0 1 1 1 0 1 1 0 1 1-1 0",
  tried: "M-3 0-1 2.4 3.2-2.6",
  peg: "M-3.6 0A3.6 3.6 0 1 1 3.6 0 3.6 3.6 0 1 1-3.6 0",
  lit: "M-4.6 0A4.6 4.6 0 1 1 4.6 0 4.6 4.6 0 1 1-4.6 0",
  dead_hole: "M-3.6-3.6 3.6 3.6M3.6-3.6-3.6 3.6",
  stuck_hole: "M-3.6-3.6H3.6V3.6H-3.6Z",
  weak_hole: "M0-4.2 4.2 3.4H-4.2Z",
};

/** The map of one board. Its list has an element for each hole, with its name and the words for each state. */
export class HoleMap {
  #map;
  #stateOf;
  #onHole;
  #marks = new Map(); // sensor -> its sign on the drawing, and the place of its hole
  #zoomed = null; // sensor whose hole is in the middle
  #whole = null; // what the drawing shows without zoom
  #sheet = new CSSStyleSheet(); // of the drawing: the CSP forbids inline style
  #isUpright = matchMedia("(max-width: 599px)");

  /**
   * @param {HTMLElement} map gets the drawing; `data-drawing` is its address without the orientation
   * @param {(sensor: number) => string} stateOf the state of a hole, a key of SIGNS
   * @param {((sensor: number) => void)|null} onHole called when a hole of the drawing is pressed; null: it cannot be
   */
  constructor(map, stateOf, onHole = null) {
    this.#map = map;
    this.#stateOf = stateOf;
    this.#onHole = onHole;
    this.holes = new Map([...document.querySelectorAll("#hole-list [data-sensor]")].map((item) => [Number(item.dataset.sensor), item]));
    document.adoptedStyleSheets.push(this.#sheet);
    this.#isUpright.addEventListener("change", () => this.load());
    for (const sign of document.querySelectorAll(".legend .mark")) {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("d", SIGNS[[...sign.classList].find((name) => name in SIGNS)]);
      sign.append(path);
    }
  }

  /** The names of these holes in one line. */
  namesOf(sensors) {
    return [...sensors].map((sensor) => this.holes.get(sensor)?.dataset.name).filter(Boolean).join(", ");
  }

  /** Fetch the drawing for the width of the page, and show the holes on it. */
  async load() {
    const answer = await fetch(`${this.#map.dataset.drawing}${this.#isUpright.matches ? "portrait" : "landscape"}.svg?lang=${document.documentElement.lang}`).catch(() => null);
    if (!answer?.ok) return answer || reportLost();
    let style = "";
    const text = (await answer.text()).replace(/<style>([^]*?)<\/style>/, (_, found) => ((style = found), ""));
    this.#sheet.replaceSync(style);
    const drawing = document.adoptNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
    this.#map.querySelector("svg")?.remove();
    this.#map.append(drawing);
    this.#whole = null;
    this.#marks.clear();
    for (const hole of drawing.querySelectorAll(".hole")) this.#addMark(drawing, hole);
    this.render();
    this.zoomTo(this.#zoomed);
  }

  /** On a narrow page show only the holes around this one; null: all. */
  zoomTo(sensor) {
    this.#zoomed = sensor;
    const drawing = this.#map.querySelector("svg");
    const well = this.#isUpright.matches && drawing?.querySelector(`.hole[data-sensor="${sensor}"] .well`);
    if (!drawing) return;
    this.#whole ??= drawing.getAttribute("viewBox");
    const [x, y] = well ? [well.cx.baseVal.value - ZOOM_MM / 2, well.cy.baseVal.value - ZOOM_MM / 2] : [];
    drawing.setAttribute("viewBox", well ? `${x} ${y} ${ZOOM_MM} ${ZOOM_MM}` : this.#whole);
  }

  #addMark(drawing, hole) {
    const sensor = Number(hole.dataset.sensor);
    const well = hole.querySelector(".well");
    const mark = document.createElementNS(SVG, "path");
    const title = document.createElementNS(SVG, "title");
    title.textContent = this.holes.get(sensor)?.dataset.name ?? "";
    hole.append(title);
    if (this.#onHole) hole.addEventListener("click", () => this.#onHole(sensor));
    drawing.append(mark);
    this.#marks.set(sensor, { mark, place: `translate(${well.cx.baseVal.value} ${well.cy.baseVal.value})` });
  }

  /** The size is part of the attribute: a CSS scale would move the sign as well. */
  #draw(sensor, state) {
    if (!this.#marks.has(sensor)) return;
    const { mark, place } = this.#marks.get(sensor);
    mark.setAttribute("d", SIGNS[state]);
    mark.setAttribute("class", `mark ${state}`);
    mark.setAttribute("transform", `${place} scale(${LARGE.has(state) ? 0.75 : 0.5})`);
  }

  /** Show the present state of every hole. */
  render() {
    for (const [sensor, item] of this.holes) {
      const state = this.#stateOf(sensor);
      this.#draw(sensor, state);
      const text = item.querySelector("[data-state]");
      if (text.dataset.state === state) continue;
      text.dataset.state = state;
      text.textContent = text.getAttribute(`data-${state.replace("_", "-")}`);
    }
  }
}
