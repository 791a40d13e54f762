import type { z } from 'zod';
import { documentedSchema } from './documented.js';
import { CERTAINTY_KEY, CERTAINTY_WORDS, type Certainty } from './certainty.js';

/** One field of a body, reply or event that holds a value, not an object. */
export interface SchemaField {
  /** Dotted; `[]` stands for each element of a list: `experiences[].start_year`. */
  readonly path: string;
  /** Such as `text (UUID)`, `whole number or null`. */
  readonly type: string;
  /** `always`: nothing is valid without it. `in-object`: the object that it stands in, which may be missing. */
  readonly required: 'always' | 'in-object' | 'no';
  readonly certainty: Certainty;
}

interface Node {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly [CERTAINTY_KEY]?: string;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
};

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  uri: 'address',
  date: 'YYYY-MM-DD',
  'local-time': 'YYYY-MM-DD HH:MM:SS',
};

/**
 * @param schema of a body, of a reply's `data`, or of an event
 * @param certainty what counts where a field has no certainty of its own
 * @returns every field in the order of the schema; empty for a schema that names none
 */
export function schemaFields(schema: z.ZodType, certainty: Certainty): SchemaField[] {
  const root = documentedSchema(schema) as Node;
  return root.properties === undefined ? [] : fieldsOf(root, { path: '', certainty, required: 'always' });
}

function fieldsOf(node: Node, at: Pick<SchemaField, 'path' | 'certainty' | 'required'>): SchemaField[] {
  const certainty = certaintyOf(node) ?? at.certainty;
  const inner = node.anyOf?.find(({ properties }) => properties !== undefined) ?? listIn(node) ?? node;
  if (inner.properties !== undefined) {
    const { required = [] } = inner;
    return Object.entries(inner.properties).flatMap(([name, part]) =>
      fieldsOf(part, {
        path: at.path === '' ? name : `${at.path}.${name}`,
        certainty,
        required: !required.includes(name) ? 'no' : at.required === 'always' ? 'always' : 'in-object',
      }),
    );
  }
  if (inner.items?.properties !== undefined)
    return fieldsOf(inner.items, { ...at, path: `${at.path}[]`, certainty });
  return [{ ...at, certainty, type: typeText(node) }];
}

function listIn(node: Node): Node | undefined {
  return node.anyOf?.find(({ items }) => items !== undefined);
}

function certaintyOf(node: Node): Certainty | undefined {
  const word = node[CERTAINTY_KEY];
  return (Object.keys(CERTAINTY_WORDS) as Certainty[]).find(
    (certainty) => CERTAINTY_WORDS[certainty] === word,
  );
}

function typeText(node: Node): string {
  const parts = node.anyOf ?? [node];
  const words = parts.flatMap(({ type, format, items }) => {
    if (items !== undefined) return [`list of ${typeText(items)}`];
    const types = typeof type === 'string' ? [type] : (type ?? []);
    return types
      .filter((each) => each !== 'null')
      .map((each) => {
        const word = TYPE_WORDS[each] ?? each;
        return format === undefined ? word : `${word} (${FORMAT_WORDS[format] ?? format})`;
      });
  });
  const nullable = parts.some(
    ({ type }) => type === 'null' || (Array.isArray(type) && type.includes('null')),
  );
  const text = words.length === 0 ? 'anything' : [...new Set(words)].join(' or ');
  return nullable ? `${text} or null` : text;
}
