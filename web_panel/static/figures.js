// A number that somebody says: a claim, a bid, or a score that is set right with a reason.

/** The dialog in which it is said. */
export class Figures {
  #dialog;
  #form;
  #line;

  constructor(dialog, line) {
    this.#dialog = dialog;
    this.#form = dialog.querySelector("form");
    this.#line = line;
    this.#form.querySelector("[value=cancel]").onclick = () => dialog.close();
  }

  open(ask, sides) {
    const isScore = ask.kind === "score";
    const { side, points, reason } = this.#form.elements;
    this.#dialog.querySelector("h2").textContent = ask.label;
    side.replaceChildren(...sides.map(({ name }, number) => new Option(name, number)));
    side.onchange = () => isScore && (points.value = sides[side.value].score);
    side.parentElement.hidden = reason.parentElement.hidden = !isScore;
    points.min = ask.least;
    points.value = isScore ? sides[0].score : ask.least;
    this.#form.onsubmit = (event) => this.#give(event, ask);
    this.#refuse("");
    this.#dialog.showModal();
    points.select();
  }

  #typed(ask) {
    const { side, points, reason } = this.#form.elements;
    if (ask.kind !== "score") return { ...ask.body, points: Number(points.value) };
    return { side: Number(side.value), score: Number(points.value), reason: reason.value };
  }

  async #give(event, ask) {
    event.preventDefault();
    try {
      await this.#line.ask(`orders/${ask.order}`, this.#typed(ask));
      this.#dialog.close();
    } catch (refused) {
      this.#refuse(refused.message);
    }
  }

  #refuse(sentence) {
    const room = this.#form.querySelector(".refused");
    room.textContent = sentence;
    room.hidden = !sentence;
  }
}
