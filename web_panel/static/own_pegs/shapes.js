// The signs of six sides: a shape that reads the same from every chair, and a colour (own_pegs.css).

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = [
  "M0-4.2A4.2 4.2 0 1 1 0 4.2 4.2 4.2 0 1 1 0-4.2Z", // circle
  "M-3.8-3.8H3.8V3.8H-3.8Z", // square
  "M0-4.8 4.8 3.8H-4.8Z", // triangle
  "M0-5 3.6 0 0 5-3.6 0Z", // narrow diamond
  "M-1.6-4.6H1.6V-1.6H4.6V1.6H1.6V4.6H-1.6V1.6H-4.6V-1.6H-1.6Z", // cross
  "M0-5 1.3-1.6 4.9-1.5 2.1.7 3.1 4.2 0 2.2-3.1 4.2-2.1.7-4.9-1.5-1.3-1.6Z", // star
];

/** Create an SVG element with attributes. */
export function svg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** The outline of a side's pegs, in a box of 10 around the middle. */
export const sideShape = (side) => SHAPES[side % SHAPES.length];

/** The sign of a side, beside its name. */
export function sideSign(side) {
  const sign = svg("svg", { viewBox: "-5 -5 10 10", "aria-hidden": "true" });
  sign.append(svg("path", { d: sideShape(side) }));
  return sign;
}
