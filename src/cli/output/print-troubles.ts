import { issueText } from '../../core/domain/issue.js';
import { groupText } from '../../features/look/group-text.js';
import { countedRecords, listed, shellWord } from '../../core/domain/text.js';
import type { IssueGroup } from '../../core/domain/issue-group.js';
import { type Cause, causesOf } from '../../features/look/causes.js';
import { hintCommands, triesAgain } from '../../features/troubles/hints.js';
import { describeTrouble, PLAIN_WORDS, TROUBLE_TEXTS } from '../../features/troubles/describe-trouble.js';
import type { Words } from '../../features/troubles/consequences.js';
import { type Trouble, TROUBLE_KINDS } from '../../core/domain/trouble/trouble.js';
import { localTime } from '../../core/contract/time.js';
import { groupProblems } from './print-groups.js';
import { moreText, say } from './write.js';

/**
 * What is wrong, for people, by its cause: title and meaning, records and reasons, then what to do. Reasons of one entity
 * stand together. `timeZone`: of its times.
 */
export function printTroubles(troubles: readonly Trouble[], timeZone: string): void {
  const words = { ...PLAIN_WORDS, when: (at: Date) => `at ${localTime(at, timeZone)}` };
  const printed = new Set<Trouble>();
  const print = (cause: Cause) => {
    const [trouble] = cause.troubles;
    if (printed.has(trouble)) return;
    printed.add(trouble);
    const { exitCode, urgent } = TROUBLE_KINDS[trouble.kind];
    const colour = cause.passes || (exitCode === 0 && !urgent) ? 'yellow' : 'red';
    const { title, lines } = paragraphOf(cause, words);
    lines.forEach((line, index) => say(line, index === 0 ? { part: title, colour } : undefined));
  };
  const causes = causesOf(troubles);
  causes.filter(({ passes }) => !passes).forEach(print);
  const waiting = causes.filter(({ passes }) => passes);
  if (waiting.length > 0) say('Waits by itself:');
  waiting.forEach(print);
}

function paragraphOf(
  { troubles, groups, waiting }: Cause,
  all: Words,
): { readonly title: string; readonly lines: readonly string[] } {
  const [trouble] = troubles;
  const names = troubles.flatMap(({ subject }) => (subject && 'entity' in subject ? [subject.entity] : []));
  const words = names.length < 2 ? all : { ...all, entity: () => names.join(', ') };
  const { title, sentence, hint } = describeTrouble(trouble, 'en', words);
  const commands = hintCommands(trouble, trouble.sampleKeys[0] ?? null).map((parts) =>
    ['placement-sync', ...parts].map(shellWord).join(' '),
  );
  const again = commands.length === 0 ? null : triesAgain(trouble, words.when);
  const lines = [
    `  ${[`${title}.`, sentence, ...said(trouble)].join(' ')}`,
    ...[
      ...(trouble.kind === 'unmapped' ? codeLines(groups) : []),
      ...details(trouble),
      ...(groups.some(({ follows }) => follows.length > 0) || waiting.length === 0
        ? []
        : [waitingText(waiting)]),
    ].map((line) => `    ${line}`),
    `    → ${[hint, ...(again === null ? [] : [again])].join(' ')}`,
    ...commands.map((one) => `      ${one}`),
  ];
  return { title, lines };
}

/** `3 vacancies and 1 training cannot be sent before these.` */
function waitingText(waiting: Cause['waiting']): string {
  return `${listed(waiting.map(([entity, count]) => countedRecords(count, entity)))} cannot be sent before these.`;
}

const MOST_CODES = 12;

function codeLines(groups: Cause['groups']): string[] {
  return groupProblems(groups, MOST_CODES).flatMap(({ line, codes }) => [
    line,
    ...codes.map((code) => `  ${code}`),
  ]);
}

function said(trouble: Trouble): string[] {
  const { kind, message, sampleKeys } = trouble;
  // The sentence of a hold contains its message; drift has none.
  if (kind === 'held' || kind === 'push-held' || kind === 'drifted')
    return sampleKeys.length === 0 ? [] : [`Keys: ${sampleKeys.join(', ')}.`];
  if (message === null) return [];
  return ['code' in trouble ? `${trouble.code}: ${message}` : message];
}

function details(trouble: Trouble): string[] {
  if ('reasons' in trouble) {
    const { reasons } = trouble;
    if (trouble.kind === 'rejected') return reasons.map(reasonLine);
    const lines = trouble.kind === 'unmapped' ? [] : reasons.map(groupText);
    return trouble.leftOut > 0
      ? [...lines, `${moreText(trouble.leftOut, 'reason')}; placement-sync status --invalid lists all.`]
      : lines;
  }
  if (trouble.kind !== 'blocked') return [];
  const { parentAbsent, parentBlocked } = TROUBLE_TEXTS.en;
  const lines = trouble.records.map(
    ({ key, parentKey, problem }) =>
      `${key}: ${parentKey === null ? parentAbsent(trouble.parent) : `${parentBlocked(trouble.parent, problem)} ${parentKey}`}`,
  );
  const more = (trouble.count ?? 0) - lines.length;
  return [
    ...trouble.causes.map(groupText),
    ...lines,
    ...(more > 0 && lines.length > 0 ? [moreText(more)] : []),
  ];
}

/** `name has already been taken (2: v002, v003)` */
function reasonLine({ field, message, count, sampleKeys }: IssueGroup): string {
  const more = count > sampleKeys.length ? ', …' : '';
  const text = field === null ? message : issueText({ field, message });
  return `${text} (${PLAIN_WORDS.number(count)}: ${sampleKeys.join(', ')}${more})`;
}
