// Two or four colours of the suits: a setting of this browser, kept in a cookie, so that pages are drawn with it at once.

const AGE_S = 365 * 24 * 3600;

/** Switch between two and four colours. Returns whether there are four now. */
export function switchSuitColours() {
  const isFour = document.documentElement.dataset.suits !== "four";
  if (isFour) document.documentElement.dataset.suits = "four";
  else delete document.documentElement.dataset.suits;
  document.cookie = `suits=${isFour ? "four" : "two"}; max-age=${AGE_S}; path=/; SameSite=Strict`;
  return isFour;
}
