import { possibleTroubles } from '../trouble/find-troubles.js';
import { hintCommands } from '../trouble/hint-commands.js';
import { describeTrouble } from '../trouble/text/describe-trouble.js';
import { PLAIN_WORDS } from '../trouble/text/plain-words.js';
import type { TroubleFacts } from '../trouble/trouble-facts.js';
import type { Trouble } from '../trouble/trouble.js';
import type { TroubleKind } from '../trouble/trouble-kinds.js';
import type { NotifiedTrouble } from './notice.js';
import type { Observation } from './observation.js';

/** The kinds behind each notice; an entity with two of them is notified once, for the first. */
const NOTIFIED = {
  held: ['push-held', 'held'],
  stale: ['stale'],
  'auth-refused': ['auth-refused'],
} as const satisfies Readonly<Record<NotifiedTrouble, readonly TroubleKind[]>>;

/**
 * What the list of troubles says about every notified kind and subject, also that there is none. Areas: those from
 * which this process has seen replies. Pure; without keys, and without text of the platform or a database.
 */
export function observe(facts: TroubleFacts): Observation[] {
  const troubles = possibleTroubles(facts);
  const about = (trouble: NotifiedTrouble, subject: Observation['subject']): Observation => {
    const found = NOTIFIED[trouble]
      .map((kind) => troubles.find((one) => one.kind === kind && isAbout(one, subject)))
      .find((one) => one !== undefined);
    return { trouble, subject, found: found ? notified(found) : null };
  };
  return [
    ...facts.entities.flatMap(({ name }) => [about('held', name), about('stale', name)]),
    ...facts.areas
      .filter(({ credentials }) => credentials !== 'unknown')
      .map(({ area }) => about('auth-refused', area)),
  ];
}

function isAbout({ subject }: Trouble, name: Observation['subject']): boolean {
  return subject !== null && ('area' in subject ? subject.area : subject.entity) === name;
}

function notified(trouble: Trouble): Observation['found'] {
  const { sentence, hint } = describeTrouble(trouble, 'en', PLAIN_WORDS);
  const commands = hintCommands(trouble, 'KEY').map((words) => ['placement-sync', ...words].join(' '));
  return {
    // An area's time is by the clock of the process, the memory's by the database: count from the look.
    since: trouble.subject && 'area' in trouble.subject ? null : trouble.since,
    afterMs: trouble.kind === 'stale' ? trouble.afterMs : 0,
    reason: sentence,
    help: [hint, ...(commands.length > 0 ? [`Commands: ${commands.join(' · ')}`] : [])].join(' '),
  };
}
