// Writes dates in the language of the page; only those with `data-with-time` have a time of day.

const { lang } = document.documentElement;
const day = new Intl.DateTimeFormat(lang, { dateStyle: "long", timeZone: "UTC" });
const moment = new Intl.DateTimeFormat(lang, { dateStyle: "short", timeStyle: "medium" });

/** Write every `<time>` below an element. */
export function writeDates(element) {
  for (const time of element.querySelectorAll("time")) {
    time.textContent = ("withTime" in time.dataset ? moment : day).format(new Date(time.dateTime));
  }
}
