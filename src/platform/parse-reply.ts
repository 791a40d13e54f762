/** A text, which stays as it is, or a number. */
const TEXTS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A whole number of more digits than a number of this language is sure to hold. */
const LONG = /^-?\d{16,}$/;

/**
 * A body as JSON; undefined when it is not JSON. A whole number that would lose digits becomes a text: an id must come
 * back to the platform as it was.
 */
export function parseReply(text: string): unknown {
  try {
    const json = JSON.parse(text) as unknown;
    if (!/\d{16}/.test(text)) return json;
    const exact = text.replace(TEXTS_AND_NUMBERS, (token) =>
      LONG.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
    );
    return JSON.parse(exact) as unknown;
  } catch {
    return undefined;
  }
}
