// Dates as they are written in the language of the page, by the clock of whoever reads it.

const written = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "long", timeStyle: "short" });
for (const time of document.querySelectorAll("time")) time.textContent = written.format(new Date(time.dateTime));
