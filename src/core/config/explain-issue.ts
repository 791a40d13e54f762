import type { z } from 'zod';
import { safeParse } from 'zod/v4/core';
import { closest } from '../domain/closest.js';
import { goneSettings } from './gone.js';
import { type Problem, type SettingPath, valueAt } from './problem.js';
import { schemaAt, type SettingMeta, shapeOf, unwrap } from './schema-walk.js';

/**
 * Turns what zod found into sentences for the operator: one problem, or one for each unknown key. Values are quoted only for
 * choices, where a misspelling shows; never for anything that may be secret.
 *
 * @param root the schema that was applied
 * @param data the data it was applied to
 */
export function explainIssue(issue: z.core.$ZodIssue, root: z.core.$ZodType, data: unknown): Problem[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  if (issue.code === 'unrecognized_keys') {
    const schema = schemaAt(root, path);
    const known = Object.keys((schema === null ? null : shapeOf(schema)) ?? {});
    return issue.keys.flatMap(
      (key) =>
        goneSettings([...path, key], data) ?? [
          { path: [...path, key], message: `there is no such setting${didYouMean(key, known)}` },
        ],
    );
  }
  return [{ path, message: sentence(issue, path, root, data) }];
}

/** `; did you mean "x"?`, else the list to choose from, `; known here: a, b`. To append to a sentence. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const close = closest(word, candidates);
  if (close !== null) return `; did you mean "${close}"?`;
  return candidates.length === 0 ? '' : `; known here: ${candidates.join(', ')}`;
}

function sentence(issue: z.core.$ZodIssue, path: SettingPath, root: z.core.$ZodType, data: unknown): string {
  if (path.length === 0) return 'the configuration must be a block of "setting: value" lines';
  const schema = schemaAt(root, path);
  const { meta, nullable } = schema === null ? { meta: {} as SettingMeta, nullable: false } : unwrap(schema);
  const value = valueAt(data, path);
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? 'is not a name';
  if (value === undefined)
    return meta.description === undefined ? 'is required' : `is required: ${meta.description}`;
  if (value === null) return `has no value; it must be ${meta.type ?? 'a block of settings'}`;
  if (issue.code === 'custom' || (issue.code === 'invalid_format' && issue.format === 'regex')) {
    return issue.message;
  }
  if (issue.code === 'invalid_value') {
    const possible = `must be ${meta.type ?? 'another value'}${nullable ? ', or null' : ''}`;
    if (typeof value !== 'string') return possible;
    const close = didYouMean(value, issue.values.map(String));
    return `${possible}, not "${value}"${close.includes('did you mean') ? close : ''}`;
  }
  if (issue.code === 'too_small' && issue.origin === 'array') return issue.message;
  const quotes = issue.code === 'invalid_type' && issue.expected === 'string' ? quoteHint(schema, value) : '';
  return `must be ${meta.type ?? 'a block of settings'}${quotes}`;
}

/** `clientId: 4711` is a number to YAML. The hint is for values that quotes would fix. */
function quoteHint(schema: z.core.$ZodType | null, value: unknown): string {
  if (schema === null || (typeof value !== 'number' && typeof value !== 'boolean')) return '';
  if (!safeParse(schema, String(value)).success) return '';
  return `, but YAML reads this as a ${typeof value}; put it in quotes`;
}
