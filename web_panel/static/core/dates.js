// Writes the dates of a page in its language and the visitor's time zone, and makes its print button work.

// The reader's own region, where it speaks the language of the page: en-GB has other dates than en-US.
const page = document.documentElement.lang;
const lang = navigator.languages.find((each) => each.split("-")[0] === page) ?? page;
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
