// Fetches a part of a page again and again, and shows a banner while the club's computer does not answer.

const PATIENCE_MS = 5000; // longer than a busy computer needs: without Wi-Fi a request would wait for minutes
const LOST_AFTER = 2; // requests in a row without an answer

const banner = document.getElementById("offline");
let failures = 0;

/**
 * Fetch an address.
 * @param {string} address
 * @param {?string} etag of the answer that is shown now
 * @returns {Promise<?Response>} null without an answer
 */
export async function fetchPart(address, etag) {
  const headers = etag ? { "If-None-Match": etag } : {};
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(address, { headers, signal, cache: "no-store" }).catch(() => null);
  failures = answer && answer.status < 500 ? 0 : failures + 1;
  banner.hidden = failures < LOST_AFTER;
  return answer;
}
