/**
 * The literals of a CHECK constraint that is a list of allowed values of one column, as Postgres prints it:
 * `CHECK ((state = ANY (ARRAY['A'::text, 'B'::text])))`, also with casts, as integers, or as one comparison. Null: it is
 * something else.
 */
export function checkValues(definition: string): readonly string[] | null {
  const body = /^CHECK \((?<body>[\s\S]*)\)(?: NOT VALID| NO INHERIT)*$/.exec(definition)?.groups?.body;
  if (body === undefined) return null;
  const alternatives = splitTop(stripped(body), ' OR ').map(stripped);
  const values = alternatives.map((part) => (/^\S+ IS NULL$/.test(part) ? [] : literalsOf(part)));
  if (values.some((each) => each === null)) return null;
  const all = values.flatMap((each) => each ?? []);
  return all.length > 0 ? all : null;
}

const TEXT = String.raw`'(?:[^']|'')*'`;
const CAST = String.raw`(?:::[\w." ]+(?:\(\d+\))?(?:\[\])?)?`;
const LITERAL = String.raw`\(?(?:${TEXT}|-?\d+)${CAST}\)?${CAST}`;
/** The column, maybe in parentheses and cast; no function of it. */
const COLUMN = String.raw`\(*[\w."]+\)*(?:::[\w "]+)?`;
const ONE_OF = new RegExp(
  String.raw`^${COLUMN} = ANY \(+ARRAY\[(?<list>${LITERAL}(?:, ${LITERAL})*)\]\)?${CAST}\)*$`,
);
const EQUALS = new RegExp(String.raw`^${COLUMN} = (?<list>${LITERAL})$`);

function literalsOf(condition: string): string[] | null {
  const list = (ONE_OF.exec(condition) ?? EQUALS.exec(condition))?.groups?.list;
  if (list === undefined) return null;
  return [...list.matchAll(new RegExp(`(${TEXT})|(?<=^|[,( ])(-?\\d+)`, 'g'))].map(([found]) =>
    found.startsWith("'") ? found.slice(1, -1).replaceAll("''", "'") : found,
  );
}

/** Without the parentheses around the whole. */
function stripped(text: string): string {
  let inner = text.trim();
  while (inner.startsWith('(') && closing(inner) === inner.length - 1) inner = inner.slice(1, -1).trim();
  return inner;
}

/** Where the parenthesis at the beginning closes. */
function closing(text: string): number {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "'") quoted = !quoted;
    if (quoted) continue;
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** Parts between separators that stand in no parentheses and quotes. */
function splitTop(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "'") quoted = !quoted;
    if (quoted) continue;
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0 && text.startsWith(separator, at)) {
      parts.push(text.slice(from, at));
      from = at + separator.length;
    }
  }
  return [...parts, text.slice(from)];
}
