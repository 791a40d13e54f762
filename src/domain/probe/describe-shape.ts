import { uuidText } from '../key/uuid-text.js';
import { oneLine } from '../reply/one-line.js';
import { isObject } from '../reply/refusal.js';

/** Names that are listed of one object. */
const MOST_NAMES = 12;
/** Longest name of a field, characters. */
const LONGEST_NAME = 40;

/** The type of a JSON value in one word. */
export function typeWord(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return uuidText(value) === null ? 'text' : 'uuid';
  if (typeof value === 'number') return Number.isInteger(value) ? 'whole number' : 'number';
  return typeof value === 'boolean' ? 'true or false' : 'object';
}

/** Names and types of a JSON value, without its values: `{data {id uuid, name text}, meta {}}`. Bounded. */
export function describeShape(value: unknown, depth = 2): string {
  if (!isObject(value)) return typeWord(value);
  if (depth === 0) return 'object';
  const names = Object.keys(value);
  const listed = names.slice(0, MOST_NAMES).map((name) => {
    const part = value[name];
    return `${fieldName(name)} ${describeShape(part, depth - 1)}`;
  });
  const more = names.length > MOST_NAMES ? [`${names.length - MOST_NAMES} more`] : [];
  return `{${[...listed, ...more].join(', ')}}`;
}

function fieldName(name: string): string {
  return oneLine(name.slice(0, LONGEST_NAME));
}
