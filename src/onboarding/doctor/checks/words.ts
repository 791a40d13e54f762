import { entityCheck } from '../check.js';
import { pass, type Verdict } from '../finding.js';
import { judgedRows } from '../judged-rows.js';
import type { UnknownWord } from '../rows/word-tally.js';
import { groupVerdicts } from './grouped.js';

/** Words that are shown. */
const MOST_WORDS = 8;

export const words = entityCheck({
  id: 'words',
  levels: ['warn'],
  looksAt:
    'values that were never mapped: words that the interface does not know (gender, marital, skills, employment type)',
  remedy:
    'Add a lookup for the column: `entities.ENTITY.lookups.COLUMN`. A strict platform refuses such records.',
  judge: ({ rows }) =>
    judgedRows(rows, ({ groups, words: found }) => {
      const unknown = groups.filter(({ kind, code }) => kind === 'doubtful' && code === 'word');
      if (unknown.length === 0) return [pass('no word is sent that the interface does not know')];
      return unknown.flatMap((group) =>
        groupVerdicts('warn', [group], 'Add a lookup for the column, or correct the value.').map(
          (verdict): Verdict => ({
            ...verdict,
            message: `${verdict.message}${listed(found.get(group.field ?? ''))}`,
          }),
        ),
      );
    }),
});

function listed(unknown: readonly UnknownWord[] = []): string {
  if (unknown.length === 0) return '';
  const shown = unknown
    .slice(0, MOST_WORDS)
    .map(({ word, count }) => `${word} ${count.toLocaleString('en-US')}`);
  return ` (${shown.join(', ')}${unknown.length > MOST_WORDS ? ', …' : ''})`;
}
