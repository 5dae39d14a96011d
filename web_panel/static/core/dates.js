// Writes the dates of a page in its language and the visitor's time zone, and makes its print button work.

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
