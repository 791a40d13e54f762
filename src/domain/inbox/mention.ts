/**
 * Whether a JSON text says an address or an id, and the text without it. Only whole ones count: `a@b.co` is not in
 * `a@b.com`. JSON may write any character as an escape, so each string in the text is decoded before it is searched.
 */
export interface Mention {
  /** In lower case: what to search for first, because it is faster. */
  readonly needles: readonly string[];
  /** The same as regular expressions of Postgres, for JSON in which a text of JSON may be a value. */
  readonly patterns: readonly string[];
  isIn(json: string): boolean;
  /** The text with something in place of each; all else, also its numbers, stays as it was. */
  blank(json: string): string;
}

/** What stands where an address was. */
const ERASED = '[erased]';

const STRING = /"(?:[^"\\]|\\.)*"/gs;

export function createMention(searched: readonly string[]): Mention {
  const needles = searched.map((each) => each.toLowerCase());
  const whole = needles.map((each) => `(?<![\\w.%+-])${escaped(each)}(?![\\w-]|\\.\\w)`);
  const expression = needles.length === 0 ? null : new RegExp(whole.join('|'), 'giu');

  const decodedText = (token: string): string => {
    try {
      return JSON.parse(token) as string;
    } catch {
      return token;
    }
  };
  const blank = (json: string): string =>
    expression === null
      ? json
      : json.replace(STRING, (token) => {
          const text = decodedText(token);
          const without = text.replace(expression, ERASED);
          return without === text ? token : JSON.stringify(without);
        });
  return {
    needles,
    patterns: needles.map((each) => {
      const inJson = escaped(JSON.stringify(each).slice(1, -1));
      return `(?:(?<![a-zA-Z0-9_.%+-])|\\\\[nrtbf])${inJson}(?![a-zA-Z0-9_-]|\\.[a-zA-Z0-9_])`;
    }),
    isIn: (json) => blank(json) !== json,
    blank,
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
