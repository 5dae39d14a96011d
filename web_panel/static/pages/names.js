// Names of players that somebody types.

/**
 * The first name that is there twice; empty if all differ. Past games take equal names for one person, whatever their
 * case and spaces.
 * @param {string[]} names
 */
export function nameTwice(names) {
  const keys = names.map((name) => name.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim());
  return names.find((_, seat) => keys.indexOf(keys[seat]) < seat) ?? "";
}
