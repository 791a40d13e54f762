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

/**
 * Every rule by which replies are judged; the first that fits counts. Rules beside each other that differ only in the
 * status share a row. The page explains the first word of a meaning.
 */
export function replyRulesTable(): string {
  const rows: { on: string[]; readonly to: string; readonly others: readonly string[] }[] = [];
  for (const { on, methods, when, as, source } of REPLY_RULES) {
    const to = methods === undefined ? '' : `, to ${methods.join(' or ')}`;
    const others = [when?.text ?? '', REPLY_MEANINGS[as].replace(/: (?!`|a Find).*/, ''), source];
    const last = rows.at(-1);
    if (last?.to === to && last.others.join() === others.join()) last.on.push(repliesText(on));
    else rows.push({ on: [repliesText(on)], to, others });
  }
  return table(
    ['reply', 'with', 'judged as', 'because'],
    [CONFIGURED_ROW, ...rows.map(({ on, to, others }) => [on.join(', ') + to, ...others])],
  );
}

const CONFIGURED_ROW = [
  'the `status` of a row',
  'its `match`, if any, in the body, or at its `field`, in any case',
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
