// The dialog for a number: a claim, a bid, or a corrected score with its reason.

/** Asks for the number of an action, and sends its command. */
export class NumberDialog {
  #dialog;
  #form;
  #connection;

  constructor(dialog, connection) {
    this.#dialog = dialog;
    this.#form = dialog.querySelector("form");
    this.#connection = connection;
    this.#form.querySelector("[value=cancel]").onclick = () => dialog.close();
  }

  /** Open the dialog for an action whose input is points or a score. `sides` are those of the state. An input of points
   * with `sides` asks for which of them. */
  open(action, sides) {
    const isScore = action.input.kind === "score";
    const { side, points, reason } = this.#form.elements;
    this.#dialog.querySelector("h2").textContent = action.label;
    const offered = action.input.sides ?? [...sides.keys()];
    side.replaceChildren(...offered.map((number) => new Option(sides[number].name, number)));
    side.onchange = () => isScore && (points.value = sides[side.value].score);
    const whose = side.parentElement.querySelector("span");
    whose.textContent = isScore ? whose.dataset.score : whose.dataset.claim;
    side.parentElement.hidden = !isScore && !action.input.sides;
    reason.parentElement.hidden = !isScore;
    const label = points.parentElement.querySelector("span");
    label.textContent = isScore ? label.dataset.score : label.dataset.points;
    points.min = action.input.minimum;
    points.value = isScore ? sides[0].score : action.input.minimum;
    this.#form.onsubmit = (event) => this.#send(event, action);
    this.#showError("");
    this.#dialog.showModal();
    points.select();
  }

  #bodyOf(action) {
    const { side, points, reason } = this.#form.elements;
    if (action.input.sides) return { side: Number(side.value), points: Number(points.value) };
    if (action.input.kind !== "score") return { ...action.body, points: Number(points.value) };
    return { side: Number(side.value), score: Number(points.value), reason: reason.value };
  }

  async #send(event, action) {
    event.preventDefault();
    try {
      await this.#connection.post(`commands/${action.command}`, this.#bodyOf(action));
      this.#dialog.close();
    } catch (error) {
      this.#showError(error.message);
    }
  }

  #showError(message) {
    const alert = this.#form.querySelector(".error");
    alert.textContent = message;
    alert.hidden = !message;
  }
}
