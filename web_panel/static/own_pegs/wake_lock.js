// Keeps the screen on beside the board, where the browser can: it needs HTTPS, or the board's own computer.

/**
 * Keep the screen on from now on, whenever the page is visible.
 * @param {() => void} onRefused called if the browser cannot
 */
export async function keepScreenOn(onRefused) {
  const keep = async () => {
    if (document.hidden) return;
    try {
      await navigator.wakeLock.request("screen");
    } catch {
      onRefused();
    }
  };
  document.addEventListener("visibilitychange", keep); // the browser drops the lock of a page that is hidden
  await keep();
}
