import {
  CONFIGURED_SOURCE,
  REPLY_MEANINGS,
  REPLY_RULES,
  type ReplyRule,
} from '../src/domain/reply/reply-rules.js';
import { PROBE_CHECKS } from '../src/domain/probe/checks.js';
import type { Certainty, Operation } from '../src/contract/operation.js';
import { OPERATIONS } from '../src/entities/index.js';
import { GAPS, settingsText } from './coverage-settings.js';
import { table } from './table.js';

const CERTAINTY_TEXTS: Readonly<Record<Certainty, string>> = {
  specified: 'specified',
  documented: 'publicly documented',
  assumed: 'assumed',
};

/** Every operation with its name in the settings, and how sure each part of it is. */
export function operationsTable(): string {
  return table(
    ['operation', 'request', 'in the settings', 'specified', 'publicly documented', 'assumed'],
    Object.values<Operation>(OPERATIONS).map((operation) => [
      operation.title,
      `\`${operation.method} ${operation.path}\``,
      `\`${operation.name}\``,
      ...(Object.keys(CERTAINTY_TEXTS) as Certainty[]).map((certainty) => partsOf(operation, certainty)),
    ]),
  );
}

/** The parts that are this sure; the reply to a delete is not used. */
function partsOf({ certainty: parts, kind }: Operation, certainty: Certainty): string {
  return (['method', 'path', 'body', 'reply'] as const)
    .filter((part) => parts[part] === certainty && !(part === 'reply' && kind === 'DELETE'))
    .join(', ');
}

/** What the interface does not specify, and the setting that changes what is done instead. */
export function gapsTable(): string {
  return table(
    ['not specified', 'what is done', 'changed by'],
    GAPS.map(({ gap, done, settings, why }) => [gap, done, settingsText(settings, why)]),
  );
}

/** Every rule by which replies are judged; the first that fits counts. The page explains the first word of a meaning. */
export function replyRulesTable(): string {
  return table(
    ['reply', 'with', 'judged as', 'because'],
    [
      CONFIGURED_ROW,
      ...REPLY_RULES.map(({ on, methods, when, as, source }) => [
        methods === undefined ? repliesText(on) : `${repliesText(on)}, to ${methods.join(' or ')}`,
        when?.text ?? '',
        REPLY_MEANINGS[as].replace(/: (?!`|a Find).*/, ''),
        source,
      ]),
    ],
  );
}

const CONFIGURED_ROW = [
  'the `status` of a row',
  'its `match`, if it has one, anywhere in the body, in any case',
  'its `as`',
  CONFIGURED_SOURCE,
];

function repliesText(on: ReplyRule['on']): string {
  if (on === 'unreachable') return 'no connection';
  if (on === 'silent') return 'none, or not complete';
  const [from, to] = on;
  if (to === Infinity) return 'any other';
  return from === to ? String(from) : `${from} to ${to}`;
}

/** Every assumption that `probe` tries; it names the setting of what differs itself. */
export function probeChecksList(): string {
  return PROBE_CHECKS.map(({ id, assumption }) => `- \`${id}\`: ${assumption}`).join('\n');
}
