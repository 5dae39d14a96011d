// The page of a player.

import "./commands.js";
import { keepFresh } from "./refresh.js";

keepFresh(document.getElementById("me"), `/me/part?lang=${document.documentElement.lang}`, (text) => text);
