import { z } from 'zod';
import { documentedSchema } from './fields.js';
import { type Certainty, CERTAINTY_KEY, CERTAINTY_WORDS } from './operation.js';

/**
 * Reads schemas as lists of fields: what a body has and needs, which fields may be null, and what is wrong with one
 * body.
 */

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

/** The names of a body's own fields; none for a schema that names none. */
export function bodyFields(body: z.ZodType | null): readonly string[] {
  return body instanceof z.ZodObject ? Object.keys(body.shape) : [];
}

/** The same body without one of its own fields; a schema that names none is given back. */
export function withoutField(body: z.ZodType, field: string): z.ZodType {
  const left: Record<never, true> = { [field]: true };
  return body instanceof z.ZodObject ? body.omit(left) : body;
}

const made = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The same body with null for every field that may be missing, at every depth. That is how `absent: null` writes a
 * field without a value, so that a platform clears it that merges what it gets with what it holds. Required fields stay
 * as they are.
 */
export function allowNulls(schema: z.ZodType): z.ZodType {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const allowing = schema instanceof z.ZodObject ? withNulls(schema) : schema;
  made.set(schema, allowing);
  return allowing;
}

function withNulls(schema: z.ZodObject): z.ZodType {
  const fields = Object.entries(schema.shape).map(([name, field]) => [
    name,
    field instanceof z.ZodOptional
      ? allowNulls(field.unwrap() as z.ZodType).nullish()
      : allowNulls(field as z.ZodType),
  ]);
  return schema.safeExtend(Object.fromEntries(fields) as Record<string, z.ZodType>);
}

/** One thing that is wrong with a request body. `field` is the dotted path; empty for the body itself. */
export interface BodyProblem {
  readonly field: string;
  /** `unknown`: a field that the interface does not list. */
  readonly code: 'required' | 'type' | 'format' | 'range' | 'unknown';
  readonly message: string;
}

/**
 * @param schema one of the request bodies (`companyBody`, `vacancyBody`, ...)
 * @param body any JSON value
 * @returns everything that is wrong, in the order of the schema; empty when the body is valid
 */
export function bodyProblems(schema: z.ZodType, body: unknown): readonly BodyProblem[] {
  const parsed = schema.safeParse(body);
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue) => problemsOf(issue, body));
}

function problemsOf(issue: z.core.$ZodIssue, body: unknown): BodyProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: dotted([...issue.path, key]),
      code: 'unknown' as const,
      message: 'is not a field of the interface',
    }));
  }
  const field = dotted(issue.path);
  if (valueAt(body, issue.path) === undefined) return [{ field, code: 'required', message: 'is required' }];
  return [{ field, code: codeOf(issue), message: issue.message }];
}

function codeOf(issue: z.core.$ZodIssue): BodyProblem['code'] {
  if (issue.code === 'invalid_format') return 'format';
  // A whole number beyond what JSON readers hold exactly.
  if (issue.code === 'too_big' || issue.code === 'too_small') return 'range';
  return 'type';
}

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Record<PropertyKey, unknown>)[step];
  }
  return current;
}
