// The letters of court cards: a setting of this browser, kept in a cookie, so that pages are drawn with it at once.

const AGE_S = 365 * 24 * 3600;

document.getElementById("court-letters").addEventListener("change", ({ target }) => {
  document.cookie = `letters=${target.value}; max-age=${AGE_S}; path=/; SameSite=Strict`;
  location.reload();
});
