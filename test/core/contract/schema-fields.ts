import type { z } from 'zod';
import { documentedSchema } from '../../../src/core/contract/reply-fields.js';
import { type Certainty, CERTAINTY_KEY, CERTAINTY_WORDS } from '../../../src/core/contract/operation.js';

/** One field of a body, reply or event that holds a value, not an object. */
interface SchemaField {
  /** Dotted; `[]` stands for each element of a list: `experiences[].start_year`. */
  readonly path: string;
  readonly certainty: Certainty;
}

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly [CERTAINTY_KEY]?: string;
}

/**
 * @param schema of a body, of a reply's `data`, or of an event
 * @param certainty what counts where a field has no certainty of its own
 * @returns every field in the order of the schema; empty for a schema that names none
 */
export function schemaFields(schema: z.ZodType, certainty: Certainty): SchemaField[] {
  const root = documentedSchema(schema) as Node;
  return root.properties === undefined ? [] : fieldsOf(root, { path: '', certainty });
}

function fieldsOf(node: Node, at: SchemaField): SchemaField[] {
  const certainty = certaintyOf(node) ?? at.certainty;
  const inner =
    node.anyOf?.find(({ properties }) => properties !== undefined) ??
    node.anyOf?.find(({ items }) => items !== undefined) ??
    node;
  if (inner.properties !== undefined)
    return Object.entries(inner.properties).flatMap(([name, part]) =>
      fieldsOf(part, { path: at.path === '' ? name : `${at.path}.${name}`, certainty }),
    );
  if (inner.items?.properties !== undefined)
    return fieldsOf(inner.items, { path: `${at.path}[]`, certainty });
  return [{ path: at.path, certainty }];
}

function certaintyOf(node: Node): Certainty | undefined {
  return (Object.keys(CERTAINTY_WORDS) as Certainty[]).find(
    (certainty) => CERTAINTY_WORDS[certainty] === node[CERTAINTY_KEY],
  );
}
