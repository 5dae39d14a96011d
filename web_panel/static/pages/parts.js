// The parts of the board: sensors, lights, display, game file.

import { make } from "../core/render.js";

/**
 * An entry for one part.
 * @param {object} part as in `GET /api/v1/device`
 * @param {{failed: string, details: string}} texts
 */
export function newPart({ name, status, is_ok, failures, detail }, texts) {
  const times = failures ? `${status} (${texts.failed.replace("{times}", failures)})` : status;
  const said = make("dd", "", times);
  if (detail) said.append(make("details", "", make("summary", "", texts.details), make("code", "", detail)));
  return make("div", is_ok ? "is-ok" : "is-faulty", make("dt", "", name), said);
}
