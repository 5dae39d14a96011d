// The keys for the dealt cards on the page of discard advice: first a rank, then its suit.

import { cardElement, cardName, prettyCard } from "../core/cards.js";
import { make } from "../core/render.js";

const MAX_CARDS = 8;

const form = document.getElementById("advice");
const field = form?.elements.cards;
let cards = field?.value.toUpperCase().split(/\s+/).filter(Boolean) ?? [];
let rank = null; // chosen, and still without a suit

function show() {
  const { empty } = dealt.dataset;
  dealt.replaceChildren(...(cards.length ? cards.map(newCard) : [make("span", "secondary", empty)]));
  field.value = cards.join(" ");
  ranks.hidden = rank !== null;
  suits.hidden = rank === null;
  for (const key of ranks.querySelectorAll("[data-rank]")) key.disabled = cards.length >= MAX_CARDS;
  erase.disabled = !cards.length;
  for (const key of suits.querySelectorAll("[data-suit]")) key.disabled = cards.includes(`${rank}${key.dataset.suit}`);
  document.getElementById("suit-question").textContent = rank ? form.dataset.suit.replace("{rank}", cardName(prettyCard(rank))) : "";
}

function newCard(card) {
  const text = prettyCard(card);
  const button = cardElement(text, "button");
  button.setAttribute("aria-label", form.dataset.remove.replace("{card}", cardName(text)));
  button.addEventListener("click", () => {
    cards = cards.filter((other) => other !== card);
    show();
    ranks.querySelector("button:enabled")?.focus();
  });
  return button;
}

const dealt = document.getElementById("dealt");
const ranks = document.getElementById("ranks");
const suits = document.getElementById("suits");
const erase = document.getElementById("erase");

if (form) {
  ranks.addEventListener("click", ({ target }) => {
    rank = target.closest("[data-rank]")?.dataset.rank ?? null;
    if (!rank) return;
    show();
    suits.querySelector("button:enabled")?.focus();
  });
  suits.addEventListener("click", ({ target }) => {
    const suit = target.closest("[data-suit]")?.dataset.suit;
    if (!suit) return;
    const before = rank;
    cards.push(`${rank}${suit}`);
    rank = null;
    show();
    (ranks.querySelector(`[data-rank="${before}"]:enabled`) ?? form.querySelector("[type=submit]")).focus();
  });
  erase.addEventListener("click", () => (cards.pop(), show()));
  show();
}
