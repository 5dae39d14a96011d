// Every page beside the game: tells when the board cannot be reached, and when it is back.

import { withCourtLetters } from "../core/cards.js";

const RETRY_MS = 3000;

const banner = document.getElementById("offline");
let timer = null;

/** Show the banner, and ask the board until it answers. Pages call it when a request got no answer. */
export function reportLost() {
  if (timer) return;
  banner.hidden = false;
  timer = setInterval(retry, RETRY_MS);
}

async function retry() {
  const answer = await fetch("/api/v1/me").catch(() => null);
  if (!answer) return;
  clearInterval(timer);
  timer = null;
  banner.hidden = true;
}

addEventListener("offline", reportLost);
addEventListener("online", () => timer && retry());

// Sentences of the page name cards as the board does.
const texts = document.createTreeWalker(document.getElementById("content") ?? document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) texts.currentNode.data = withCourtLetters(texts.currentNode.data);
