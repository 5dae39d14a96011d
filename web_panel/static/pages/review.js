// The review of a game that is being made: asks again until it is there, then shows it.

const NOT_READY = 202;
const AGAIN_MS = 1000;

async function askAgain() {
  const response = await fetch(location.href).catch(() => null);
  if (response && response.status !== NOT_READY) location.reload();
  else setTimeout(askAgain, AGAIN_MS);
}

setTimeout(askAgain, AGAIN_MS);
