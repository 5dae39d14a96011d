// Dates as they are written in the language of the page, by the clock of whoever reads it; and paper for who wants it.

const { lang } = document.documentElement;
const long = new Intl.DateTimeFormat(lang, { dateStyle: "long", timeStyle: "short" });
const short = new Intl.DateTimeFormat(lang, { dateStyle: "short", timeStyle: "short" });
for (const time of document.querySelectorAll("time")) {
  time.textContent = ("short" in time.dataset ? short : long).format(new Date(time.dateTime));
}

const print = document.getElementById("print");
if (print) {
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}
