import { findTroubles } from '../../domain/trouble/find-troubles.js';
import { hintCommands } from '../../domain/trouble/hints.js';
import { describeTrouble, PLAIN_WORDS } from '../../domain/trouble/describe-trouble.js';
import type { RunContext } from '../run-context.js';
import { gatherFacts } from '../troubles/gather-facts.js';

/** Warns of entities whose acknowledgements are in doubt, because the state database went back in time. */
export async function warnOfDoubt({
  state,
  emit,
  clock,
  entities,
}: Pick<RunContext, 'state' | 'emit' | 'clock' | 'entities'>): Promise<void> {
  const names = entities.map(({ name }) => name);
  const troubles = findTroubles(await gatherFacts(state, { now: new Date(clock.now()), entities: names }));
  const doubt = troubles.find(({ kind }) => kind === 'in-doubt');
  if (!doubt) return;
  const { title, sentence, hint } = describeTrouble(doubt, 'en', PLAIN_WORDS);
  const commands = hintCommands(doubt, null).map((words) => `placement-sync ${words.join(' ')}`);
  emit({
    type: 'warning',
    code: 'state-went-back',
    message: `${title}. ${sentence}`,
    hint: [hint, ...commands].join(' '),
  });
}
