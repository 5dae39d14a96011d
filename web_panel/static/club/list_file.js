// The text of a file with a list of members, whichever program wrote it. `firmware_host/club/list_file.py` has the same
// rule for the command line, and says why.

const MARKS_OF_UTF_16 = { "255,254": "utf-16le", "254,255": "utf-16be" };
const NOT_TEXT = /[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]/;

/** The text of the bytes, without a byte order mark; null for what is no text. `codePage`: of Windows, such as
    "windows-1252". */
export function textOf(bytes, codePage) {
  const marked = MARKS_OF_UTF_16[bytes.slice(0, 2).join()];
  for (const encoding of marked ? [marked] : ["utf-8", codePage]) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      return NOT_TEXT.test(text) ? null : text;
    } catch {
      // the next encoding
    }
  }
  return null;
}
