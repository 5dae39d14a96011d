// The page of the organiser: results and conflicts appear by themselves.

import "./commands.js";
import { keepFresh } from "./refresh.js";

const main = document.querySelector("main");
keepFresh(main, location.href, (text) => new DOMParser().parseFromString(text, "text/html").querySelector("main").innerHTML);
