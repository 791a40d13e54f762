/** A text, which stays as it is, or a number. */
const TEXTS_AND_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A whole number of more digits than a number of this language is sure to hold. */
const LONG = /^-?\d{16,}$/;

/** Objects and lists within each other. Replies of the interface have four; whoever reads one goes down by calling itself. */
const DEEPEST = 50;

/**
 * A body as JSON; undefined when it is not JSON, or nothing that can be compared and stored: nested too deep, or with a
 * number beyond all that this language has (`1e400`). A whole number that would lose digits becomes a text: an id must
 * come back to the platform as it was.
 */
export function parseReply(text: string): unknown {
  try {
    const json = JSON.parse(text) as unknown;
    if (!isReadable(json)) return undefined;
    if (!/\d{16}/.test(text)) return json;
    const exact = text.replace(TEXTS_AND_NUMBERS, (token) =>
      LONG.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
    );
    return JSON.parse(exact) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a body that `parseReply` does not take is JSON nevertheless: too deep, or with a number too large. */
export function isBeyondReading(text: string): boolean {
  try {
    return !isReadable(JSON.parse(text));
  } catch {
    return false;
  }
}

function isReadable(value: unknown, deepest = DEEPEST): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return deepest > 0 && Object.values(value).every((inner) => isReadable(inner, deepest - 1));
}
