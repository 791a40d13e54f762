import { issueText } from '../../core/domain/issue.js';
import { groupText } from '../../features/look/group-text.js';
import type { IssueGroup } from '../../core/domain/issue-group.js';
import { hintCommands, triesAgain } from '../../features/troubles/hints.js';
import { describeTrouble, PLAIN_WORDS, TROUBLE_TEXTS } from '../../features/troubles/describe-trouble.js';
import type { Words } from '../../features/troubles/consequences.js';
import {
  type Trouble,
  TROUBLE_KINDS,
  type TroubleKind,
  type TroubleOf,
  waitsByItself,
} from '../../core/domain/trouble/trouble.js';
import { shellWord } from '../../core/runtime/files.js';
import { localTime } from '../../core/contract/time.js';
import { moreText, say } from './write.js';

/** What is wrong, for people: title and meaning, records and reasons, then what to do. `timeZone`: of its times. */
export function printTroubles(troubles: readonly Trouble[], timeZone: string): void {
  const words = { ...PLAIN_WORDS, when: (at: Date) => `at ${localTime(at, timeZone)}` };
  const print = (of: readonly Trouble[], waiting: boolean) => {
    for (const { title, kind, lines } of paragraphs(of, words)) {
      const { exitCode, urgent } = TROUBLE_KINDS[kind];
      const colour = waiting || (exitCode === 0 && !urgent) ? 'yellow' : 'red';
      lines.forEach((line, index) => say(line, index === 0 ? { part: title, colour } : undefined));
    }
  };
  const waiting = troubles.filter(waitsByItself);
  print(
    troubles.filter((trouble) => !waiting.includes(trouble)),
    false,
  );
  if (waiting.length > 0) say('Waits by itself:');
  print(waiting, true);
}

interface Paragraph {
  readonly title: string;
  readonly kind: TroubleKind;
  readonly lines: readonly string[];
}

function paragraphs(troubles: readonly Trouble[], words: Words): readonly Paragraph[] {
  return troubles.flatMap((trouble) => {
    if (trouble.kind !== 'failed') return [paragraphOf(trouble, words)];
    // A source that is down fails each of its entities; it is printed once.
    const same = troubles.filter(
      (one): one is TroubleOf<'failed'> =>
        one.kind === 'failed' && one.code === trouble.code && one.message === trouble.message,
    );
    return same[0] === trouble
      ? [
          paragraphOf(trouble, {
            ...words,
            entity: () => same.map(({ subject }) => subject.entity).join(', '),
          }),
        ]
      : [];
  });
}

function paragraphOf(trouble: Trouble, words: Words): Paragraph {
  const { title, sentence, hint } = describeTrouble(trouble, 'en', words);
  const commands = hintCommands(trouble, trouble.sampleKeys[0] ?? null).map((parts) =>
    ['placement-sync', ...parts].map(shellWord).join(' '),
  );
  const again = commands.length === 0 ? null : triesAgain(trouble, words.when);
  const lines = [
    `  ${[`${title}.`, sentence, ...said(trouble)].join(' ')}`,
    ...details(trouble).map((line) => `    ${line}`),
    `    → ${[hint, ...(again === null ? [] : [again])].join(' ')}`,
    ...commands.map((one) => `      ${one}`),
  ];
  return { title, kind: trouble.kind, lines };
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
    const lines = reasons.map(groupText);
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
