import { hintCommands } from '../../domain/trouble/hint-commands.js';
import type { Reason } from '../../domain/trouble/reason.js';
import { describeTrouble } from '../../domain/trouble/text/describe-trouble.js';
import { PLAIN_WORDS } from '../../domain/trouble/text/plain-words.js';
import { TROUBLE_TEXTS } from '../../domain/trouble/text/trouble-texts.js';
import type { Trouble, TroubleOf } from '../../domain/trouble/trouble.js';
import { shellWord } from '../../runtime/shell-word.js';
import { say } from './write.js';

/** What is wrong, for people: title and meaning, records and reasons, then what to do. */
export function printTroubles(troubles: readonly Trouble[]): void {
  for (const lines of troubleLines(troubles)) for (const line of lines) say(line);
}

/** The same as lines, one list for each trouble. Pure. */
export function troubleLines(troubles: readonly Trouble[]): readonly (readonly string[])[] {
  return troubles.flatMap((trouble) => {
    if (trouble.kind !== 'failed') return [linesOf(trouble, [])];
    // A source that is down fails each of its entities; it is printed once.
    const same = troubles.filter(
      (one): one is TroubleOf<'failed'> =>
        one.kind === 'failed' && one.code === trouble.code && one.message === trouble.message,
    );
    return same[0] === trouble
      ? [
          linesOf(
            trouble,
            same.map(({ subject }) => subject.entity),
          ),
        ]
      : [];
  });
}

/** `names`: the entities that it is about; empty: its subject. */
function linesOf(trouble: Trouble, names: readonly string[]): string[] {
  const words = names.length === 0 ? PLAIN_WORDS : { ...PLAIN_WORDS, entity: () => names.join(', ') };
  const { title, sentence, hint } = describeTrouble(trouble, 'en', words);
  const commands = hintCommands(trouble, trouble.sampleKeys[0] ?? null).map((parts) =>
    ['placement-sync', ...parts].map(shellWord).join(' '),
  );
  return [
    `  ${[`${title}.`, sentence, ...said(trouble)].join(' ')}`,
    ...details(trouble).map((line) => `    ${line}`),
    `    → ${hint}`,
    ...commands.map((one) => `      ${one}`),
  ];
}

/** The message of the trouble, or the sample keys of a hold. */
function said(trouble: Trouble): string[] {
  const { kind, message, sampleKeys } = trouble;
  // The sentence of a hold contains its message.
  if (kind === 'held' || kind === 'push-held')
    return sampleKeys.length === 0 ? [] : [`Keys: ${sampleKeys.join(', ')}.`];
  if (message === null) return [];
  return ['code' in trouble ? `${trouble.code}: ${message}` : message];
}

function details(trouble: Trouble): string[] {
  if ('reasons' in trouble) return trouble.reasons.map(reasonLine);
  if (trouble.kind !== 'blocked') return [];
  const { parentAbsent, parentBlocked } = TROUBLE_TEXTS.en;
  return trouble.records.map(
    ({ key, parentKey }) =>
      `${key}: ${parentKey === null ? parentAbsent(trouble.parent) : `${parentBlocked(trouble.parent)} ${parentKey}`}`,
  );
}

/** `name is required (2: v002, v003)` */
function reasonLine({ field, message, count, sampleKeys }: Reason): string {
  const more = count > sampleKeys.length ? ', …' : '';
  return `${field === null ? '' : `${field} `}${message} (${PLAIN_WORDS.number(count)}: ${sampleKeys.join(', ')}${more})`;
}
