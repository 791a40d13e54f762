import { oneLine } from '../reply/one-line.js';
import { isObject, readRefusal } from '../reply/refusal.js';
import type { Reply } from '../reply/reply.js';
import { describeShape } from './describe-shape.js';

/** Fields that are listed. */
const MOST_FIELDS = 12;

/** A reply in words: its status and the form of its body. The platform's own words may quote the record: without them. */
export function describeSeen(reply: Reply): string {
  if (reply.kind !== 'answered') {
    return `${reply.kind === 'unreachable' ? 'no connection' : 'no complete reply'} (${oneLine(reply.code)})`;
  }
  const { status, json, html } = reply;
  const body = html
    ? 'a web page'
    : json === undefined
      ? 'no JSON'
      : isObject(json)
        ? describeShape(json, 2)
        : `JSON, but a ${describeShape(json)}`;
  const { issues } = status >= 400 ? readRefusal(json) : { issues: [] };
  const fields = issues.length === 0 ? '' : `; about ${listFields(issues.map(({ field }) => field))}`;
  return `HTTP ${status}, ${body}${fields}`;
}

/** Names of fields, the first of them. */
export function listFields(names: readonly string[]): string {
  const unique = [...new Set(names)].map((name) => oneLine(name.slice(0, 60)));
  const more = unique.length > MOST_FIELDS ? [`${unique.length - MOST_FIELDS} more`] : [];
  return [...unique.slice(0, MOST_FIELDS), ...more].join(', ');
}
